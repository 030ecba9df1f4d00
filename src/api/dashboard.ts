/**
 * GET /api/dashboard: for displays of OpenHaldex-C6, V1.10 to V9, with its numbers for the modes. A small
 * answer of known length. Source: docs/api.md, "Names of other firmware", docs/control-and-can.md 1.1.
 */

import type { CONDITION_SIGNALS } from "../coupling/coupling.js";
import { couplingOf } from "../coupling/couplings/couplings.js";
import { formerNumberOf } from "../lock/modes.js";
import type { ApiContext } from "./context.js";
import { buses, telemetry } from "./status.js";

/** Bits of the board's inputs. */
const BRAKE = 4;
const HANDBRAKE = 8;

/** Mode -1 = unknown to OpenHaldex-C6; null = unknown. The first six, those of V1.10, are never null. */
export function getDashboard(context: ApiContext): object {
	const { controller } = context;
	const { speed, rpm, boost, act, engagementValid, throttle, throttleValid, ...report } = telemetry(controller);
	const { chassis, coupling, busFailure, lastChassisMs, lastCouplingMs } = buses(context);
	const { followBrake, invertBrake, followHandbrake, invertHandbrake } = controller.settings.controls;
	const brakeIn = boardInput(context, BRAKE);
	const handbrakeIn = boardInput(context, HANDBRAKE);
	const espOff = flagOf(context, 0, "espOff");
	const reported = <T>(value: T): T | null => (coupling && engagementValid ? value : null);
	return {
		mode: formerNumberOf(controller.supervisor.selectedMode),
		effectiveMode: formerNumberOf(controller.effectiveMode),
		speed,
		rpm,
		boost,
		locking: act,
		throttle: throttleValid ? Math.round(throttle) : null,
		lockTarget: Math.round(controller.lockPercent),
		lockActual: reported(act),
		asrOn: espOff === null ? null : !espOff,
		tcOn: espOff === null ? null : !espOff,
		hazardActive: flagOf(context, 1, "hazardLights"),
		brakeIn,
		brakeOut: outputOf(brakeIn, followBrake, invertBrake),
		handbrakeIn,
		handbrakeOut: outputOf(handbrakeIn, followHandbrake, invertHandbrake),
		brakeFromCAN: flagOf(context, 2, "brake"),
		handbrakeFromCAN: flagOf(context, 3, "handbrake"),
		haldexState: reported(report.haldexState),
		haldexEngagement: reported(act),
		haldexEngagementRaw: reported(report.haldexEngagementRaw),
		clutch1Report: reported(report.clutch1Report),
		clutch2Report: reported(report.clutch2Report),
		tempProtection: reported(report.tempProtection),
		couplingOpen: reported(report.couplingOpen),
		speedLimit: reported(report.speedLimit),
		chassisCAN: chassis,
		haldexCAN: coupling,
		busFailure,
		lastChassisMs,
		lastHaldexMs: lastCouplingMs,
		uptimeMs: controller.nowMs,
	};
}

/** The car says so on its own bus; null = it does not tell. @param index of its slot behind the driver's */
function flagOf(
	{ controller, dashboard, frames }: ApiContext,
	index: number,
	name: (typeof CONDITION_SIGNALS)[number],
): boolean | null {
	const { dashboard: driversKeys, generation } = controller.settings;
	const key = couplingOf(generation)?.car.recommended.conditions[name] ?? "";
	if (key === "") return null;
	const slot = dashboard.slot(driversKeys.length + index, key, generation);
	slot.readReceived(frames);
	return slot.found ? slot.value !== 0 : null;
}

/** null: the board has no such inputs. */
function boardInput({ boardInputs }: ApiContext, bit: number): boolean | null {
	const bits = boardInputs();
	return bits < 0 ? null : (bits & bit) !== 0;
}

/** Outputs that follow nothing are low. */
function outputOf(input: boolean | null, follows: boolean, isInverted: boolean): boolean | null {
	return input === null ? null : follows && input !== isInverted;
}
