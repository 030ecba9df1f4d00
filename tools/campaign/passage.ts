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

	/** Forgets all frames. */
	clear(): void {
		for (const queue of this.#queues) queue.length = 0;
	}

	/** A frame has come. */
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
	 * @returns undefined: no such frame was sent
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
		let index = queue.length - 1;
		if (isLatest) while (index >= 0 && !isIt(queue[index])) index--;
		else {
			index = queue.findIndex((one) => isIt(one) && one.passes !== false);
			// one that was withheld may have had the same bytes
			if (index < 0) index = queue.findIndex(isIt);
		}
		if (index < 0) return undefined;
		const found = queue[index];
		for (const lost of queue.splice(0, index + 1)) if (lost !== found) this.#onLost(bus, lost);
		return found;
	}
}

/** A time in which frames may be lost. */
interface Loss {
	readonly fromMs: number;
	untilMs: number;
	/** Frames to the coupling may also wait, as they were when they came. */
	readonly waits: boolean;
}

/** Ended losses are kept for this long: the slowest frame that is generated comes each second. */
const KEPT_MS = 5000;

/** When frames of a drive may be lost, or wait, by what was switched on. */
export class Losses {
	#losses: Loss[] = [];

	/** Until when frames may be lost. */
	get untilMs(): number {
		return Math.max(...this.#losses.map(({ untilMs }) => untilMs));
	}

	/**
	 * @param backMs when it is switched back; Infinity: when the function is called that this returns
	 * @param waits the coupling bus takes no frame: what was rewritten before leaves within OLD_MS or never
	 */
	begin(nowMs: number, backMs: number, waits = false): (endMs: number) => void {
		const loss = { fromMs: nowMs - OLD_MS, untilMs: backMs + OLD_MS, waits };
		this.#losses = this.#losses.filter(({ untilMs }) => untilMs > nowMs - KEPT_MS);
		this.#losses.push(loss);
		return (endMs) => {
			loss.untilMs = endMs + OLD_MS;
		};
	}

	/** No JavaScript runs: what is switched on stays so until then. */
	stall(nowMs: number, stalledUntilMs: number): void {
		for (const loss of this.#losses) if (nowMs <= loss.untilMs) loss.untilMs = Math.max(loss.untilMs, stalledUntilMs + OLD_MS);
	}

	/** Whether a frame that came at `ms` may be lost. */
	mayLose(ms: number): boolean {
		return this.#losses.some(({ fromMs, untilMs }) => ms >= fromMs && ms <= untilMs);
	}

	/** Whether a frame that left at `ms` may have waited. */
	mayHaveWaited(ms: number): boolean {
		return this.#losses.some(({ fromMs, untilMs, waits }) => waits && ms >= fromMs + OLD_MS && ms <= untilMs);
	}
}
