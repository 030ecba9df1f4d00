/**
 * Error answers: `{"error": message}` and, where they help, the field at fault, its value and what is
 * allowed. The messages are those of the catalogue in docs/api.md, "Errors": clients test for some of them.
 */

import type { HttpResponse } from "../http/response.js";

/** What may accompany a message. */
export interface ProblemDetail {
	/** Key in the request, with dots for nested ones. */
	readonly field?: string;
	/** The value that was rejected; long texts are cut. */
	readonly value?: unknown;
	/** The allowed values. */
	readonly allowed?: string | readonly (string | number)[];
	/** The reason, in words, where no single field is at fault. */
	readonly detail?: string | undefined;
}

/** Message of each status that the server gives by itself. */
const MESSAGES: Readonly<Record<number, string>> = Object.freeze({
	400: "bad request",
	403: "cross-origin request refused",
	404: "not found",
	405: "method not allowed",
	408: "request timeout",
	413: "body too large",
	414: "request line too long",
	415: "unsupported media type",
	417: "expectation failed",
	431: "request header too large",
	500: "internal error",
	501: "not implemented",
	503: "busy",
	504: "timed out",
	505: "http version not supported",
});

/** Longest `allowed` text; the rest is cut off. */
const LONGEST_VALUE = 64;

/** Answers with `{"error": message, ...detail}`. @param status of HTTP, 400..599 */
export function problem(response: HttpResponse, status: number, message: string, detail?: ProblemDetail): void {
	const body: Record<string, unknown> = { error: message };
	if (detail?.field !== undefined) body["field"] = detail.field;
	if (detail?.value !== undefined) body["value"] = shown(detail.value);
	if (detail?.allowed !== undefined) body["allowed"] = typeof detail.allowed === "string" ? detail.allowed : [...detail.allowed];
	if (detail?.detail !== undefined) body["detail"] = detail.detail;
	response.refusal = message;
	response.json(status, body);
}

/**
 * Answers with the usual message of a status, "error" for one that has none.
 * @param status of HTTP, 400..599
 */
export function plainProblem(response: HttpResponse, status: number, detail?: string): void {
	problem(response, status, MESSAGES[status] ?? "error", detail === undefined ? undefined : { detail });
}

/** Scalars as they are, long texts cut, anything nested by its kind. */
function shown(value: unknown): unknown {
	if (typeof value === "string") return value.length > LONGEST_VALUE ? value.slice(0, LONGEST_VALUE) : value;
	if (typeof value !== "object" || value === null) return value;
	return Array.isArray(value) ? "array" : "object";
}
