/**
 * The arbiter: which mode is active, and why. Pure; what stands higher wins, and every doubt ends in STOCK.
 * Source: docs/decisions.md 2 to 5.
 */

import { FIFTY_FIFTY, isDynamic, MAP, type ModeNumber, NO_MODE, RPM, SPEED, STOCK, THROTTLE } from "../lock/modes.js";
import { disengageUnderKmh, type Tuning } from "../lock/tuning.js";
import { type Doubt, Reason } from "./reason.js";
import type { Sources } from "./sources.js";

/** A calibration scales the rows of full lock. Source: docs/control-and-can.md 5.1. */
export const CALIBRATION_MODE: ModeNumber = FIFTY_FIFTY;

/** The arbiter's answer. */
export interface Verdict {
	/** STOCK or the mode whose lock applies. */
	mode: ModeNumber;
	reason: Reason;
	/** Only an input is missing or not yet trusted: lock is ramped down before stock. */
	inputMissing: boolean;
}

/**
 * Writes `verdict`; allocates nothing. Disabled stands above everything except a condition that may act out
 * of STOCK: docs/decisions.md 23.
 */
export function arbitrate(sources: Sources, tuning: Tuning, verdict: Verdict): void {
	const { conditionSelects, heldMode } = sources;
	const chosen = heldMode === NO_MODE ? sources.selectedMode : heldMode;
	const mode = conditionSelects ? sources.conditionMode : chosen;
	verdict.mode = STOCK;
	verdict.inputMissing = false;
	const standing = standingDoubt(sources, mode);
	if (standing !== undefined) {
		verdict.reason = standing;
		return;
	}
	verdict.mode = mode;
	const missing = missingInput(sources, mode, tuning);
	verdict.inputMissing = missing !== undefined;
	if (missing !== undefined) verdict.reason = missing;
	else if (sources.steering !== undefined) verdict.reason = sources.steering;
	else if (conditionSelects) verdict.reason = Reason.SELECTED_BY_CONDITION;
	else verdict.reason = heldMode === NO_MODE ? Reason.ACTIVE : Reason.SELECTED_BY_BUTTON;
}

/**
 * Why a calibration is not allowed. It ignores the mode, and needs all inputs that safety depends on.
 * Allocates nothing.
 */
export function calibrationDoubt(sources: Sources): Doubt {
	const doubt = doubtOf(sources, CALIBRATION_MODE);
	if (doubt !== undefined) return doubt;
	if (sources.conditionSelects) return Reason.SELECTED_BY_CONDITION;
	if (sources.heldMode !== NO_MODE) return Reason.SELECTED_BY_BUTTON;
	if (sources.restraint !== undefined) return sources.restraint;
	const { chassis, couplingBus, speed, interventions, feedback } = sources;
	if (!sources.ignition.valid) return Reason.IGNITION_OFF;
	if (!sources.speedAgreement.valid) return Reason.SPEEDS_CONTRADICT;
	if (!speed.valid) return Reason.NO_SPEED;
	if (!sources.standalone && !interventions.valid) return Reason.NO_INTERVENTIONS;
	if (!feedback.valid) return Reason.NO_FEEDBACK;
	if (sources.needsConditions && !sources.conditions.valid) return conditionDoubt(sources);
	const ready = chassis.ready && couplingBus.ready && sources.speedAgreement.ready && speed.ready && feedback.ready;
	return ready && (sources.standalone || interventions.ready) ? undefined : Reason.SETTLING;
}

function standingDoubt(sources: Sources, mode: ModeNumber): Doubt {
	// selecting STOCK disables the controller: a condition that may act out of STOCK does so then
	if (sources.disabled && sources.selectedMode !== STOCK) return Reason.DISABLED;
	if (sources.disabled && !sources.conditionSelects) return Reason.STOCK_SELECTED;
	return doubtOf(sources, mode);
}

function doubtOf(sources: Sources, mode: ModeNumber): Doubt {
	if (sources.generation === 0) return Reason.NO_GENERATION;
	if (sources.bootLoop) return Reason.BOOT_LOOP;
	if (sources.openNetwork) return Reason.OPEN_NETWORK;
	if (sources.updating) return Reason.UPDATING;
	if (sources.capture) return Reason.CAPTURE;
	if (sources.verboseLogging) return Reason.VERBOSE_LOGGING;
	if (sources.noFrames) return Reason.NO_FRAMES;
	if (mode === STOCK) return Reason.STOCK_SELECTED;
	if (sources.mapUnreadable) return Reason.MAP_UNREADABLE;
	if (!sources.chassisRunning) return Reason.CHASSIS_BUS_DOWN;
	if (!sources.couplingRunning) return Reason.COUPLING_BUS_DOWN;
	if (sources.wantsGenerator && !sources.generatorRuns) return Reason.STANDALONE_WAITS;
	return sources.chassis.valid ? undefined : Reason.CHASSIS_SILENT;
}

/** Why an input that `mode` needs can't be used. */
function missingInput(sources: Sources, mode: ModeNumber, tuning: Tuning): Doubt {
	const speed = needsSpeed(mode, tuning) ? sources.speed : sources.chassis;
	const pedal = needsPedal(mode, tuning) ? sources.pedal : sources.chassis;
	const rpm = mode === RPM ? sources.rpm : sources.chassis;
	const interventions = sources.needsInterventions ? sources.interventions : sources.chassis;
	const feedback = sources.needsFeedback ? sources.feedback : sources.couplingBus;
	const conditions = sources.needsConditions ? sources.conditions : sources.chassis;
	const { chassis, couplingBus, ignition, speedAgreement } = sources;
	if (!ignition.valid) return Reason.IGNITION_OFF;
	if (!speedAgreement.valid) return Reason.SPEEDS_CONTRADICT;
	if (!speed.valid) return Reason.NO_SPEED;
	if (!pedal.valid) return Reason.NO_PEDAL;
	if (!rpm.valid) return Reason.NO_RPM;
	if (!interventions.valid) return Reason.NO_INTERVENTIONS;
	if (!feedback.valid) return Reason.NO_FEEDBACK;
	if (!conditions.valid) return conditionDoubt(sources);
	if (chassis.starting || couplingBus.starting || speed.starting || pedal.starting || rpm.starting) return Reason.STARTING;
	if (interventions.starting || feedback.starting || conditions.starting) return Reason.STARTING;
	if (!chassis.ready) return Reason.CHASSIS_BUS_SETTLING;
	if (!couplingBus.ready) return Reason.COUPLING_BUS_SETTLING;
	const ready =
		ignition.ready &&
		speedAgreement.ready &&
		speed.ready &&
		pedal.ready &&
		rpm.ready &&
		interventions.ready &&
		feedback.ready &&
		conditions.ready;
	return ready ? undefined : Reason.SETTLING;
}

function conditionDoubt({ conditionAwaited }: Sources): Reason {
	return conditionAwaited ? Reason.CONDITION_AWAITED : Reason.NO_CONDITION;
}

function needsSpeed(mode: ModeNumber, tuning: Tuning): boolean {
	if (mode === MAP || mode === SPEED) return true;
	return isDynamic(mode) ? disengageUnderKmh(tuning, mode) !== 0 : tuning.disableSpeedKmh !== 0;
}

function needsPedal(mode: ModeNumber, tuning: Tuning): boolean {
	if (mode === MAP || mode === THROTTLE) return true;
	return !isDynamic(mode) && tuning.disableThrottlePercent !== 0;
}
