/**
 * What requests bring. JSON bodies: strict RFC 8259, valid UTF-8, no lone surrogates, bounded in values, an
 * object at the top. Parameters of a query.
 */

import type { HttpRequest } from "../http/request.js";
import { HEADER } from "../http/request-head.js";
import type { HttpResponse } from "../http/response.js";
import { JSON_ALLOWED, parseJson } from "../json/json.js";
import { consistsOf, DECIMAL, decimalOf, lowerCase } from "../text/characters.js";
import { plainProblem, problem } from "./problem.js";

/** A parsed body. Values are unchecked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The object in the request's body; undefined after it has answered: 400 `invalid json`, 400 `invalid
 * object`.
 * @param names all member names that the endpoint reads, nested ones too; with one blank between two; other
 * members are ignored, as are names spelled with escapes
 */
export function jsonObject(request: HttpRequest, response: HttpResponse, names: string): JsonObject | undefined {
	const value = parseJson(request.body, names);
	if (value === undefined) problem(response, 400, "invalid json", { allowed: JSON_ALLOWED });
	else if (typeof value !== "object" || value === null || Array.isArray(value))
		problem(response, 400, "invalid object", { allowed: "an object" });
	else return value as JsonObject;
	return undefined;
}

/**
 * The first of `members` that has a text, and its name; undefined after it has answered 400 `error`: none
 * has, or one is there and no text.
 * @param allowed what such a text is
 */
export function textIn(
	body: JsonObject,
	response: HttpResponse,
	members: readonly string[],
	error: string,
	allowed: string,
): { readonly field: string; readonly value: string } | undefined {
	const wrong = members.find((member) => body[member] !== undefined && typeof body[member] !== "string");
	const field = wrong ?? members.find((member) => body[member] !== undefined && body[member] !== "") ?? members[0];
	const value = body[field];
	if (wrong === undefined && typeof value === "string" && value !== "") return { field, value };
	problem(response, 400, error, { field, value: value ?? null, allowed });
	return undefined;
}

/**
 * Rejects what is certainly not JSON by its content type, 415. Anything else is tried: command-line clients
 * call JSON a form.
 * @returns false after it has answered.
 */
export function acceptsJson(request: HttpRequest, response: HttpResponse): boolean {
	if (!lowerCase(request.header(HEADER.CONTENT_TYPE) ?? "").startsWith("multipart/")) return true;
	plainProblem(response, 415);
	return false;
}

/** No parameter of ours has more. */
const DIGITS_MAX = 9;

/**
 * A whole number of `min` .. `max`, `usual` where it is absent; undefined after it has answered 400 `invalid
 * <name>`.
 */
export function wholeNumberIn(
	request: HttpRequest,
	response: HttpResponse,
	name: string,
	min: number,
	max: number,
	usual: number,
): number | undefined {
	const text = request.query(name);
	if (text === undefined) return usual;
	const value = text.length <= DIGITS_MAX && consistsOf(text, DECIMAL) ? Number(text) : -1;
	if (value >= min && value <= max) return value;
	problem(response, 400, `invalid ${name}`, { field: name, value: text, allowed: `${min}..${max}` });
	return undefined;
}

/**
 * The number in a query, whole and clamped to `min` .. `max`; `usual` if it is absent; undefined after 400
 * `invalid <name>`: it is no number.
 */
export function clampedIn(
	request: HttpRequest,
	response: HttpResponse,
	name: string,
	min: number,
	max: number,
	usual: number,
): number | undefined {
	const text = request.query(name);
	if (text === undefined) return usual;
	const value = text === "" ? Number.NaN : decimalOf(text);
	if (value <= max) return Math.max(Math.trunc(value), min);
	if (value > max) return max;
	problem(response, 400, `invalid ${name}`, { field: name, value: text, allowed: `a number; used as ${min}..${max}` });
	return undefined;
}
