/**
 * Turns a response into bytes, as many at a time as the socket takes: head, then the body with its length, in
 * chunks (HTTP/1.1) or until the connection closes (1.0).
 */

import { copyText } from "../text/bytes.js";
import { PENDING, SECTION_BYTES } from "./producer.js";
import { type HttpResponse, UNKNOWN_LENGTH } from "./response.js";

const REASONS: Readonly<Record<number, string>> = Object.freeze({
	200: "OK",
	204: "No Content",
	206: "Partial Content",
	302: "Found",
	304: "Not Modified",
	400: "Bad Request",
	403: "Forbidden",
	404: "Not Found",
	405: "Method Not Allowed",
	408: "Request Timeout",
	409: "Conflict",
	413: "Content Too Large",
	414: "URI Too Long",
	415: "Unsupported Media Type",
	417: "Expectation Failed",
	431: "Request Header Fields Too Large",
	500: "Internal Server Error",
	501: "Not Implemented",
	503: "Service Unavailable",
	504: "Gateway Timeout",
	505: "HTTP Version Not Supported",
});

/** Head of an answer. What is longer is our own bug, and throws. */
const ANSWER_HEAD_BYTES = 640;
/** "0578\r\n": size of a chunk, always four digits so that its length is known before the size is. */
const CHUNK_HEAD_BYTES = 6;
const CHUNK_DIGITS = 4;
const CHUNK_TAIL_BYTES = 2;
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const LAST_CHUNK = "0\r\n\r\n";

const IDLE = 0;
const HEAD = 1;
const BODY = 2;
const LAST = 3;

/** One for each connection, reused. */
export class ResponseWriter {
	/** The client waits to be told that it may send the body. */
	continueDue = false;
	/** The connection may serve another request after this answer. */
	keepsAlive = false;
	/** The last `pull` stopped because the producer had nothing, not because the peer takes nothing. */
	waitsForProducer = false;
	#response: HttpResponse | undefined = undefined;
	#state = IDLE;
	/** ASCII. */
	#text = "";
	#textAt = 0;
	#chunked = false;
	#bodyLeft = 0;

	get busy(): boolean {
		return this.#state !== IDLE;
	}

	/** Drops the answer. */
	reset(): void {
		this.#state = IDLE;
		this.#response = undefined;
		this.waitsForProducer = false;
	}

	/**
	 * Begins to send an answer.
	 * @param minor version of the request, 0 or 1
	 * @param bodyless true for HEAD
	 * @param keepAlive what the request allows
	 * @throws {RangeError} head too large: our bug
	 */
	begin(response: HttpResponse, minor: number, bodyless: boolean, keepAlive: boolean): void {
		const status = response.status;
		const hasBody = status >= 200 && status !== 204 && status !== 304;
		const known = response.bodyBytes !== UNKNOWN_LENGTH;
		this.#chunked = hasBody && !known && minor === 1;
		// without chunks the end of an unknown body is the end of the connection
		this.keepsAlive = keepAlive && !response.closes && (known || this.#chunked || !hasBody);

		let head = `HTTP/1.1 ${status} ${REASONS[status] ?? "Status"}\r\n`;
		if (response.contentType !== "") head += `Content-Type: ${response.contentType}\r\n`;
		if (hasBody && known) head += `Content-Length: ${response.bodyBytes}\r\n`;
		if (this.#chunked) head += "Transfer-Encoding: chunked\r\n";
		if (response.cacheControl !== "") head += `Cache-Control: ${response.cacheControl}\r\n`;
		head += `${response.extraHeaders}X-Content-Type-Options: nosniff\r\n`;
		if (!this.keepsAlive) head += "Connection: close\r\n";
		else if (minor === 0) head += "Connection: keep-alive\r\n";
		head += "\r\n";
		if (head.length > ANSWER_HEAD_BYTES) throw new RangeError("answer head too large");

		this.#response = response;
		this.#text = head;
		this.#textAt = 0;
		this.#bodyLeft = hasBody && !bodyless && response.body !== undefined ? (known ? response.bodyBytes : Infinity) : 0;
		this.#chunked &&= !bodyless;
		this.#state = HEAD;
		this.waitsForProducer = false;
	}

	/** Tells the client to send the body, if that fits `into[start, end)`. @returns the index after it */
	pullContinue(into: Uint8Array, start: number, end: number): number {
		if (end - start < CONTINUE.length) return start;
		this.continueDue = false;
		copyText(CONTINUE, 0, CONTINUE.length, into, start);
		return start + CONTINUE.length;
	}

	/**
	 * Writes the next bytes of the answer, for which the producer is asked once, to `into[start, end)`.
	 * @returns the index after them; `start` = nothing can be written now, or the answer is complete (`busy`
	 * tells).
	 * @throws what the producer throws; {RangeError} it made more or less than it said
	 */
	pull(into: Uint8Array, start: number, end: number): number {
		let at = start;
		this.waitsForProducer = false;
		if (this.#state === HEAD) {
			at = this.#pullText(into, at, end);
			if (this.#textAt === this.#text.length) this.#state = this.#afterHead();
		}
		if (this.#state === BODY) at = this.#chunked ? this.#pullChunk(into, at, end) : this.#pullPlain(into, at, end);
		if (this.#state === LAST) {
			at = this.#pullText(into, at, end);
			if (this.#textAt === this.#text.length) this.#done();
		}
		return at;
	}

	#afterHead(): number {
		if (this.#bodyLeft === 0) return this.#chunked ? this.#lastChunk() : this.#done();
		this.#text = ""; // a stream may last for hours
		return BODY;
	}

	#done(): number {
		this.#state = IDLE;
		this.#text = "";
		this.#response = undefined;
		return IDLE;
	}

	#lastChunk(): number {
		this.#text = LAST_CHUNK;
		this.#textAt = 0;
		return LAST;
	}

	#pullText(into: Uint8Array, start: number, end: number): number {
		const length = Math.min(end - start, this.#text.length - this.#textAt);
		copyText(this.#text, this.#textAt, this.#textAt + length, into, start);
		this.#textAt += length;
		return start + length;
	}

	#pullPlain(into: Uint8Array, start: number, end: number): number {
		if (start === end) return start;
		const length = this.#produce(into, start, Math.min(end, start + this.#bodyLeft));
		if (length === 0) {
			if (this.#bodyLeft !== Infinity) throw new RangeError("body shorter than announced");
			this.#state = this.#done();
		}
		if (length <= 0) return start;
		this.#bodyLeft -= length;
		if (this.#bodyLeft === 0) this.#state = this.#done();
		return start + length;
	}

	#pullChunk(into: Uint8Array, start: number, end: number): number {
		const from = start + CHUNK_HEAD_BYTES;
		const to = end - CHUNK_TAIL_BYTES;
		if (to <= from) return start;
		const length = this.#produce(into, from, to);
		if (length === 0) this.#state = this.#lastChunk();
		if (length <= 0) return start;
		copyText(`${length.toString(16).padStart(CHUNK_DIGITS, "0")}\r\n`, 0, CHUNK_HEAD_BYTES, into, start);
		copyText("\r\n", 0, CHUNK_TAIL_BYTES, into, from + length);
		return from + length + CHUNK_TAIL_BYTES;
	}

	#produce(into: Uint8Array, start: number, end: number): number {
		const length = this.#response?.body?.produce(into, start, end) ?? 0;
		if (length > end - start) throw new RangeError("producer wrote too much");
		// with fewer bytes than a section needs it may be those that were missing, which is the peer's doing
		this.waitsForProducer = length === PENDING && end - start >= SECTION_BYTES;
		return length;
	}
}
