/**
 * How long an input has been valid without a break. Control may use an input only once it is `ready`.
 * Source: docs/decisions.md 4 (1 s after boot) and 5 (500 ms after it went missing).
 */

/** So long an input has to be valid before control begins after a start. Source: docs/decisions.md 4. */
export const BOOT_SETTLE_MS = 1000;
/** The same when it went missing later. Source: docs/decisions.md 5, of buses 20. */
export const SETTLE_MS = 500;
/**
 * A tick counts for no more, two of them (docs/decisions.md 29): of what was so during a longer gap nobody
 * saw but its end.
 */
export const TICK_COUNTS_MS = 20;

/** One input, or a bus. Times add up from tick to tick, so that a clock that jumps makes nothing ready. */
export class InputHealth {
	/** True while the input delivers values. */
	valid = false;
	/** True once it has been valid for long enough. */
	ready = false;
	/** True until it has been ready for the first time since boot. */
	starting = true;
	#validMs = 0;

	/** Nothing is known of it any more, as at boot. */
	restart(): void {
		this.valid = this.ready = false;
		this.starting = true;
		this.#validMs = 0;
	}

	/**
	 * One tick.
	 * @param elapsedMs since the last one, >= 0; counts, up to TICK_COUNTS_MS, if the input was valid then,
	 * too. Never throws.
	 */
	update(valid: boolean, elapsedMs: number): void {
		const wasValid = this.valid;
		this.valid = valid;
		if (!valid) {
			this.ready = false;
			this.#validMs = 0;
		} else if (wasValid && !this.ready) {
			this.#validMs += elapsedMs < TICK_COUNTS_MS ? elapsedMs : TICK_COUNTS_MS;
			if (this.#validMs >= (this.starting ? BOOT_SETTLE_MS : SETTLE_MS)) {
				this.ready = true;
				this.starting = false;
			}
		}
	}
}
