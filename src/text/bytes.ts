/** Copying bytes, and texts as such, finding one, and Base64: byte by byte, or with a typed array's own methods, it takes the engine a multiple. */

import { Text } from "../../modules/text/text.js";

// the C functions themselves: a function around each would cost as much again
/** Ranges are [start, end). */
export const {
	/** Number of bytes of a text, for `copyText`. */
	byteLength,
	/** Copies `bytes[start, end)` to `into[at]`. @throws {RangeError} not within the bytes, or no room */
	copyBytes,
	/** Copies bytes of a text that `JSON.stringify` made, or of ASCII. @throws {RangeError} not within its bytes, or no room */
	copyText,
	/**
	 * Decodes Base64 in `bytes[start, end)` in place. @returns where it ends then; `start` for what is none
	 * @throws {RangeError} not within the bytes
	 */
	decodeBase64,
	/** Index of the first such byte in `bytes[start, end)`, -1 if there is none. @throws {RangeError} not within the bytes */
	indexOf: indexOfByte,
} = Text;
