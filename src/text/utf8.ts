/**
 * UTF-8 to text and back, strict, alike in Node and on XS. The difference that matters: a string's index counts
 * UTF-16 units in Node and code points on XS, so loops step by the length of the code point they just read.
 * Source: RFC 3629 (overlong forms, surrogates and values above 10FFFF are refused).
 */

import { Text } from "../../modules/text/text.js";

/** First byte of XS's NUL and of surrogates (and of U+D000 to U+D7FF, which then take the slow way). */
const NUL_LEAD = 0xc0;
const SURROGATE_LEAD = 0xed;

interface NativeEncoder {
	fromString?(text: string): ArrayBuffer;
}

/** Text of `bytes[start, end)`; undefined if they are not valid UTF-8. @throws {RangeError} not within the bytes */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string | undefined {
	return Text.decode(bytes, start, end);
}

/** A percent-encoded text, decoded; undefined for a broken `%XX`, a NUL and what is no UTF-8. @param plusIsBlank true in a query */
export function percentDecode(text: string, plusIsBlank: boolean): string | undefined {
	return Text.percentDecode(text, plusIsBlank);
}

/**
 * Bytes of `text`; a lone surrogate becomes U+FFFD. Never throws.
 * XS has a native encoder. Its result stands unless it may contain one of XS's two liberties: C0 80 for NUL, lone surrogates.
 */
export function encodeUtf8(text: string): Uint8Array {
	const native = (ArrayBuffer as unknown as NativeEncoder).fromString?.(text);
	if (native !== undefined) {
		const encoded = new Uint8Array(native);
		if (encoded.indexOf(NUL_LEAD) < 0 && encoded.indexOf(SURROGATE_LEAD) < 0) return encoded;
	}
	const bytes = new Uint8Array(utf8Length(text));
	writeUtf8(text, bytes, 0);
	return bytes;
}

/** Number of bytes that `writeUtf8` writes for `text`. Never throws. */
export function utf8Length(text: string): number {
	let length = 0;
	for (let i = 0; i < text.length; ) {
		const codePoint = text.codePointAt(i) as number;
		length += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
		i += indexWidth(codePoint);
	}
	return length;
}

/** Writes `text` at `at`; the caller made room (`utf8Length`). @returns the index after it. */
export function writeUtf8(text: string, into: Uint8Array, at: number): number {
	for (let i = 0; i < text.length; ) {
		const codePoint = text.codePointAt(i) as number;
		i += indexWidth(codePoint);
		at = writeCodePoint(codePoint, into, at);
	}
	return at;
}

/** Writes one code point, a surrogate as U+FFFD. @returns the index after it. */
export function writeCodePoint(codePoint: number, into: Uint8Array, at: number): number {
	const c = isSurrogate(codePoint) ? 0xfffd : codePoint;
	if (c < 0x80) into[at++] = c;
	else {
		if (c < 0x800) into[at++] = 0xc0 | (c >> 6);
		else {
			if (c < 0x10000) into[at++] = 0xe0 | (c >> 12);
			else {
				into[at++] = 0xf0 | (c >> 18);
				into[at++] = 0x80 | ((c >> 12) & 0x3f);
			}
			into[at++] = 0x80 | ((c >> 6) & 0x3f);
		}
		into[at++] = 0x80 | (c & 0x3f);
	}
	return at;
}

/** How far a string's index moves past this code point: 2 only in Node and only above U+FFFF. */
export function indexWidth(codePoint: number): number {
	return codePoint < 0x10000 ? 1 : String.fromCodePoint(codePoint).length;
}

function isSurrogate(codePoint: number): boolean {
	return codePoint >= 0xd800 && codePoint <= 0xdfff;
}
