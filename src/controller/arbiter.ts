/**
 * The arbiter: which mode is active, and why. Pure; what stands higher wins, and every doubt ends in STOCK.
 * Source: docs/decisions.md 2 to 5.
 */

import { FIFTY_FIFTY, type ModeNumber, NO_MODE, STOCK } from "../lock/modes.js";
import type { Tuning } from "../lock/tuning.js";
import { type Doubt, Reason } from "./reason.js";
import { REQUIRED_INPUTS, type RequiredInput } from "./required-inputs.js";
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
 * Writes `verdict`; allocates nothing. Disabled stands above everything except, while STOCK is selected, a
 * condition that may act out of it: docs/decisions.md 23.
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
	const missing = inputDoubt(sources, mode, tuning);
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
	let isSettling = false;
	for (let i = 0; i < REQUIRED_INPUTS.length; i++) {
		const input = REQUIRED_INPUTS[i];
		const need = input.calibrationNeeds(sources);
		const health = input.health(sources);
		if (need === "nothing" || health.ready) continue;
		if (!health.valid) return missingReason(input, sources);
		if (need === "ready") isSettling = true;
	}
	return isSettling ? Reason.SETTLING : undefined;
}

/** Why a mode can't be selected. */
export type ModeDoubt = Reason.CAPTURE | Reason.VERBOSE_LOGGING;

/** Why the driver can't select `mode` now; STOCK always can be. */
export function modeDoubt(
	{ capture, verboseLogging }: Pick<Sources, "capture" | "verboseLogging">,
	mode: ModeNumber,
): ModeDoubt | undefined {
	if (mode === STOCK) return undefined;
	if (capture) return Reason.CAPTURE;
	return verboseLogging ? Reason.VERBOSE_LOGGING : undefined;
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

/** Why an input that `mode` needs can't be used: a missing one goes before one that starts or settles. */
function inputDoubt(sources: Sources, mode: ModeNumber, tuning: Tuning): Doubt {
	let isStarting = false;
	let settling: Doubt;
	for (let i = 0; i < REQUIRED_INPUTS.length; i++) {
		const input = REQUIRED_INPUTS[i];
		const health = input.health(sources);
		if (health.ready || !input.isNeeded(sources, mode, tuning)) continue;
		if (!health.valid) return missingReason(input, sources);
		if (health.starting && input.namesStart) isStarting = true;
		settling ??= input.settling;
	}
	return isStarting ? Reason.STARTING : settling;
}

/** The signal of a condition may only have had no time to come yet. */
function missingReason({ missing }: RequiredInput, { conditionAwaited }: Sources): Reason {
	return conditionAwaited && missing === Reason.NO_CONDITION ? Reason.CONDITION_AWAITED : missing;
}
