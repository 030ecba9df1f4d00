/** GET and POST /api/curve/{speed,throttle,rpm}. Source: docs/api.md, "Maps and curves". */

import { FULL_LOCK_PERCENT } from "../lock/modes.js";
import { CURVE_POINTS_MAX, CURVE_X_MAX, type LockCurve } from "../lock/tuning.js";
import { isVerboseLogging } from "../settings/settings.js";
import { answerOnceActive, isOfRevision, wantedState } from "./active-state.js";
import type { Handle } from "./context.js";
import { reject } from "./problem.js";
import { type JsonObject, jsonObject } from "./request-values.js";

type Curve = "speed" | "throttle" | "rpm";

/** Points of `x` (km/h, percent, 1/min) and `lock`, 0..100 %, now or some changes ago. */
export const getCurve =
	(curve: Curve): Handle =>
	(context, request) => {
		const of = `${curve}Curve` as const;
		const active = context.controller.settings.tuning[of];
		return curveToJson(wantedState(context, request, of, active, (before) => context.history.curve(of, before)));
	};

/** Takes 1..12 points, `x` strictly ascending from 0 to 300 km/h, 100 % or 10,000 1/min, `lock` 0..100. */
export const postCurve =
	(curve: Curve): Handle =>
	(context, request, response) => {
		const { controller } = context;
		const body = jsonObject(request, "points x lock revision");
		const next = curveIn(body["points"], CURVE_X_MAX[curve]);
		const name = `${curve}Curve` as const;
		if (!isOfRevision(context, body, response, name, () => curveToJson(controller.settings.tuning[name]))) return;
		const { settings } = controller;
		controller.applySettings({ ...settings, tuning: { ...settings.tuning, [name]: next } });
		answerOnceActive(context, response, () => ({
			ok: true,
			debugCaptureActive: isVerboseLogging(controller.settings.logging),
			disableController: controller.supervisor.disabled,
		}));
	};

function curveToJson({ x, lockPercent }: LockCurve): object {
	return { count: x.length, points: x.map((value, i) => ({ x: value, lock: lockPercent[i] })) };
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
