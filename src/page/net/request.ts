/**
 * Requests to the controller, and the owner's key that a change needs where the owner has set a password. The
 * password itself is never kept.
 */

import { recall, remember } from "../state/cache";
import { Store } from "../state/store";
import { inOurWords, T, wrongValue } from "../texts";

const KEY = "ownerKey";

let asked: Promise<boolean> | undefined;
/** Set while the password is asked for: to be told whether there is a key now. */
export const asking = new Store<((hasKey: boolean) => void) | undefined>(undefined);

/** Whether this browser keeps a key, which may be an old one. */
export function hasKey(): boolean {
	return recall<string>(KEY) !== undefined;
}

/** @param key undefined forgets it */
export function keepKey(key: string | undefined): void {
	remember(KEY, key);
}

/** Header lines for a request. */
export function withKey(headers: Readonly<Record<string, string>>): Record<string, string> {
	const key = recall<string>(KEY);
	return key === undefined ? { ...headers } : { ...headers, Authorization: `Bearer ${key}` };
}

/** Asks the driver for the password, once for all requests that need it now. @returns false if they cancel */
export function askForKey(): Promise<boolean> {
	asked ??= new Promise<boolean>((resolve) => asking.set(resolve)).finally(() => {
		asked = undefined;
		asking.set(undefined);
	});
	return asked;
}

/** The controller answers most within 200 ms (docs/decisions.md 25): the rest is Wi-Fi. */
const TIMEOUT_MS = 8000;
/** Passwords are looked at one after the other: longer than the controller lets a client wait. */
const PASSWORD_TIMEOUT_MS = 35_000;
const SESSION = "/api/session";
/** Waits before a request is repeated: two phones that open the page keep it busy (docs/api.md, "Limits"). */
const AGAIN_MS = [300, 1000, 2500] as const;

/** The controller has rejected; nothing was changed. */
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

interface Rejection {
	readonly error?: string;
	readonly field?: string;
	readonly value?: unknown;
	readonly allowed?: string | readonly unknown[];
	readonly detail?: string;
}

async function exchange(method: string, path: string, body?: BodyInit, timeoutMs = TIMEOUT_MS): Promise<Response> {
	const response = await send(method, path, body, timeoutMs);
	if (response.status !== 401 || path === SESSION) return whatWasAsked(response);
	// the key is of a password before this one, or there is none yet
	keepKey(undefined);
	return whatWasAsked((await askForKey()) ? await send(method, path, body, timeoutMs) : response);
}

async function send(method: string, path: string, body: BodyInit | undefined, timeoutMs: number): Promise<Response> {
	try {
		return await fetch(path, {
			method,
			...(body === undefined ? {} : { body }),
			headers: withKey(typeof body === "string" ? { "Content-Type": "application/json" } : {}),
			cache: "no-store",
			signal: AbortSignal.timeout(timeoutMs),
		});
	} catch {
		throw new LinkError();
	}
}

async function whatWasAsked(response: Response): Promise<Response> {
	if (!response.ok) throw await rejectionOf(response);
	return response;
}

/** The controller's reason, as one sentence. */
async function rejectionOf(response: Response): Promise<ApiError> {
	const text = await response.text().catch(() => "");
	const code = `HTTP ${response.status}`;
	try {
		const { error = code, field, value, allowed, detail } = JSON.parse(text) as Rejection;
		const parts = [inOurWords(error)];
		// how a script signs in is nothing for a driver
		const more = response.status !== 401;
		if (more && field !== undefined && allowed !== undefined)
			parts.push(wrongValue(field, String(value ?? ""), Array.isArray(allowed) ? allowed.join(", ") : String(allowed)));
		// the line of a file, where a value is at fault
		if (more && detail !== undefined) parts.push(inOurWords(detail));
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

/** A controller that is busy is asked again. */
async function read(path: string, timeoutMs?: number): Promise<Response> {
	for (const waitMs of AGAIN_MS) {
		try {
			return await exchange("GET", path, undefined, timeoutMs);
		} catch (error) {
			if (!(error instanceof ApiError && error.code === "busy")) throw error;
		}
		await new Promise((resolve) => setTimeout(resolve, waitMs));
	}
	return exchange("GET", path, undefined, timeoutMs);
}

/** @throws {ApiError} {LinkError} */
export async function get<T>(path: string, timeoutMs?: number): Promise<T> {
	return json<T>(await read(path, timeoutMs));
}

/** @throws {ApiError} {LinkError} */
export async function getText(path: string, timeoutMs?: number): Promise<string> {
	const response = await read(path, timeoutMs);
	return response.text().catch(() => {
		throw new LinkError();
	});
}

let lastPostMs = Number.NEGATIVE_INFINITY;

/** When this page has last sent a change or got its answer, on `performance.now()`. */
export const postedAtMs = (): number => lastPostMs;

/** @throws {ApiError} {LinkError} */
export async function post<T>(path: string, value: object = {}, timeoutMs?: number): Promise<T> {
	try {
		lastPostMs = performance.now();
		return await json<T>(await exchange("POST", path, JSON.stringify(value), timeoutMs));
	} finally {
		lastPostMs = performance.now();
	}
}

/** Opens the owner's key, for this device to keep. @throws {ApiError} {LinkError} */
export async function signIn(password: string): Promise<void> {
	await keepKeyOf(SESSION, password);
}

/** @param password "" = none @throws {ApiError} {LinkError} */
export async function setOwnerPassword(password: string): Promise<void> {
	await keepKeyOf("/api/owner", password);
}

async function keepKeyOf(path: string, password: string): Promise<void> {
	const answer = await exchange("POST", path, JSON.stringify({ password }), PASSWORD_TIMEOUT_MS);
	keepKey((await json<{ key?: string }>(answer)).key);
}

/** A text as the body. @throws {ApiError} {LinkError} */
export async function postText<T>(path: string, text: string): Promise<T> {
	return json<T>(await exchange("POST", path, text));
}

/** The error in the driver's words. */
export function inWords(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
