/** Hexadecimal digits of bytes and numbers. */

import { asciiBytes, decodeUtf8 } from "./bytes.js";
import { consistsOf, LOWER_HEX, lowerCase, upperCase } from "./characters.js";

/** `0x` and 8 digits with a blank between any two have 19 characters. */
const CHARACTERS_MAX = 32;
const DIGITS_MAX = 8;
/** 16 numbers of 4 digits with `0x` and two separators each have half of that. */
const LIST_MAX = 256;
/** Between the numbers of a list, beside the comma. */
const SEPARATORS = Object.freeze([";", "\t", "\r", "\n"]);

const DIGITS = asciiBytes(LOWER_HEX);
const BLANK = 0x20;

/** The low digits of a number below 2^32, upper case, filled up with zeros. @param digits 1..8 */
export function hexText(value: number, digits: number): string {
	return upperCase(value.toString(16)).padStart(digits, "0").slice(-digits);
}

/** Value of 1 to 8 digits, `0x`, blanks and `_` tolerated; -1 for anything else, or above `max`. */
export function hexOf(text: string, max: number): number {
	if (text.length > CHARACTERS_MAX) return -1;
	const plain = lowerCase(text.replaceAll(" ", "").replaceAll("_", ""));
	const digits = plain.startsWith("0x") ? plain.slice(2) : plain;
	if (digits.length > DIGITS_MAX || !consistsOf(digits, LOWER_HEX)) return -1;
	const value = Number.parseInt(digits, 16);
	return value <= max ? value : -1;
}

/** The values of a list, without empty ones; undefined if one is invalid, or there are more than `most`. */
export function hexValues(list: string, max: number, most: number): number[] | undefined {
	if (list.length > LIST_MAX) return undefined;
	const text = SEPARATORS.reduce((changed, separator) => changed.replaceAll(separator, ","), list);
	const values: number[] = [];
	for (let start = 0; start < text.length; ) {
		const comma = text.indexOf(",", start);
		const end = comma < 0 ? text.length : comma;
		const item = text.slice(start, end).trim();
		start = end + 1;
		if (item === "") continue;
		const value = hexOf(item, max);
		if (value < 0 || values.length === most) return undefined;
		values.push(value);
	}
	return values;
}

/** Bytes as lower-case digits, two each. @param separator between two bytes */
export function hexadecimal(bytes: Uint8Array, separator: "" | " " = ""): string {
	const each = 2 + separator.length;
	const text = new Uint8Array(bytes.length * each).fill(BLANK);
	let at = 0;
	for (let i = 0; i < bytes.length; i++) {
		const byte = bytes[i];
		text[at] = DIGITS[byte >> 4];
		text[at + 1] = DIGITS[byte & 15];
		at += each;
	}
	return decodeUtf8(text, 0, Math.max(0, at - separator.length))!;
}

/** @param digits as `hexadecimal` writes them; not checked: a pair of others becomes 0 */
export function bytesOfHexadecimal(digits: string): Uint8Array {
	const bytes = new Uint8Array(digits.length / 2);
	for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
	return bytes;
}
