/**
 * Path and query of a request target, read from its bytes: percent-decoding and look-up of a query parameter.
 * Keys are case-sensitive, the first occurrence wins, `+` in a query is a blank. Source: docs/http-api.md 1.2.
 */

import { hexDigit } from "../text/ascii.js";
import { decodeUtf8, encodeUtf8 } from "../text/utf8.js";

const PERCENT = 0x25;
const PLUS = 0x2b;
const QUESTION_MARK = 0x3f;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;

/** Index of the `?` in `bytes[start, end)`, `end` if there is none. */
export function pathEnd(bytes: Uint8Array, start: number, end: number): number {
	return indexOfByte(bytes, start, end, QUESTION_MARK);
}

/** Decoded text of `bytes[start, end)`; undefined for a broken `%XX`, a NUL or invalid UTF-8. @param plusIsBlank true in a query */
export function percentDecode(bytes: Uint8Array, start: number, end: number, plusIsBlank: boolean): string | undefined {
	const decoded = new Uint8Array(end - start);
	let length = 0;
	for (let i = start; i < end; i++) {
		let byte = bytes[i];
		if (byte === PERCENT) {
			if (i + 2 >= end) return undefined;
			const high = hexDigit(bytes[i + 1]);
			const low = hexDigit(bytes[i + 2]);
			if (high < 0 || low < 0) return undefined;
			byte = high * 16 + low;
			if (byte === 0) return undefined;
			i += 2;
		} else if (byte === PLUS && plusIsBlank) byte = 0x20;
		decoded[length++] = byte;
	}
	return decodeUtf8(decoded, 0, length);
}

/**
 * Value of the query parameter `name` in the query `bytes[start, end)` (without the `?`).
 * @returns "" for a key without value; undefined if it is absent or its value cannot be decoded.
 */
export function queryValue(bytes: Uint8Array, start: number, end: number, name: string): string | undefined {
	const wanted = encodeUtf8(name);
	for (let from = start; from < end; ) {
		const to = indexOfByte(bytes, from, end, AMPERSAND);
		const equals = indexOfByte(bytes, from, to, EQUALS);
		if (keyMatches(bytes, from, equals, wanted)) return equals < to ? percentDecode(bytes, equals + 1, to, true) : "";
		from = to + 1;
	}
	return undefined;
}

function keyMatches(bytes: Uint8Array, from: number, to: number, wanted: Uint8Array): boolean {
	let length = 0;
	for (let i = from; i < to; i++) {
		let byte = bytes[i];
		if (byte === PLUS) byte = 0x20;
		else if (byte === PERCENT) {
			if (i + 2 >= to) return false;
			const high = hexDigit(bytes[i + 1]);
			const low = hexDigit(bytes[i + 2]);
			if (high < 0 || low < 0) return false;
			byte = high * 16 + low;
			i += 2;
		}
		if (length >= wanted.length || byte !== wanted[length++]) return false;
	}
	return length === wanted.length;
}

/** Not the engine's own: that would search on to the end of the connection's buffer. */
function indexOfByte(bytes: Uint8Array, start: number, end: number, byte: number): number {
	let i = start;
	while (i < end && bytes[i] !== byte) i++;
	return i;
}
