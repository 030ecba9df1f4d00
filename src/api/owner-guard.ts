/**
 * Who may change something where the owner has set a password: a request that carries the key, as `Authorization: Bearer KEY`, or as the password
 * of `Basic`, for clients that know only that. Reads need none. Source: docs/decisions.md 15, RFC 6750 2.1, RFC 7617.
 */

import { HEADER, type RequestHead } from "../http/request-head.js";
import type { HttpResponse } from "../http/response.js";
import { KEY_DIGITS, type Owner } from "../owner/owner.js";
import { asciiBytes, startsIgnoreCase } from "../text/ascii.js";
import { decodeBase64, indexOfByte } from "../text/bytes.js";
import { encodeUtf8 } from "../text/utf8.js";
import { problem } from "./problem.js";

const BEARER = asciiBytes("bearer ");
const BASIC = asciiBytes("basic ");
/** A longer name of a user is none that anybody types. */
const BASIC_BYTES_MAX = 64 + 1 + KEY_DIGITS;
const COLON = 0x3a;

/** Whether the request carries the owner's key. Never throws. */
export function hasKey(owner: Owner, head: RequestHead): boolean {
	const value = owner.passwordSet ? head.value(HEADER.AUTHORIZATION) : undefined;
	if (value === undefined) return false;
	const bytes = encodeUtf8(value);
	const end = bytes.length;
	if (startsIgnoreCase(bytes, 0, end, BEARER)) return owner.accepts(bytes, BEARER.length, end);
	if (!startsIgnoreCase(bytes, 0, end, BASIC)) return false;
	const start = BASIC.length;
	const decodedEnd = decodeBase64(bytes, start, end);
	const colon = indexOfByte(bytes, COLON, start, decodedEnd);
	return colon >= 0 && decodedEnd - start <= BASIC_BYTES_MAX && owner.accepts(bytes, colon + 1, decodedEnd);
}

/** True if the request may change something; false after it has answered 401. */
export function mayChange(owner: Owner, head: RequestHead, response: HttpResponse): boolean {
	if (!owner.passwordSet || hasKey(owner, head)) return true;
	refuseWithoutKey(response, "password required", "POST /api/session opens the key; send it as Authorization: Bearer KEY");
	return false;
}

/** Answers with 401 and this problem. `Bearer`, for `Basic` would make browsers ask by themselves. */
export function refuseWithoutKey(response: HttpResponse, message: string, detail: string): void {
	response.header("WWW-Authenticate", "Bearer");
	problem(response, 401, message, { detail });
}
