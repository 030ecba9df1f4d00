/**
 * GET /api/preview: what lock a mode would ask for, so that no client computes it anew. Ours. Computed by the
 * lock core itself, without its memory: gates at their thresholds, no ramps. Without an angle the steering
 * gain is the active one.
 */

import { figure } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { LockInputs } from "../lock/gates.js";
import { gatedLockPercent, targetLockPercent } from "../lock/lock-core.js";
import { MODES } from "../lock/modes.js";
import { steeringGainPercent, withGain } from "../lock/steering-gain.js";
import { modeOf } from "../settings/mode-names.js";
import type { ApiContext } from "./context.js";
import { problem } from "./problem.js";

/* As far as the curves reach. The angle's is that of the steering gain, src/settings/settings-table.ts. */
const SPEED_MAX_KMH = 300;
const PEDAL_MAX_PERCENT = 100;
const RPM_MAX = 10_000;
const ANGLE_MAX_DEG = 720;

/**
 * Answers with mode, inputs, lock behind gates and steering gain and before them; 400 `invalid mode`,
 * `invalid speed` and so on.
 */
export function getPreview({ controller }: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const name = request.query("mode");
	const mode = name === undefined ? controller.supervisor.selectedMode : modeOf(name);
	if (mode < 0) {
		problem(response, 400, "invalid mode", { field: "mode", value: name, allowed: MODES });
		return;
	}
	const { settings, vehicle } = controller;
	const speedKmh = numberIn(request, response, "speed", SPEED_MAX_KMH, vehicle.speedKmh);
	if (speedKmh === undefined) return;
	const pedalPercent = numberIn(request, response, "throttle", PEDAL_MAX_PERCENT, vehicle.pedalPercent);
	if (pedalPercent === undefined) return;
	const rpm = numberIn(request, response, "rpm", RPM_MAX, vehicle.rpm);
	if (rpm === undefined) return;
	const { steeringGain } = settings;
	const now = controller.steering;
	const steeringDeg = numberIn(request, response, "steering", ANGLE_MAX_DEG, now.valid ? now.angleDeg : Number.NaN);
	if (steeringDeg === undefined) return;
	const isAsked = steeringGain.enabled && request.query("steering") !== undefined;
	const gainPercent = isAsked ? steeringGainPercent(steeringGain, steeringDeg) : now.gainPercent;
	const inputs: LockInputs = { speedKmh, pedalPercent, rpm, pedalValid: true };
	const lockPercent = withGain(gatedLockPercent(mode, inputs, settings.tuning), gainPercent);
	const ungatedPercent = targetLockPercent(mode, inputs, settings.tuning);
	const asked = { mode: MODES[mode], speed: speedKmh, throttle: pedalPercent, rpm, steering: figure(steeringDeg) };
	response.json(200, { ...asked, lock: lockPercent, ungated: ungatedPercent, gainPercent });
}

/** A query parameter, the present value where it is absent; undefined after it has answered. */
function numberIn(request: HttpRequest, response: HttpResponse, field: string, max: number, present: number): number | undefined {
	const text = request.query(field);
	if (text === undefined) return present;
	const value = text.trim() === "" ? Number.NaN : Number(text);
	if (value >= 0 && value <= max) return value;
	problem(response, 400, `invalid ${field}`, { field, value: text, allowed: `0..${max}` });
	return undefined;
}
