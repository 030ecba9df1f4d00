/**
 * The active map, /api/map, and the stored ones, /api/maps: listed, loaded, saved, deleted, and as files in
 * JSON or in the TXT form of OpenHaldex-S3. Answers come when everything is on flash. What is ours alone:
 * files (the reference's page makes them in the browser), a map that is tried without its being stored under
 * the current name, earlier ones, and POST /api/map/swap, which activates the one before.
 * Source: docs/api.md, "Maps and curves", "Stored maps", "Map files".
 */

import { ENOUGH_BYTES } from "../http/limits.js";
import { PENDING, type Producer, SECTION_BYTES } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import { type HttpResponse, UNKNOWN_LENGTH } from "../http/response.js";
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
import { byteLength, copyText } from "../text/bytes.js";
import { answerOnceActive, isOfRevision, wantedState } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { problem } from "./problem.js";
import { type JsonObject, jsonObject, textIn } from "./request-values.js";

const NAMES = `${MAP_NAMES.join(" ")} map revision try from`;
const SWAP_NAMES = "revision";
const IMPORT_NAMES = `${MAP_NAMES.join(" ")} map ${C6_MAP_NAMES.join(" ")}`;

/**
 * Query `before`: 0 (default) .. STATES_MAX changes ago. Answers `{"speedBins","throttleBins","lockTable"}`,
 * and `from` of an earlier state, for the status tells that of the active map; 400 `invalid before`, 404 `not
 * found`.
 */
export function getMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const { map } = context.controller.settings.tuning;
	const state = wantedState<{ map: LockMap; from?: string }>(context, request, response, "map", { map }, (before) =>
		context.history.map(before),
	);
	if (state === undefined) return;
	const { from } = state;
	response.json(200, { ...lockMapToJson(state.map), ...(from === undefined ? {} : { from: nameOf(from) }) });
}

/**
 * Answers `{"ok":true}`; 400 `invalid try`, `invalid from`, and `save failed` where a map can't be tried; 409
 * `changed meanwhile` to who sends a `revision` that is not active; 400 `invalid json`, `invalid object`,
 * `invalid map sizes`, `invalid lock table`, `bins must ascend`.
 */
export function postMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, NAMES);
	const map = body === undefined ? undefined : mapOf(body, response);
	if (body === undefined || map === undefined) return;
	const { try: tries = false, from } = body;
	if (typeof tries !== "boolean") {
		problem(response, 400, "invalid try", { field: "try", value: tries, allowed: "true or false" });
		return;
	}
	if (from !== undefined && typeof from !== "string") {
		problem(response, 400, "invalid from", { field: "from", value: from, allowed: "a path or a name of GET /api/maps" });
		return;
	}
	const { controller, maps } = context;
	onMapOf(context, body, response, (of, unlessChanged) => {
		const madeFrom = from === undefined ? controller.settings.mapFrom : (maps.find(from) ?? "");
		if (tries) maps.try(map, madeFrom, unlessChanged(onceActive(context, response, "save failed")), of);
		else {
			const { settings } = controller;
			controller.applySettings({ ...settings, tuning: { ...settings.tuning, map } });
			answerOnceActive(context, response, () => response.json(200, { ok: true }));
		}
	});
}

/**
 * Activates the map before it, and keeps the present one to swap with. Answers `{"ok":true,"path"}` once it
 * is active; 400 `invalid json`, `invalid object`, `invalid revision`, `swap failed`; 409 `changed
 * meanwhile`.
 */
export function swapMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, SWAP_NAMES);
	if (body === undefined) return;
	const { history, maps } = context;
	onMapOf(context, body, response, (of, unlessChanged) => {
		const other = history.otherMap;
		if (other === undefined) problem(response, 400, "swap failed", { detail: "no other map was active" });
		else maps.try(other.map, other.from, unlessChanged(onceActive(context, response, "swap failed", true)), of);
	});
}

function mapOf(body: JsonObject, response: HttpResponse): LockMap | undefined {
	return checkedMap(response, () => lockMapFrom(MAP_NAMES.some((name) => name in body) ? body : (wrapped(body) ?? body)));
}

/** What `read` returns; undefined after it has answered with the MapProblem that `read` throws. */
function checkedMap(response: HttpResponse, read: () => LockMap): LockMap | undefined {
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

const TARGETS = Object.freeze(["path", "name"]);
const TARGET_NAMES = TARGETS.join(" ");
const SAVE_NAMES = "name revision";

/** Answers `{"current","currentName","maps":[{"name","path","format","readOnly"}]}`, sorted by path. */
export function getMaps(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	response.stream(200, "application/json", new MapList(context), UNKNOWN_LENGTH);
}

/** Answers `{"ok":true,"path"}`; 400 `missing path`, `load failed`. */
export function loadMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const wanted = targetIn(request, response);
	if (wanted === undefined) return;
	context.maps.activate(wanted, onceActive(context, response, "load failed", true));
}

/**
 * Answers `{"ok":true,"path"}`; 400 `missing name`, `save failed`; 409 `changed meanwhile` to who sends a
 * `revision` that is not active.
 */
export function saveMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, SAVE_NAMES);
	if (body === undefined) return;
	const path = pathIn(response, body["name"], "save failed");
	if (path === undefined) return;
	onMapOf(context, body, response, (of, unlessChanged) =>
		context.maps.save(path, unlessChanged(answerLater(response, "save failed", true)), of),
	);
}

/**
 * Does something with the active map, unless it is not of the `revision` in the body: then it has answered
 * 409. The flash may be busy: `of` is the map that must still be active when the turn of the operation comes,
 * and what `unlessChanged` makes of its end answers 409, too.
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

/** Answers `{"ok":true}`; 400 `missing path`, `delete failed`. */
export function deleteMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const wanted = targetIn(request, response);
	if (wanted === undefined) return;
	context.maps.remove(wanted, answerLater(response, "delete failed", false));
}

/**
 * The path under which a map of that name is stored; undefined after it has answered 400 `missing name` or
 * `failure`.
 */
function pathIn(response: HttpResponse, name: unknown, failure: string): string | undefined {
	if (typeof name !== "string" || name === "") {
		problem(response, 400, "missing name", { field: "name", value: name ?? null, allowed: "a name" });
		return undefined;
	}
	const path = pathForName(name);
	const allowed = "1 to 63 bytes, .json included; of letters, digits, blanks, _ - and .";
	if (path === undefined) problem(response, 400, failure, { field: "name", value: name, allowed });
	return path;
}

/** What answers `{"ok":true}` once an operation of the store is done, or 400 `failure` with the reason. */
function answerLater(response: HttpResponse, failure: string, tellsPath: boolean): Done {
	response.later();
	return (path, detail) => {
		if (path === undefined) problem(response, 400, failure, { detail });
		else response.json(200, tellsPath ? { ok: true, path } : { ok: true });
	};
}

/** As `answerLater`, once what the store has made the active map is active. */
function onceActive(context: ApiContext, response: HttpResponse, failure: string, tellsPath = false): Done {
	const done = answerLater(response, failure, tellsPath);
	return (path, detail) => {
		if (path === undefined) done(path, detail);
		else answerOnceActive(context, response, () => done(path, detail));
	};
}

/** `path`, else `name`; undefined after it has answered. */
function targetIn(request: HttpRequest, response: HttpResponse): string | undefined {
	const body = jsonObject(request, response, TARGET_NAMES);
	if (body === undefined) return undefined;
	return textIn(body, response, TARGETS, "missing path", "a path or a name of GET /api/maps")?.value;
}

const TAIL = "]}";

/**
 * The list, a piece at a time. It remembers only the last name and looks for the next ones in each piece: a
 * list held in memory for each of 8 slow clients would take most of the heap.
 */
class MapList implements Producer {
	readonly #context: ApiContext;
	#last = "";
	#started = false;
	#ended = false;

	constructor(context: ApiContext) {
		this.#context = context;
	}

	produce(into: Uint8Array, start: number, end: number): number {
		if (this.#ended) return 0;
		// head, longest row and tail fit a whole piece together; a smaller room waits for one
		if (end - start < SECTION_BYTES) return PENDING;
		let at = this.#started ? start : put(this.#head(), into, start);
		this.#started = true;
		for (const name of this.#context.maps.namesAfter(this.#last)) {
			const row = `${this.#last === "" ? "" : ","}${JSON.stringify(rowOf(name))}`;
			// looking for the next name and writing a row is work: what has made so much has taken its turn
			if (byteLength(row) > end - at || at - start >= ENOUGH_BYTES) return at - start;
			at = put(row, into, at);
			this.#last = name;
		}
		if (TAIL.length > end - at) return at - start;
		this.#ended = true;
		return put(TAIL, into, at) - start;
	}

	#head(): string {
		const { currentMap } = this.#context.controller.settings;
		const head = JSON.stringify({ current: currentMap, currentName: nameOf(currentMap) });
		return `${head.slice(0, -1)},"maps":[`;
	}
}

function rowOf(file: string) {
	const path = `/maps/${file}`;
	const writable = isWritable(path);
	return { name: nameOf(path), path, format: writable ? "json" : "txt", readOnly: !writable };
}

/** @returns the index after it */
function put(text: string, into: Uint8Array, at: number): number {
	const length = byteLength(text);
	copyText(text, 0, length, into, at);
	return at + length;
}

const FORMATS = Object.freeze(["json", "txt"]);
const OPENING_BRACE = 0x7b;
const LAST_BLANK = 0x20;
/** Blanks before the brace. A JSON text behind more of them is read as TXT, and rejected. */
const BLANKS_MAX = 64;

/**
 * Query `path` or `name` (default: the active map) and `format` (default `txt`). Answers the file as an
 * attachment; 400 `invalid format`, `export failed` (the file can't be used), 404 `not found`.
 */
export function exportMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const format = request.query("format") ?? "txt";
	if (!FORMATS.includes(format)) {
		problem(response, 400, "invalid format", { field: "format", value: format, allowed: FORMATS });
		return;
	}
	const { maps, controller } = context;
	const wanted = request.query("path") || request.query("name") || UNNAMED_MAP;
	try {
		const path = maps.find(wanted);
		const map = path === undefined ? undefined : maps.read(path);
		if (path === undefined || map === undefined) {
			problem(response, 404, "not found", { field: "path", value: wanted, allowed: "a map of GET /api/maps" });
			return;
		}
		const name = nameOf(path === UNNAMED_MAP ? controller.settings.currentMap : path);
		response.header("Content-Disposition", `attachment; filename="${safe(name)}.${format}"`);
		if (format === "txt") response.bytes(200, "text/plain", mapText(map));
		else response.json(200, lockMapToJson(map));
	} catch (error) {
		problem(response, 400, "export failed", { detail: reasonOf(error) });
	}
}

/**
 * Query `name`, body TXT, JSON, or the settings answer of OpenHaldex-C6. Answers `{"ok":true,"path"}` once
 * the map is stored; the active map stays. 400 `missing name`, `import failed`, and what POST /api/map
 * answers.
 */
export function importMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const path = pathIn(response, request.query("name"), "import failed");
	if (path === undefined) return;
	const isJson = looksLikeJson(request.body);
	const map = isJson ? importedMap(request, response) : checkedMap(response, () => parseMapText(request.body));
	if (map !== undefined) context.maps.add(path, map, answerLater(response, "import failed", true));
}

/**
 * The map in a JSON body, of our form or of OpenHaldex-C6; undefined after it has answered with what is
 * wrong.
 */
function importedMap(request: HttpRequest, response: HttpResponse): LockMap | undefined {
	const body = jsonObject(request, response, IMPORT_NAMES);
	if (body === undefined) return undefined;
	const has = (names: readonly string[]): boolean => names.some((name) => name in body);
	return has(C6_MAP_NAMES) && !has(MAP_NAMES) ? checkedMap(response, () => lockMapFromC6(body)) : mapOf(body, response);
}

function looksLikeJson(body: Uint8Array): boolean {
	let i = 0;
	const end = Math.min(body.length, BLANKS_MAX);
	while (i < end && body[i] <= LAST_BLANK) i++;
	return i < body.length && body[i] === OPENING_BRACE;
}

/** A file's name as a header may carry it. */
function safe(name: string): string {
	// as our own names are; looking at each character would cost the engine a millisecond
	if (isPlainName(name)) return name;
	let text = "";
	for (const character of name)
		text += character >= " " && character <= "~" && character !== '"' && character !== "\\" ? character : "_";
	return text;
}
