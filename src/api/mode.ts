/**
 * POST /api/mode: the driver selects a mode. Source: http-api.md 2.1 and 3.2.
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { MODES, type ModeNumber, parseMode, STOCK } from "../lock/modes.js";
import type { ApiContext } from "./context.js";
import { jsonObject } from "./json.js";
import { problem } from "./problem.js";

const NAMES = Object.freeze(["mode"]);

/** Answers `{"ok":true,"mode":canonical}`; 400 `invalid json`, `invalid object`, `invalid mode`; 409 while a capture runs, except for STOCK. */
export function postMode(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, NAMES);
	if (body === undefined) return;
	const value = body["mode"];
	const mode = modeOf(value);
	if (mode < 0) problem(response, 400, "invalid mode", { field: "mode", value: value ?? null, allowed: MODES });
	else if (context.controller.captureActive && mode !== STOCK) problem(response, 409, "canview capture mode active");
	else {
		context.controller.selectMode(mode);
		response.json(200, { ok: true, mode: MODES[mode] });
	}
}

/** Number of the mode that a JSON value means, -1 if none. Numbers mean the preset of that name (5050), never a mode number. */
export function modeOf(value: unknown): ModeNumber {
	if (typeof value === "number") return Number.isInteger(value) ? parseMode(String(value)) : -1;
	return typeof value === "string" ? parseMode(value) : -1;
}
