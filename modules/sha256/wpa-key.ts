/** The key that WPA2 makes of a passphrase, for TypeScript, some rounds at a time. */
import type { NetworkKeyPort } from "../../hal/ports.js";

// The globals that Moddable's XS and our host provide; see `hal/host/host.h`.
// biome-ignore lint/suspicious/noExplicitAny: the natives' types are those of the methods around them
declare function native(name: string): (...values: any[]) => any;
declare function Native(destructor: string): new () => object;

/** A network's key, made in portions that the event loop can bear. */
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
