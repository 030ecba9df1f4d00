/**
 * Comparing and reading ASCII in byte buffers without making strings. What is looked for comes as bytes too: reading a
 * string's characters costs XS an object each. Nothing here throws.
 */

/** Carriage return and line feed. */
export const CR = 0x0d;
export const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

/** Bytes of a constant of a module: those are made when a board's image is built, where there are no natives. @param text ASCII */
export function asciiBytes(text: string): Uint8Array {
	return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** True if `bytes[start, end)` begin with `lower`, any letter case. @param lower ASCII in lower case, `asciiBytes` makes it */
export function startsIgnoreCase(bytes: Uint8Array, start: number, end: number, lower: Uint8Array): boolean {
	if (end - start < lower.length) return false;
	for (let i = 0; i < lower.length; i++) if (lowerByte(bytes[start + i]) !== lower[i]) return false;
	return true;
}

/** True if `bytes[start, end)` are exactly `text`. */
export function equals(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
	if (end - start !== text.length) return false;
	for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text[i]) return false;
	return true;
}

/** The letter in lower case, any other byte as it is. */
function lowerByte(byte: number): number {
	return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

/** Value of a hexadecimal digit, -1 if it is none. */
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

/** True for blank and tab. */
export function isBlank(byte: number): boolean {
	return byte === SPACE || byte === TAB;
}
