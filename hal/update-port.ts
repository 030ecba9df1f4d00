/**
 * What an update needs of a platform: the slot that is not running, a digest, a download. Types only.
 */

/** The slot while an image is written to it (`embedded:update`). */
export interface SlotWriter {
	/** Appends. @throws {Error} "write failed" */
	write(data: Uint8Array): void;
	/**
	 * Checks what lies in the slot and has it started next; until then nothing has changed.
	 * @throws {Error} it does not hold an image
	 */
	complete(): void;
	/** Discards what is not complete. Idempotent. */
	close(): void;
}

/** The firmware that runs, and the slot for the next one. */
export interface FirmwarePort {
	/** Started for the first time and not confirmed: the next start goes back to the old one. */
	readonly pendingVerify: boolean;
	/** The image in the other slot was started and not confirmed. */
	readonly rolledBack: boolean;
	/** What the slot holds at the most. */
	readonly slotBytes: number;
	/**
	 * Empties the slot; what was in it can't be started any more. One writer at a time.
	 * @throws {Error} "begin failed"
	 */
	begin(): SlotWriter;
	/** The image that runs stays; idempotent. @throws {Error} the choice can't be written */
	confirm(): void;
	/** Starts anew, with the image that was chosen last. Does not return on a platform. */
	restart(): void;
}

/** SHA-256 (`modules/sha256`). */
export interface DigestPort {
	/** Appends to what is digested. @throws {Error} it was ended */
	write(data: Uint8Array): void;
	/**
	 * Ends it.
	 * @returns 32 bytes
	 * @throws {Error} it was ended before
	 */
	close(): ArrayBuffer;
}

/** Whether a key has made a signature, looked at beside everything else (`modules/signature`). */
export interface SignaturePort {
	/**
	 * @returns -1 while it is not known, 0 = it has not, 1 = it has
	 * @throws {Error} it was closed
	 */
	result(): number;
	/** Aborts the check. Idempotent. */
	close(): void;
}

/** The client of a download. None of these calls may start another one. */
export interface Download {
	/**
	 * The answer begins.
	 * @param status of HTTP, 100..599
	 * @param lengthBytes of the body, -1 = unknown
	 */
	onHead(status: number, lengthBytes: number): void;
	/** The next bytes of the body, at most 2 KiB; they are gone after the call. */
	onData(bytes: Uint8Array): void;
	/** It is over. @param code 0 = the body is whole; else negative, a value of `FetchError` */
	onEnd(code: number): void;
}

/** Fetches one thing at a time. Calls back from the event loop, never from inside `open` or `cancel`. */
export interface FetchPort {
	/** @throws {RangeError} an address that can't be fetched from here */
	open(url: string, download: Download): void;
	/** Ends what is under way: no call back comes any more. Idempotent. */
	cancel(): void;
}
