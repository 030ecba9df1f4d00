/**
 * Files that are read and replaced as a whole. After a power cut a file has the old content or the new one.
 * Paths are relative to the flash's root.
 */

import type { FilePort } from "../../hal/file-port.js";
import type { Steps } from "./write-queue.js";

/** A file being written, until it is moved over the old one. Leftovers of a power cut are deleted at boot. */
const NEW_SUFFIX = ".new";
/** A file that could not be used, kept for inspection. */
const BAD_SUFFIX = ".bad";

/** @returns undefined: there is no such file @throws {Error} it is too long, a folder, or can't be read */
export function readFile(files: FilePort, path: string, maxBytes: number): Uint8Array | undefined {
	const found = files.status(path);
	if (found.isDirectory()) throw new Error("it is a folder");
	if (!found.isFile()) return undefined;
	const file = files.openFile({ path });
	try {
		const size = file.status().size ?? 0;
		if (size > maxBytes) throw new RangeError(`${path} has ${size} bytes; allowed: ${maxBytes}`);
		return new Uint8Array(file.read(size));
	} finally {
		file.close();
	}
}

/**
 * Puts `content` in place of the old one: on flash after the last step.
 * @param freeSpace asked for space on a full flash until it returns false
 * @param first taken when the new content is on flash, before it replaces the old one
 * @throws {Error} the old one stays
 */
export function* replacingFile(
	files: FilePort,
	path: string,
	content: Uint8Array,
	freeSpace = (): boolean => false,
	first?: Steps,
): Steps {
	const newPath = path + NEW_SUFFIX;
	try {
		yield* withSpace(() => writeFile(files, newPath, content), freeSpace);
		yield;
		if (first !== undefined) {
			yield* first;
			yield;
		}
		yield* withSpace(() => files.move(newPath, path), freeSpace);
	} catch (error) {
		forget(files, newPath);
		throw error;
	}
}

/** Takes a step, on a full flash again after each time that space was freed. */
function* withSpace(step: () => void, freeSpace: () => boolean): Steps {
	for (;;) {
		try {
			step();
			return;
		} catch (error) {
			if (!isFull(error) || !freeSpace()) throw error;
		}
		yield;
	}
}

/** @throws {Error} there is no such file then */
function writeFile(files: FilePort, path: string, content: Uint8Array): void {
	try {
		const file = files.openFile({ path, mode: "w" });
		try {
			file.write(content);
			file.flush();
		} finally {
			file.close();
		}
	} catch (error) {
		forget(files, path);
		throw error;
	}
}

/** Moves an unusable file out of the way. @returns a report in words */
export function setAside(files: FilePort, path: string): string {
	try {
		files.move(path, path + BAD_SUFFIX);
		return `it is kept as ${path}${BAD_SUFFIX}`;
	} catch (error) {
		return `it can't be set aside: ${(error as Error).message}`;
	}
}

/** True if the file was set aside and has not been written since. */
export function isSetAside(files: FilePort, path: string): boolean {
	const bad = files.status(path + BAD_SUFFIX);
	return !files.status(path).isFile() && (bad.isFile() || bad.isDirectory());
}

/** Deletes files that a power cut left half-written in a directory ("" = the root). */
export function deleteLeftovers(files: FilePort, directory: string): void {
	const prefix = directory === "" ? "" : `${directory}/`;
	try {
		// a directory must not change while it is listed
		for (const name of [...files.scan(directory)]) if (name.endsWith(NEW_SUFFIX)) forget(files, prefix + name);
	} catch {
		// no such directory
	}
}

/** Whether a write failed because the flash is full. */
export function isFull(error: unknown): boolean {
	return error instanceof Error && error.message === "no space";
}

function forget(files: FilePort, path: string): void {
	try {
		files.delete(path);
	} catch {
		// it stays until the next boot
	}
}
