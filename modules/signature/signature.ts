/** Ed25519 signatures for TypeScript, looked at in a thread: see README.md. */
import type { SignaturePort } from "../../hal/update-port.js";

// The globals that Moddable's XS and our host provide; see `hal/host/host.h`.
// biome-ignore lint/suspicious/noExplicitAny: the natives' types are those of the methods around them
declare function native(name: string): (...values: any[]) => any;
declare function Native(destructor: string): new () => object;

/**
 * One check of one signature, in a thread of its own meanwhile: it is asked for its result until that is
 * known, then closed.
 */
export class SignatureCheck extends Native("xs_signature_destructor") implements SignaturePort {
	/**
	 * Begins to look whether this key, 32 bytes, has made this signature, 64 bytes, of this message.
	 * @throws {RangeError} other sizes, no memory
	 */
	constructor(key: Uint8Array, signature: Uint8Array, message: Uint8Array) {
		super();
		native("xs_signature_construct").call(this, key, signature, message);
	}

	/** -1 while it is not known, 0 = wrong, 1 = right. @throws {Error} "signature: closed" */
	result(): number {
		return native("xs_signature_result").call(this);
	}

	/** Aborts the check. Idempotent. */
	close(): void {
		native("xs_signature_close").call(this);
	}
}
