/**
 * From the arbiter's verdict to the commanded lock: ramps down when an input goes missing, opens for
 * interventions, conditions, heat and faults, and resets the lock core on the way in and out of stock.
 * Source: docs/decisions.md 2, 5, 6 and docs/control-and-can.md 8.1.
 */

import { isPedalGateClosed, type LockInputs } from "../lock/gates.js";
import { type LockState, newLockState, resetLock, stepLock, targetLockPercent } from "../lock/lock-core.js";
import { FULL_LOCK_PERCENT, FWD, type ModeNumber, PRESET_LOCK_PERCENT, SPEED, STOCK } from "../lock/modes.js";
import { releaseLock } from "../lock/ramp.js";
import type { Tuning } from "../lock/tuning.js";
import type { VehicleState } from "../vehicle/vehicle-state.js";
import type { Verdict } from "./arbiter.js";
import type { Conditions } from "./conditions.js";
import { TICK_COUNTS_MS } from "./input-health.js";
import { type Doubt, HeldBy, Reason } from "./reason.js";

/**
 * From full lock to open for a missing input, heat or a fault. Source: docs/decisions.md 5,
 * docs/control-and-can.md 8.1.
 */
const MISSING_RELEASE_MS = 500;
/** From full lock to open for ABS, ESP or a condition. Source: docs/control-and-can.md 8.1. */
const INTERVENTION_RELEASE_MS = 100;
/** It stays open for this long after the last flag of ABS or ESP. Source: docs/decisions.md 17. */
export const INTERVENTION_HOLD_MS = 1000;
/**
 * It stays open for this long after the last report of heat or a fault. Source: docs/control-and-can.md 8.1.
 */
export const COOL_DOWN_MS = 10_000;
/**
 * A request that returns after an intervention or an interruption rises by RETURN_PERCENT in RETURN_STEP_MS
 * at most, from open to full lock in RETURN_MS. Source: docs/decisions.md 17.
 */
const RETURN_PERCENT = 25;
const RETURN_STEP_MS = 100;
const RETURN_MS = (FULL_LOCK_PERCENT / RETURN_PERCENT) * RETURN_STEP_MS;

/** Less is shown as 0 %: the page rounds to whole percent. Assumed: other displays do, too. */
const SHOWN_PERCENT = 0.5;

/** The coupling's report on itself. */
type Report = Pick<VehicleState, "temperatureProtection" | "couplingFault" | "faultIsEmergency">;

function openingReason({ temperatureProtection, faultIsEmergency }: Report): Reason {
	if (temperatureProtection) return Reason.OVERHEATED;
	return faultIsEmergency ? Reason.EMERGENCY_MODE : Reason.COUPLING_FAULT;
}

/** The command: `mode` and `lock.lockPercent` after each step. */
export class LockCommand {
	/** STOCK while frames leave unmodified. */
	mode: ModeNumber = STOCK;
	reason: Reason = Reason.STARTING;
	readonly lock: LockState = newLockState();
	/** From the first flag of ABS or ESP until INTERVENTION_HOLD_MS after the last. */
	intervening = false;
	#sinceInterventionMs = 0;
	/** How much longer the request rises slowly; only time in which lock is asked for counts. */
	#returningMs = 0;
	#coolDownMs = 0;
	#coolDownReason: Reason = Reason.OVERHEATED;

	/**
	 * One tick. Allocates nothing.
	 * @param intervention a flag of ABS or ESP since the last one, or possibly, which the driver wants
	 * respected
	 * @param restraint of the driver's conditions
	 * @returns true if frames are to be rewritten for `lock.lockPercent`, false for stock
	 */
	step(
		verdict: Verdict,
		intervention: boolean,
		vehicle: LockInputs & Report,
		tuning: Tuning,
		elapsedMs: number,
		restraint: Pick<Conditions, "opens" | "limitPercent">,
	): boolean {
		const countedMs = elapsedMs < TICK_COUNTS_MS ? elapsedMs : TICK_COUNTS_MS;
		if (intervention) {
			this.intervening = true;
			this.#sinceInterventionMs = 0;
			this.#returningMs = RETURN_MS;
		} else if (this.intervening) {
			this.#sinceInterventionMs += countedMs;
			this.intervening = this.#sinceInterventionMs <= INTERVENTION_HOLD_MS;
		}
		if (vehicle.temperatureProtection || vehicle.couplingFault) {
			this.#coolDownMs = COOL_DOWN_MS;
			this.#coolDownReason = openingReason(vehicle);
		} else if (this.#coolDownMs > 0) this.#coolDownMs -= countedMs;
		this.reason = verdict.reason;

		if (verdict.inputMissing && this.mode !== STOCK) {
			const withinMs = this.intervening || restraint.opens ? INTERVENTION_RELEASE_MS : MISSING_RELEASE_MS;
			if (releaseLock(this.lock, tuning, elapsedMs, withinMs) > 0) return true;
		}
		if (verdict.mode === STOCK || verdict.inputMissing) {
			this.disengage();
			return false;
		}
		this.mode = verdict.mode;
		if (this.intervening) {
			this.reason = Reason.INTERVENTION;
			releaseLock(this.lock, tuning, elapsedMs, INTERVENTION_RELEASE_MS);
		} else if (restraint.opens) {
			this.reason = Reason.OPENED_BY_CONDITION;
			releaseLock(this.lock, tuning, elapsedMs, INTERVENTION_RELEASE_MS);
		} else if (this.#coolDownMs > 0) {
			this.reason = this.#coolDownReason;
			releaseLock(this.lock, tuning, elapsedMs, MISSING_RELEASE_MS);
		} else this.#step(verdict.mode, vehicle, tuning, elapsedMs, countedMs, restraint.limitPercent);
		return true;
	}

	/** @param countedMs for the way back: a late tick must not make lock jump */
	#step(mode: ModeNumber, vehicle: LockInputs, tuning: Tuning, elapsedMs: number, countedMs: number, limitPercent: number): void {
		const lock = this.lock;
		const last = lock.lockPercent;
		stepLock(lock, mode, vehicle, tuning, elapsedMs, limitPercent);
		if (limitPercent < FULL_LOCK_PERCENT) this.reason = Reason.LIMITED_BY_CONDITION;
		if (this.#returningMs <= 0) return;
		// a request that fell to 0 on its way back begins anew
		if (last === 0) this.#returningMs = RETURN_MS;
		const highest = last + (countedMs * RETURN_PERCENT) / RETURN_STEP_MS;
		if (lock.lockPercent > highest) lock.lockPercent = highest;
		if (lock.lockPercent > 0) this.#returningMs -= countedMs;
	}

	/** Why the coupling is held open, whatever lock is asked for. */
	get heldOpen(): Doubt {
		if (this.intervening) return Reason.INTERVENTION;
		return this.#coolDownMs > 0 ? this.#coolDownReason : undefined;
	}

	/** Why lock is shown as 0 %. @param inputs and `tuning`: of the last step */
	heldBy(inputs: LockInputs, tuning: Tuning): HeldBy {
		const { lock, mode, reason } = this;
		if (mode === STOCK || lock.lockPercent >= SHOWN_PERCENT) return HeldBy.NOTHING;
		if (reason === Reason.INTERVENTION) return HeldBy.INTERVENTION;
		if (reason === Reason.OPENED_BY_CONDITION) return HeldBy.CONDITION;
		if (reason === Reason.OVERHEATED) return HeldBy.HEAT;
		if (reason === Reason.COUPLING_FAULT || reason === Reason.EMERGENCY_MODE) return HeldBy.COUPLING_FAULT;
		// an input is missing, or a calibration runs
		if (lock.mode !== mode) return HeldBy.NOTHING;
		// the driver can change the mode, not its gate
		if (mode === FWD) return HeldBy.MODE;
		if (!lock.gateOpen) {
			if (mode >= SPEED) return HeldBy.UNDER_SPEED;
			return isPedalGateClosed(inputs, tuning) ? HeldBy.PEDAL : HeldBy.OVER_SPEED;
		}
		if (lock.targetPercent > 0) return HeldBy.RAMP;
		if (lock.gainPercent === 0 && targetLockPercent(mode, inputs, tuning) > 0) return HeldBy.STEERING;
		return HeldBy.TABLE;
	}

	/**
	 * The coupling is being opened or open, whatever the ramp still holds, or steering, a limit or a ramp
	 * keeps a preset below its lock.
	 */
	get opening(): boolean {
		const { lock, mode } = this;
		if (lock.mode !== mode || !lock.gateOpen || lock.lockPercent === 0 || lock.targetPercent === 0) return true;
		return lock.lockPercent < PRESET_LOCK_PERCENT[mode]; // a mode with a table has none
	}

	/**
	 * Stock at once, after which the request returns slowly: a bus was gone, or frames were not rewritten.
	 */
	interrupt(): void {
		this.disengage();
		this.#returningMs = RETURN_MS;
	}

	/** Stock at once, without a ramp. */
	disengage(): void {
		this.mode = STOCK;
		resetLock(this.lock);
	}
}
