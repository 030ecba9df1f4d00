/**
 * /api/logs/...: the log files. A path is only compared with those of our own log files, so none leads
 * anywhere else. Source: docs/api.md, "Logs".
 */

import type { Producer } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { type Log, type LogEntry, SCOPES } from "../logs/log.js";
import type { LogFile } from "../logs/log-file.js";
import { inputKeys, isVerboseLogging } from "../settings/settings.js";
import { copyBytes, encodeUtf8, NO_BYTES } from "../text/bytes.js";
import { lowerCase } from "../text/characters.js";
import type { ApiContext } from "./context.js";
import { problem, reject } from "./problem.js";
import { type JsonObject, jsonObject, targetIn } from "./request-values.js";

/* Bytes in one answer of GET /api/logs/read. Source: docs/api.md, "Logs". */
const DEFAULT_BYTES = 32_768;
const MOST_BYTES = 262_144;
const EVERYTHING = "everything";
const LOG_PATH = Object.freeze({ field: "path", allowed: "a path of GET /api/logs" });

/** The files, with `?scope=` those of one log. */
export function getLogs(context: ApiContext, request: HttpRequest): object {
	const scope = request.query("scope") ?? EVERYTHING;
	const scopes = scopesOf(scope);
	if (scopes === undefined) reject(400, "invalid scope", { field: "scope", value: scope, allowed: [...SCOPES, EVERYTHING] });
	const files = [];
	for (const entry of context.log.entries(scopes)) {
		const size = entry.file.size(entry.copy);
		if (size >= 0) files.push({ scope: entry.scope, path: pathOf(entry), size });
	}
	return { files };
}

/** The last `max` bytes of the file `path`, behind a line that says so if it is longer. */
export function getLogRead(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const path = request.query("path") ?? "";
	if (path === "") reject(400, "missing path", LOG_PATH);
	const entry = entryAt(context.log, (known) => known === path);
	const size = entry?.file.size(entry.copy) ?? -1;
	if (entry === undefined || size < 0) reject(404, "log read failed", { ...LOG_PATH, value: path });
	const tail = new LogTail(entry.file, entry.copy, size, bytesWanted(request.query("max")));
	response.stream(200, "text/plain", tail);
}

/** Deletes the file `path`, or the one called `name`, and answers when it is gone. */
export function postLogDelete(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const { field, value } = targetIn(request, LOG_PATH.allowed);
	const entry = entryAt(context.log, (known) => (field === "name" ? known.endsWith(`/${value}`) : known === value));
	const failure = { ...LOG_PATH, field, value };
	if (entry === undefined) reject(400, "delete failed", failure);
	context.log.delete(entry, (succeeded) => {
		const { speed, throttle, rpm } = inputKeys(context.controller.settings);
		if (succeeded) response.json(200, { ok: true, inputsMapped: speed !== "" && throttle !== "" && rpm !== "" });
		else problem(response, 400, "delete failed", failure);
	});
}

/** Empties the logs of `scope`, all without one; answers when the files are gone, else 400 `clear failed`. */
export function postLogClear(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const { scope = EVERYTHING }: JsonObject = jsonObject(request, "scope");
	const scopes = scopesOf(scope);
	if (scopes === undefined) reject(400, "clear failed", { field: "scope", value: scope, allowed: [...SCOPES, EVERYTHING] });
	context.log.clear(scopes, (succeeded) => {
		const debugCaptureActive = isVerboseLogging(context.log.logging);
		if (succeeded)
			response.json(200, { ok: true, debugCaptureActive, disableController: context.controller.supervisor.disabled });
		else problem(response, 400, "clear failed");
	});
}

/** The logs that a scope names, any letter case; undefined if it names none. */
function scopesOf(scope: unknown): readonly LogEntry["scope"][] | undefined {
	if (typeof scope !== "string") return undefined;
	const lower = lowerCase(scope);
	if (lower === EVERYTHING) return SCOPES;
	const found = SCOPES.filter((known) => known === lower);
	return found.length === 0 ? undefined : found;
}

function pathOf(entry: LogEntry): string {
	return `/${entry.file.path(entry.copy)}`;
}

function entryAt(log: Log, matches: (path: string) => boolean): LogEntry | undefined {
	return log.entries(SCOPES).find((entry) => matches(pathOf(entry)));
}

function bytesWanted(max: string | undefined): number {
	const bytes = max === undefined || max === "" ? 0 : Number(max);
	return Number.isInteger(bytes) && bytes >= 1 && bytes <= MOST_BYTES ? bytes : DEFAULT_BYTES;
}

class LogTail implements Producer {
	readonly #file: LogFile;
	readonly #copy: number;
	readonly #revision: number;
	readonly #end: number;
	#at: number;
	#note = NO_BYTES;

	constructor(file: LogFile, copy: number, size: number, most: number) {
		this.#file = file;
		this.#copy = copy;
		this.#revision = file.revision;
		this.#end = size;
		this.#at = Math.max(0, size - most);
		if (this.#at > 0) this.#note = encodeUtf8(`[truncated to last ${most} bytes]\n`);
	}

	produce(into: Uint8Array, start: number, end: number): number {
		if (this.#at < this.#end && this.#file.revision !== this.#revision) {
			this.#note = encodeUtf8("\n[the log was rotated or cleared while it was read]\n");
			this.#at = this.#end;
		}
		const noteLength = Math.min(this.#note.length, end - start);
		if (noteLength > 0) {
			copyBytes(this.#note, 0, noteLength, into, start);
			this.#note = this.#note.subarray(noteLength);
			return noteLength;
		}
		if (this.#at === this.#end) return 0;
		const bytes = this.#file.read(this.#copy, this.#at, Math.min(end - start, this.#end - this.#at));
		copyBytes(bytes, 0, bytes.length, into, start);
		this.#at += bytes.length;
		return bytes.length;
	}
}
