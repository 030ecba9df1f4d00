/** Copying bytes, and texts as such, and finding one: byte by byte, or with a typed array's own methods, it takes the engine a multiple. */

import { Text } from "../../modules/text/text.js";

/** Copies `bytes[start, end)` to `into[at]`. @throws {RangeError} not within the bytes, or no room */
export function copyBytes(bytes: Uint8Array, start: number, end: number, into: Uint8Array, at: number): void {
	Text.copyBytes(bytes, start, end, into, at);
}

/** Index of the first such byte in `bytes[start, end)`, -1 if there is none. @throws {RangeError} not within the bytes */
export function indexOfByte(bytes: Uint8Array, byte: number, start: number, end: number): number {
	return Text.indexOf(bytes, byte, start, end);
}

/** Copies bytes of a text that `JSON.stringify` made, or of ASCII. @throws {RangeError} not within its bytes, or no room */
export function copyText(text: string, start: number, end: number, into: Uint8Array, at: number): void {
	Text.copyText(text, start, end, into, at);
}

/** Number of bytes of a text, for `copyText`. */
export function byteLength(text: string): number {
	return Text.byteLength(text);
}
