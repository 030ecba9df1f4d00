/** UTF-8 to text and back, strict, alike in Node and on XS. Source: RFC 3629 (overlong forms, surrogates and values above 10FFFF are refused). */

import { Text } from "../../modules/text/text.js";

// the C functions themselves: a function around each would cost as much again
export const {
	/** Text of `bytes[start, end)`; undefined if they are not valid UTF-8. @throws {RangeError} not within the bytes */
	decode: decodeUtf8,
} = Text;

/** Bytes of `text`; a lone surrogate becomes U+FFFD. Never throws. Not for constants of a module: `asciiBytes`. */
export function encodeUtf8(text: string): Uint8Array {
	return new Uint8Array(Text.encode(text));
}
