/**
 * The ramps: how fast the request follows its target, by the driver's rates or within a time. They compute in
 * single precision, as the reference does. Source: docs/control-and-can.md 1.5, docs/decisions.md 5 and 6.
 */

import { FULL_LOCK_PERCENT, type ModeNumber, NO_MODE } from "./modes.js";
import type { Tuning } from "./tuning.js";

const fround = Math.fround;

/** A step after a longer pause follows the target at once. Source: docs/control-and-can.md 1.5. */
const RESYNCHRONISE_MS = 5000;

/** Kept from step to step. */
export interface RampState {
	/** The request to the coupling, 0..100. */
	lockPercent: number;
	/** Mode of the last step; NO_MODE: none since the last reset or release. */
	mode: ModeNumber;
}

/**
 * Moves the request towards its target, 0..100. Rates are 0..1000; 0 means at once.
 * @param elapsedMs since the last step, >= 0
 * @returns the new request, also in `state.lockPercent`
 */
export function rampLock(
	state: RampState,
	targetPercent: number,
	elapsedMs: number,
	engagePercentPerS: number,
	releasePercentPerS: number,
): number {
	const lastPercent = state.lockPercent;
	if (targetPercent === lastPercent) return lastPercent;
	const percentPerS = targetPercent > lastPercent ? engagePercentPerS : releasePercentPerS;
	let nextPercent = targetPercent;
	if (percentPerS > 0 && elapsedMs <= RESYNCHRONISE_MS) {
		const stepPercent = fround(fround(percentPerS * elapsedMs) / 1000);
		if (targetPercent > lastPercent + stepPercent) nextPercent = fround(lastPercent + stepPercent);
		else if (targetPercent < lastPercent - stepPercent) nextPercent = fround(lastPercent - stepPercent);
	}
	state.lockPercent = nextPercent;
	return nextPercent;
}

/**
 * Takes the request back to 0, for stale inputs and interventions. The gate begins anew afterwards.
 * @param elapsedMs since the last step, >= 0
 * @param withinMs from full lock, above 0, unless the driver's own release is faster
 * @returns the new request, also in `state.lockPercent`
 */
export function releaseLock(state: RampState, tuning: Tuning, elapsedMs: number, withinMs: number): number {
	const ownPercentPerS = tuning.releaseRatePercentPerS;
	const leastPercentPerS = (1000 * FULL_LOCK_PERCENT) / withinMs;
	const percentPerS = ownPercentPerS === 0 || ownPercentPerS > leastPercentPerS ? ownPercentPerS : leastPercentPerS;
	state.mode = NO_MODE;
	return rampLock(state, 0, elapsedMs, 0, percentPerS);
}
