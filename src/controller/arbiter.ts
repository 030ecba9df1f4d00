/**
 * The arbiter: which mode is in force, and why. One pure function over all sources; every doubt ends in STOCK.
 * Order matters: what stands higher wins. Source: docs/decisions.md 2 to 5.
 */

import { FIFTY_FIFTY, isDynamic, MAP, type ModeNumber, NO_MODE, RPM, SPEED, STOCK, THROTTLE } from "../lock/modes.js";
import { disengageUnderKmh, type Tuning } from "../lock/tuning.js";
import { InputHealth } from "./input-health.js";

/**
 * Why the mode in force is what it is, in words a driver understands. Identifiers in them are those of the couplings' rows:
 * `test/coupling/couplings/couplings.test.ts` compares them.
 */
export const Reason = Object.freeze({
	ACTIVE: "control is active",
	SELECTED_BY_CONDITION: "control is active in the mode of a condition",
	SELECTED_BY_BUTTON: "control is active in the mode of the button that is held",
	LIMITED_BY_CONDITION: "a condition limits the lock",
	OPENED_BY_CONDITION: "a condition opens the coupling",
	STEERING: "the steering angle reduces the lock",
	STEERING_LOST: "the steering angle is not valid: lock as chosen for that",
	STOCK_SELECTED: "stock mode is selected",
	DISABLED: "the controller is disabled",
	NO_GENERATION: "no coupling generation is set",
	BOOT_LOOP: "the controller restarted too often: stock until the next clean start",
	UPDATING: "an update is in progress",
	CAPTURE: "CAN capture is running",
	VERBOSE_LOGGING: "verbose logging is on",
	CALIBRATING: "a calibration is running",
	CHASSIS_BUS_DOWN: "the chassis bus is not running",
	COUPLING_BUS_DOWN: "the coupling bus is not running",
	CHASSIS_SILENT: "no frames arrive from the car",
	NO_SPEED: "no valid vehicle speed",
	NO_PEDAL: "no valid pedal position",
	NO_RPM: "no valid engine speed",
	STARTING: "starting: waiting until every input has been valid for 1 s",
	SETTLING: "waiting until every input has been valid for 0.5 s",
	INTERVENTION: "ABS or ESP is intervening: coupling opened until 1 s after",
	OVERHEATED: "the coupling is too hot: opened until it has cooled down",
	COUPLING_FAULT: "the coupling reports a fault: opened until 10 s after the fault is gone",
	FAULT: "the controller has a fault: stock until it is restarted",
	OPEN_NETWORK: "the controller's network has no password: set one, or say that it may stay open",
	NO_INTERVENTIONS: "no frames that tell of ABS and ESP: 0x1A0, on generation 5 0x0FD",
	MAP_UNREADABLE: "the active map can't be read: load or change one",
	CHASSIS_BUS_SETTLING: "waiting until the chassis bus has been running for 0.5 s",
	COUPLING_BUS_SETTLING: "waiting until the coupling bus has been running for 0.5 s",
	NO_FEEDBACK: "no frames in which the coupling reports: 0x2C0, on generation 5 0x118",
	NO_CONDITION: "a condition that opens the coupling gets no valid value of its signal",
	CONDITION_AWAITED: "waiting for the signal of a condition",
	STANDALONE_WAITS: "standalone operation listens for 3 s whether somebody else sends its frames",
} as const);

/** One of these texts; clients may show it as it is. */
export type Reason = (typeof Reason)[keyof typeof Reason];

/** The mode whose rows a calibration sends: full lock, which the sweep scales. Source: docs/control-and-can.md 5.1. */
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
	/** The map could not be read from flash, and MAP is selected or a condition's mode. */
	mapUnreadable: boolean;
	/** A condition selects the mode, and which. */
	conditionSelects: boolean;
	conditionMode: ModeNumber;
	/** A button puts this mode in the place of the selected one while it is held; NO_MODE = none does. */
	heldMode: ModeNumber;
	/** What else conditions do: OPENED_BY_CONDITION, LIMITED_BY_CONDITION or ACTIVE, which is nothing. */
	restraint: Reason;
	/** What steering does: STEERING, STEERING_LOST or ACTIVE, which is nothing. */
	steering: Reason;
	/** Controllers in an error-active, -warning or -passive state with somebody connected. */
	chassisRunning: boolean;
	couplingRunning: boolean;
	/** The coupling has no car's bus: frames are generated, and nobody has to send any. */
	standalone: boolean;
	/** They are being sent. */
	generating: boolean;
	/** Chassis frames arrive; in standalone operation: the bus runs. */
	readonly chassis: InputHealth;
	/** The coupling bus runs. */
	readonly couplingBus: InputHealth;
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
	/** The signals of conditions that open the coupling; of all of them, that they have had time to say what holds. */
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
		mapUnreadable: false,
		conditionSelects: false,
		conditionMode: STOCK,
		heldMode: NO_MODE,
		restraint: Reason.ACTIVE,
		steering: Reason.ACTIVE,
		chassisRunning: false,
		couplingRunning: false,
		standalone: false,
		generating: false,
		chassis: new InputHealth(),
		couplingBus: new InputHealth(),
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
	/** True if only an input is missing or not yet trusted: the request is ramped down first, then stock, and waited for. */
	inputMissing: boolean;
}

/**
 * Decides and writes the verdict into `verdict`. Pure otherwise; never throws, allocates nothing.
 * Disabled stands above everything, conditions included: they select between modes but never switch the controller on.
 */
export function arbitrate(sources: Sources, tuning: Tuning, verdict: Verdict): void {
	const { conditionSelects, heldMode } = sources;
	const chosen = heldMode === NO_MODE ? sources.selectedMode : heldMode;
	const mode = conditionSelects ? sources.conditionMode : chosen;
	verdict.mode = STOCK;
	verdict.inputMissing = false;
	verdict.reason = standingReason(sources, mode);
	if (verdict.reason !== Reason.ACTIVE) return;
	verdict.mode = mode;
	const missing = missingInput(sources, mode, tuning);
	verdict.inputMissing = missing !== Reason.ACTIVE;
	if (verdict.inputMissing) verdict.reason = missing;
	else if (sources.steering !== Reason.ACTIVE) verdict.reason = sources.steering;
	else if (conditionSelects) verdict.reason = Reason.SELECTED_BY_CONDITION;
	else if (heldMode !== NO_MODE) verdict.reason = Reason.SELECTED_BY_BUTTON;
}

/**
 * What stands against a calibration now, `Reason.ACTIVE` if nothing does. It asks nobody's mode, and needs to know all that could hurt: speed,
 * interventions, what the coupling reports. Pure, allocates nothing.
 */
export function calibrationDoubt(sources: Sources): Reason {
	const doubt = doubtOf(sources, CALIBRATION_MODE);
	if (doubt !== Reason.ACTIVE) return doubt;
	if (sources.conditionSelects) return Reason.SELECTED_BY_CONDITION;
	if (sources.heldMode !== NO_MODE) return Reason.SELECTED_BY_BUTTON;
	if (sources.restraint !== Reason.ACTIVE) return sources.restraint;
	const { chassis, couplingBus, speed, interventions, feedback } = sources;
	if (!speed.valid) return Reason.NO_SPEED;
	if (!sources.standalone && !interventions.valid) return Reason.NO_INTERVENTIONS;
	if (!feedback.valid) return Reason.NO_FEEDBACK;
	if (sources.needsConditions && !sources.conditions.valid) return conditionDoubt(sources);
	const ready = chassis.ready && couplingBus.ready && speed.ready && feedback.ready;
	return ready && (sources.standalone || interventions.ready) ? Reason.ACTIVE : Reason.SETTLING;
}

function standingReason(sources: Sources, mode: ModeNumber): Reason {
	if (sources.disabled) return sources.selectedMode === STOCK ? Reason.STOCK_SELECTED : Reason.DISABLED;
	return doubtOf(sources, mode);
}

function doubtOf(sources: Sources, mode: ModeNumber): Reason {
	if (sources.generation === 0) return Reason.NO_GENERATION;
	if (sources.bootLoop) return Reason.BOOT_LOOP;
	if (sources.openNetwork) return Reason.OPEN_NETWORK;
	if (sources.updating) return Reason.UPDATING;
	if (sources.capture) return Reason.CAPTURE;
	if (sources.verboseLogging) return Reason.VERBOSE_LOGGING;
	if (mode === STOCK) return Reason.STOCK_SELECTED;
	if (sources.mapUnreadable) return Reason.MAP_UNREADABLE;
	if (!sources.chassisRunning) return Reason.CHASSIS_BUS_DOWN;
	if (!sources.couplingRunning) return Reason.COUPLING_BUS_DOWN;
	if (sources.standalone && !sources.generating) return Reason.STANDALONE_WAITS;
	return sources.chassis.valid ? Reason.ACTIVE : Reason.CHASSIS_SILENT;
}

/** Why an input that `mode` needs cannot be used; `Reason.ACTIVE` if all can. */
function missingInput(sources: Sources, mode: ModeNumber, tuning: Tuning): Reason {
	const speed = needsSpeed(mode, tuning) ? sources.speed : sources.chassis;
	const pedal = needsPedal(mode, tuning) ? sources.pedal : sources.chassis;
	const rpm = mode === RPM ? sources.rpm : sources.chassis;
	const interventions = sources.needsInterventions ? sources.interventions : sources.chassis;
	const feedback = sources.needsFeedback ? sources.feedback : sources.couplingBus;
	const conditions = sources.needsConditions ? sources.conditions : sources.chassis;
	if (!speed.valid) return Reason.NO_SPEED;
	if (!pedal.valid) return Reason.NO_PEDAL;
	if (!rpm.valid) return Reason.NO_RPM;
	if (!interventions.valid) return Reason.NO_INTERVENTIONS;
	if (!feedback.valid) return Reason.NO_FEEDBACK;
	if (!conditions.valid) return conditionDoubt(sources);
	const { chassis, couplingBus } = sources;
	if (chassis.starting || couplingBus.starting || speed.starting || pedal.starting || rpm.starting) return Reason.STARTING;
	if (interventions.starting || feedback.starting || conditions.starting) return Reason.STARTING;
	if (!chassis.ready) return Reason.CHASSIS_BUS_SETTLING;
	if (!couplingBus.ready) return Reason.COUPLING_BUS_SETTLING;
	const ready = speed.ready && pedal.ready && rpm.ready && interventions.ready && feedback.ready && conditions.ready;
	return ready ? Reason.ACTIVE : Reason.SETTLING;
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
