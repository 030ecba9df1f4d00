/**
 * GET and POST /api/map: the map in force. Source: docs/http-api.md 3.4 and 3.5. What is ours alone: a map may be tried without its being
 * stored under the current name, earlier ones can be read, and POST /api/map/swap puts the one before in force.
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { LockMap } from "../lock/tuning.js";
import { lockMapFrom, lockMapToJson, MAP_NAMES, MapProblem } from "../maps/lock-map.js";
import type { ApiContext } from "./context.js";
import { wantedState } from "./earlier.js";
import { answerInForce } from "./in-force.js";
import { type JsonObject, jsonObject } from "./json-body.js";
import { problem } from "./problem.js";
import { onMapOf, whenInForce } from "./stored-maps.js";

const NAMES = `${MAP_NAMES.join(" ")} map revision try`;
const SWAP_NAMES = "revision";

/**
 * Query `before`: 0 (default) .. STATES_MAX changes ago. Answers `{"speedBins","throttleBins","lockTable"}`; 400 `invalid before`, 404 `not found`.
 */
export function getMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const { map: inForce } = context.controller.settings.tuning;
	const map = wantedState(context, request, response, "map", inForce, (before) => context.history.map(before));
	if (map !== undefined) response.json(200, lockMapToJson(map));
}

/**
 * Answers `{"ok":true}`; 400 `invalid try`, and `save failed` where a map can't be tried; 409 `changed meanwhile` to who sends a `revision` that is
 * not in force; 400 `invalid json`, `invalid object`, `invalid map sizes`, `invalid lock table`, `bins must ascend`.
 */
export function postMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, NAMES);
	const map = body === undefined ? undefined : mapOf(body, response);
	if (body === undefined || map === undefined) return;
	const { try: tries = false } = body;
	if (typeof tries !== "boolean") {
		problem(response, 400, "invalid try", { field: "try", value: tries, allowed: "true or false" });
		return;
	}
	const { controller } = context;
	onMapOf(context, body, response, (of, unlessChanged) => {
		if (tries) context.maps.try(controller, map, unlessChanged(whenInForce(context, response, "save failed")), of);
		else {
			const { settings } = controller;
			controller.applySettings({ ...settings, tuning: { ...settings.tuning, map } });
			answerInForce(context, response, () => response.json(200, { ok: true }));
		}
	});
}

/**
 * Puts the map in force that was it before, and keeps the present one to swap with. Answers `{"ok":true,"path"}` once it is in force;
 * 400 `invalid json`, `invalid object`, `invalid revision`, `swap failed`; 409 `changed meanwhile`.
 */
export function swapMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, SWAP_NAMES);
	if (body === undefined) return;
	const { controller, history, maps } = context;
	onMapOf(context, body, response, (of, unlessChanged) => {
		const other = history.otherMap;
		if (other === undefined) problem(response, 400, "swap failed", { detail: "no other map was in force" });
		else maps.resume(controller, other.map, other.path, unlessChanged(whenInForce(context, response, "swap failed", true)), of);
	});
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
