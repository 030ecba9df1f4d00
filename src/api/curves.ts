/**
 * GET and POST /api/curve/{speed,throttle,rpm}: the curves of the modes of those names.
 * Source: docs/api.md, "Maps and curves".
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { FULL_LOCK_PERCENT } from "../lock/modes.js";
import { CURVE_POINTS_MAX, type LockCurve } from "../lock/tuning.js";
import { isVerboseLogging } from "../settings/settings.js";
import { CURVE_X_MAX } from "../settings/stored-settings.js";
import { answerOnceActive, isOfRevision, wantedState } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { reject } from "./problem.js";
import { type JsonObject, jsonObject } from "./request-values.js";

type Curve = "speed" | "throttle" | "rpm";

/**
 * Lock over speed: `points` of `x`, km/h, and `lock`, 0..100 %; a state from before, if the query asks for
 * one.
 */
export function getSpeedCurve(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	answer(context, request, response, "speedCurve");
}

/** Lock over the pedal: `x` in percent. */
export function getThrottleCurve(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	answer(context, request, response, "throttleCurve");
}

/** Lock over engine speed: `x` in 1/min. */
export function getRpmCurve(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	answer(context, request, response, "rpmCurve");
}

/**
 * Takes 1..12 points, `x` strictly ascending from 0 to 300 km/h, `lock` 0..100; answers once they are active,
 * 400 or 409 if they are not taken.
 */
export function postSpeedCurve(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	replace(context, request, response, "speed");
}

/** The same over the pedal, `x` up to 100 %. */
export function postThrottleCurve(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	replace(context, request, response, "throttle");
}

/** The same over engine speed, `x` up to 10,000 1/min. */
export function postRpmCurve(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	replace(context, request, response, "rpm");
}

function answer(context: ApiContext, request: HttpRequest, response: HttpResponse, of: `${Curve}Curve`): void {
	const active = context.controller.settings.tuning[of];
	response.json(200, curveToJson(wantedState(context, request, of, active, (before) => context.history.curve(of, before))));
}

function curveToJson({ x, lockPercent }: LockCurve): object {
	return { count: x.length, points: x.map((value, i) => ({ x: value, lock: lockPercent[i] })) };
}

function replace(context: ApiContext, request: HttpRequest, response: HttpResponse, curve: Curve): void {
	const { controller } = context;
	const body = jsonObject(request, "points x lock revision");
	const next = curveIn(body["points"], CURVE_X_MAX[curve]);
	const name = `${curve}Curve` as const;
	if (!isOfRevision(context, body, response, name, () => curveToJson(controller.settings.tuning[name]))) return;
	const { settings } = controller;
	controller.applySettings({ ...settings, tuning: { ...settings.tuning, [name]: next } });
	answerOnceActive(context, response, () =>
		response.json(200, {
			ok: true,
			debugCaptureActive: isVerboseLogging(controller.settings.logging),
			disableController: controller.supervisor.disabled,
		}),
	);
}

/** 400 `invalid points`, `point out of range`, `points must ascend`. */
function curveIn(points: unknown, xMax: number): LockCurve {
	if (!Array.isArray(points) || points.length < 1 || points.length > CURVE_POINTS_MAX) {
		const value = Array.isArray(points) ? `${points.length} points` : (points ?? null);
		reject(400, "invalid points", { field: "points", value, allowed: `1 to ${CURVE_POINTS_MAX} points` });
	}
	const x = wholeNumbers(points, "x", xMax);
	const lockPercent = wholeNumbers(points, "lock", FULL_LOCK_PERCENT);
	const wrong = x.findIndex((value, i) => i > 0 && value <= x[i - 1]);
	if (wrong >= 0)
		reject(400, "points must ascend", { field: `points[${wrong}].x`, value: x[wrong], allowed: `above ${x[wrong - 1]}` });
	return { x, lockPercent };
}

function wholeNumbers(points: readonly unknown[], member: "x" | "lock", max: number): readonly number[] {
	return points.map((point, i) => {
		const value = (point as JsonObject | null)?.[member];
		if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max) return value;
		const allowed = `a whole number from 0 to ${max}`;
		return reject(400, "point out of range", { field: `points[${i}].${member}`, value: value ?? null, allowed });
	});
}
