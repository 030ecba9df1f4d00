/**
 * Foreign JSON is bounded before `JSON.parse` sees it: XS makes an object of each value and a name of each
 * member name, which it never gives back. Values of ours that may lie in ROM become text.
 */

import { Text } from "../../modules/text/text.js";
import { withoutMark } from "../text/bytes.js";

/** Levels of objects and arrays. Source: docs/api.md, "Limits". */
const DEPTH_MAX = 10;
/**
 * Values and member names together. A map has 90, a calibration's table 110, all settings 220.
 * Source: docs/decisions.md 26.
 */
const VALUES_MAX = 400;
/** Bytes of a string, name or number as written: four times the longest signal key: it may have escapes. */
const TOKEN_BYTES_MAX = 1024;

/** The limits of `parseJson`, in words. */
export const JSON_ALLOWED = `JSON in UTF-8 with at most ${VALUES_MAX} values and member names, ${DEPTH_MAX} levels, and 1 KiB in a string or number`;

/**
 * The parsed text; undefined if it is not strict RFC 8259, not UTF-8, or beyond the limits above. A byte order
 * mark before it, which Windows' editors write, is ignored.
 * @param names all member names that are read, nested ones too, with one blank between two; other members are
 * ignored, as are names spelled with escapes
 */
export function parseJson(bytes: Uint8Array, names: string): unknown {
	const text = Text.prepareJson(withoutMark(bytes), names, DEPTH_MAX, VALUES_MAX, TOKEN_BYTES_MAX);
	try {
		return text === undefined ? undefined : JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The JSON text of a value. Objects and lists are copied first, for they may lie in ROM. */
export function plainJson(value: object): string {
	return JSON.stringify(value, copied);
}

function copied(_name: string, value: unknown): unknown {
	if (typeof value !== "object" || value === null) return value;
	return Array.isArray(value) ? [...value] : { ...value };
}
