/** Where an automatic's selector stands, when somebody asks. A manual car sends no such frame. Source: docs/control-and-can.md 7. */

import { CHASSIS } from "../can/bus.js";
import { carOf } from "../coupling/couplings/couplings.js";
import type { LatestFrames } from "./latest-frames.js";

/** An older frame tells nothing. Assumed: while its transmission is awake a car sends it many times a second. */
const RECENT_MS = 1000;

/**
 * False if the selector is known to stand neither in park nor in neutral. True, too, if nothing is known of it: without a frame, as in a manual
 * car, and after one that is old or too short.
 * @param generation of the coupling: its car is looked at, that of generation 4 if there is no such coupling. Never throws.
 */
export function mayBeParked(generation: number, frames: LatestFrames): boolean {
	const { position, park, neutral } = carOf(generation).selector;
	if (!frames.read(CHASSIS, position.id) || frames.received.ageMs > RECENT_MS) return true;
	const raw = frames.received.raw(position);
	return Number.isNaN(raw) || raw === park || raw === neutral;
}
