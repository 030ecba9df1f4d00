/**
 * The request headers that the server looks at. All others are checked for form and skipped, so they take no memory.
 */

import { equalsIgnoreCase } from "../text/ascii.js";
import { encodeUtf8 } from "../text/utf8.js";

/** Index of a header in `HEADER_NAMES`. */
export const HEADER = Object.freeze({
	HOST: 0,
	ORIGIN: 1,
	SEC_FETCH_SITE: 2,
	CONTENT_TYPE: 3,
	CONTENT_LENGTH: 4,
	TRANSFER_ENCODING: 5,
	EXPECT: 6,
	AUTHORIZATION: 7,
	LAST_EVENT_ID: 8,
	RANGE: 9,
	CONNECTION: 10,
	ACCEPT: 11,
	ACCEPT_ENCODING: 12,
	IF_NONE_MATCH: 13,
});

/** Names in lower case, as bytes, in the order of `HEADER`. */
export const HEADER_NAMES = Object.freeze(
	[
		"host",
		"origin",
		"sec-fetch-site",
		"content-type",
		"content-length",
		"transfer-encoding",
		"expect",
		"authorization",
		"last-event-id",
		"range",
		"connection",
		"accept",
		"accept-encoding",
		"if-none-match",
	].map(encodeUtf8),
);

/** Those from here on are lists and may come more than once; a second one of the others is an attack or a bug. */
export const FIRST_LIST_HEADER = HEADER.CONNECTION;

/** Index of the header named by `bytes[start, end)`, -1 if it is not one of ours. Never throws. */
export function headerIndex(bytes: Uint8Array, start: number, end: number): number {
	for (let i = 0; i < HEADER_NAMES.length; i++) if (equalsIgnoreCase(bytes, start, end, HEADER_NAMES[i])) return i;
	return -1;
}
