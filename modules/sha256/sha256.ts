/**
 * SHA-256, keys made of passwords some rounds at a time, and random numbers. Moddable's `crypt` has SHA-256
 * too, together with the ciphers and digests that its module cannot leave out: 30 KB of flash that nothing
 * here uses.
 */
import type { NetworkKeyPort, SlowHashPort } from "../../hal/ports.js";
import type { DigestPort } from "../../hal/update-port.js";

// The globals that Moddable's XS and our host provide; see `hal/host/host.h`.
// biome-ignore lint/suspicious/noExplicitAny: the natives' types are those of the methods around them
declare function native(name: string): (...values: any[]) => any;
declare function Native(destructor: string): new () => object;

/** A digest of bytes that come in pieces of any size, 0 included. `close` ends it, once. */
export class Sha256 extends Native("xs_sha256_destructor") implements DigestPort {
	/** @throws {RangeError} no memory */
	constructor() {
		super();
		native("xs_sha256_construct").call(this);
	}

	/** Appends to what is digested. @throws {Error} "SHA-256: closed" */
	write(data: ArrayBuffer | Uint8Array): void {
		native("xs_sha256_write").call(this, data);
	}

	/**
	 * Ends it.
	 * @returns the digest, 32 bytes
	 * @throws {Error} "SHA-256: closed"
	 */
	close(): ArrayBuffer {
		return native("xs_sha256_close").call(this);
	}
}

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

/** The key that WPA2 makes of a passphrase, made in portions that the event loop can bear. */
export class WpaKey extends Native("xs_wpa_key_destructor") implements NetworkKeyPort {
	/**
	 * Begins.
	 * @param passphrase up to 63 bytes
	 * @param ssid up to 32 bytes
	 * @throws {RangeError} longer ones, or no memory
	 */
	constructor(passphrase: Uint8Array, ssid: Uint8Array) {
		super();
		native("xs_wpa_key_construct").call(this, passphrase, ssid);
	}

	add(rounds: number): boolean {
		return native("xs_wpa_key_add").call(this, rounds);
	}

	close(): ArrayBuffer {
		return native("xs_wpa_key_close").call(this);
	}
}
