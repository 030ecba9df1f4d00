/**
 * The arbiter: which mode is in force, and why. One pure function over all sources; every doubt ends in STOCK.
 * Order matters: what stands higher wins. Source: docs/decisions.md 2 to 5.
 */

import { isDynamic, MAP, type ModeNumber, RPM, SPEED, STOCK, THROTTLE } from "../lock/modes.js";
import { disengageUnderKmh, type Tuning } from "../lock/tuning.js";
import type { InputHealth } from "./input-health.js";

/** Why the mode in force is what it is; index into `REASONS`. */
export const Reason = Object.freeze({
	ACTIVE: 0,
	TRIGGERED: 1,
	STOCK_SELECTED: 2,
	DISABLED: 3,
	NO_GENERATION: 4,
	BOOT_LOOP: 5,
	UPDATING: 6,
	CAPTURE: 7,
	VERBOSE_LOGGING: 8,
	LEARNING_INTERRUPTED: 9,
	CHASSIS_BUS_DOWN: 10,
	COUPLING_BUS_DOWN: 11,
	CHASSIS_SILENT: 12,
	NO_SPEED: 13,
	NO_PEDAL: 14,
	NO_RPM: 15,
	STARTING: 16,
	SETTLING: 17,
	INTERVENTION: 18,
	OVERHEATED: 19,
	COUPLING_FAULT: 20,
	FAULT: 21,
	OPEN_NETWORK: 22,
	NO_INTERVENTIONS: 23,
	MAP_UNREADABLE: 24,
	CHASSIS_BUS_SETTLING: 25,
	COUPLING_BUS_SETTLING: 26,
	NO_FEEDBACK: 27,
	STANDALONE_WAITS: 28,
} as const);

/** The reasons in words a driver understands, by number. */
export const REASONS = Object.freeze([
	"control is active",
	"control is active in the trigger's mode",
	"stock mode is selected",
	"the controller is disabled",
	"no coupling generation is set",
	"the controller restarted too often: stock until the next clean start",
	"an update is in progress",
	"CAN capture is running",
	"verbose logging is on",
	"calibration was interrupted",
	"the chassis bus is not running",
	"the coupling bus is not running",
	"no frames arrive from the car",
	"no valid vehicle speed",
	"no valid pedal position",
	"no valid engine speed",
	"starting: waiting until every input has been valid for 1 s",
	"waiting until every input has been valid for 0.5 s",
	"ABS or ESP is intervening: coupling opened until 1 s after",
	"the coupling is too hot: opened until it has cooled down",
	"the coupling reports a fault: opened until 10 s after the fault is gone",
	"the controller has a fault: stock until it is restarted",
	"the controller's network has no password: set one, or say that it may stay open",
	"no frames that tell of ABS and ESP: 0x1A0, on generation 5 0x0FD",
	"the active map can't be read: load or change one",
	"waiting until the chassis bus has been running for 0.5 s",
	"waiting until the coupling bus has been running for 0.5 s",
	"no frames in which the coupling reports: 0x2C0, on generation 5 0x118",
	"standalone operation listens for 3 s whether somebody else sends its frames",
]);

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
	learningInterrupted: boolean;
	/** The map could not be read from flash, and MAP is selected or the trigger's mode. */
	mapUnreadable: boolean;
	/** True while the mode trigger's condition is in force. */
	triggerActive: boolean;
	triggerMode: ModeNumber;
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
}

/** What is asked for if nothing stands against it. */
export interface Verdict {
	/** STOCK or the mode whose lock applies. */
	mode: ModeNumber;
	/** A value of `Reason`. */
	reason: number;
	/** True if only an input is missing or not yet trusted: the request is ramped down first, then stock, and waited for. */
	inputMissing: boolean;
}

/**
 * Decides and writes the verdict into `verdict`. Pure otherwise; never throws, allocates nothing.
 * Disabled stands above everything, the trigger included: a trigger selects between modes but never switches the controller on.
 */
export function arbitrate(sources: Sources, tuning: Tuning, verdict: Verdict): void {
	const mode = sources.triggerActive ? sources.triggerMode : sources.selectedMode;
	verdict.mode = STOCK;
	verdict.inputMissing = false;
	verdict.reason = standingReason(sources, mode);
	if (verdict.reason !== Reason.ACTIVE) return;
	verdict.mode = mode;
	const missing = missingInput(sources, mode, tuning);
	verdict.inputMissing = missing !== Reason.ACTIVE;
	verdict.reason = verdict.inputMissing ? missing : sources.triggerActive ? Reason.TRIGGERED : Reason.ACTIVE;
}

function standingReason(sources: Sources, mode: ModeNumber): number {
	if (sources.disabled) return sources.selectedMode === STOCK ? Reason.STOCK_SELECTED : Reason.DISABLED;
	if (sources.generation === 0) return Reason.NO_GENERATION;
	if (sources.bootLoop) return Reason.BOOT_LOOP;
	if (sources.openNetwork) return Reason.OPEN_NETWORK;
	if (sources.updating) return Reason.UPDATING;
	if (sources.capture) return Reason.CAPTURE;
	if (sources.verboseLogging) return Reason.VERBOSE_LOGGING;
	if (sources.learningInterrupted) return Reason.LEARNING_INTERRUPTED;
	if (mode === STOCK) return Reason.STOCK_SELECTED;
	if (sources.mapUnreadable) return Reason.MAP_UNREADABLE;
	if (!sources.chassisRunning) return Reason.CHASSIS_BUS_DOWN;
	if (!sources.couplingRunning) return Reason.COUPLING_BUS_DOWN;
	if (sources.standalone && !sources.generating) return Reason.STANDALONE_WAITS;
	return sources.chassis.valid ? Reason.ACTIVE : Reason.CHASSIS_SILENT;
}

/** Why an input that `mode` needs cannot be used; `Reason.ACTIVE` if all can. */
function missingInput(sources: Sources, mode: ModeNumber, tuning: Tuning): number {
	const speed = needsSpeed(mode, tuning) ? sources.speed : sources.chassis;
	const pedal = needsPedal(mode, tuning) ? sources.pedal : sources.chassis;
	const rpm = mode === RPM ? sources.rpm : sources.chassis;
	const interventions = sources.needsInterventions ? sources.interventions : sources.chassis;
	const feedback = sources.needsFeedback ? sources.feedback : sources.couplingBus;
	if (!speed.valid) return Reason.NO_SPEED;
	if (!pedal.valid) return Reason.NO_PEDAL;
	if (!rpm.valid) return Reason.NO_RPM;
	if (!interventions.valid) return Reason.NO_INTERVENTIONS;
	if (!feedback.valid) return Reason.NO_FEEDBACK;
	const { chassis, couplingBus } = sources;
	if (chassis.starting || couplingBus.starting || speed.starting || pedal.starting || rpm.starting) return Reason.STARTING;
	if (interventions.starting || feedback.starting) return Reason.STARTING;
	if (!chassis.ready) return Reason.CHASSIS_BUS_SETTLING;
	if (!couplingBus.ready) return Reason.COUPLING_BUS_SETTLING;
	const ready = speed.ready && pedal.ready && rpm.ready && interventions.ready && feedback.ready;
	return ready ? Reason.ACTIVE : Reason.SETTLING;
}

function needsSpeed(mode: ModeNumber, tuning: Tuning): boolean {
	if (mode === MAP || mode === SPEED) return true;
	return isDynamic(mode) ? disengageUnderKmh(tuning, mode) !== 0 : tuning.disableSpeedKmh !== 0;
}

function needsPedal(mode: ModeNumber, tuning: Tuning): boolean {
	if (mode === MAP || mode === THROTTLE) return true;
	return !isDynamic(mode) && tuning.disableThrottlePercent !== 0;
}
