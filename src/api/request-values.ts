/** JSON bodies, with an object at the top, and parameters of a query. What is wrong is rejected with 400. */

import type { HttpRequest } from "../http/request.js";
import { JSON_ALLOWED, parseJson } from "../json/json.js";
import { consistsOf, DECIMAL, decimalOf } from "../text/characters.js";
import { reject } from "./problem.js";

/** Values are unchecked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The object in the request's body; else `invalid json`, `invalid object`. @param names see `parseJson` */
export function jsonObject(request: Pick<HttpRequest, "body">, names: string): JsonObject {
	const value = parseJson(request.body, names);
	if (value === undefined) reject(400, "invalid json", { allowed: JSON_ALLOWED });
	if (typeof value !== "object" || value === null || Array.isArray(value))
		reject(400, "invalid object", { allowed: "an object" });
	return value as JsonObject;
}

const TARGETS = Object.freeze(["path", "name"] as const);

/** The file that a body names by `path`, else by `name`; else `missing path`, also where one of them is no text. */
export function targetIn(request: Pick<HttpRequest, "body">, allowed: string): { field: "path" | "name"; value: string } {
	const body = jsonObject(request, "path name");
	const wrong = TARGETS.find((member) => body[member] !== undefined && typeof body[member] !== "string");
	const field = wrong ?? TARGETS.find((member) => body[member] !== undefined && body[member] !== "") ?? "path";
	const value = body[field];
	if (typeof value !== "string" || value === "") reject(400, "missing path", { field, value: value ?? null, allowed });
	return { field, value };
}

/** A flag, also as 1 or 0, `usual` where it is absent; else `invalid <name>`. */
export function flagIn(body: JsonObject, name: string, usual?: boolean): boolean {
	const value = body[name] === undefined ? usual : body[name];
	if (typeof value !== "boolean" && value !== 0 && value !== 1)
		reject(400, `invalid ${name}`, { field: name, value: value ?? null, allowed: "true, false, 1 or 0" });
	return value === true || value === 1;
}

const DIGITS_MAX = 9;

/** A whole number of `min` .. `max` in the query, `usual` where it is absent; else `invalid <name>`. */
export function wholeNumberIn(request: HttpRequest, name: string, min: number, max: number, usual: number): number {
	const text = request.query(name);
	if (text === undefined) return usual;
	const value = text.length <= DIGITS_MAX && consistsOf(text, DECIMAL) ? Number(text) : -1;
	if (value < min || value > max) reject(400, `invalid ${name}`, { field: name, value: text, allowed: `${min}..${max}` });
	return value;
}

/** The number in a query, whole and clamped to `min` .. `max`; `usual` if absent; else `invalid <name>`. */
export function clampedIn(request: HttpRequest, name: string, min: number, max: number, usual: number): number {
	const text = request.query(name);
	if (text === undefined) return usual;
	const value = decimalOf(text);
	if (Number.isNaN(value))
		reject(400, `invalid ${name}`, { field: name, value: text, allowed: `a number; used as ${min}..${max}` });
	return Math.min(Math.max(Math.trunc(value), min), max);
}
