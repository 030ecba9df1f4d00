/**
 * Files as ECMA-419 has them (`embedded:storage/files`), as far as storage and logs use them. Types only.
 * Paths are relative to the flash's root, without a leading slash. What was not flushed or closed is lost in a power cut.
 */

export interface FileHandle {
	/** @returns up to `count` bytes, less at the end of the file. Default position: 0. */
	read(count: number, position?: number): ArrayBuffer;
	/** @throws {Error} "no space", "write failed" */
	write(data: Uint8Array, position?: number): void;
	status(): { readonly size: number | undefined };
	/** Cuts the file off, or adds zeros. @throws {Error} "no space" */
	setSize(length: number): void;
	flush(): void;
	/** Flushes. Idempotent. */
	close(): void;
}

export interface FilePort {
	/** mode: "r" (default), "r+" (must exist), "w" (creates or empties). @throws {Error} "not found", "not file", "bad path", "no space" */
	openFile(options: { path: string; mode?: "r" | "r+" | "w" }): FileHandle;
	/** @returns false when there was nothing. */
	delete(path: string): boolean;
	/** Replaces `to`, at one stroke. @throws {Error} */
	move(from: string, to: string): void;
	/** Neither file nor directory when there is nothing. */
	status(path: string): { readonly size: number | undefined; isFile(): boolean; isDirectory(): boolean };
	/** @returns false when it existed. */
	createDirectory(path: string): boolean;
	/** The names in a directory, in byte order, files and directories alike. @throws {Error} "not found" */
	scan(path?: string): IterableIterator<string>;
}
