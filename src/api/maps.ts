/**
 * The active map, /api/map, and the stored ones, /api/maps, also as files in JSON or in the TXT form of
 * OpenHaldex-S3. Answers come when everything is on flash. Ours alone: files, `try`, earlier maps, swap.
 * Source: docs/api.md, "Maps and curves", "Stored maps", "Map files".
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { LockMap } from "../lock/tuning.js";
import {
	C6_MAP_NAMES,
	lockMapFrom,
	lockMapFromC6,
	lockMapToJson,
	MAP_NAMES,
	MapProblem,
	mapText,
	parseMapText,
	reasonOf,
} from "../maps/lock-map.js";
import { isPlainName, isWritable, nameOf, pathForName } from "../maps/map-path.js";
import type { Done } from "../maps/map-store.js";
import { UNNAMED_MAP } from "../settings/settings-table.js";
import { withoutMark } from "../text/bytes.js";
import { answerOnceActive, inOwnTurn, isOfRevision, wantedState, whenActive } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { problem, reject } from "./problem.js";
import { flagIn, type JsonObject, jsonObject, targetIn } from "./request-values.js";

const NAMES = `${MAP_NAMES.join(" ")} map revision try from`;
const IMPORT_NAMES = `${MAP_NAMES.join(" ")} map ${C6_MAP_NAMES.join(" ")}`;

const MAP_ALLOWED = "a path or a name of GET /api/maps";

/** The active map, or an earlier state with its `from`. */
export function getMap(context: ApiContext, request: HttpRequest): object {
	const { map } = context.controller.settings.tuning;
	const state = wantedState<{ map: LockMap; from?: string }>(context, request, "map", { map }, (before) =>
		context.history.map(before),
	);
	const { from } = state;
	return { ...lockMapToJson(state.map), ...(from === undefined ? {} : { from: nameOf(from) }) };
}

/** Applies a map. With `try` it is not stored under the current name. */
export function postMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, NAMES);
	const map = mapOf(body);
	const tries = flagIn(body, "try", false);
	const { from } = body;
	if (from !== undefined && typeof from !== "string")
		reject(400, "invalid from", { field: "from", value: from, allowed: MAP_ALLOWED });
	const { controller, maps } = context;
	onMapOf(context, body, response, (of, unlessChanged) => {
		const madeFrom = from === undefined ? controller.settings.mapFrom : (maps.find(from) ?? "");
		if (tries) maps.try(map, madeFrom, unlessChanged(onceActive(context, response, "save failed")), of);
		else {
			const { settings } = controller;
			controller.applySettings({ ...settings, tuning: { ...settings.tuning, map } });
			answerOnceActive(context, response);
		}
	});
}

/** Activates the map before it, and keeps the present one to swap with. */
export function swapMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, "revision");
	const { history, maps } = context;
	onMapOf(context, body, response, (of, unlessChanged) => {
		const other = history.otherMap;
		if (other === undefined) reject(400, "swap failed", { detail: "no other map was active" });
		maps.try(other.map, other.from, unlessChanged(onceActive(context, response, "swap failed", true)), of);
	});
}

/** The map of a body, or the one in its member `map`. */
function mapOf(body: JsonObject): LockMap {
	const { map } = body;
	const isWrapped = typeof map === "object" && map !== null && !MAP_NAMES.some((name) => name in body);
	return checkedMap(() => lockMapFrom(isWrapped ? (map as JsonObject) : body));
}

/** The map that `read` returns; 400 for a MapProblem. */
function checkedMap(read: () => LockMap): LockMap {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof MapProblem)) throw error;
		return reject(400, error.message, error);
	}
}

/** The stored maps, sorted by path. */
export function getMaps(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	response.jsonPieces(mapListTexts(context));
}

/** Activates a stored map. */
export function loadMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	context.maps.activate(targetIn(request, MAP_ALLOWED).value, onceActive(context, response, "load failed", true));
}

/** Stores the active map under a name, which becomes the current one. */
export function saveMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, "name revision");
	const path = pathIn(body["name"], "save failed");
	onMapOf(context, body, response, (of, unlessChanged) =>
		context.maps.save(path, unlessChanged(answerLater(response, "save failed", true)), of),
	);
}

/**
 * Does something with the active map, or answers 409 if it is not of the `revision` in the body. The flash
 * may be busy: `of` must still be active when the turn of the operation comes; `unlessChanged` answers 409 if
 * not.
 */
function onMapOf(
	context: ApiContext,
	body: JsonObject,
	response: HttpResponse,
	operation: (of: LockMap | undefined, unlessChanged: (done: Done) => Done) => void,
): void {
	const { controller } = context;
	const isOf = (): boolean => isOfRevision(context, body, response, "map", () => lockMapToJson(controller.settings.tuning.map));
	if (!isOf()) return;
	operation(body["revision"] === undefined ? undefined : controller.settings.tuning.map, (done) => (path, reason) => {
		if (path !== undefined || isOf()) done(path, reason);
	});
}

/** Deletes a stored map. */
export function deleteMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	context.maps.remove(targetIn(request, MAP_ALLOWED).value, answerLater(response, "delete failed", false));
}

/** The path of a map of that name; else 400 `missing name` or `failure`. */
function pathIn(name: unknown, failure: string): string {
	if (typeof name !== "string" || name === "")
		reject(400, "missing name", { field: "name", value: name ?? null, allowed: "a name" });
	const allowed = "1 to 63 bytes, .json included; of letters, digits, blanks, _ - and .";
	return pathForName(name) ?? reject(400, failure, { field: "name", value: name, allowed });
}

/** Answers `{"ok":true}`, or 400 `failure` with the reason. */
function answerLater(response: HttpResponse, failure: string, tellsPath: boolean): Done {
	return (path, detail) => {
		if (path === undefined) problem(response, 400, failure, { detail });
		else response.json(200, tellsPath ? { ok: true, path } : { ok: true });
	};
}

/** Answers as `answerLater` does, once the map is active. */
function onceActive(context: ApiContext, response: HttpResponse, failure: string, tellsPath = false): Done {
	const done = answerLater(response, failure, tellsPath);
	return (path, detail) => {
		if (path === undefined) done(path, detail);
		else whenActive(context, response, () => done(path, detail));
	};
}

/** For each group of rows the folder is scanned anew. */
const ROWS_AT_ONCE = 8;

/** The list remembers only the last name: the names of 8 slow clients would take most of the heap. */
function* mapListTexts({ controller, maps }: ApiContext): Generator<string, void, void> {
	const { currentMap } = controller.settings;
	yield `${JSON.stringify({ current: currentMap, currentName: nameOf(currentMap) }).slice(0, -1)},"maps":[`;
	for (let last = ""; ; ) {
		let rows = "";
		let count = 0;
		for (const name of maps.namesAfter(last)) {
			const path = `/maps/${name}`;
			const writable = isWritable(path);
			const row = { name: nameOf(path), path, format: writable ? "json" : "txt", readOnly: !writable };
			rows += `${last === "" ? "" : ","}${JSON.stringify(row)}`;
			last = name;
			if (++count === ROWS_AT_ONCE) break;
		}
		if (rows === "") break;
		yield rows;
	}
	yield "]}";
}

const FORMATS = Object.freeze(["json", "txt"]);
const OPENING_BRACE = 0x7b;
const LAST_BLANK = 0x20;
/** A JSON text behind more of them is read as TXT, and rejected. */
const BLANKS_MAX = 64;

/** A map as a file, by default the active one. */
export function exportMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const format = request.query("format") ?? "txt";
	if (!FORMATS.includes(format)) reject(400, "invalid format", { field: "format", value: format, allowed: FORMATS });
	const { maps, controller } = context;
	const wanted = request.query("path") || request.query("name") || UNNAMED_MAP;
	const path = maps.find(wanted);
	let map: LockMap | undefined;
	try {
		map = path === undefined ? undefined : maps.read(path);
	} catch (error) {
		reject(400, "export failed", { detail: reasonOf(error) });
	}
	if (path === undefined || map === undefined)
		reject(404, "not found", { field: "path", value: wanted, allowed: "a map of GET /api/maps" });
	const name = nameOf(path === UNNAMED_MAP ? controller.settings.currentMap : path);
	response.header("Content-Disposition", `attachment; filename="${isPlainName(name) ? name : "map"}.${format}"`);
	if (format === "txt") response.bytes(200, "text/plain", mapText(map));
	else response.json(200, lockMapToJson(map));
}

/** Stores a map in TXT, JSON, or the settings answer of OpenHaldex-C6; the active map stays. */
export function importMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const path = pathIn(request.query("name"), "import failed");
	const { body } = request;
	const add = (map: LockMap): void => context.maps.add(path, map, answerLater(response, "import failed", true));
	if (looksLikeJson(body)) add(importedMap(request));
	// to read the longest text takes most of a turn
	else inOwnTurn(context, response, () => add(checkedMap(() => parseMapText(body))));
}

/** The map in a JSON body, of our form or of OpenHaldex-C6. */
function importedMap(request: HttpRequest): LockMap {
	const body = jsonObject(request, IMPORT_NAMES);
	const has = (names: readonly string[]): boolean => names.some((name) => name in body);
	return has(C6_MAP_NAMES) && !has(MAP_NAMES) ? checkedMap(() => lockMapFromC6(body)) : mapOf(body);
}

function looksLikeJson(bytes: Uint8Array): boolean {
	const body = withoutMark(bytes);
	let i = 0;
	const end = Math.min(body.length, BLANKS_MAX);
	while (i < end && body[i] <= LAST_BLANK) i++;
	return i < body.length && body[i] === OPENING_BRACE;
}
