/**
 * The arbiter: which mode is active, and why. One pure function over all sources; every doubt ends in STOCK.
 * Order matters: what stands higher wins. Source: docs/decisions.md 2 to 5.
 */

import { FIFTY_FIFTY, isDynamic, MAP, type ModeNumber, NO_MODE, RPM, SPEED, STOCK, THROTTLE } from "../lock/modes.js";
import { disengageUnderKmh, type Tuning } from "../lock/tuning.js";
import { InputHealth } from "./input-health.js";
import { type Doubt, Reason } from "./reason.js";

/**
 * The mode whose rows a calibration sends: full lock, which the sweep scales.
 * Source: docs/control-and-can.md 5.1.
 */
export const CALIBRATION_MODE: ModeNumber = FIFTY_FIFTY;

/** Everything that has a say. One object, owned by the controller, filled anew each tick. */
export interface Sources {
	selectedMode: ModeNumber;
	disabled: boolean;
	/** 0 = not configured. */
	generation: number;
	bootLoop: boolean;
	/** Anybody in reach could use the interface, and the owner has not said that this is meant. */
	openNetwork: boolean;
	updating: boolean;
	capture: boolean;
	verboseLogging: boolean;
	/** The driver has switched every frame off. */
	noFrames: boolean;
	/** The map could not be read from flash, and MAP is selected or a condition's mode. */
	mapUnreadable: boolean;
	/** A condition selects the mode, and which. */
	conditionSelects: boolean;
	conditionMode: ModeNumber;
	/** A button puts this mode in the place of the selected one while it is held; NO_MODE = none does. */
	heldMode: ModeNumber;
	/** What else conditions do: OPENED_BY_CONDITION or LIMITED_BY_CONDITION; undefined = nothing. */
	restraint: Reason | undefined;
	/** What steering does: STEERING or STEERING_LOST; undefined = nothing. */
	steering: Reason | undefined;
	/** Controllers in an error-active, -warning or -passive state with somebody connected. */
	chassisRunning: boolean;
	couplingRunning: boolean;
	/** The coupling has no car's bus: frames are generated, and nobody has to send any. */
	standalone: boolean;
	/** The car sends none of the coupling's frames. */
	beside: boolean;
	/** The coupling's frames are generated, beside such a car or without one. */
	generates: boolean;
	/** They are being sent. */
	generating: boolean;
	/** Chassis frames arrive; in standalone operation: the bus runs. */
	readonly chassis: InputHealth;
	/** The coupling bus runs. */
	readonly couplingBus: InputHealth;
	/** Nobody says that it is off. */
	readonly ignition: InputHealth;
	/** The sources of the speed do not contradict each other. */
	readonly agreement: InputHealth;
	readonly speed: InputHealth;
	readonly pedal: InputHealth;
	readonly rpm: InputHealth;
	/** The frame that tells whether ABS or ESP intervene. */
	readonly interventions: InputHealth;
	/** False: the driver does not want interventions respected. */
	needsInterventions: boolean;
	/** The coupling's status frame. */
	readonly feedback: InputHealth;
	/** False: the driver has a coupling that does not report. */
	needsFeedback: boolean;
	/**
	 * The signals of conditions that open the coupling; of all of them, that they have had time to say what
	 * holds.
	 */
	readonly conditions: InputHealth;
	needsConditions: boolean;
	/** They are not valid only because the signal of one that selects a mode had no time to come yet. */
	conditionAwaited: boolean;
}

/** Nothing is known yet and nothing is set. */
export function initialSources(): Sources {
	return {
		selectedMode: STOCK,
		disabled: false,
		generation: 0,
		bootLoop: false,
		openNetwork: false,
		updating: false,
		capture: false,
		verboseLogging: false,
		noFrames: false,
		mapUnreadable: false,
		conditionSelects: false,
		conditionMode: STOCK,
		heldMode: NO_MODE,
		restraint: undefined,
		steering: undefined,
		chassisRunning: false,
		couplingRunning: false,
		standalone: false,
		beside: false,
		generates: false,
		generating: false,
		chassis: new InputHealth(),
		couplingBus: new InputHealth(),
		ignition: new InputHealth(),
		agreement: new InputHealth(),
		speed: new InputHealth(),
		pedal: new InputHealth(),
		rpm: new InputHealth(),
		interventions: new InputHealth(),
		needsInterventions: true,
		feedback: new InputHealth(),
		needsFeedback: true,
		conditions: new InputHealth(),
		needsConditions: false,
		conditionAwaited: false,
	};
}

/** What is asked for if nothing stands against it. */
export interface Verdict {
	/** STOCK or the mode whose lock applies. */
	mode: ModeNumber;
	reason: Reason;
	/**
	 * True if only an input is missing or not yet trusted: the request is ramped down first, then stock, and
	 * waited for.
	 */
	inputMissing: boolean;
}

/**
 * Decides and writes the verdict into `verdict`. Pure otherwise; never throws, allocates nothing. Disabled
 * stands above everything, but for a condition that the driver has marked to act out of STOCK:
 * docs/decisions.md 23.
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
