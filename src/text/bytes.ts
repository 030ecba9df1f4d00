/**
 * UTF-8 is strict, alike in Node and on XS (RFC 3629). ASCII is read without making strings: a string's
 * characters cost XS an object each.
 */

import { Text } from "../../modules/text/text.js";

/** Bytes of `text`; a lone surrogate becomes U+FFFD. Not for constants of a module: `asciiBytes`. */
export function encodeUtf8(text: string): Uint8Array {
	return new Uint8Array(Text.encode(text));
}

// the C functions themselves: a function around each would cost as much again
/** Ranges are [start, end). */
export const {
	/** Text of `bytes[start, end)`; undefined if not valid UTF-8. @throws {RangeError} not within them */
	decode: decodeUtf8,
	/** Number of bytes of a text, for `copyText`. */
	byteLength,
	/** Copies `bytes[start, end)` to `into[at]`. @throws {RangeError} not within the bytes or `into` */
	copyBytes,
	/** For a text that `JSON.stringify` made, or ASCII. @throws {RangeError} not within, or too long */
	copyText,
	/** Index of the first such byte in `bytes[start, end)`, or -1. @throws {RangeError} not within them */
	indexOf: indexOfByte,
} = Text;

/** The empty byte array, in ROM: each one made at run time takes 7 of the heap's 5632 slots. */
export const NO_BYTES: Uint8Array = new Uint8Array(0);

/** Carriage return and line feed. */
export const CR = 0x0d;
export const LF = 0x0a;

/** Bytes of ASCII, for constants: those are made when a board's image is built, without natives. */
export function asciiBytes(text: string): Uint8Array {
	return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** `bytes[start, end)` are exactly `text`. */
export function equals(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
	if (end - start !== text.length) return false;
	for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text[i]) return false;
	return true;
}

/** Value of a hexadecimal digit, -1 for any other byte. */
export function hexDigit(byte: number): number {
	if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
	const letter = byte | 0x20;
	return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Value of 1 to 15 decimal digits that fill `bytes[start, end)`; -1 for anything else. */
export function decimal(bytes: Uint8Array, start: number, end: number): number {
	if (end <= start || end - start > 15) return -1;
	let value = 0;
	for (let i = start; i < end; i++) {
		const digit = bytes[i] - 0x30;
		if (digit < 0 || digit > 9) return -1;
		value = value * 10 + digit;
	}
	return value;
}

const BYTE_ORDER_MARK = Object.freeze([0xef, 0xbb, 0xbf]);

/** The text behind a byte order mark in UTF-8, if there is one. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
	return BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}
