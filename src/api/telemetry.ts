/**
 * The telemetry that status and event stream share, so that a client shows both with the same code.
 * Fields: docs/http-api.md 3.1 `telemetry`, twins: 8; the last four are ours.
 */

import type { ControllerView } from "../controller/view.js";
import { type JsonWriter, jsonKeys } from "../http/json-writer.js";

/** Bits of the coupling's status byte. Source: docs/http-api.md 3.1 `haldexState`. */
const CLUTCH_1 = 1;
const TEMPERATURE_PROTECTION = 2;
const CLUTCH_2 = 4;
const COUPLING_OPEN = 8;
const SPEED_LIMIT = 64;

const K = jsonKeys([
	"speed",
	"rpm",
	"boost",
	"throttle",
	"spec",
	"act",
	"haldexState",
	"couplingState",
	"haldexEngagement",
	"couplingEngagement",
	"haldexEngagementRaw",
	"couplingEngagementRaw",
	"clutch1Report",
	"clutch2Report",
	"tempProtection",
	"couplingOpen",
	"speedLimit",
	"inputsMapped",
	"speedValid",
	"rpmValid",
	"throttleValid",
	"engagementValid",
] as const);

/** Writes the members, without braces. */
export function writeTelemetryMembers(json: JsonWriter, controller: ControllerView): void {
	const state = controller.couplingState;
	const engagement = Math.round(controller.engagementPercent);
	json.key(K.speed).number(Math.round(controller.speedKmh)).key(K.rpm).number(Math.round(controller.rpm));
	json.key(K.boost).number(Math.round(controller.boostMbar)).key(K.throttle).number(controller.pedalPercent);
	json.key(K.spec).number(controller.lockPercent).key(K.act).number(engagement);
	// generation 5 has the drive profile in this byte, no faults (docs/control-and-can.md 2.2)
	const flags = controller.generation === 5 ? 0 : state;
	json.key(K.haldexState).number(state).key(K.couplingState).number(state);
	json.key(K.haldexEngagement).number(engagement).key(K.couplingEngagement).number(engagement);
	json.key(K.haldexEngagementRaw).number(controller.engagementRaw);
	json.key(K.couplingEngagementRaw).number(controller.engagementRaw);
	json
		.key(K.clutch1Report)
		.boolean((flags & CLUTCH_1) !== 0)
		.key(K.clutch2Report)
		.boolean((flags & CLUTCH_2) !== 0);
	json.key(K.tempProtection).boolean((flags & TEMPERATURE_PROTECTION) !== 0);
	json
		.key(K.couplingOpen)
		.boolean((flags & COUPLING_OPEN) !== 0)
		.key(K.speedLimit)
		.boolean((flags & SPEED_LIMIT) !== 0);
	const inputs = controller.inputMappings;
	json.key(K.inputsMapped).boolean(inputs.speed !== "" && inputs.throttle !== "" && inputs.rpm !== "");
	json.key(K.speedValid).boolean(controller.speedValid).key(K.rpmValid).boolean(controller.rpmValid);
	json.key(K.throttleValid).boolean(controller.pedalValid).key(K.engagementValid).boolean(controller.engagementValid);
}
