/**
 * ECMA-419 files on the host, with the behaviour of Moddable's littlefs version; the contract is in
 * hal/typings/ecma-419.d.ts. A directory here is a checked path prefix: flash.c rejects whatever would leave
 * the flash folder.
 */
import type { Directory as DeclaredDirectory, File as DeclaredFile, Status as DeclaredStatus } from "embedded:storage/files";

type Bytes = ArrayBuffer | Uint8Array | DataView;

const MODE_FILE = 1; // littlefs's numbers
const MODE_DIRECTORY = 2;

class Status implements DeclaredStatus {
	readonly size: number | undefined;
	readonly mode: number = 0;

	isFile(): boolean {
		return this.mode === MODE_FILE;
	}

	isDirectory(): boolean {
		return this.mode === MODE_DIRECTORY;
	}

	isSymbolicLink(): boolean {
		return false;
	}
}

class File extends Native("host_file_destructor") implements DeclaredFile {
	constructor(path: string, mode: string | undefined) {
		super();
		native("host_file_constructor").call(this, path, mode);
	}

	read(count: number, position?: number): ArrayBuffer;
	read(into: Bytes, position?: number): number;
	read(wanted: number | Bytes, position?: number): ArrayBuffer | number {
		return native<ArrayBuffer | number>("host_file_read").call(this, wanted, position);
	}

	write(data: Bytes, position?: number): void {
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

class Directory implements DeclaredDirectory {
	readonly #prefix: string; // "" for the root, else ends in "/"

	constructor(prefix: string) {
		this.#prefix = prefix;
	}

	openFile(options: { path: string; mode?: "r" | "r+" | "w" | "w+" }): File {
		return new File(this.#prefix + options.path, options.mode);
	}

	openDirectory(options: { path: string }): Directory {
		const path = this.#prefix + options.path;
		native("host_files_check_directory").call(this, path);
		return new Directory(path === "" || path.endsWith("/") ? path : path + "/");
	}

	delete(path: string): boolean {
		return native<boolean>("host_files_delete").call(this, this.#prefix + path);
	}

	move(from: string, to: string): void {
		native("host_files_move").call(this, this.#prefix + from, this.#prefix + to);
	}

	status(path: string): Status {
		return native<Status>("host_files_status").call(this, this.#prefix + path, new Status());
	}

	createDirectory(path: string): boolean {
		return native<boolean>("host_files_create_directory").call(this, this.#prefix + path);
	}

	scan(path = ""): Scan {
		return new Scan(this.#prefix + path);
	}

	[Symbol.iterator](): Scan {
		return this.scan();
	}

	/** Nothing is held open. */
	close(): void {}
}

const files: DeclaredDirectory = Object.freeze(new Directory(""));
export default files;
