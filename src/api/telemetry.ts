/**
 * The telemetry that status and event stream share, so that a client shows both with the same code. Fields:
 * docs/api.md, "State and modes", aliases: docs/api.md, "Names of other firmware"; those from `speedValid` on
 * are ours.
 */

import { flagField } from "../can/bits.js";
import { PQ_SIGNALS } from "../can/layouts/pq.js";
import type { ControllerView } from "../controller/view.js";
import { figure } from "../http/producer.js";
import { couplingFlags } from "../vehicle/coupling-status.js";

/**
 * Bits of the coupling's status byte: the interface knows those of Allrad_1.
 * Source: docs/api.md, "State and modes".
 */
const { mask: CLUTCH_1 } = flagField([PQ_SIGNALS.clutchError]);
const { mask: TEMPERATURE_PROTECTION } = flagField([PQ_SIGNALS.temperatureProtection]);
const { mask: CLUTCH_2 } = flagField([PQ_SIGNALS.stiffnessError]);
const { mask: COUPLING_OPEN } = flagField([PQ_SIGNALS.fullyOpen]);
const { mask: SPEED_LIMIT } = flagField([PQ_SIGNALS.speedLimiter]);

/**
 * Speed in km/h, boost in mbar above 1000, throttle, lock and engagement in percent; `...Valid` says which
 * may be believed.
 */
export function telemetry(controller: ControllerView) {
	const { inputMappings, lockPercent, vehicle } = controller;
	const { couplingState, engagementRaw } = vehicle;
	const engagement = Math.round(vehicle.engagementPercent);
	const flags = couplingFlags(couplingState, controller.settings.generation);
	return {
		speed: Math.round(vehicle.speedKmh),
		rpm: Math.round(vehicle.rpm),
		boost: Math.round(vehicle.boostMbar),
		throttle: figure(vehicle.pedalPercent),
		spec: figure(lockPercent),
		act: engagement,
		haldexState: couplingState,
		couplingState,
		haldexEngagement: engagement,
		couplingEngagement: engagement,
		haldexEngagementRaw: engagementRaw,
		couplingEngagementRaw: engagementRaw,
		clutch1Report: (flags & CLUTCH_1) !== 0,
		clutch2Report: (flags & CLUTCH_2) !== 0,
		tempProtection: (flags & TEMPERATURE_PROTECTION) !== 0,
		couplingOpen: (flags & COUPLING_OPEN) !== 0,
		speedLimit: (flags & SPEED_LIMIT) !== 0,
		inputsMapped: inputMappings.speed !== "" && inputMappings.throttle !== "" && inputMappings.rpm !== "",
		speedValid: vehicle.speedValid,
		rpmValid: vehicle.rpmValid,
		throttleValid: vehicle.pedalValid,
		engagementValid: vehicle.engagementValid,
		engagementNm: figure(vehicle.engagementValid ? vehicle.engagementNm : Number.NaN),
		engagementSaturated: vehicle.engagementSaturated,
		clutchTemperatureC: figure(vehicle.clutchTemperatureC),
		emergencyMode: vehicle.emergencyMode,
	};
}
