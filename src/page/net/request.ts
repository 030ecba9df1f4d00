/** Requests to the controller. Two kinds of failure: it has answered "no" (ApiError), or nobody knows (LinkError). */

import { T } from "../texts";

const TIMEOUT_MS = 8000;

/** The controller has refused; nothing was changed. */
export class ApiError extends Error {
	readonly status: number;
	/** The interface's own word for it. */
	readonly code: string;

	constructor(status: number, code: string, message: string) {
		super(message);
		this.status = status;
		this.code = code;
	}
}

/** No answer: the request may have arrived or not. */
export class LinkError extends Error {
	constructor() {
		super(T.link.noAnswer);
	}
}

interface Refusal {
	readonly error?: string;
	readonly field?: string;
	readonly value?: unknown;
	readonly allowed?: string | readonly unknown[];
	readonly detail?: string;
}

async function exchange(method: string, path: string, body?: BodyInit): Promise<Response> {
	const headers = typeof body === "string" ? { "Content-Type": "application/json" } : undefined;
	let response: Response;
	try {
		response = await fetch(path, {
			method,
			...(body === undefined ? {} : { body }),
			...(headers === undefined ? {} : { headers }),
			cache: "no-store",
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
	} catch {
		throw new LinkError();
	}
	if (!response.ok) throw await refusal(response);
	return response;
}

/** The controller's reason, as one sentence. */
async function refusal(response: Response): Promise<ApiError> {
	const text = await response.text().catch(() => "");
	const code = `HTTP ${response.status}`;
	try {
		const { error = code, field, value, allowed, detail } = JSON.parse(text) as Refusal;
		const parts = [T.said[error] ?? error];
		if (detail !== undefined) parts.push(detail);
		else if (field !== undefined && allowed !== undefined)
			parts.push(T.link.allowed(field, String(value ?? ""), Array.isArray(allowed) ? allowed.join(", ") : String(allowed)));
		return new ApiError(response.status, error, parts.join(": "));
	} catch {
		return new ApiError(response.status, code, text || code);
	}
}

async function json<T>(response: Response): Promise<T> {
	try {
		return (await response.json()) as T;
	} catch {
		throw new LinkError();
	}
}

/** @throws {ApiError} {LinkError} */
export async function get<T>(path: string): Promise<T> {
	return json<T>(await exchange("GET", path));
}

/** @throws {ApiError} {LinkError} */
export async function getText(path: string): Promise<string> {
	const response = await exchange("GET", path);
	return response.text().catch(() => {
		throw new LinkError();
	});
}

/** @throws {ApiError} {LinkError} */
export async function post<T>(path: string, value: object = {}): Promise<T> {
	return json<T>(await exchange("POST", path, JSON.stringify(value)));
}

/** A file as the body. @throws {ApiError} {LinkError} */
export async function postFile<T>(path: string, file: Blob): Promise<T> {
	return json<T>(await exchange("POST", path, await file.arrayBuffer()));
}

/** What went wrong, for people. */
export function inWords(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
