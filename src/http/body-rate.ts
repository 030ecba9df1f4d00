/** How fast a request's body comes: a client that sends a byte now and then must not hold a connection for ever. */

import { elapsedMs } from "../clock/elapsed.js";
import type { HttpLimits } from "./limits.js";

/** Of one body at a time. All times are ms, modulo 2^32. Never throws. */
export class BodyRate {
	readonly #limits: HttpLimits;
	#sinceMs = 0;
	#bytes = 0;

	constructor(limits: HttpLimits) {
		this.#limits = limits;
	}

	/** Counts from now on. */
	begin(nowMs: number): void {
		this.#sinceMs = nowMs;
		this.#bytes = 0;
	}

	/** So many bytes have come. */
	add(bytes: number): void {
		this.#bytes += bytes;
	}

	/** True if fewer than `leastBodyBytesPerS` came, averaged over the last `bodyTimeoutMs`; false before such a span has passed. */
	isTooSlow(nowMs: number): boolean {
		const { bodyTimeoutMs, leastBodyBytesPerS } = this.#limits;
		if (elapsedMs(this.#sinceMs, nowMs) < bodyTimeoutMs) return false;
		const isTooSlow = this.#bytes < (leastBodyBytesPerS * bodyTimeoutMs) / 1000;
		this.begin(nowMs);
		return isTooSlow;
	}
}
