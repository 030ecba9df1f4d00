/**
 * What an update needs of a platform: the slot that is not running, a digest, a download. Types only.
 */

/** The slot while an image is written to it (`embedded:update`). */
export interface SlotWriter {
	/** Appends. @throws {Error} "write failed" */
	write(data: Uint8Array): void;
	/** Checks what lies in the slot and has it started next; until then nothing has changed. @throws {Error} it does not hold an image */
	complete(): void;
	/** Gives up what is not complete. Idempotent. */
	close(): void;
}

/** The firmware that runs, and the slot for the next one. */
export interface FirmwarePort {
	/** Started for the first time and not confirmed: the next start goes back to the old one. */
	readonly pendingVerify: boolean;
	/** The image in the other slot was started and not confirmed. */
	readonly rolledBack: boolean;
	readonly slotBytes: number;
	/** Empties the slot. @throws {Error} "begin failed" */
	begin(): SlotWriter;
	/** @throws {Error} */
	confirm(): void;
	/** Does not return on a platform. */
	restart(): void;
}

/** SHA-256 (`modules/sha256`). */
export interface DigestPort {
	write(data: Uint8Array): void;
	/** The 32 bytes; nothing can be written afterwards. */
	close(): ArrayBuffer;
}

/** Whether a key has made a signature, looked at beside everything else (`modules/signature`). */
export interface SignaturePort {
	/** -1 while it is not known, 0 = it has not, 1 = it has. */
	result(): number;
	/** Gives it up. Idempotent. */
	close(): void;
}

/** Whoever waits for a download. None of these calls may start another one. */
export interface Download {
	/** The answer begins. @param lengthBytes -1 = unknown */
	onHead(status: number, lengthBytes: number): void;
	/** The next bytes of the body, at most 2 KiB; they are gone after the call. */
	onData(bytes: Uint8Array): void;
	/** It is over. @param code 0 = the body is whole; else negative, a value of `FETCH_ERROR` */
	onEnd(code: number): void;
}

/** Fetches one thing at a time. Calls back from the event loop, never from inside `open` or `cancel`. */
export interface FetchPort {
	/** @throws {RangeError} an address that can't be fetched from here */
	open(url: string, download: Download): void;
	/** Ends what is under way: no call back comes any more. Idempotent. */
	cancel(): void;
}
