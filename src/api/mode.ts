/**
 * POST /api/mode: the driver selects a mode. Source: docs/api.md, "State and modes".
 */

import { modeRejection } from "../controller/input-supervisor.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { MODES, modeOfFormerNumber } from "../lock/modes.js";
import { modeOf } from "../settings/mode-names.js";
import { answerOnceActive } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { problem } from "./problem.js";
import { jsonObject } from "./request-values.js";

const NAMES = "mode";

/**
 * Answers `{"ok":true,"mode":canonical}`; 400 `invalid json`, `invalid object`, `invalid mode`; 409 while a
 * capture runs or logging is verbose, except for STOCK.
 */
export function postMode(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, NAMES);
	if (body === undefined) return;
	const value = body["mode"];
	const named = modeOf(value);
	const mode = named < 0 ? modeOfFormerNumber(value) : named;
	if (mode < 0) problem(response, 400, "invalid mode", { field: "mode", value: value ?? null, allowed: MODES });
	else if (modeRejection(context.controller, mode) !== "") problem(response, 409, modeRejection(context.controller, mode));
	else {
		context.controller.selectMode(mode);
		answerOnceActive(context, response, () => response.json(200, { ok: true, mode: MODES[mode] }));
	}
}
