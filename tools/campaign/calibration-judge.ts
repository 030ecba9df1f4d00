/**
 * What a calibration may command (`docs/control-and-can.md` 5.1): each whole factor from 0 to 100 for 300 ms, and nothing any more once something
 * stands against it. Shares no code with `src/`.
 */
import type { Share } from "./tables.js";

const STEPS = 101;
const STEP_MS = 300;
/** Steps begin with a tick. */
const TICK_MS = 10;
/** A step in which the coupling did not report for so long ends it. */
const SILENT_MS = 100;
/** A script that had to wait for flash is behind. */
const LATE_STEPS = 2;
const SHARE_PER_PERCENT = 256;
/** Its page must be heard of so often. */
const OPERATOR_MS = 5000;
/** The car that was begun in moves above this. */
export const MAX_KMH = 3;

export class CalibrationJudge {
	/** What stood against it first, and since when; it must be over then. */
	endsMs = Number.POSITIVE_INFINITY;
	because = "";
	/** When it last commanded something: what is asked for afterwards comes back slowly. */
	lastMs = Number.NEGATIVE_INFINITY;
	readonly #askedMs: number;
	readonly #slackMs: number;
	#begunMs: number | undefined;
	#heardMs = 0;

	/** @param ms a client has asked for it: from now on it may run */
	constructor(ms: number, slackMs: number) {
		this.#askedMs = ms;
		this.#slackMs = slackMs;
	}

	/** It was answered that it has begun. */
	begun(ms: number): void {
		this.#begunMs = this.#heardMs = ms;
	}

	/** Its page said that it is there. */
	heard(ms: number): void {
		this.#heardMs = ms;
	}

	/** Something stands against it. */
	end(ms: number, because: string): void {
		if (ms >= this.endsMs) return;
		this.endsMs = ms;
		this.because = because;
	}

	/** @param seenMs what the script has seen last: before a stall, or now */
	mayRunAt(ms: number, seenMs: number): boolean {
		if (this.#begunMs !== undefined && ms - this.#heardMs > OPERATOR_MS)
			this.end(this.#heardMs + OPERATOR_MS, "its page has gone");
		return seenMs <= this.endsMs + this.#slackMs;
	}

	/** Whole factors that may be under test. @param seenMs as above */
	#factors(seenMs: number): readonly [least: number, most: number] {
		const from = this.#begunMs ?? seenMs;
		const least = Math.floor((seenMs - from - 2 * this.#slackMs) / (STEP_MS + TICK_MS));
		const most = Math.ceil((seenMs - this.#askedMs + this.#slackMs) / STEP_MS);
		return [Math.max(0, least - LATE_STEPS), Math.min(STEPS - 1, most)];
	}

	/** Percent that it may command at the most. @param seenMs as above */
	mostAt(seenMs: number): number {
		return this.#factors(seenMs)[1];
	}

	/**
	 * @returns false if what was commanded is none of its factors, or it has to be over
	 * @param seenMs as above @param reportedMs when the coupling last did: without reports it may end before it must
	 */
	commands(ms: number, seenMs: number, share: Share, reportedMs: number): boolean {
		if (!this.mayRunAt(ms, seenMs)) return false;
		const [least, most] = this.#factors(seenMs);
		for (let factor = least; factor <= most; factor++) {
			const exactly = factor * SHARE_PER_PERCENT;
			if (exactly < share.least || exactly > share.most) continue;
			// a frame with few bits to tell by fits what the mode asks for, too
			if (this.#begunMs !== undefined && ms - reportedMs < SILENT_MS) this.lastMs = Math.min(ms, this.endsMs);
			return true;
		}
		return false;
	}
}
