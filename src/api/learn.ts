/** /api/learn/...: learned calibration is not built yet. It rests, and a start is refused with the reason. Source: docs/http-api.md 4.1. */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { ApiContext } from "./context.js";

/** Answers with a state in which nothing runs and no table is valid. */
export function getLearnStatus({ controller }: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	const currentEng = Math.round(controller.vehicle.engagementPercent);
	response.json(200, { active: false, progress: 0, tableValid: false, currentCF: 0, currentEng });
}

/** Answers 200 with `ok: false` and why. */
export function postLearnStart({ controller }: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	const error = controller.captureActive ? "CAN View capture is active" : "Learned calibration is not built yet";
	response.json(200, { ok: false, error });
}

/** Cancel and clear: there is nothing to stop or to erase. */
export function postLearnEnd(_context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	response.json(200, { ok: true });
}
