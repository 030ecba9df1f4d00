/** Numbers and lists of them as queries and bodies have them for diagnosis: hexadecimal text. Pure; nothing here throws. */

import { consistsOf, HEX, hasAtMost, lowerCase } from "../text/characters.js";

/**
 * Ids of one request for measured values. Source: docs/http-api.md 4.3. Over UDS 16 that are each answered at the last moment, after 1,500 ms, take
 * 24 s of the 30 s that an answer may (`answerTimeoutMs`); twice as many would not end in time.
 */
export const IDS_MAX = 16;
/** Separators of such a list: room for empty entries, which are forgiven. */
const SEPARATORS_MAX = 4 * IDS_MAX;
/** Of one number, with what is tolerated in it. Chosen: `0x` and 8 digits with a blank between any two have 19; half is less, twice helps nobody. */
const HEX_LENGTH_MAX = 32;
/** Besides the comma. */
const ID_SEPARATORS = ";\t\r\n";

/** The ids of a list, empty ones not counted; undefined if one is wrong or there are too many. */
export function idsIn(text: string, max: number): number[] | undefined {
	const ids: number[] = [];
	let list = text;
	for (const separator of ID_SEPARATORS) list = list.replaceAll(separator, ",");
	if (!hasAtMost(list, ",", SEPARATORS_MAX)) return undefined;
	for (const item of list.split(",")) {
		if (item.trim() === "") continue;
		const id = hexOf(item, max);
		if (id < 0 || ids.length === IDS_MAX) return undefined;
		ids.push(id);
	}
	return ids;
}

/**
 * Value of a hexadecimal text: 1 to 8 digits, `0x` before them and blanks or `_` between them tolerated; -1 if it is none, above `max`
 * or longer than `HEX_LENGTH_MAX`.
 */
export function hexOf(text: string, max: number): number {
	if (text.length > HEX_LENGTH_MAX) return -1;
	const compact = text.replaceAll(" ", "").replaceAll("_", "");
	const digits = lowerCase(compact).startsWith("0x") ? compact.slice(2) : compact;
	const value = digits.length <= 8 && consistsOf(digits, HEX) ? Number.parseInt(digits, 16) : -1;
	return value <= max ? value : -1;
}
