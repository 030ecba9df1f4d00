/**
 * Moddable's littlefs behind the contract of hal/typings/ecma-419.d.ts. Their module opens the flash when it is loaded, which
 * preloaded code must not, so main.ts hands its directory over. What is put right here: a full flash is told as "LFS ERR -28" in
 * release builds, and closing a file swallows what goes wrong with the bytes that were still to be written.
 */
import type { Directory, File, Status } from "embedded:storage/files";

type Bytes = ArrayBuffer | Uint8Array | DataView;
type OpenOptions = { path: string; mode?: "r" | "r+" | "w" | "w+" };

/** LFS_ERR_NOSPC, in release and in debug builds. */
const FULL = Object.freeze(["LFS ERR -28", "No space left on device"]);

let root: Directory;

/** Call once, before any file is used. */
export function mount(directory: Directory): void {
	root = directory;
}

function told(error: unknown): unknown {
	return error instanceof Error && FULL.includes(error.message) ? new Error("no space") : error;
}

class BoardFile implements File {
	readonly #file: File;
	#unsaved = false;

	constructor(file: File) {
		this.#file = file;
	}

	read(count: number, position?: number): ArrayBuffer;
	read(into: Bytes, position?: number): number;
	read(wanted: number | Bytes, position = 0): ArrayBuffer | number {
		return this.#file.read(wanted as number, position);
	}

	write(data: Bytes, position = 0): void {
		this.#unsaved = true;
		try {
			this.#file.write(data, position);
		} catch (error) {
			throw told(error);
		}
	}

	status(): Status {
		return this.#file.status();
	}

	setSize(length: number): void {
		this.#unsaved = true;
		try {
			this.#file.setSize(length);
		} catch (error) {
			throw told(error);
		}
	}

	flush(): void {
		try {
			this.#file.flush();
			this.#unsaved = false;
		} catch (error) {
			throw told(error);
		}
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
	openFile(options: OpenOptions): File {
		try {
			return new BoardFile(root.openFile(options));
		} catch (error) {
			throw told(error);
		}
	},

	delete(path: string): boolean {
		return root.delete(path);
	},

	move(from: string, to: string): void {
		try {
			root.move(from, to);
		} catch (error) {
			throw told(error);
		}
	},

	status(path: string): Status {
		return root.status(path);
	},

	createDirectory(path: string): boolean {
		try {
			return root.createDirectory(path);
		} catch (error) {
			throw told(error);
		}
	},

	scan(path = ""): IterableIterator<string> {
		return root.scan(path);
	},
});
