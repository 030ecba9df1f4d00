/**
 * The arbiter: which mode is active, and why. One pure function over all sources; every doubt ends in STOCK.
 * Order matters: what stands higher wins. Source: docs/decisions.md 2 to 5.
 */

import { FIFTY_FIFTY, isDynamic, MAP, type ModeNumber, NO_MODE, RPM, SPEED, STOCK, THROTTLE } from "../lock/modes.js";
import { disengageUnderKmh, type Tuning } from "../lock/tuning.js";
import { type Doubt, Reason } from "./reason.js";

/**
 * The mode whose rows a calibration sends: full lock, which the sweep scales.
 * Source: docs/control-and-can.md 5.1.
 */
export const CALIBRATION_MODE: ModeNumber = FIFTY_FIFTY;

/** How long an input has to be valid before control begins after a start. Source: docs/decisions.md 4. */
export const BOOT_SETTLE_MS = 1000;
/** How long an input has to be valid after it went missing. Source: docs/decisions.md 5, of buses 20. */
export const SETTLE_MS = 500;
/** A tick counts for no more: of a longer gap nobody saw but the end. Source: docs/decisions.md 29. */
export const TICK_COUNTS_MS = 20;

/**
 * How long an input, or a bus, has been valid without a break: control may use it only once it is `ready`.
 * Times add up from tick to tick, so that a clock that jumps makes nothing ready.
 */
export class InputHealth {
	valid = false;
	ready = false;
	/** True until it has been ready for the first time since boot. */
	starting = true;
	#validMs = 0;

	/** Starts over: the input has been neither valid nor ready since boot. */
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

/**
 * Everything that has a say; `InputSupervisor` keeps it up to date. At first nothing is known, and nothing is
 * set.
 */
export class Sources {
	selectedMode: ModeNumber = STOCK;
	disabled = false;
	generation: number = 0;
	bootLoop = false;
	/** Anybody in reach could use the interface, and the owner has not said that this is meant. */
	openNetwork = false;
	updating = false;
	capture = false;
	verboseLogging = false;
	noFrames = false;
	/** The map that would be in effect can't be read from flash, or a condition's map can't be used. */
	mapUnreadable = false;
	conditionSelects = false;
	conditionMode: ModeNumber = STOCK;
	/** A button puts this mode in place of the selected one while it is held; NO_MODE = none does. */
	heldMode: ModeNumber = NO_MODE;
	/** What else conditions do: OPENED_BY_CONDITION or LIMITED_BY_CONDITION; undefined = nothing. */
	restraint: Reason | undefined = undefined;
	/** What steering does: STEERING or STEERING_LOST; undefined = nothing. */
	steering: Reason | undefined = undefined;
	/** Controllers in an error-active, -warning or -passive state with somebody connected. */
	chassisRunning = false;
	couplingRunning = false;
	/** The coupling has no car's bus: frames are generated, and nobody has to send any. */
	standalone = false;
	/** The car sends none of the coupling's frames. */
	beside = false;
	/** The coupling's frames are to be generated, beside such a car or without one; and they are. */
	generates = false;
	generating = false;
	/** Chassis frames arrive; in standalone operation: the bus runs. */
	readonly chassis = new InputHealth();
	readonly couplingBus = new InputHealth();
	/** Nobody says that it is off. */
	readonly ignition = new InputHealth();
	/** The sources of the speed do not contradict each other. */
	readonly agreement = new InputHealth();
	readonly speed = new InputHealth();
	readonly pedal = new InputHealth();
	readonly rpm = new InputHealth();
	/** The frame that tells whether ABS or ESP intervene. */
	readonly interventions = new InputHealth();
	/** False: the driver does not want interventions respected. */
	needsInterventions = true;
	readonly feedback = new InputHealth();
	/** False: the coupling does not report. */
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
	/** Only an input is missing or not yet trusted: the request is ramped down before the car is stock. */
	inputMissing: boolean;
}

/**
 * Writes into `verdict`. Pure otherwise; allocates nothing. Disabled stands above everything, but for a
 * condition that the driver has marked to act out of STOCK: docs/decisions.md 23.
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
 * What stands against a calibration now. It asks nobody's mode, and needs to know all that could hurt: speed,
 * interventions, what the coupling reports. Pure, allocates nothing.
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

/** Why an input that `mode` needs cannot be used; undefined if all can. */
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
