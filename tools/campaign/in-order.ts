/** What came to the controller and what left it, told in the order of time: what came at the same time first. */

import type { WireFrame } from "./frame-judge.js";
import type { Bus, Output } from "./lockstep.js";

/** A frame that came; ms of the drive. */
export interface Arrival {
	readonly ms: number;
	readonly bus: Bus;
	readonly frame: WireFrame;
}

/** Who is told of each. */
export interface Listener {
	readonly arrives: (arrival: Arrival) => void;
	readonly toCoupling: (ms: number, frame: WireFrame) => void;
	readonly toChassis: (ms: number, frame: WireFrame) => void;
	readonly duty: (ms: number, duty: number) => void;
}

/** @param bootMs the drive's time when the process started: `output` counts from there */
export function tellInOrder(arrivals: readonly Arrival[], output: readonly Output[], bootMs: number, listener: Listener): void {
	let next = 0;
	const arriveUntil = (ms: number): void => {
		for (; next < arrivals.length && arrivals[next].ms <= ms; next++) listener.arrives(arrivals[next]);
	};
	for (const item of output) {
		const ms = item.ms + bootMs;
		arriveUntil(ms);
		if (item.kind === "pwm") listener.duty(ms, item.duty);
		else if (item.bus === 1) listener.toCoupling(ms, item.frame);
		else listener.toChassis(ms, item.frame);
	}
	arriveUntil(Number.POSITIVE_INFINITY);
}
