/**
 * From lock percentage to the factor that scales every lock-dependent byte.
 * Between open and full the coupling is commanded by a correction factor: from the calibration table (what engagement each factor
 * was measured to reach) or, without one, by a guess that is known to work. Source: docs/control-and-can.md 1.6, docs/decisions.md 7.
 */

import type { FrameProfile } from "./generation.js";

/** Factor of the gateway that leaves a byte as it is: 100 % in 1/256 percent. */
export const FULL_FACTOR = 25600;
const FACTOR_PER_PERCENT = 256;
const fround = Math.fround;

/** From this request on the reference sends the full bytes. */
const SNAP_TO_FULL_PERCENT = 99.5;

/** Engagement percent, 0..100, that each correction factor 0..100 reached; 101 values. */
export type CalibrationTable = readonly number[];

/**
 * Factor for a request, 0..25600. Pure; never throws, allocates nothing.
 * @param lockPercent 0..100, values outside count as 0 and 100 @param table null = not calibrated
 */
export function commandFactor(lockPercent: number, table: CalibrationTable | null, profile: FrameProfile): number {
	if (lockPercent <= 0) return 0;
	if (profile === "corrected") return continuousFactor(lockPercent, table);
	if (lockPercent >= SNAP_TO_FULL_PERCENT) return FULL_FACTOR;
	if (table === null) return (fround(fround(lockPercent * 0.5) + 20) | 0) * FACTOR_PER_PERCENT;
	const wanted = Math.trunc(lockPercent);
	let factor = 0;
	while (factor < 100 && table[factor] < wanted) factor++;
	return factor * FACTOR_PER_PERCENT;
}

/*
 * Without a table: the reference's 20 + lock / 2 where it is not at an end, joined to 0 and 100 without a jump.
 * The curve is a guess; only a calibration knows the coupling.
 */
const GUESS_LOCK_PERCENT = Object.freeze([0, 5, 95, 100]);
const GUESS_FACTOR_PERCENT = Object.freeze([0, 22.5, 67.5, 100]);

function continuousFactor(lockPercent: number, table: CalibrationTable | null): number {
	if (lockPercent >= 100 && table === null) return FULL_FACTOR;
	const percent = table === null ? guessedFactor(lockPercent) : inverse(table, lockPercent);
	return Math.round(percent * FACTOR_PER_PERCENT);
}

function guessedFactor(lockPercent: number): number {
	let i = 1;
	while (lockPercent > GUESS_LOCK_PERCENT[i]) i++;
	const start = GUESS_LOCK_PERCENT[i - 1];
	const low = GUESS_FACTOR_PERCENT[i - 1];
	return low + ((GUESS_FACTOR_PERCENT[i] - low) * (lockPercent - start)) / (GUESS_LOCK_PERCENT[i] - start);
}

/**
 * Smallest factor whose engagement reaches the request, interpolated; of a request beyond the table, the smallest that reaches its maximum.
 * A dip in the table is bridged by the running maximum, so a single low sample cannot raise the factor.
 */
function inverse(table: CalibrationTable, lockPercent: number): number {
	let best = 0;
	let reached = table[0];
	for (let factor = 1; factor <= 100; factor++) {
		const engagement = table[factor];
		if (engagement <= reached) continue;
		if (engagement >= lockPercent) {
			if (reached >= lockPercent) return best;
			return best + ((factor - best) * (lockPercent - reached)) / (engagement - reached);
		}
		reached = engagement;
		best = factor;
	}
	return best;
}
