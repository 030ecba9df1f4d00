/**
 * How long a required input or a bus has been valid without a break. Times add up by ticks, so that a clock
 * that jumps makes nothing ready. Source: docs/decisions.md 4, 5, 20, 29.
 */

/**
 * An input has to be valid for this long before control begins after a start. Source: docs/decisions.md 4.
 */
export const BOOT_SETTLE_MS = 1000;
/** For this long an input has to be valid after it was missing. Source: docs/decisions.md 5, of buses 20. */
export const SETTLE_MS = 500;
/** A tick counts for no more: nothing is known of a longer gap. Source: docs/decisions.md 29. */
export const TICK_COUNTS_MS = 20;

/** The supervisor updates it in each tick in which the arbiter is asked. */
export class InputHealth {
	/** The input was valid in the last tick. */
	valid = false;
	/** It has been valid for long enough: control needs that. */
	ready = false;
	/** It has never been ready since boot or `restart`. */
	starting = true;
	#validMs = 0;

	/** As after boot. */
	restart(): void {
		this.valid = this.ready = false;
		this.starting = true;
		this.#validMs = 0;
	}

	/** One tick. @param elapsedMs since the last one, >= 0; counts if the input was valid then, too */
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
