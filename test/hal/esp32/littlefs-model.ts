/**
 * Moddable's files on littlefs (modules/io/files/littlefs of SDK 8.2.3), as far as they differ from the port:
 * errors are numbers of littlefs, a full flash shows when the file is flushed, closing tells of nothing, and
 * a file whose write has failed is not stored any more. What is stored lies in `MemoryFiles`, which also has
 * the faults.
 */
import type { FileHandle, FilePort } from "../../../hal/file-port.js";
import { type MemoryFiles, PowerCut } from "../../support/memory-files.js";

/** As release builds say it. */
const CODES: Readonly<Record<string, string>> = {
	"not found": "LFS ERR -2",
	"write failed": "LFS ERR -5",
	"no space": "LFS ERR -28",
};

function coded<T>(act: () => T): T {
	try {
		return act();
	} catch (error) {
		throw error instanceof PowerCut ? error : new Error(CODES[(error as Error).message] ?? (error as Error).message);
	}
}

class LittlefsFile implements FileHandle {
	readonly #file: FileHandle;
	readonly #mode: string;
	/** What has failed: nothing of this file is stored from then on. */
	#error: Error | undefined;

	constructor(file: FileHandle, mode: string) {
		this.#file = file;
		this.#mode = mode;
	}

	read(count: number, position = 0): ArrayBuffer {
		if (this.#mode === "w") throw new Error("write-only");
		return coded(() => this.#file.read(count, position));
	}

	write(data: Uint8Array, position = 0): void {
		this.#mayWrite();
		try {
			coded(() => this.#file.write(data, position));
		} catch (error) {
			this.#error = error as Error;
			if ((error as Error).message !== CODES["no space"]) throw error; // that waits in the cache, and is told by flush
		}
	}

	setSize(length: number): void {
		this.#mayWrite();
		coded(() => this.#file.setSize(length));
	}

	status(): { size: number | undefined } {
		return this.#file.status();
	}

	flush(): void {
		if (this.#error?.message === CODES["no space"]) throw this.#error;
		if (this.#error === undefined) coded(() => this.#file.flush());
	}

	/** Without `flush` before it, what could not be stored is lost and nobody hears of it. */
	close(): void {
		if (this.#error === undefined) this.#file.close();
	}

	#mayWrite(): void {
		if (this.#mode === "r") throw new Error("read-only");
	}
}

/** @returns what `embedded:storage/files` is on a board */
export function littlefs(files: MemoryFiles): FilePort {
	return {
		openFile({ path, mode = "r" }) {
			if (files.status(path).isDirectory()) throw new Error("not file");
			return new LittlefsFile(
				coded(() => files.openFile({ path, mode })),
				mode,
			);
		},
		delete: (path) => coded(() => files.delete(path)),
		move: (from, to) => coded(() => files.move(from, to)),
		status: (path) => files.status(path),
		createDirectory: (path) => coded(() => files.createDirectory(path)),
		scan: (path = "") => coded(() => files.scan(path)),
	};
}
