/**
 * The factor that says a lock to this coupling: from what was learned of it, if that is of its generation and frame profile, and the trim of its car.
 */

import { NOTHING_LEARNED } from "../calibration/learned-table.js";
import { type CalibrationTable, commandFactor, trimmedFactor } from "../coupling/command-factor.js";
import { couplingOf, type FrameProfile } from "../coupling/couplings/couplings.js";
import type { Settings } from "../settings/settings.js";

/** From lock percentage, 0..100, to the gateway's factor, 0..25600. Remembers the last one: most ticks ask for the same. */
export class LockFactor {
	/** What is active, null = nothing was learned for it. */
	table: CalibrationTable | null = null;
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
	 * Takes over what the factor depends on, from the next `of` on. The trim counts only for a coupling that has one.
	 * @param learned what was learned last, of whatever generation and profile: it is active only while these are those of the settings.
	 * Absent: what was there stays
	 */
	applySettings({ generation, frameProfile, lockTrimPercent }: Settings, learned = this.#learned): void {
		this.#learned = learned;
		const isOfThis = generation === learned.generation && frameProfile === learned.frameProfile;
		this.table = isOfThis ? learned.table : null;
		this.#profile = frameProfile;
		this.#trim = couplingOf(generation)?.hasTrim ? lockTrimPercent / 100 : 1;
		this.#lockPercent = Number.NaN;
	}
}
