/**
 * Comparing and reading ASCII in byte buffers without making strings. What is looked for comes as bytes too: reading a
 * string's characters costs XS an object each. Nothing here throws or allocates.
 */

export const CR = 0x0d;
export const LF = 0x0a;
export const SPACE = 0x20;
export const TAB = 0x09;
export const COLON = 0x3a;
/** `!#$%&'*+.^_` and the grave accent, `|~`. */
const RARE_TOKEN_BYTES = Object.freeze([0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2a, 0x2b, 0x2e, 0x5e, 0x5f, 0x60, 0x7c, 0x7e]);

/** True if `bytes[start, end)` spell `lower`, any letter case. @param lower ASCII in lower case, `encodeUtf8` makes it */
export function equalsIgnoreCase(bytes: Uint8Array, start: number, end: number, lower: Uint8Array): boolean {
	return end - start === lower.length && startsIgnoreCase(bytes, start, end, lower);
}

/** True if `bytes[start, end)` begin with `lower`, any letter case. @param lower ASCII in lower case, `encodeUtf8` makes it */
export function startsIgnoreCase(bytes: Uint8Array, start: number, end: number, lower: Uint8Array): boolean {
	if (end - start < lower.length) return false;
	for (let i = 0; i < lower.length; i++) if (lowerCase(bytes[start + i]) !== lower[i]) return false;
	return true;
}

/** True if `bytes[start, end)` are exactly `text`. */
export function equals(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
	if (end - start !== text.length) return false;
	for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text[i]) return false;
	return true;
}

/** The letter in lower case, any other byte as it is. */
export function lowerCase(byte: number): number {
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

/** True for the characters of a header name or method. Source: RFC 9110 5.6.2. */
export function isTokenByte(byte: number): boolean {
	if (byte >= 0x61 && byte <= 0x7a) return true;
	if (byte >= 0x41 && byte <= 0x5a) return true;
	if (byte >= 0x30 && byte <= 0x39) return true;
	return byte === 0x2d || (byte > 0x20 && byte < 0x7f && RARE_TOKEN_BYTES.includes(byte));
}

/** True if the comma-separated list in `bytes[start, end)` has the element `lower`, any letter case, blanks around it ignored. */
export function listHas(bytes: Uint8Array, start: number, end: number, lower: Uint8Array): boolean {
	let from = start;
	for (let i = start; i <= end; i++) {
		if (i < end && bytes[i] !== 0x2c) continue;
		let to = i;
		while (from < to && isBlank(bytes[from])) from++;
		while (to > from && isBlank(bytes[to - 1])) to--;
		if (equalsIgnoreCase(bytes, from, to, lower)) return true;
		from = i + 1;
	}
	return false;
}

/** True for blank and tab. */
export function isBlank(byte: number): boolean {
	return byte === SPACE || byte === TAB;
}
