/**
 * Files on the host, with the behaviour of Moddable's littlefs version; the contract is in hal/file-port.ts.
 * flash.c rejects whatever would leave the flash folder.
 */
import type { FileHandle, FilePort } from "../../file-port.js";

const MODE_FILE = 1; // littlefs's numbers
const MODE_DIRECTORY = 2;

class Status {
	readonly size: number | undefined;
	readonly mode: number = 0;

	isFile(): boolean {
		return this.mode === MODE_FILE;
	}

	isDirectory(): boolean {
		return this.mode === MODE_DIRECTORY;
	}
}

class File extends Native("host_file_destructor") implements FileHandle {
	constructor(path: string, mode: string | undefined) {
		super();
		native("host_file_constructor").call(this, path, mode);
	}

	read(count: number, position?: number): ArrayBuffer {
		return native<ArrayBuffer>("host_file_read").call(this, count, position);
	}

	write(data: Uint8Array, position?: number): void {
		native("host_file_write").call(this, data, position);
	}

	status(): Status {
		return native<Status>("host_file_status").call(this, new Status());
	}

	setSize(length: number): void {
		native("host_file_set_size").call(this, length);
	}

	flush(): void {
		native("host_file_flush").call(this);
	}

	close(): void {
		native("host_file_close").call(this);
	}
}

class Scan extends Native("host_scan_destructor") implements IterableIterator<string> {
	constructor(path: string) {
		super();
		native("host_scan_constructor").call(this, path);
	}

	next(): IteratorResult<string, undefined> {
		const value = native<string | undefined>("host_scan_next").call(this);
		return value === undefined ? { done: true, value } : { done: false, value };
	}

	[Symbol.iterator](): this {
		return this;
	}
}

export default Object.freeze({
	openFile(options: { path: string; mode?: "r" | "r+" | "w" }): FileHandle {
		return new File(options.path, options.mode);
	},

	delete(path: string): boolean {
		return native<boolean>("host_files_delete").call(this, path);
	},

	move(from: string, to: string): void {
		native("host_files_move").call(this, from, to);
	},

	status(path: string): Status {
		return native<Status>("host_files_status").call(this, path, new Status());
	},

	createDirectory(path: string): boolean {
		return native<boolean>("host_files_create_directory").call(this, path);
	},

	scan(path = ""): Scan {
		return new Scan(path);
	},
} satisfies FilePort);
