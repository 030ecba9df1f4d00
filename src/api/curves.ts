/**
 * GET and POST /api/curve/{speed,throttle,rpm}: the curves of the modes of those names.
 * Source: docs/api.md, "Maps and curves".
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { FULL_LOCK_PERCENT } from "../lock/modes.js";
import { CURVE_POINTS_MAX, type LockCurve, type Tuning } from "../lock/tuning.js";
import { isVerboseLogging } from "../settings/settings.js";
import { CURVE_X_MAX } from "../settings/stored-settings.js";
import { answerOnceActive, isOfRevision, wantedState } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { problem } from "./problem.js";
import { jsonObject } from "./request-values.js";

type Curve = "speed" | "throttle" | "rpm";

const NAMES = "points x lock revision";

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
	const speedCurve = curveIn(context, request, response, "speed");
	if (speedCurve !== undefined) apply(context, response, { speedCurve });
}

/** The same over the pedal, `x` up to 100 %. */
export function postThrottleCurve(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const throttleCurve = curveIn(context, request, response, "throttle");
	if (throttleCurve !== undefined) apply(context, response, { throttleCurve });
}

/** The same over engine speed, `x` up to 10,000 1/min. */
export function postRpmCurve(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const rpmCurve = curveIn(context, request, response, "rpm");
	if (rpmCurve !== undefined) apply(context, response, { rpmCurve });
}

function answer(context: ApiContext, request: HttpRequest, response: HttpResponse, of: `${Curve}Curve`): void {
	const active = context.controller.settings.tuning[of];
	const curve = wantedState(context, request, response, of, active, (before) => context.history.curve(of, before));
	if (curve !== undefined) response.json(200, curveToJson(curve));
}

function curveToJson({ x, lockPercent }: LockCurve): object {
	return { count: x.length, points: x.map((value, i) => ({ x: value, lock: lockPercent[i] })) };
}

function apply(context: ApiContext, response: HttpResponse, curve: Partial<Tuning>): void {
	const { controller } = context;
	const { settings } = controller;
	controller.applySettings({ ...settings, tuning: { ...settings.tuning, ...curve } });
	answerOnceActive(context, response, () =>
		response.json(200, {
			ok: true,
			debugCaptureActive: isVerboseLogging(controller.settings.logging),
			disableController: controller.supervisor.disabled,
		}),
	);
}

/**
 * The curve in the body; undefined after it has answered 400 `invalid points`, `point out of range`, `points
 * must ascend`, or 409 `changed meanwhile` to who sends a `revision` that is not active.
 */
function curveIn(context: ApiContext, request: HttpRequest, response: HttpResponse, curve: Curve): LockCurve | undefined {
	const body = jsonObject(request, response, NAMES);
	if (body === undefined) return undefined;
	const points = body["points"];
	if (!Array.isArray(points) || points.length < 1 || points.length > CURVE_POINTS_MAX) {
		const value = Array.isArray(points) ? `${points.length} points` : (points ?? null);
		problem(response, 400, "invalid points", { field: "points", value, allowed: `1 to ${CURVE_POINTS_MAX} points` });
		return undefined;
	}
	const x = points.map((point) => point?.x);
	const lockPercent = points.map((point) => point?.lock);
	if (
		!inRange(response, x, "x", CURVE_X_MAX[curve]) ||
		!inRange(response, lockPercent, "lock", FULL_LOCK_PERCENT) ||
		!ascends(response, x)
	)
		return undefined;
	const name = `${curve}Curve` as const;
	const active = () => curveToJson(context.controller.settings.tuning[name]);
	return isOfRevision(context, body, response, name, active) ? { x, lockPercent } : undefined;
}

function inRange(response: HttpResponse, values: readonly unknown[], name: string, max: number): values is readonly number[] {
	const wrong = values.findIndex((value) => !Number.isInteger(value) || (value as number) < 0 || (value as number) > max);
	if (wrong < 0) return true;
	const value = values[wrong] ?? null;
	const field = `points[${wrong}].${name}`;
	problem(response, 400, "point out of range", { field, value, allowed: `a whole number from 0 to ${max}` });
	return false;
}

function ascends(response: HttpResponse, x: readonly number[]): boolean {
	const wrong = x.findIndex((value, i) => i > 0 && value <= x[i - 1]);
	if (wrong < 0) return true;
	const field = `points[${wrong}].x`;
	problem(response, 400, "points must ascend", { field, value: x[wrong], allowed: `above ${x[wrong - 1]}` });
	return false;
}
