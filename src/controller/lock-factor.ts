/**
 * From lock percentage to the factor that scales every lock-dependent byte. Between open and full the
 * coupling is commanded by a correction factor: from the calibration table (what engagement each factor was
 * measured to reach, if its frames are those of the settings) or, without one, by a guess that is known to
 * work. The trim of the car scales it. Source: docs/control-and-can.md 1.6, docs/decisions.md 7.
 */

import { NOTHING_LEARNED } from "../calibration/learning.js";
import { couplingOf, type FrameProfile } from "../coupling/couplings/couplings.js";
import { differenceOf, type Wording } from "../coupling/frame-plan.js";
import type { Settings } from "../settings/settings.js";

/** The factor of the settings and of what was learned. Remembers the last one: most ticks ask for the same. */
export class LockFactor {
	/** What is active, null = nothing was learned for it. */
	table: CalibrationTable | null = null;
	/**
	 * The setting that was another then, so that it is not active; "" = nothing was learned, or it is
	 * active.
	 */
	differs: keyof Wording | "" = "";
	#profile: FrameProfile = "reference";
	#trim = 1;
	#learned = NOTHING_LEARNED;
	#lockPercent = Number.NaN;
	#factor = 0;

	/** 0..25600. @param lockPercent 0..100. Part of the control tick. */
	of(lockPercent: number): number {
		if (lockPercent !== this.#lockPercent) {
			this.#lockPercent = lockPercent;
			const factor = commandFactor(lockPercent, this.table, this.#profile);
			this.#factor = this.#trim === 1 ? factor : trimmedFactor(factor, this.#trim);
		}
		return this.#factor;
	}

	/**
	 * From the next `of` on. The trim counts only for a coupling that has one.
	 * @param learned active only if its frames are those of the settings. Absent: what was there stays
	 */
	applySettings(settings: Settings, learned = this.#learned): void {
		const { generation, frameProfile, lockTrimPercent } = settings;
		this.#learned = learned;
		this.differs = learned.generation === 0 ? "" : differenceOf(learned, settings);
		this.table = learned.generation === 0 || this.differs !== "" ? null : learned.table;
		this.#profile = frameProfile;
		this.#trim = couplingOf(generation)?.hasTrim ? lockTrimPercent / 100 : 1;
		this.#lockPercent = Number.NaN;
	}
}

/** Factor of the gateway that leaves a byte as it is: 100 % in 1/256 percent. */
export const FULL_FACTOR = 25600;
const FACTOR_PER_PERCENT = 256;
const FACTOR_MAX = 100;
const fround = Math.fround;

/** From this request on the reference sends the full bytes. Source: docs/control-and-can.md 1.6. */
const SNAP_TO_FULL_PERCENT = 99.5;

/** Engagement percent, 0..100, that each correction factor 0..100 reached; 101 values that never fall. */
type CalibrationTable = readonly number[];

/**
 * Factor for a request, 0..FULL_FACTOR. Pure.
 * @param lockPercent 0..100, values outside count as 0 and 100
 * @param table null = not calibrated
 */
export function commandFactor(lockPercent: number, table: CalibrationTable | null, profile: FrameProfile): number {
	if (lockPercent <= 0) return 0;
	if (profile === "corrected") return continuousFactor(lockPercent, table);
	if (lockPercent >= SNAP_TO_FULL_PERCENT) return FULL_FACTOR;
	if (table === null) return (fround(fround(lockPercent * 0.5) + 20) | 0) * FACTOR_PER_PERCENT;
	return firstReaching(table, Math.trunc(lockPercent)) * FACTOR_PER_PERCENT;
}

/**
 * A factor with the trim of this car, at most full. Pure.
 * @param factor 0..FULL_FACTOR
 * @param share 0.5..1.5, 1 = no trim
 */
export function trimmedFactor(factor: number, share: number): number {
	const trimmed = Math.round(factor * share);
	return trimmed < FULL_FACTOR ? trimmed : FULL_FACTOR;
}

/*
 * Without a table: the reference's 20 + lock / 2, joined to 0 and 100 without a jump. A guess: only a
 * calibration knows the coupling.
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
 * Smallest factor whose engagement reaches the request, interpolated; of a request beyond the table, the
 * smallest that reaches its maximum.
 */
function inverse(table: CalibrationTable, lockPercent: number): number {
	const most = table[FACTOR_MAX];
	const wanted = lockPercent < most ? lockPercent : most;
	const factor = firstReaching(table, wanted);
	if (factor === 0) return 0;
	const below = table[factor - 1];
	return factor - 1 + (wanted - below) / (table[factor] - below);
}

/** The first factor that reaches `engagementPercent`; 100 if none does. */
function firstReaching(table: CalibrationTable, engagementPercent: number): number {
	let low = 0;
	let high = FACTOR_MAX;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (table[middle] < engagementPercent) low = middle + 1;
		else high = middle;
	}
	return low;
}
