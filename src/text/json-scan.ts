/**
 * What is checked in a JSON text before JSON.parse sees it: depth, escapes, and the names of members. Names that nobody asks for are
 * emptied: XS keeps every property name it has ever seen in a table that does not shrink, so a peer must not choose names.
 */

import { equals, hexDigit } from "./ascii.js";
import { decodeUtf8, encodeUtf8 } from "./utf8.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;
const LETTER_U = 0x75;
/** What may follow a backslash: `"\\/bfnrtu`. */
const ESCAPED = Object.freeze([QUOTE, BACKSLASH, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74, LETTER_U]);

/**
 * The parsed text; undefined if it is not strict RFC 8259, not UTF-8, or nested deeper than `maximumDepth`. Changes `bytes`.
 * @param names all member names that are read, nested ones too; other members are ignored, as are names spelled with escapes
 */
export function parseJson(bytes: Uint8Array, names: readonly string[], maximumDepth: number): unknown {
	const text = scan(bytes, names, maximumDepth) ? decodeUtf8(bytes, 0, bytes.length) : undefined;
	try {
		return text === undefined ? undefined : JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * Checks depth and escapes and empties foreign names in place: `"name"` becomes `""` and blanks.
 * What else is wrong JSON.parse finds. @returns false if the text must be refused.
 */
function scan(bytes: Uint8Array, names: readonly string[], maximumDepth: number): boolean {
	const wanted = names.map(encodeUtf8);
	let depth = 0;
	for (let i = 0; i < bytes.length; i++) {
		const byte = bytes[i];
		if (byte === QUOTE) {
			const end = stringEnd(bytes, i + 1);
			if (end < 0) return false;
			if (isName(bytes, end + 1) && !wanted.some((name) => equals(bytes, i + 1, end, name))) {
				if (decodeUtf8(bytes, i + 1, end) === undefined) return false;
				bytes[i + 1] = QUOTE;
				if (end > i + 1) bytes.fill(SPACE, i + 2, end + 1);
			}
			i = end;
		} else if (byte === 0x7b || byte === 0x5b) {
			if (++depth > maximumDepth) return false;
		} else if (byte === 0x7d || byte === 0x5d) depth--;
	}
	return bytes.length > 0;
}

/**
 * Index of the quote that ends the string; -1 if there is none, for a control character, a bad escape or an escaped surrogate
 * without its partner. Names that get emptied are never seen by JSON.parse, so all of that is checked here.
 */
function stringEnd(bytes: Uint8Array, start: number): number {
	let afterHigh = false;
	for (let i = start; i < bytes.length; i++) {
		const byte = bytes[i];
		if (byte < SPACE) return -1;
		const escaped = byte === BACKSLASH ? bytes[i + 1] : 0;
		const unit = escaped === LETTER_U ? unicodeEscape(bytes, i + 2) : 0;
		if (unit < 0 || (byte === BACKSLASH && !ESCAPED.includes(escaped))) return -1;
		const isLow = unit >= 0xdc00 && unit <= 0xdfff;
		if (afterHigh !== isLow) return -1;
		afterHigh = unit >= 0xd800 && unit <= 0xdbff;
		if (byte === QUOTE) return i;
		if (byte === BACKSLASH) i += escaped === LETTER_U ? 5 : 1;
	}
	return -1;
}

/** Value of four hexadecimal digits, -1 if they are none. */
function unicodeEscape(bytes: Uint8Array, start: number): number {
	let value = 0;
	for (let i = start; i < start + 4; i++) {
		const digit = i < bytes.length ? hexDigit(bytes[i]) : -1;
		if (digit < 0) return -1;
		value = value * 16 + digit;
	}
	return value;
}

/** True if a colon follows, after blanks. */
function isName(bytes: Uint8Array, from: number): boolean {
	let i = from;
	while (i < bytes.length && bytes[i] <= SPACE) i++;
	return bytes[i] === COLON;
}
