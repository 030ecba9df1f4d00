/**
 * One log on flash: the live file `x.txt` and its old copies `x.1.txt` (the youngest) to `x.4.txt`. No file
 * is open between two calls: littlefs must not move or delete an open one. Source: docs/api.md, "Logs".
 *
 * Rotation makes a gap among the copies, from the oldest up, and fills it from below, one file with each
 * batch: the files tell how far it has come, so it goes on after a power cut, and nothing is lost but the
 * oldest copy. A live file that ends with part of a line, after a power cut or a failed write, is cut back to
 * whole lines with the next batch.
 */

import type { FileHandle, FilePort } from "../../hal/file-port.js";
import type { Steps } from "../storage/write-queue.js";

/** Sizes that fit a board's flash. */
export interface LogLimits {
	/** A live file that has reached this size becomes a copy, up to `copies` batches later. */
	readonly fileBytes: number;
	/** Old copies kept, 1..COPIES_MAX. */
	readonly copies: number;
}

/** Source: docs/api.md, "Logs". */
export const COPIES_MAX = 4;
/** No line is longer, LF included: this much of a file's end is looked through for part of a line. */
export const LINE_BYTES_MAX = 1024;
const LF = 0x0a;

/** The files of one log. */
export class LogFile {
	/** Rises whenever a file gets another content than its old one with lines appended. */
	revision = 0;
	readonly #files: FilePort;
	readonly #stem: string;
	readonly #livePath: string;
	readonly #limits: LogLimits;
	/** True once the live file is known to end with a whole line. */
	#whole = false;

	/** @param stem path without `.txt`, e.g. `logs/can/can` */
	constructor(files: FilePort, stem: string, limits: LogLimits) {
		this.#files = files;
		this.#stem = stem;
		this.#livePath = `${stem}.txt`;
		this.#limits = limits;
	}

	/** Path of the live file (0) or a copy (1..COPIES_MAX) on flash. */
	path(copy: number): string {
		return copy === 0 ? this.#livePath : `${this.#stem}.${copy}.txt`;
	}

	/** Bytes, -1 if there is no such file. */
	size(copy: number): number {
		const status = this.#files.status(this.path(copy));
		return status.isFile() ? (status.size ?? 0) : -1;
	}

	/**
	 * Appends whole lines, which are asked for in the last step and are on flash after it.
	 * @throws {Error} "no space" and others; nothing was appended then
	 */
	*appending(lines: () => Uint8Array): Steps {
		if (this.size(0) >= this.#limits.fileBytes) {
			this.#rotate();
			yield;
		}
		if (this.size(0) < 0) yield* this.#makeFolders();
		const size = this.size(0);
		const file = this.#open(size);
		try {
			const end = size < 0 || this.#whole ? Math.max(size, 0) : endOfLines(file, size);
			try {
				this.#whole = true;
				file.write(lines(), end);
			} catch (error) {
				this.#whole = false;
				file.setSize(end);
				throw error;
			}
		} finally {
			file.close();
		}
	}

	/** Up to `count` bytes from `position` on, fewer at its end. @throws {Error} there is no such file */
	read(copy: number, position: number, count: number): Uint8Array {
		const file = this.#files.openFile({ path: this.path(copy) });
		try {
			return new Uint8Array(file.read(count, position));
		} finally {
			file.close();
		}
	}

	/** @returns false if there is no such file. @throws {Error} it can't be deleted */
	delete(copy: number): boolean {
		this.revision++;
		return this.#files.delete(this.path(copy));
	}

	/** The live file exists afterwards. @throws {Error} it can't be emptied */
	*emptying(): Steps {
		yield* this.#makeFolders();
		this.revision++;
		this.#open(-1).close();
	}

	/** @returns false if there is no copy */
	deleteOldest(): boolean {
		for (let copy = COPIES_MAX; copy > 0; copy--) if (this.size(copy) >= 0) return this.delete(copy);
		return false;
	}

	/** Moves one file, so that no batch takes long: the youngest one below the lowest gap. */
	#rotate(): void {
		this.revision++;
		let free = 1;
		while (free < this.#limits.copies && this.size(free) >= 0) free++;
		this.#files.move(this.path(free - 1), this.path(free));
	}

	*#makeFolders(): Steps {
		const path = this.path(0);
		for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1))
			if (this.#files.createDirectory(path.slice(0, slash))) yield;
	}

	#open(size: number): FileHandle {
		return this.#files.openFile({ path: this.path(0), mode: size < 0 ? "w" : "r+" });
	}
}

/** Where the last whole line of a file ends: a write that was cut off may have left part of one. */
function endOfLines(file: FileHandle, size: number): number {
	const from = Math.max(0, size - LINE_BYTES_MAX);
	const tail = new Uint8Array(file.read(size - from, from));
	const end = from + tail.lastIndexOf(LF) + 1;
	if (end < size) file.setSize(end);
	return end;
}
