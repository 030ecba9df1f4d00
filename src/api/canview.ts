/**
 * GET /api/canview: the signals and the last frames of both buses, written in C.
 * Source: docs/api.md, "CAN buses".
 */

import type { HttpRequest } from "../http/request.js";
import { type HttpResponse, UNKNOWN_LENGTH } from "../http/response.js";
import { parseBusFilter } from "../trace/frames.js";
import type { ApiContext } from "./context.js";
import { clampedIn } from "./request-values.js";
import { TextBody } from "./text-body.js";

/* Rows of each kind. Source: docs/api.md, "CAN buses". */
const DEFAULT_DECODED = 200;
const MOST_DECODED = 2000;
const DEFAULT_RAW = 20;
const MOST_RAW = 128;

/** Answers with the rows; an unknown bus has none. 400 `invalid decoded`, `invalid raw`. */
export function getCanview({ controller, frameText }: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const rows = parseBusFilter(request.query("bus"))?.rows ?? 0;
	const decoded = clampedIn(request, response, "decoded", 0, MOST_DECODED, DEFAULT_DECODED);
	if (decoded === undefined) return;
	const raw = clampedIn(request, response, "raw", 0, MOST_RAW, DEFAULT_RAW);
	if (raw === undefined) return;
	const view = frameText.view(controller.settings.generation, rows, decoded, raw);
	response.stream(200, "application/json", new TextBody("", view), UNKNOWN_LENGTH);
}
