/** When frames of a drive may be lost, or wait, by what was switched on. Times are the drive's, ms. */

/** A frame that has not left after this was dropped. */
export const OLD_MS = 51;

export class Losses {
	#fromMs = Number.POSITIVE_INFINITY;
	#untilMs = Number.NEGATIVE_INFINITY;
	#timedUntilMs = Number.NEGATIVE_INFINITY;
	/** Causes without a time. */
	#causes = 0;
	/** Frames to the coupling may wait between these, as they were when they came. */
	#waitingFromMs = Number.POSITIVE_INFINITY;
	#waitingUntilMs = Number.NEGATIVE_INFINITY;

	/** Frames may be lost from now on. @param backMs when it is switched back; undefined: until `end` */
	begin(nowMs: number, backMs?: number): void {
		if (!(nowMs <= this.#untilMs)) this.#fromMs = nowMs - OLD_MS;
		if (backMs === undefined) this.#causes++;
		else this.#timedUntilMs = Math.max(this.#timedUntilMs, backMs + OLD_MS);
		this.#untilMs = this.#causes > 0 ? Number.POSITIVE_INFINITY : this.#timedUntilMs;
	}

	/** As often as it was begun without a time. */
	end(nowMs: number): void {
		this.#causes--;
		if (this.#causes === 0) this.#untilMs = Math.max(this.#timedUntilMs, nowMs + OLD_MS);
	}

	/** The coupling bus takes no frame: what was rewritten before then waits, and leaves within OLD_MS or never. */
	block(nowMs: number, backMs: number): void {
		this.begin(nowMs, backMs);
		if (!(nowMs <= this.#waitingUntilMs)) this.#waitingFromMs = nowMs;
		this.#waitingUntilMs = Math.max(this.#waitingUntilMs, backMs + OLD_MS);
	}

	/** No JavaScript runs: what is switched on stays so until then. */
	stall(nowMs: number, stalledUntilMs: number): void {
		const untilMs = stalledUntilMs + OLD_MS;
		if (nowMs <= this.#timedUntilMs && this.#timedUntilMs < untilMs) this.#timedUntilMs = untilMs;
		if (this.#causes === 0) this.#untilMs = this.#timedUntilMs;
		if (nowMs <= this.#waitingUntilMs && this.#waitingUntilMs < untilMs) this.#waitingUntilMs = untilMs;
	}

	/** Whether a frame that came at `ms` may be lost. */
	mayLose(ms: number): boolean {
		return ms >= this.#fromMs && ms <= this.#untilMs;
	}

	/** Whether a frame that left at `ms` may have waited. */
	mayHaveWaited(ms: number): boolean {
		return ms >= this.#waitingFromMs && ms <= this.#waitingUntilMs;
	}
}
