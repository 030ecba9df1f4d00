/**
 * SHA-256 for TypeScript. Moddable's `crypt` has it too, together with the ciphers and digests that its
 * module cannot leave out: 30 KB of flash that nothing here uses.
 */
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

	/** Ends it. @returns the digest, 32 bytes @throws {Error} "SHA-256: closed" */
	close(): ArrayBuffer {
		return native("xs_sha256_close").call(this);
	}
}
