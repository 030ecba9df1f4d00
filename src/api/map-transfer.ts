/**
 * GET /api/maps/export and POST /api/maps/import: stored maps as files, in JSON or in the TXT form of OpenHaldex-S3. Both are ours;
 * the reference's page does this in the browser.
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { lockMapToJson, reasonOf } from "../maps/lock-map.js";
import { isPlainName, nameOf } from "../maps/map-path.js";
import { mapText, parseMapText } from "../maps/map-text.js";
import { UNNAMED_MAP } from "../settings/settings-table.js";
import type { ApiContext } from "./context.js";
import { checkedMap, mapIn } from "./map.js";
import { problem } from "./problem.js";
import { answerLater, pathIn } from "./stored-maps.js";

const FORMATS = Object.freeze(["json", "txt"]);
const OPENING_BRACE = 0x7b;
const LAST_BLANK = 0x20;
/**
 * Before the brace. Chosen: as at the ends of lines (src/maps/map-text.ts), more than any program writes there. Behind more of them a JSON text is
 * read as TXT, and refused; twice costs only such a body something, half still forgives a blank line or two.
 */
const BLANKS_MAX = 64;

/**
 * Query `path` or `name` (default: the map in force) and `format` (default `txt`). Answers the file as an attachment;
 * 400 `invalid format`, `export failed` (the file can't be used), 404 `not found`.
 */
export function exportMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const format = request.query("format") ?? "txt";
	if (!FORMATS.includes(format)) {
		problem(response, 400, "invalid format", { field: "format", value: format, allowed: FORMATS });
		return;
	}
	const { maps } = context;
	const wanted = request.query("path") || request.query("name") || UNNAMED_MAP;
	const path = maps.find(wanted);
	if (path === undefined) notFound(response, wanted);
	else {
		// to read a map, and to write it as a text, is work for a turn of its own
		response.later();
		context.later(() => answerMap(context, wanted, path, format, response), 0);
	}
}

function answerMap({ maps, controller }: ApiContext, wanted: string, path: string, format: string, response: HttpResponse): void {
	try {
		const map = maps.read(path);
		if (map === undefined) {
			notFound(response, wanted);
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

function notFound(response: HttpResponse, wanted: string): void {
	problem(response, 404, "not found", { field: "path", value: wanted, allowed: "a map of GET /api/maps" });
}

/**
 * Query `name`, body TXT or JSON. Answers `{"ok":true,"path"}` once the map is stored; the map in force stays.
 * 400 `missing name`, `import failed`, and what POST /api/map answers.
 */
export function importMap(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const path = pathIn(response, request.query("name"), "import failed");
	if (path === undefined) return;
	const map = looksLikeJson(request.body) ? mapIn(request, response) : checkedMap(response, () => parseMapText(request.body));
	if (map !== undefined) context.maps.add(context.controller, path, map, answerLater(response, "import failed", true));
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
