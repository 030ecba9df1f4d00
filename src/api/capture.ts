/**
 * GET and POST /api/canview/capture: the safe profile for looking at the buses. It is a state, not a setting:
 * never stored, over after 10 minutes or a restart, and what the driver had set is active again.
 * Source: docs/api.md, "CAN buses"; docs/decisions.md 3, 4.
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { answerOnceActive } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { problem } from "./problem.js";
import { jsonObject } from "./request-values.js";

const NAMES = "active";

/** Answers with the state; always 200. */
export function getCapture({ controller }: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	response.json(200, stateOf(controller));
}

/** Starts or ends the capture, idempotent; 400 `invalid json`, `invalid object`, `invalid active`. */
export function postCapture(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, NAMES);
	if (body === undefined) return;
	const active = body["active"];
	if (typeof active !== "boolean" && active !== 0 && active !== 1) {
		problem(response, 400, "invalid active", { field: "active", value: active ?? null, allowed: "true, false, 1 or 0" });
		return;
	}
	const { controller } = context;
	controller.setCapture(active === true || active === 1);
	answerOnceActive(context, response, () => response.json(200, { ok: true, ...stateOf(controller) }));
}

function stateOf(controller: ApiContext["controller"]): object {
	const { supervisor, broadcastOverCan } = controller;
	return {
		active: supervisor.captureActive,
		disableController: supervisor.disabled,
		broadcastOpenHaldexOverCAN: broadcastOverCan,
		broadcastControllerOverCAN: broadcastOverCan,
	};
}
