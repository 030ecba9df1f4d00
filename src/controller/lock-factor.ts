/**
 * From lock percentage to the factor that scales every lock-dependent byte: by the calibration table
 * (engagement that each factor reached, if its frames are those of the settings), else by the reference's
 * guess; then by the car's trim. Source: docs/control-and-can.md 1.6, docs/decisions.md 7.
 */

import { NOTHING_LEARNED } from "../calibration/learning.js";
import { couplingOf, type FrameProfile } from "../coupling/couplings/couplings.js";
import { differingSetting, FACTOR_PER_PERCENT, type FactorSettings, FULL_FACTOR } from "../coupling/frame-plan.js";
import type { Settings } from "../settings/settings.js";

/** Remembers the last one: most ticks ask for the same. */
export class LockFactor {
	/** null = no learned table is active. */
	table: CalibrationTable | null = null;
	/** The setting that differs from the learned table's; "" = the table is active or missing. */
	differs: keyof FactorSettings | "" = "";
	#profile: FrameProfile = "reference";
	#trim = 1;
	#learned = NOTHING_LEARNED;
	#lockPercent = Number.NaN;
	#factor = 0;

	/** The gateway's factor, 0..25600, in 1/256 percent. Allocates nothing. @param lockPercent 0..100 */
	of(lockPercent: number): number {
		if (lockPercent !== this.#lockPercent) {
			this.#lockPercent = lockPercent;
			const factor = commandFactor(lockPercent, this.table, this.#profile);
			this.#factor = this.#trim === 1 ? factor : trimmedFactor(factor, this.#trim);
		}
		return this.#factor;
	}

	/**
	 * From the next `of` on. @param learned active only if its frames are those of the settings; absent: the
	 * last one
	 */
	applySettings(settings: Settings, learned = this.#learned): void {
		const { generation, frameProfile, lockTrimPercent } = settings;
		this.#learned = learned;
		this.differs = learned.generation === 0 ? "" : differingSetting(learned, settings);
		this.table = learned.generation === 0 || this.differs !== "" ? null : learned.table;
		this.#profile = frameProfile;
		this.#trim = couplingOf(generation)?.hasTrim ? lockTrimPercent / 100 : 1;
		this.#lockPercent = Number.NaN;
	}
}

/** The last factor of a table. Source: docs/control-and-can.md 5.1. */
const FACTOR_PERCENT_MAX = 100;
const fround = Math.fround;

/** From this request on the reference sends the full bytes. Source: docs/control-and-can.md 1.6. */
const SNAP_TO_FULL_PERCENT = 99.5;

/** Engagement percent of the factors 0..100; it never falls. */
type CalibrationTable = readonly number[];

/**
 * Factor for a request, 0..FULL_FACTOR, in 1/256 percent.
 * @param lockPercent values outside count as 0 and 100
 * @param table null = not calibrated
 */
export function commandFactor(lockPercent: number, table: CalibrationTable | null, profile: FrameProfile): number {
	if (lockPercent <= 0) return 0;
	if (profile === "corrected") return continuousFactor(lockPercent, table);
	if (lockPercent >= SNAP_TO_FULL_PERCENT) return FULL_FACTOR;
	if (table === null) return (fround(fround(lockPercent * 0.5) + 20) | 0) * FACTOR_PER_PERCENT;
	return firstPercentReaching(table, Math.trunc(lockPercent)) * FACTOR_PER_PERCENT;
}

/**
 * @param factor 0..FULL_FACTOR
 * @param share 0.5..1.5, 1 = no trim
 * @returns at most FULL_FACTOR
 */
export function trimmedFactor(factor: number, share: number): number {
	const trimmed = Math.round(factor * share);
	return trimmed < FULL_FACTOR ? trimmed : FULL_FACTOR;
}

/** Used without a table: the reference's 20 + lock / 2, joined to 0 and 100. Source: docs/decisions.md 39. */
const GUESS_LOCK_PERCENT = Object.freeze([0, 5, 95, 100]);
const GUESS_FACTOR_PERCENT = Object.freeze([0, 22.5, 67.5, 100]);

function continuousFactor(lockPercent: number, table: CalibrationTable | null): number {
	if (lockPercent >= 100 && table === null) return FULL_FACTOR;
	const percent = table === null ? guessedFactorPercent(lockPercent) : factorPercentFor(table, lockPercent);
	return Math.round(percent * FACTOR_PER_PERCENT);
}

function guessedFactorPercent(lockPercent: number): number {
	let i = 1;
	while (lockPercent > GUESS_LOCK_PERCENT[i]) i++;
	const start = GUESS_LOCK_PERCENT[i - 1];
	const low = GUESS_FACTOR_PERCENT[i - 1];
	return low + ((GUESS_FACTOR_PERCENT[i] - low) * (lockPercent - start)) / (GUESS_LOCK_PERCENT[i] - start);
}

/** The smallest factor that reaches the request, percent, interpolated; or else that of the table's maximum. */
function factorPercentFor(table: CalibrationTable, lockPercent: number): number {
	const most = table[FACTOR_PERCENT_MAX];
	const wanted = lockPercent < most ? lockPercent : most;
	const factor = firstPercentReaching(table, wanted);
	if (factor === 0) return 0;
	const below = table[factor - 1];
	return factor - 1 + (wanted - below) / (table[factor] - below);
}

/** The smallest whole factor that reaches it, percent; 100 if none does. */
function firstPercentReaching(table: CalibrationTable, engagementPercent: number): number {
	let low = 0;
	let high = FACTOR_PERCENT_MAX;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (table[middle] < engagementPercent) low = middle + 1;
		else high = middle;
	}
	return low;
}
