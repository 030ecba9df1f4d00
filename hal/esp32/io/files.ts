/**
 * Moddable's littlefs behind the contract of hal/file-port.ts. Their module opens the flash when it
 * is loaded, which preloaded code must not, so main.ts hands its directory over. What is put right here:
 * errors are told by littlefs' numbers in release builds, and closing a file swallows what goes wrong with
 * the bytes that were still to be written.
 */
import type { FileHandle, FilePort } from "../../file-port.js";

/**
 * What Moddable says of LFS_ERR_NOENT, LFS_ERR_IO and LFS_ERR_NOSPC, in release and in debug builds, and what
 * that means.
 */
const ERRORS = Object.freeze([
	Object.freeze({ number: "LFS ERR -2", text: "No directory entry", means: "not found" }),
	Object.freeze({ number: "LFS ERR -5", text: "Error during device operation", means: "write failed" }),
	Object.freeze({ number: "LFS ERR -28", text: "No space left on device", means: "no space" }),
]);

let root: FilePort;

/** Call once, before any file is used. */
export function mount(files: FilePort): void {
	root = files;
}

/** Does what may change the flash. @throws {Error} in the contract's words */
function inWords<T>(change: () => T): T {
	try {
		return change();
	} catch (error) {
		const message = (error as Error).message;
		const known = ERRORS.find(({ number, text }) => number === message || text === message);
		throw known === undefined ? error : new Error(known.means);
	}
}

class BoardFile implements FileHandle {
	readonly #file: FileHandle;
	#unsaved = false;

	constructor(file: FileHandle) {
		this.#file = file;
	}

	read(count: number, position = 0): ArrayBuffer {
		return this.#file.read(count, position);
	}

	write(data: Uint8Array, position = 0): void {
		this.#unsaved = true;
		inWords(() => this.#file.write(data, position));
	}

	status(): { readonly size: number | undefined } {
		return this.#file.status();
	}

	setSize(length: number): void {
		this.#unsaved = true;
		inWords(() => this.#file.setSize(length));
	}

	flush(): void {
		inWords(() => this.#file.flush());
		this.#unsaved = false;
	}

	close(): void {
		try {
			if (this.#unsaved) this.flush();
		} finally {
			this.#unsaved = false;
			this.#file.close();
		}
	}
}

export default Object.freeze({
	openFile(options: { path: string; mode?: "r" | "r+" | "w" }): FileHandle {
		return inWords(() => new BoardFile(root.openFile(options)));
	},

	delete(path: string): boolean {
		return inWords(() => root.delete(path));
	},

	move(from: string, to: string): void {
		inWords(() => root.move(from, to));
	},

	status(path: string): ReturnType<FilePort["status"]> {
		return root.status(path);
	},

	createDirectory(path: string): boolean {
		return inWords(() => root.createDirectory(path));
	},

	scan(path = ""): IterableIterator<string> {
		return inWords(() => root.scan(path));
	},
});
