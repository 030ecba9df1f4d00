/**
 * What a condition on the hazard lights may leave to be asked for (`docs/decisions.md` P26, 23; `src/api/API.md`, "Conditions"): what takes lock
 * away does so at once and for its time at least; a limit whose signal is lost goes on. Shares no code with `src/`.
 */

export interface ConditionWish {
	readonly effect: "open" | "limit";
	readonly holdMs: number;
	/** Of `limit`. */
	readonly limitPercent: number;
}

/** A value of its signal counts for so long. */
export const SIGNAL_MS = 1500;
/** From full lock to open. */
const OPEN_MS = 100;
const NEVER = Number.POSITIVE_INFINITY;

export class ConditionJudge {
	readonly #wish: ConditionWish;
	readonly #slackMs: number;
	/** Since when it has its effect for certain; NEVER: it may have none. */
	#fromMs = NEVER;
	#isSet = false;
	#seenMs = Number.NEGATIVE_INFINITY;

	constructor(wish: ConditionWish, slackMs: number) {
		this.#wish = wish;
		this.#slackMs = slackMs;
		this.forget();
	}

	/** Nothing is known of the signal: a limit is in force. */
	forget(): void {
		this.#seenMs = Number.NEGATIVE_INFINITY;
		this.#isSet = this.#wish.effect === "limit";
		this.#fromMs = this.#isSet ? Number.NEGATIVE_INFINITY : NEVER;
	}

	/** A value of its signal. */
	takes(ms: number, set: boolean): void {
		this.#follow(ms);
		this.#seenMs = ms;
		this.#isSet = set;
		if (set && this.#fromMs === NEVER) this.#fromMs = ms;
	}

	#follow(ms: number): void {
		const lostMs = this.#seenMs + SIGNAL_MS;
		if (ms > lostMs && this.#wish.effect === "limit") {
			this.#isSet = true;
			if (this.#fromMs === NEVER) this.#fromMs = lostMs;
		}
		if (!this.#isSet && ms - this.#fromMs >= this.#wish.holdMs - this.#slackMs) this.#fromMs = NEVER;
	}

	/** True while it is in force for certain. */
	holdsAt(ms: number): boolean {
		this.#follow(ms);
		return this.#fromMs !== NEVER;
	}

	/**
	 * Percent that may be asked for. @param seenMs what the script has seen last: before a stall, or now
	 * @param releaseRate percent per second of the driver's own release, 0: at once
	 */
	mostAt(ms: number, seenMs: number, releaseRate: number): number {
		if (!this.holdsAt(ms)) return 100;
		const { effect, limitPercent } = this.#wish;
		const sinceMs = seenMs - this.#fromMs - this.#slackMs;
		if (sinceMs <= 0) return 100;
		if (effect === "open") return Math.max(0, 100 - (sinceMs * 100) / OPEN_MS);
		return releaseRate === 0 ? limitPercent : Math.max(limitPercent, 100 - (sinceMs * releaseRate) / 1000);
	}
}
