/**
 * Error answers: `{"error": message}` and, where they help, the field at fault, its value and what is
 * allowed. The messages are those of the catalogue in docs/api.md, "Errors": clients test for some of them.
 */

import type { HttpResponse } from "../http/response.js";
import { STATUS_WORDS } from "./words.js";

/** What may accompany a message. */
interface ProblemDetail {
	/** Key in the request, with dots for nested ones. */
	readonly field?: string;
	/** The value that was rejected; long texts are cut. */
	readonly value?: unknown;
	readonly allowed?: string | readonly (string | number)[];
	/** The reason, in words, where no single field is at fault. */
	readonly detail?: string | undefined;
}

class Rejection {
	readonly status: number;
	readonly message: string;
	readonly detail: ProblemDetail | undefined;

	constructor(status: number, message: string, detail: ProblemDetail | undefined) {
		this.status = status;
		this.message = message;
		this.detail = detail;
	}
}

/** Ends the handler of a request: its answer is this problem. @param status of HTTP, 400..599 */
export function reject(status: number, message: string, detail?: ProblemDetail): never {
	throw new Rejection(status, message, detail);
}

/** Ends the handler of a request with the usual message of a status. */
export function rejectPlainly(status: number, detail?: string): never {
	reject(status, STATUS_WORDS[status], detail === undefined ? undefined : { detail });
}

/** Answers what `reject` has thrown. @returns false for any other error */
export function answerRejection(response: HttpResponse, error: unknown): boolean {
	if (!(error instanceof Rejection)) return false;
	problem(response, error.status, error.message, error.detail);
	return true;
}

/** Longest `value`; the rest is cut off. */
const LONGEST_VALUE = 64;

/** Answers with `{"error": message, ...detail}` after the handler has returned. @param status 400..599 */
export function problem(response: HttpResponse, status: number, message: string, detail?: ProblemDetail): void {
	const body: Record<string, unknown> = { error: message };
	if (detail?.field !== undefined) body["field"] = detail.field;
	if (detail?.value !== undefined) body["value"] = shown(detail.value);
	if (detail?.allowed !== undefined) body["allowed"] = typeof detail.allowed === "string" ? detail.allowed : [...detail.allowed];
	if (detail?.detail !== undefined) body["detail"] = detail.detail;
	response.refusal = message;
	response.json(status, body);
}

/** Scalars as they are, long texts cut, anything nested by its kind. */
function shown(value: unknown): unknown {
	if (typeof value === "string") return value.length > LONGEST_VALUE ? value.slice(0, LONGEST_VALUE) : value;
	if (typeof value !== "object" || value === null) return value;
	return Array.isArray(value) ? "array" : "object";
}
