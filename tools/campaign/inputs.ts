/**
 * What is known of the inputs that a mode may need, and of the buses: since when each is there, and when it
 * was away.
 */
import type { Bus } from "./lockstep.js";

/** A value of a condition's signal counts for this long. */
export const SIGNAL_MS = 1500;
/**
 * How long a value counts, sources of the speed may contradict each other, and a terminal may be silent.
 * docs/decisions.md 5, 47.
 */
const LIMITS_MS = {
	speed: 300,
	pedal: 300,
	rpm: 500,
	flags: 300,
	feedback: 500,
	condition: SIGNAL_MS,
	agreement: 1000,
	ignition: 1000,
} as const;
export type Input = keyof typeof LIMITS_MS;
const INPUTS = Object.keys(LIMITS_MS) as Input[];

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
	readonly #inputs = Object.fromEntries(INPUTS.map((input) => [input, never()])) as Record<Input, Known>;

	of(input: Input): Known {
		return this.#inputs[input];
	}

	/** When the last value that there was runs out, or ran out. */
	endMs(input: Input): number {
		return this.#inputs[input].goodMs + LIMITS_MS[input];
	}

	/** Nothing that was known counts. */
	forget(): void {
		for (const input of INPUTS) this.#inputs[input] = never();
	}

	/** Takes a value. */
	good(input: Input, ms: number): void {
		const known = this.#inputs[input];
		this.expire(input, ms);
		const isBack = !(ms <= this.endMs(input));
		known.goodMs = ms;
		if (!isBack) return;
		// The car is stock from the lease's end to the stall's. What was away only meanwhile is there when
		// the script looks again, and lock returns in the ramp of a lease that ran out (docs/decisions.md 20
		// and 29).
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

export class KnownBuses {
	/** When it returned last. */
	readonly upMs = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
	/** Undefined while it is up. */
	readonly downMs: (number | undefined)[] = [undefined, undefined];
	/** Since when the controller tries to get back onto a bus that it was off. */
	readonly #recoveringMs: (number | undefined)[] = [undefined, undefined];

	down(bus: Bus, ms: number): void {
		this.downMs[bus] ??= ms;
	}

	/** @param isUnseen true: the controller can't know that it was down since then */
	up(bus: Bus, ms: number, isUnseen: (downMs: number) => boolean): void {
		const downMs = this.downMs[bus];
		if (downMs === undefined) return;
		this.downMs[bus] = this.#recoveringMs[bus] = undefined;
		if (!isUnseen(downMs)) this.upMs[bus] = ms;
	}

	/** What keeps the controller off a bus is over: the first frame that passes says when it is back. */
	recovers(bus: Bus, ms: number): void {
		if (this.downMs[bus] !== undefined) this.#recoveringMs[bus] = ms;
	}

	/** True if a frame that came at `arrivedMs`, and passes, says that its bus is back. */
	isShownBy(bus: Bus, arrivedMs: number): boolean {
		const sinceMs = this.#recoveringMs[bus];
		return sinceMs !== undefined && arrivedMs >= sinceMs;
	}

	/** The controller starts: it is on each bus that it was getting back onto. */
	boot(): void {
		this.upMs.fill(Number.NEGATIVE_INFINITY);
		for (const bus of [0, 1]) if (this.#recoveringMs[bus] !== undefined) this.downMs[bus] = this.#recoveringMs[bus] = undefined;
	}
}
