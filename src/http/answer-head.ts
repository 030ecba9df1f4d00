/**
 * The head of an answer to a request of ours: collected until its blank line, then status and length are read. Never throws.
 */

import { asciiBytes, CR, decimal, equals, isBlank, LF, startsIgnoreCase } from "../text/ascii.js";
import { indexOfByte } from "../text/bytes.js";

/**
 * It bounds the memory that an answer from outside takes. Chosen: as much as one of the server's input buffers holds. Half may be less than what
 * a server behind a proxy sends; twice would be heap that a download has no other use for.
 */
const HEAD_BYTES_MAX = 2048;
const HTTP_1 = asciiBytes("HTTP/1.");
const CONTENT_LENGTH = asciiBytes("content-length:");
const TRANSFER_ENCODING = asciiBytes("transfer-encoding:");
const STATUS_AT = 9;

/** For one answer; feed it pieces of any length. */
export class AnswerHead {
	/** HTTP status once `complete`. */
	status = 0;
	/** Bytes of the body, -1 = until the connection ends. */
	lengthBytes = -1;
	complete = false;
	readonly #bytes = new Uint8Array(HEAD_BYTES_MAX);
	#length = 0;

	/** Takes bytes up to the end of the head. @returns how many, -1 if this is no answer we can read */
	take(bytes: Uint8Array): number {
		for (let i = 0; i < bytes.length; i++) {
			if (this.#length === HEAD_BYTES_MAX) return -1;
			this.#bytes[this.#length++] = bytes[i];
			if (bytes[i] !== LF || !this.#endsWithBlankLine()) continue;
			this.complete = true;
			return this.#read() ? i + 1 : -1;
		}
		return bytes.length;
	}

	#endsWithBlankLine(): boolean {
		const bytes = this.#bytes;
		const end = this.#length;
		return end >= 4 && bytes[end - 2] === CR && bytes[end - 3] === LF && bytes[end - 4] === CR;
	}

	#read(): boolean {
		const bytes = this.#bytes;
		if (!equals(bytes, 0, HTTP_1.length, HTTP_1)) return false;
		this.status = decimal(bytes, STATUS_AT, STATUS_AT + 3);
		if (this.status < 100) return false;
		for (let start = 0; start < this.#length; ) {
			const end = indexOfByte(bytes, LF, start, this.#length) - 1;
			// a request of version 1.0 is not answered in chunks
			if (startsIgnoreCase(bytes, start, end, TRANSFER_ENCODING)) return false;
			if (startsIgnoreCase(bytes, start, end, CONTENT_LENGTH)) {
				let from = start + CONTENT_LENGTH.length;
				while (from < end && isBlank(bytes[from])) from++;
				this.lengthBytes = decimal(bytes, from, end);
				if (this.lengthBytes < 0) return false;
			}
			start = end + 2;
		}
		return true;
	}
}
