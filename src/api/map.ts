/**
 * GET and POST /api/map: the map in force. Source: docs/http-api.md 3.4 and 3.5.
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { LockMap } from "../lock/tuning.js";
import { lockMapFrom, lockMapToJson, MAP_NAMES, MapProblem } from "../maps/lock-map.js";
import type { ApiContext } from "./context.js";
import { answerInForce } from "./in-force.js";
import { type JsonObject, jsonObject } from "./json.js";
import { problem } from "./problem.js";
import { isOfRevision } from "./revision.js";

const NAMES = `${MAP_NAMES.join(" ")} map revision`;

/** Answers `{"speedBins","throttleBins","lockTable"}`. */
export function getMap(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	response.json(200, lockMapToJson(context.controller.settings.tuning.map));
}

/** Answers `{"ok":true}`; 409 `changed meanwhile` to who sends a `revision` that is not in force; 400 `invalid json`, `invalid object`, `invalid map sizes`, `invalid lock table`, `bins must ascend`. */
export function postMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, NAMES);
	const map = body === undefined ? undefined : mapOf(body, response);
	if (body === undefined || map === undefined) return;
	const { controller } = context;
	const { settings } = controller;
	if (!isOfRevision(context, body, response, "map", () => lockMapToJson(settings.tuning.map))) return;
	controller.applySettings({ ...settings, tuning: { ...settings.tuning, map } });
	answerInForce(context, response, () => response.json(200, { ok: true }));
}

/** The map in a JSON body, at its top or, if nothing of it is there, under `map`; undefined after it has answered with what is wrong. */
export function mapIn(request: HttpRequest, response: HttpResponse): LockMap | undefined {
	const body = jsonObject(request, response, NAMES);
	return body === undefined ? undefined : mapOf(body, response);
}

function mapOf(body: JsonObject, response: HttpResponse): LockMap | undefined {
	return checkedMap(response, () => lockMapFrom(MAP_NAMES.some((name) => name in body) ? body : (wrapped(body) ?? body)));
}

/** What `read` returns; undefined after it has answered with the MapProblem that `read` throws. */
export function checkedMap(response: HttpResponse, read: () => LockMap): LockMap | undefined {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof MapProblem)) throw error;
		problem(response, 400, error.message, error);
		return undefined;
	}
}

function wrapped(body: JsonObject): JsonObject | undefined {
	const map = body["map"];
	return typeof map === "object" && map !== null ? (map as JsonObject) : undefined;
}
