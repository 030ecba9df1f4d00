/** UTF-8 to text and back, strict, alike in Node and on XS. Source: RFC 3629 (overlong forms, surrogates and values above 10FFFF are refused). */

import { Text } from "../../modules/text/text.js";

/** Text of `bytes[start, end)`; undefined if they are not valid UTF-8. @throws {RangeError} not within the bytes */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string | undefined {
	return Text.decode(bytes, start, end);
}

/** A percent-encoded text, decoded; undefined for a broken `%XX`, a NUL and what is no UTF-8. @param plusIsBlank true in a query */
export function percentDecode(text: string, plusIsBlank: boolean): string | undefined {
	return Text.percentDecode(text, plusIsBlank);
}

/** Bytes of `text`; a lone surrogate becomes U+FFFD. Never throws. Not for constants of a module: `asciiBytes`. */
export function encodeUtf8(text: string): Uint8Array {
	return new Uint8Array(Text.encode(text));
}
