/** Where an automatic's selector stands, when somebody asks. A manual car sends neither frame. Source: docs/control-and-can.md 7. */

import { CHASSIS } from "../can/bus.js";
import { networkOf } from "../can/catalogue.js";
import type { SignalLayout } from "../can/signal-layout.js";
import type { LatestFrames } from "./latest-frames.js";

interface Selector extends SignalLayout {
	readonly id: number;
	/** Raw values of park and neutral. */
	readonly park: number;
	readonly neutral: number;
}

const BITS = { length: 4, littleEndian: true, signed: false, factor: 1, offset: 0 } as const;
/** Getriebe_1 GE1_Selector_Position. */
const PQ: Selector = Object.freeze({ ...BITS, id: 0x440, start: 12, park: 8, neutral: 6 });
/** Getriebe_11 GE_Fahrstufe. */
const MQB: Selector = Object.freeze({ ...BITS, id: 0x0ad, start: 42, park: 5, neutral: 7 });
/** An older frame tells nothing. */
const RECENT_MS = 1000;

/** False if the selector is known to stand neither in park nor in neutral. Never throws. */
export function mayBeParked(generation: number, frames: LatestFrames): boolean {
	const selector = networkOf(generation) === "mqb" ? MQB : PQ;
	if (!frames.read(CHASSIS, selector.id) || frames.received.ageMs > RECENT_MS) return true;
	const position = frames.received.raw(selector);
	return Number.isNaN(position) || position === selector.park || position === selector.neutral;
}
