/** For each input that a mode may need: since when its value has been there, and when the last one ran out. */
import { SIGNAL_MS } from "./condition-judge.js";

/** For how long a value counts. */
const LIMITS_MS = { speed: 300, pedal: 300, rpm: 500, flags: 300, feedback: 500, condition: SIGNAL_MS } as const;
export type Input = keyof typeof LIMITS_MS;

interface Known {
	goodMs: number;
	/** Since when there has been a value without a break. */
	sinceMs: number;
	/** When the last one ran out, as far as it is not healed; NaN: it did not. */
	missingMs: number;
	/** Before it ran out nothing was missing, and it did so while the script did not run. */
	missingUnseen: boolean;
}

const never = (): Known => ({
	goodMs: Number.NEGATIVE_INFINITY,
	sinceMs: Number.POSITIVE_INFINITY,
	missingMs: Number.NaN,
	missingUnseen: false,
});

export class KnownInputs {
	/** The script does not run between these. */
	stalledFromMs = Number.POSITIVE_INFINITY;
	stalledUntilMs = Number.NEGATIVE_INFINITY;
	/** End of the last stall in which an input was away. */
	unseenUntilMs = Number.NEGATIVE_INFINITY;
	readonly #inputs: Readonly<Record<Input, Known>> = {
		speed: never(),
		pedal: never(),
		rpm: never(),
		flags: never(),
		feedback: never(),
		condition: never(),
	};

	of(input: Input): Known {
		return this.#inputs[input];
	}

	/** When the last value that there was runs out, or ran out. */
	endMs(input: Input): number {
		return this.#inputs[input].goodMs + LIMITS_MS[input];
	}

	/** Nothing that was known counts. */
	forget(): void {
		for (const known of Object.values(this.#inputs)) {
			known.goodMs = Number.NEGATIVE_INFINITY;
			known.sinceMs = Number.POSITIVE_INFINITY;
			known.missingMs = Number.NaN;
		}
	}

	/** Takes a value. */
	good(input: Input, ms: number): void {
		const known = this.#inputs[input];
		this.expire(input, ms);
		const isBack = !(ms <= this.endMs(input));
		known.goodMs = ms;
		if (!isBack) return;
		// The car is stock from the lease's end to the stall's. What was away only meanwhile is there when the script looks again,
		// and lock returns in the ramp of a lease that ran out (docs/decisions.md 20 and P1).
		if (known.missingUnseen && ms < this.stalledUntilMs) {
			known.missingMs = Number.NaN;
			this.unseenUntilMs = this.stalledUntilMs;
		} else known.sinceMs = ms;
	}

	/** Notes that a value ran out meanwhile. */
	expire(input: Input, ms: number): void {
		const known = this.#inputs[input];
		const endMs = this.endMs(input);
		if (!(ms > endMs) || known.missingMs >= endMs) return;
		known.missingUnseen = Number.isNaN(known.missingMs) && endMs >= this.stalledFromMs && endMs < this.stalledUntilMs;
		known.missingMs = endMs;
	}
}
