/**
 * The factor that says a lock to this coupling: from what was learned of it, if its frames are those of the
 * settings, and the trim of its car.
 */

import { NOTHING_LEARNED } from "../calibration/learned-table.js";
import { type CalibrationTable, commandFactor, trimmedFactor } from "../coupling/command-factor.js";
import { couplingOf, type FrameProfile } from "../coupling/couplings/couplings.js";
import { differenceOf, type Wording } from "../coupling/plan-choice.js";
import type { Settings } from "../settings/settings.js";

/**
 * From lock percentage, 0..100, to the gateway's factor, 0..25600. Remembers the last one: most ticks ask for
 * the same.
 */
export class LockFactor {
	/** What is active, null = nothing was learned for it. */
	table: CalibrationTable | null = null;
	/**
	 * Why what was learned is not: the setting that was another then; "" = nothing was learned, or it is
	 * active.
	 */
	differs: keyof Wording | "" = "";
	#profile: FrameProfile = "reference";
	#trim = 1;
	#learned = NOTHING_LEARNED;
	/** The lock of the last step, and its factor: a request mostly stays as it is. */
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
	 * Sets what the factor depends on, from the next `of` on. The trim counts only for a coupling that
	 * has one.
	 * @param learned what was learned last, with whatever frames: it is active only while these are those of
	 * the settings. Absent: what was there stays
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
