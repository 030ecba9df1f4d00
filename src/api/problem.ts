/**
 * Error answers: `{"error": message}` and, where they help, the field at fault, its value and what is
 * allowed. The messages are those of docs/api.md, "Errors": clients test for some of them.
 */

import { type HttpResponse, STATUS_WORDS } from "../http/response.js";

interface ProblemDetail {
	/** With dots for nested ones. */
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

/** Ends the handler of a request: its answer is this problem. */
export function reject(status: number, message = STATUS_WORDS[status], detail?: ProblemDetail): never {
	throw new Rejection(status, message, detail);
}

/** Answers what `reject` has thrown. @returns false for any other error */
export function answerRejection(response: HttpResponse, error: unknown): boolean {
	if (!(error instanceof Rejection)) return false;
	problem(response, error.status, error.message, error.detail);
	return true;
}

/** Longest `value`; the rest is cut off. */
const LONGEST_VALUE = 64;

/** Answers with `{"error": message, ...}`, also after the handler has returned. */
export function problem(
	response: HttpResponse,
	status: number,
	message = STATUS_WORDS[status],
	{ field, value, allowed, detail }: ProblemDetail = {},
): void {
	response.rejection = message;
	// a list may lie in ROM, which the engine does not write
	const list = typeof allowed === "object" ? [...allowed] : allowed;
	response.json(status, { error: message, field, value: shown(value), allowed: list, detail });
}

/** Scalars as they are, long texts cut, anything nested by its kind. */
export function shown(value: unknown): unknown {
	if (typeof value === "string") return value.length > LONGEST_VALUE ? value.slice(0, LONGEST_VALUE) : value;
	if (typeof value !== "object" || value === null) return value;
	return Array.isArray(value) ? "array" : "object";
}
