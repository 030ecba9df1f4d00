/**
 * Path and query of a request's target: percent-decoding and look-up of a query parameter.
 * Keys are case-sensitive, the first occurrence wins, `+` in a query is a blank. Source: docs/http-api.md 1.2.
 */

import { percentDecode } from "../text/utf8.js";

/** Parameters of a query. Chosen: none of ours has more than 8, and twice as many cost nothing that a target of 1 KB does not bound. */
const PARAMETERS_MAX = 16;

/** Decoded path; undefined for a broken `%XX`, a NUL or invalid UTF-8. @param path up to the `?` */
export function decodedPath(path: string): string | undefined {
	return percentDecode(path, false);
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

/** Stands for what is no text: it must be refused like any wrong value, not be overlooked like one that is absent. */
const UNDECODABLE = "\ufffd";

/**
 * Value of the first parameter `name` in a query (without the `?`), decoded; the name may be encoded there, too. Never throws.
 * @returns "" for a key without value; U+FFFD for a value that cannot be decoded, so that it is refused; undefined if it is absent
 */
export function queryValue(query: string, name: string): string | undefined {
	for (let from = 0; from < query.length; ) {
		const found = query.indexOf("&", from);
		const to = found < 0 ? query.length : found;
		const parameter = query.slice(from, to);
		const equals = parameter.indexOf("=");
		const key = equals < 0 ? parameter : parameter.slice(0, equals);
		if (key === name || percentDecode(key, true) === name)
			return equals < 0 ? "" : (percentDecode(parameter.slice(equals + 1), true) ?? UNDECODABLE);
		from = to + 1;
	}
	return undefined;
}
