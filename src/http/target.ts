/**
 * Path and query of a request's target: what is looked at before a query parameter is looked up.
 * Keys are case-sensitive, the first occurrence wins, `+` in a query is a blank. Source: docs/http-api.md 1.2.
 */

import { hexDigit } from "../text/ascii.js";
import { decodeUtf8, encodeUtf8 } from "../text/utf8.js";

const PERCENT = 0x25;
/** Parameters of a query. Chosen: none of ours has more than 8, and twice as many cost nothing that a target of 1 KB does not bound. */
const PARAMETERS_MAX = 16;

/** Decoded path; undefined for a broken `%XX`, a NUL or invalid UTF-8. @param path up to the `?` */
export function decodedPath(path: string): string | undefined {
	return percentDecoded(path);
}

/**
 * True if a query has no more than 16 parameters: empty ones between two `&` count. To be asked before one is looked for, because looking takes
 * time for each. @param query without the `?`, "" = none, which is short
 */
export function isQueryShort(query: string): boolean {
	let at = -1;
	for (let found = 0; found < PARAMETERS_MAX; found++) {
		at = query.indexOf("&", at + 1);
		if (at < 0) return true;
	}
	return false;
}

/**
 * Value of the first parameter `name` in a query, decoded; the name may be encoded there, too.
 * @param query as `isQueryShort` allows it
 * @returns "" for a name without value; U+FFFD for a value that cannot be decoded, so that it is rejected and not overlooked; undefined if it is
 * absent
 */
export function queryValue(query: string, name: string): string | undefined {
	for (const parameter of query.split("&")) {
		if (parameter === "") continue;
		const [key] = parameter.split("=", 1);
		if (key === name || percentDecoded(key.replaceAll("+", " ")) === name)
			return percentDecoded(parameter.slice(key.length + 1).replaceAll("+", " ")) ?? "\ufffd";
	}
	return undefined;
}

/** Undefined for a broken `%XX`, a NUL and invalid UTF-8. The engine's `decodeURIComponent` takes overlong forms. */
function percentDecoded(text: string): string | undefined {
	if (!text.includes("%")) return text;
	const bytes = encodeUtf8(text);
	let end = 0;
	for (let at = 0; at < bytes.length; at++) {
		let byte = bytes[at];
		if (byte === PERCENT) {
			byte = (hexDigit(bytes[at + 1]) << 4) | hexDigit(bytes[at + 2]);
			at += 2;
		}
		if (byte <= 0) return undefined;
		bytes[end++] = byte;
	}
	return decodeUtf8(bytes, 0, end);
}
