/**
 * The inputs that control needs, in order of precedence: of several that are missing the first one gives the
 * reason. Whoever needs all of them goes through this list: the arbiter, a calibration, a restart, and the
 * supervisor when it asks whether all are ready. Source: docs/decisions.md 4, 5, 18, 19, 20, 23, 47.
 */

import { isDynamic, MAP, type ModeNumber, RPM, SPEED, THROTTLE } from "../lock/modes.js";
import { disengageUnderKmh, type Tuning } from "../lock/tuning.js";
import type { InputHealth } from "./input-health.js";
import { Reason } from "./reason.js";
import type { Sources } from "./sources.js";

/** How well an input has to be known. */
type Need = "nothing" | "valid" | "ready";

/** One of them. Its functions are part of the control tick: they allocate nothing. */
export interface RequiredInput {
	readonly health: (sources: Sources) => InputHealth;
	/** Whether `mode` needs it ready. */
	readonly isNeeded: (sources: Sources, mode: ModeNumber, tuning: Tuning) => boolean;
	/** What a calibration needs. */
	readonly calibrationNeeds: (sources: Sources) => Need;
	/** The reason while the input is not valid. */
	readonly missing: Reason;
	/** The reason while the input is valid but not ready yet. */
	readonly settling: Reason;
	/**
	 * The reason is STARTING instead if it has never been ready. False for what is valid unless a frame says
	 * otherwise: it comes later than a start.
	 */
	readonly namesStart: boolean;
}

const always = (): boolean => true;
const ready = (): Need => "ready";

/** A bus that is down or silent is a doubt of the arbiter's before any input is looked at. */
export const REQUIRED_INPUTS = Object.freeze<RequiredInput[]>([
	{
		health: (sources) => sources.chassis,
		isNeeded: always,
		calibrationNeeds: ready,
		missing: Reason.CHASSIS_SILENT,
		settling: Reason.CHASSIS_BUS_SETTLING,
		namesStart: true,
	},
	{
		health: (sources) => sources.couplingBus,
		isNeeded: always,
		calibrationNeeds: ready,
		missing: Reason.COUPLING_BUS_DOWN,
		settling: Reason.COUPLING_BUS_SETTLING,
		namesStart: true,
	},
	{
		health: (sources) => sources.ignition,
		isNeeded: always,
		calibrationNeeds: () => "valid",
		missing: Reason.IGNITION_OFF,
		settling: Reason.SETTLING,
		namesStart: false,
	},
	{
		health: (sources) => sources.speedAgreement,
		isNeeded: always,
		calibrationNeeds: ready,
		missing: Reason.SPEEDS_CONTRADICT,
		settling: Reason.SETTLING,
		namesStart: false,
	},
	{
		health: (sources) => sources.speed,
		isNeeded: (_, mode, tuning) => needsSpeed(mode, tuning),
		calibrationNeeds: ready,
		missing: Reason.NO_SPEED,
		settling: Reason.SETTLING,
		namesStart: true,
	},
	{
		health: (sources) => sources.pedal,
		isNeeded: (_, mode, tuning) => needsPedal(mode, tuning),
		calibrationNeeds: () => "nothing",
		missing: Reason.NO_PEDAL,
		settling: Reason.SETTLING,
		namesStart: true,
	},
	{
		health: (sources) => sources.rpm,
		isNeeded: (_, mode) => mode === RPM,
		calibrationNeeds: () => "nothing",
		missing: Reason.NO_RPM,
		settling: Reason.SETTLING,
		namesStart: true,
	},
	{
		health: (sources) => sources.interventions,
		isNeeded: (sources) => sources.needsInterventions,
		// also where the driver does not want them respected
		calibrationNeeds: (sources) => (sources.standalone ? "nothing" : "ready"),
		missing: Reason.NO_INTERVENTIONS,
		settling: Reason.SETTLING,
		namesStart: true,
	},
	{
		health: (sources) => sources.feedback,
		isNeeded: (sources) => sources.needsFeedback,
		calibrationNeeds: ready,
		missing: Reason.NO_FEEDBACK,
		settling: Reason.SETTLING,
		namesStart: true,
	},
	{
		health: (sources) => sources.conditions,
		isNeeded: (sources) => sources.needsConditions,
		calibrationNeeds: (sources) => (sources.needsConditions ? "valid" : "nothing"),
		missing: Reason.NO_CONDITION,
		settling: Reason.SETTLING,
		namesStart: true,
	},
]);

function needsSpeed(mode: ModeNumber, tuning: Tuning): boolean {
	if (mode === MAP || mode === SPEED) return true;
	return isDynamic(mode) ? disengageUnderKmh(tuning, mode) !== 0 : tuning.disableSpeedKmh !== 0;
}

function needsPedal(mode: ModeNumber, tuning: Tuning): boolean {
	if (mode === MAP || mode === THROTTLE) return true;
	return !isDynamic(mode) && tuning.disableThrottlePercent !== 0;
}
