/** Numbers as ASCII digits, written into byte buffers without making strings. The caller made room. Nothing here throws or allocates. */

import { LOWER_HEX, UPPER_HEX } from "./characters.js";
import { encodeUtf8 } from "./utf8.js";

const ZERO = 0x30;
export const LOWER_DIGITS = encodeUtf8(LOWER_HEX);
export const UPPER_DIGITS = encodeUtf8(UPPER_HEX);

/** Number of decimal digits of a whole number, 0..2^53. */
export function decimalDigits(value: number): number {
	let digits = 1;
	for (let power = 10; power <= value; power *= 10) digits++;
	return digits;
}

/** Writes the last `digits` digits of a whole number, 0..2^53, with leading zeros. @returns the index after them */
export function writeDecimal(value: number, digits: number, into: Uint8Array, at: number): number {
	const end = at + digits;
	let rest = value;
	for (let i = end - 1; i >= at; i--) {
		const next = Math.trunc(rest / 10);
		into[i] = ZERO + (rest - next * 10);
		rest = next;
	}
	return end;
}

/** Number of hexadecimal digits of a whole number, 0..2^32 - 1. */
export function hexDigits(value: number): number {
	return value === 0 ? 1 : (35 - Math.clz32(value)) >> 2;
}

/** Writes the last `digits` hexadecimal digits of a whole number, 0..2^32 - 1. @returns the index after them */
export function writeHex(value: number, digits: number, table: Uint8Array, into: Uint8Array, at: number): number {
	for (let shift = 4 * digits - 4; shift >= 0; shift -= 4) into[at++] = table[(value >>> shift) & 15];
	return at;
}

/**
 * Writes bytes as two hexadecimal digits each. @param separator character code after each byte but the last, 0 = none
 * @returns the index after them
 */
export function writeHexBytes(
	bytes: Uint8Array,
	start: number,
	end: number,
	separator: number,
	table: Uint8Array,
	into: Uint8Array,
	at: number,
): number {
	for (let i = start; i < end; i++) {
		const byte = bytes[i];
		into[at++] = table[byte >> 4];
		into[at++] = table[byte & 15];
		if (separator !== 0) into[at++] = separator;
	}
	return separator !== 0 && end > start ? at - 1 : at;
}
