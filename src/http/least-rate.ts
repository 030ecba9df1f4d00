/** How fast bytes move: a client that sends or takes a byte now and then must not hold a connection for ever. */

import { elapsedMs } from "../clock/elapsed.js";
import type { HttpLimits } from "./limits.js";

/** Of one body, or of one answer. All times are ms, modulo 2^32. Never throws. */
export class LeastRate {
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

	/** So many bytes have moved. */
	add(bytes: number): void {
		this.#bytes += bytes;
	}

	/** True if fewer than `leastBytesPerS` moved, averaged over the last `rateSpanMs`; false before such a span has passed. */
	isTooSlow(nowMs: number): boolean {
		const { rateSpanMs, leastBytesPerS } = this.#limits;
		if (elapsedMs(this.#sinceMs, nowMs) < rateSpanMs) return false;
		const isTooSlow = this.#bytes < (leastBytesPerS * rateSpanMs) / 1000;
		this.begin(nowMs);
		return isTooSlow;
	}
}
