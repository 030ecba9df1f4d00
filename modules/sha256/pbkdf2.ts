/** PBKDF2-HMAC-SHA-256 for TypeScript, some rounds at a time, and random numbers. */
import type { SlowHashPort } from "../../hal/ports.js";

// The globals that Moddable's XS and our host provide; see `hal/host/host.h`.
// biome-ignore lint/suspicious/noExplicitAny: the natives' types are those of the methods around them
declare function native(name: string): (...values: any[]) => any;
declare function Native(destructor: string): new () => object;

/**
 * A password's key, made in portions that the event loop can bear; `close` hands it out, and may be called
 * after any number of rounds.
 */
export class Pbkdf2 extends Native("xs_pbkdf2_destructor") implements SlowHashPort {
	/**
	 * Begins, and does the first round.
	 * @param password, salt of any length
	 * @throws {RangeError} no memory
	 */
	constructor(password: Uint8Array, salt: Uint8Array) {
		super();
		native("xs_pbkdf2_construct").call(this, password, salt);
	}

	/**
	 * Does this many further rounds, each two blocks of SHA-256.
	 * @param rounds 0 and more
	 * @throws {Error} "PBKDF2: closed"
	 */
	add(rounds: number): void {
		native("xs_pbkdf2_add").call(this, rounds);
	}

	/**
	 * Ends it, and forgets everything.
	 * @returns the first block, 32 bytes
	 * @throws {Error} "PBKDF2: closed"
	 */
	close(): ArrayBuffer {
		return native("xs_pbkdf2_close").call(this);
	}
}

/**
 * Bytes that nobody can guess: on a board of its hardware, while the radio is on.
 * @param count 0..256
 * @throws {RangeError} another count
 */
export function randomBytes(count: number): Uint8Array {
	return new Uint8Array(native("xs_random_bytes")(count));
}
