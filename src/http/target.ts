/**
 * Path and query of a request's target: what is looked at before a query parameter is looked up.
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
