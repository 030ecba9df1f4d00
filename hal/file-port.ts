/**
 * Files as ECMA-419 has them (`embedded:storage/files`), as far as storage and logs use them. Types only.
 * Paths are relative to the flash's root, without a leading slash. What was not flushed or closed is lost in
 * a power cut.
 */

/**
 * An open file. Positions and lengths are bytes, 0 and more. Nothing may be called after `close` but `close`.
 */
export interface FileHandle {
	/**
	 * @returns up to `count` bytes, less at the end of the file, none behind it. Default position: 0.
	 * @throws {Error} opened with "w"
	 */
	read(count: number, position?: number): ArrayBuffer;
	/**
	 * Writes over what is there, and beyond the end. Default position: 0.
	 * @throws {Error} "no space", "write failed"; opened with "r"
	 */
	write(data: Uint8Array, position?: number): void;
	/** Size in bytes, with what was not flushed. */
	status(): { readonly size: number | undefined };
	/**
	 * Cuts the file off, or adds zeros.
	 * @param length bytes, 0 and more
	 * @throws {Error} "no space", "write failed"; opened with "r"
	 */
	setSize(length: number): void;
	/** What was written survives a power cut from here on. @throws {Error} "no space", "write failed" */
	flush(): void;
	/** Flushes, and closes whatever that says. Idempotent. @throws {Error} as `flush` */
	close(): void;
}

/** The files and directories of one flash. */
export interface FilePort {
	/**
	 * mode: "r" (default), "r+" (must exist), "w" (creates or empties).
	 * @throws {Error} "not found", "not file", "bad path", "no space"
	 */
	openFile(options: { path: string; mode?: "r" | "r+" | "w" }): FileHandle;
	/**
	 * A file, or an empty directory; none that is open.
	 * @returns false when there was nothing
	 * @throws {Error}
	 */
	delete(path: string): boolean;
	/**
	 * Replaces `to`, at one stroke: a power cut leaves one of them. Neither may be open.
	 * @throws {Error} "not found", "no space"
	 */
	move(from: string, to: string): void;
	/**
	 * Size in bytes. Neither file nor directory, and no size, when there is nothing.
	 * @throws {Error} "bad path"
	 */
	status(path: string): { readonly size: number | undefined; isFile(): boolean; isDirectory(): boolean };
	/**
	 * The folder that it is in must exist.
	 * @returns false when it existed
	 * @throws {Error} "not found", "no space"
	 */
	createDirectory(path: string): boolean;
	/** The names in a directory, in byte order, files and directories alike. @throws {Error} "not found" */
	scan(path?: string): IterableIterator<string>;
}
