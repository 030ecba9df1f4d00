/** The frames that have come and not yet left: which of them one that leaves is, and which are lost. */
import type { WireFrame } from "./frame-judge.js";
import type { Bus } from "./lockstep.js";
import { OLD_MS } from "./losses.js";

const BUSES = [0, 1] as const;

/** A frame, and when it came. */
export interface Arrived {
	readonly ms: number;
	readonly frame: WireFrame;
}

export class PassingFrames {
	readonly #queues: readonly [Arrived[], Arrived[]] = [[], []];
	readonly #onLost: (bus: Bus, lost: Arrived) => void;

	/** @param onLost told of each frame that can't leave any more, as it is too old or a later one has left; `bus` is where it came from */
	constructor(onLost: (bus: Bus, lost: Arrived) => void) {
		this.#onLost = onLost;
	}

	/** The controller has started anew: it knows of none. */
	clear(): void {
		for (const queue of this.#queues) queue.length = 0;
	}

	arrives(ms: number, bus: Bus, frame: WireFrame): void {
		this.#queues[bus].push({ ms, frame });
	}

	/** Loses what is too old at `ms`. */
	expire(ms: number): void {
		for (const bus of BUSES) this.#expire(ms, bus);
	}

	#expire(ms: number, bus: Bus): void {
		const queue = this.#queues[bus];
		while (queue.length > 0 && ms - queue[0].ms > OLD_MS) this.#onLost(bus, queue.shift() as Arrived);
	}

	/** Takes out the first frame from `bus` that `sent` may be, and loses those before it. @returns undefined: nobody sent such a frame */
	leave(ms: number, bus: Bus, { id, flags }: WireFrame, fits: (received: WireFrame) => boolean): Arrived | undefined {
		this.#expire(ms, bus);
		const queue = this.#queues[bus];
		const index = queue.findIndex(({ frame }) => frame.id === id && frame.flags === flags && fits(frame));
		if (index < 0) return undefined;
		const found = queue[index];
		for (const lost of queue.splice(0, index + 1)) if (lost !== found) this.#onLost(bus, lost);
		return found;
	}
}
