/**
 * POST /api/mode: the driver selects a mode. GET /api/preview, which is ours: the lock that a mode would ask
 * for, by the lock core itself. Source: docs/api.md, "State and modes".
 */

import { figure } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { LockInputs } from "../lock/gates.js";
import { gatedLockPercent, steeringGainPercent, targetLockPercent, withGain } from "../lock/lock-core.js";
import { MODES, modeOfFormerNumber } from "../lock/modes.js";
import { CURVE_X_MAX } from "../lock/tuning.js";
import { modeOf } from "../settings/mode-names.js";
import { STEERING_MAX_DEG } from "../settings/settings-table.js";
import { decimalOf } from "../text/characters.js";
import { answerOnceActive } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { reject } from "./problem.js";
import { jsonObject } from "./request-values.js";
import { MODE_WORDS } from "./words.js";

/** By name or by number of OpenHaldex-C6; while a capture runs or logging is verbose only STOCK. */
export function postMode(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const value = jsonObject(request, "mode")["mode"];
	const named = modeOf(value);
	const mode = named < 0 ? modeOfFormerNumber(value) : named;
	if (mode < 0) reject(400, "invalid mode", { field: "mode", value: value ?? null, allowed: MODES });
	const doubt = context.controller.selectMode(mode);
	if (doubt !== undefined) reject(409, MODE_WORDS[doubt]);
	answerOnceActive(context, response, () => ({ ok: true, mode: MODES[mode] }));
}

/**
 * Lock behind gates and steering gain, and before them (`ungated`); without ramps and the memory of gates.
 * Without an angle the steering gain is the active one.
 */
export function getPreview({ controller }: ApiContext, request: HttpRequest): object {
	const name = request.query("mode");
	const mode = name === undefined ? controller.supervisor.selectedMode : modeOf(name);
	if (mode < 0) reject(400, "invalid mode", { field: "mode", value: name, allowed: MODES });
	const { settings, steering, vehicle } = controller;
	const speedKmh = numberIn(request, "speed", CURVE_X_MAX.speed, vehicle.speedKmh);
	const pedalPercent = numberIn(request, "throttle", CURVE_X_MAX.throttle, vehicle.pedalPercent);
	const rpm = numberIn(request, "rpm", CURVE_X_MAX.rpm, vehicle.rpm);
	const steeringDeg = numberIn(request, "steering", STEERING_MAX_DEG, steering.valid ? steering.angleDeg : Number.NaN);
	const isAsked = settings.steeringGain.enabled && request.query("steering") !== undefined;
	const gainPercent = isAsked ? steeringGainPercent(settings.steeringGain, steeringDeg) : steering.gainPercent;
	const inputs: LockInputs = { speedKmh, pedalPercent, rpm, pedalValid: true };
	const lockPercent = withGain(gatedLockPercent(mode, inputs, settings.tuning), gainPercent);
	const ungatedPercent = targetLockPercent(mode, inputs, settings.tuning);
	return {
		mode: MODES[mode],
		speed: figure(speedKmh),
		throttle: figure(pedalPercent),
		rpm: figure(rpm),
		steering: figure(steeringDeg),
		lock: figure(lockPercent),
		ungated: figure(ungatedPercent),
		gainPercent: figure(gainPercent),
	};
}

/** A query parameter, the present value where it is absent. */
function numberIn(request: HttpRequest, field: string, max: number, present: number): number {
	const text = request.query(field);
	if (text === undefined) return present;
	const value = decimalOf(text);
	return value >= 0 && value <= max ? value : reject(400, `invalid ${field}`, { field, value: text, allowed: `0..${max}` });
}
