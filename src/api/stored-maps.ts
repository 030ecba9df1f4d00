/**
 * /api/maps: the stored maps, listed, loaded, saved and deleted. Answers come when everything is on flash. Source: docs/http-api.md 3.8 to 3.11.
 */

import { ENOUGH_BYTES } from "../http/limits.js";
import { PENDING, type Producer, SECTION_BYTES } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import { type HttpResponse, UNKNOWN_LENGTH } from "../http/response.js";
import type { LockMap } from "../lock/tuning.js";
import { lockMapToJson } from "../maps/lock-map.js";
import { isWritable, nameOf, pathForName } from "../maps/map-path.js";
import type { Done } from "../maps/map-store.js";
import { byteLength, copyText } from "../text/bytes.js";
import type { ApiContext } from "./context.js";
import { answerInForce } from "./in-force.js";
import { type JsonObject, jsonObject, textIn } from "./json-body.js";
import { problem } from "./problem.js";
import { isOfRevision } from "./revision.js";

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
	context.maps.activate(context.controller, wanted, whenInForce(context, response, "load failed", true));
}

/** Answers `{"ok":true,"path"}`; 400 `missing name`, `save failed`; 409 `changed meanwhile` to who sends a `revision` that is not in force. */
export function saveMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, SAVE_NAMES);
	if (body === undefined) return;
	const path = pathIn(response, body["name"], "save failed");
	if (path === undefined) return;
	onMapOf(context, body, response, (of, unlessChanged) =>
		context.maps.save(context.controller, path, unlessChanged(answerLater(response, "save failed", true)), of),
	);
}

/**
 * Does something with the map in force, unless it is not of the `revision` in the body: then it has answered 409. The flash may be busy: `of` is the
 * map that must still be in force when the turn of the operation comes, and what `unlessChanged` makes of its end answers 409, too.
 */
export function onMapOf(
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
	context.maps.remove(context.controller, wanted, answerLater(response, "delete failed", false));
}

/** The path under which a map of that name is stored; undefined after it has answered 400 `missing name` or `failure`. */
export function pathIn(response: HttpResponse, name: unknown, failure: string): string | undefined {
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
export function answerLater(response: HttpResponse, failure: string, tellsPath: boolean): Done {
	response.later();
	return (path, detail) => {
		if (path === undefined) problem(response, 400, failure, { detail });
		else response.json(200, tellsPath ? { ok: true, path } : { ok: true });
	};
}

/** As `answerLater`, once what the store has made the active map is in force. */
export function whenInForce(context: ApiContext, response: HttpResponse, failure: string, tellsPath = false): Done {
	const done = answerLater(response, failure, tellsPath);
	return (path, detail) => {
		if (path === undefined) done(path, detail);
		else answerInForce(context, response, () => done(path, detail));
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
 * The list, a piece at a time. It remembers only the last name and looks for the next ones in each piece: a list held in memory for
 * each of 8 slow clients would take most of the heap.
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
