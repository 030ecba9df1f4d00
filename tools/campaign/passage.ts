/**
 * Which of the frames that came a frame that leaves is, and when frames may be lost or late. Times are the
 * drive's, ms.
 */
import type { WireFrame } from "./frame-judge.js";
import type { Bus } from "./lockstep.js";

/** A frame that has not left after this was dropped. */
export const OLD_MS = 51;

/** A frame that has come and not yet left. */
export interface Arrived {
	readonly ms: number;
	readonly frame: WireFrame;
	/** It has to pass, has not to; undefined: may. */
	readonly passes: boolean | undefined;
}

/** The frames that have come and not yet left, by the bus that they came from. */
export class PassingFrames {
	readonly #queues: readonly [Arrived[], Arrived[]] = [[], []];
	readonly #onLost: (bus: Bus, lost: Arrived) => void;

	/** @param onLost told of each frame that can't leave any more: it is too old, or a later one has left */
	constructor(onLost: (bus: Bus, lost: Arrived) => void) {
		this.#onLost = onLost;
	}

	clear(): void {
		for (const queue of this.#queues) queue.length = 0;
	}

	arrives(bus: Bus, arrived: Arrived): void {
		this.#queues[bus].push(arrived);
	}

	/** Loses what is too old at `ms`. */
	expire(ms: number, buses: readonly Bus[] = [0, 1]): void {
		for (const bus of buses) {
			const queue = this.#queues[bus];
			while (queue.length > 0 && ms - queue[0].ms > OLD_MS) this.#onLost(bus, queue.shift() as Arrived);
		}
	}

	/**
	 * Takes out the first frame from `bus` that `sent` may be, and loses those before it.
	 * @param isLatest the last one instead: of some with the same bytes those before were kept back
	 * @returns undefined: nobody sent such a frame
	 */
	leave(
		ms: number,
		bus: Bus,
		{ id, flags }: WireFrame,
		fits: (received: WireFrame) => boolean,
		isLatest = false,
	): Arrived | undefined {
		this.expire(ms, [bus]);
		const queue = this.#queues[bus];
		const isIt = ({ frame }: Arrived): boolean => frame.id === id && frame.flags === flags && fits(frame);
		const index = isLatest ? queue.map(isIt).lastIndexOf(true) : queue.findIndex(isIt);
		if (index < 0) return undefined;
		const found = queue[index];
		for (const lost of queue.splice(0, index + 1)) if (lost !== found) this.#onLost(bus, lost);
		return found;
	}
}

/** When frames of a drive may be lost, or wait, by what was switched on. */
export class Losses {
	/** Until when they may be lost. */
	untilMs = Number.NEGATIVE_INFINITY;
	#fromMs = Number.POSITIVE_INFINITY;
	#timedUntilMs = Number.NEGATIVE_INFINITY;
	/** Causes without a time. */
	#causes = 0;
	/** Frames to the coupling may wait between these, as they were when they came. */
	#waitingFromMs = Number.POSITIVE_INFINITY;
	#waitingUntilMs = Number.NEGATIVE_INFINITY;

	/** Frames may be lost from now on. @param backMs when it is switched back; undefined: until `end` */
	begin(nowMs: number, backMs?: number): void {
		if (!(nowMs <= this.untilMs)) this.#fromMs = nowMs - OLD_MS;
		if (backMs === undefined) this.#causes++;
		else this.#timedUntilMs = Math.max(this.#timedUntilMs, backMs + OLD_MS);
		this.untilMs = this.#causes > 0 ? Number.POSITIVE_INFINITY : this.#timedUntilMs;
	}

	/** As often as it was begun without a time. */
	end(nowMs: number): void {
		this.#causes--;
		if (this.#causes === 0) this.untilMs = Math.max(this.#timedUntilMs, nowMs + OLD_MS);
	}

	/**
	 * The coupling bus takes no frame: what was rewritten before then waits, and leaves within OLD_MS or
	 * never.
	 */
	block(nowMs: number, backMs: number): void {
		this.begin(nowMs, backMs);
		if (!(nowMs <= this.#waitingUntilMs)) this.#waitingFromMs = nowMs;
		this.#waitingUntilMs = Math.max(this.#waitingUntilMs, backMs + OLD_MS);
	}

	/** No JavaScript runs: what is switched on stays so until then. */
	stall(nowMs: number, stalledUntilMs: number): void {
		const untilMs = stalledUntilMs + OLD_MS;
		if (nowMs <= this.#timedUntilMs && this.#timedUntilMs < untilMs) this.#timedUntilMs = untilMs;
		if (this.#causes === 0) this.untilMs = this.#timedUntilMs;
		if (nowMs <= this.#waitingUntilMs && this.#waitingUntilMs < untilMs) this.#waitingUntilMs = untilMs;
	}

	/** Whether a frame that came at `ms` may be lost. */
	mayLose(ms: number): boolean {
		return ms >= this.#fromMs && ms <= this.untilMs;
	}

	/** Whether a frame that left at `ms` may have waited. */
	mayHaveWaited(ms: number): boolean {
		return ms >= this.#waitingFromMs && ms <= this.#waitingUntilMs;
	}
}
