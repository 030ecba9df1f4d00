/** Copying bytes, and texts as such, and finding one, which byte by byte takes the engine a multiple; Base64. */

import { Text } from "../../modules/text/text.js";
import { asciiBytes } from "./ascii.js";

// the C functions themselves: a function around each would cost as much again
/** Ranges are [start, end). */
export const {
	/** Number of bytes of a text, for `copyText`. */
	byteLength,
	/** Copies `bytes[start, end)` to `into[at]`. @throws {RangeError} not within the bytes, or no room */
	copyBytes,
	/** Copies bytes of a text that `JSON.stringify` made, or of ASCII. @throws {RangeError} not within its bytes, or no room */
	copyText,
	/** Index of the first such byte in `bytes[start, end)`, -1 if there is none. @throws {RangeError} not within the bytes */
	indexOf: indexOfByte,
} = Text;

/** The empty byte array, in ROM: each one made at run time takes 7 of the heap's 4608 slots. */
export const NO_BYTES: Uint8Array = new Uint8Array(0);

const BASE64 = asciiBytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const EQUALS = 0x3d;

/** Decodes Base64 in `bytes[start, end)` in place, up to a `=`. @returns where it ends then; `start` if it is not Base64 */
export function decodeBase64(bytes: Uint8Array, start: number, end: number): number {
	let bits = 0;
	let count = 0;
	let decodedEnd = start;
	for (let at = start; at < end && bytes[at] !== EQUALS; at++) {
		const value = indexOfByte(BASE64, bytes[at], 0, BASE64.length);
		if (value < 0) return start;
		bits = ((bits << 6) | value) & 0xffff;
		count += 6;
		if (count < 8) continue;
		count -= 8;
		bytes[decodedEnd++] = bits >> count;
	}
	return decodedEnd;
}
