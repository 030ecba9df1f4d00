/** Hexadecimal digits of bytes and numbers, and what they say. */

import { Text } from "../../modules/text/text.js";

// the C functions themselves: a function around each would cost as much again
export const {
	/** The low digits of a number below 2^32, upper case, filled up with zeros. @param digits 1..8 */
	hexNumber: hexText,
	/** Value of a text, `0x` before it, blanks and `_` tolerated; -1 if it is none or above `max`, which is below 2^31. */
	hexValue: hexOf,
	/** The values of a list, empty ones not counted; undefined if one is -1 or there are more than `most`. */
	hexValues,
	/** Digits of `bytes[start, end)` in lower case, two each, with blanks between them if wanted. @throws {RangeError} not within the bytes */
	hexadecimal: hexRange,
} = Text;

/** Bytes as lower-case hexadecimal digits, two each. */
export function hexadecimal(bytes: Uint8Array): string {
	return hexRange(bytes, 0, bytes.length, false);
}

/**
 * The bytes that such digits stand for. Never throws.
 * @param digits an even number of them, as `hexadecimal` writes them; not checked: a pair that is none becomes 0
 */
export function bytesOfHexadecimal(digits: string): Uint8Array {
	const bytes = new Uint8Array(digits.length / 2);
	for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
	return bytes;
}
