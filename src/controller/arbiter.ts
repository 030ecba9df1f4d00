/**
 * The arbiter: which mode is active, and why. Pure; what stands higher wins, and every doubt ends in STOCK.
 * Source: docs/decisions.md 2 to 5.
 */

import { FIFTY_FIFTY, isDynamic, MAP, type ModeNumber, NO_MODE, RPM, SPEED, STOCK, THROTTLE } from "../lock/modes.js";
import { disengageUnderKmh, type Tuning } from "../lock/tuning.js";
import { type Doubt, Reason } from "./reason.js";

/** A calibration scales the rows of full lock. Source: docs/control-and-can.md 5.1. */
export const CALIBRATION_MODE: ModeNumber = FIFTY_FIFTY;

/**
 * An input has to be valid for this long before control begins after a start. Source: docs/decisions.md 4.
 */
export const BOOT_SETTLE_MS = 1000;
/** For this long an input has to be valid after it was missing. Source: docs/decisions.md 5, of buses 20. */
export const SETTLE_MS = 500;
/** A tick counts for no more: nothing is known of a longer gap. Source: docs/decisions.md 29. */
export const TICK_COUNTS_MS = 20;

/**
 * How long an input or a bus has been valid without a break: control needs it `ready`. Times add up by ticks,
 * so that a clock that jumps makes nothing ready.
 */
export class InputHealth {
	valid = false;
	ready = false;
	/** It has never been ready since boot. */
	starting = true;
	#validMs = 0;

	/** As after boot. */
	restart(): void {
		this.valid = this.ready = false;
		this.starting = true;
		this.#validMs = 0;
	}

	/** One tick. @param elapsedMs since the last one, >= 0; counts if the input was valid then, too */
	update(valid: boolean, elapsedMs: number): void {
		const wasValid = this.valid;
		this.valid = valid;
		if (!valid) {
			this.ready = false;
			this.#validMs = 0;
		} else if (wasValid && !this.ready) {
			this.#validMs += elapsedMs < TICK_COUNTS_MS ? elapsedMs : TICK_COUNTS_MS;
			if (this.#validMs >= (this.starting ? BOOT_SETTLE_MS : SETTLE_MS)) {
				this.ready = true;
				this.starting = false;
			}
		}
	}
}

/** All that decides; `InputSupervisor` keeps it up to date. At first nothing is known or set. */
export class Sources {
	selectedMode: ModeNumber = STOCK;
	disabled = false;
	generation: number = 0;
	bootLoop = false;
	/** Any client in reach could use the interface, and the owner does not want that. */
	openNetwork = false;
	updating = false;
	capture = false;
	verboseLogging = false;
	noFrames = false;
	/** A map that may be needed can't be used. */
	mapUnreadable = false;
	conditionSelects = false;
	conditionMode: ModeNumber = STOCK;
	/** Replaces the selected mode while a button is held; NO_MODE = none. */
	heldMode: ModeNumber = NO_MODE;
	/** OPENED_BY_CONDITION or LIMITED_BY_CONDITION. */
	restraint: Reason | undefined = undefined;
	/** STEERING or STEERING_LOST. */
	steering: Reason | undefined = undefined;
	/** Error-active, -warning or -passive, and connected. */
	chassisRunning = false;
	couplingRunning = false;
	/** There is no car: frames are generated. */
	standalone = false;
	/** A car is beside the coupling, but sends none of its frames. */
	beside = false;
	/** Frames are to be generated; and they are. */
	generates = false;
	generating = false;
	/** Chassis frames arrive; in standalone operation the bus runs. */
	readonly chassis = new InputHealth();
	readonly couplingBus = new InputHealth();
	/** It is not known to be off. */
	readonly ignition = new InputHealth();
	/** The sources of the speed agree. */
	readonly agreement = new InputHealth();
	readonly speed = new InputHealth();
	readonly pedal = new InputHealth();
	readonly rpm = new InputHealth();
	/** The frame with the flags of ABS and ESP. */
	readonly interventions = new InputHealth();
	/** False: the driver does not want them respected. */
	needsInterventions = true;
	readonly feedback = new InputHealth();
	/** False: the driver controls without a report. */
	needsFeedback = true;
	/** `Conditions.known`. */
	readonly conditions = new InputHealth();
	needsConditions = false;
	/** `Conditions.awaited`. */
	conditionAwaited = false;
}

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
	if (!sources.agreement.valid) return Reason.SPEEDS_CONTRADICT;
	if (!speed.valid) return Reason.NO_SPEED;
	if (!sources.standalone && !interventions.valid) return Reason.NO_INTERVENTIONS;
	if (!feedback.valid) return Reason.NO_FEEDBACK;
	if (sources.needsConditions && !sources.conditions.valid) return conditionDoubt(sources);
	const ready = chassis.ready && couplingBus.ready && sources.agreement.ready && speed.ready && feedback.ready;
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
	if (sources.generates && !sources.generating) return Reason.STANDALONE_WAITS;
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
	const { agreement, chassis, couplingBus, ignition } = sources;
	if (!ignition.valid) return Reason.IGNITION_OFF;
	if (!agreement.valid) return Reason.SPEEDS_CONTRADICT;
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
		agreement.ready &&
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
