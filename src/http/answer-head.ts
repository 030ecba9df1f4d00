/**
 * The head of an answer to a request of ours: collected until its blank line, then status and length are
 * read. Behind its first line it is what a request's is, and is read as that. Never throws.
 */

import { asciiBytes, CR, copyBytes, decimal, equals, indexOfByte, LF } from "../text/bytes.js";
import { HTTP_LIMITS } from "./limits.js";
import { HEAD_COMPLETE, HEAD_INCOMPLETE, HEADER, newInputBuffer, RequestHead } from "./request-head.js";

/** It bounds the memory that an answer from outside takes. */
const HEAD_BYTES_MAX = 2048;
const HTTP_1 = asciiBytes("HTTP/1.");
const STATUS_AT = 9;

/** Instead of a status that rejects a request. */
const NO_ANSWER = -1;

/** For one answer; feed it pieces of any length. */
export class AnswerHead {
	/** HTTP status once `complete`. */
	status = 0;
	/** Bytes of the body, -1 = until the connection ends. */
	lengthBytes = -1;
	complete = false;
	readonly #head = new RequestHead(HTTP_LIMITS);
	/** Of what was received. */
	#end = 0;

	constructor() {
		this.#head.hold(newInputBuffer(HEAD_BYTES_MAX));
	}

	/** Takes bytes up to the end of the head. @returns how many, -1 if this is no answer we can read */
	take(bytes: Uint8Array): number {
		const head = this.#head;
		const before = this.#end;
		const length = Math.min(bytes.length, HEAD_BYTES_MAX - before);
		copyBytes(bytes, 0, length, head.bytes, before);
		this.#end += length;
		const outcome = this.#read();
		if (outcome === HEAD_INCOMPLETE) return length < bytes.length ? -1 : length;
		if (outcome !== HEAD_COMPLETE) return -1;
		this.complete = true;
		if (head.value(HEADER.CONTENT_LENGTH) !== undefined) this.lengthBytes = head.contentLength;
		return head.next - before;
	}

	/** @returns as `RequestHead.read`, or NO_ANSWER */
	#read(): number {
		const head = this.#head;
		const { bytes } = head;
		if (this.status === 0) {
			const feed = indexOfByte(bytes, LF, 0, this.#end);
			if (feed < 0) return HEAD_INCOMPLETE;
			if (bytes[feed - 1] !== CR || !equals(bytes, 0, HTTP_1.length, HTTP_1)) return NO_ANSWER;
			this.status = decimal(bytes, STATUS_AT, STATUS_AT + 3);
			if (this.status < 100) return NO_ANSWER;
			head.expectFields(feed + 1);
		}
		return head.read(head.next, this.#end);
	}
}
