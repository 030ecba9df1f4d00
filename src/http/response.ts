/**
 * An answer: a handler makes it, and the connection sends it, as many bytes at a time as the socket takes.
 * The body goes with its length, in chunks (HTTP/1.1) or until the connection closes (1.0).
 */

import { copyText, encodeUtf8 } from "../text/bytes.js";
import { consistsOf, PRINTABLE } from "../text/characters.js";
import { BytesProducer, PENDING, type Producer, SECTION_BYTES, TextsProducer } from "./producer.js";

/** Words of the status line; from 400 on also the message of an answer that the server gives by itself. */
export const STATUS_WORDS: Readonly<Record<number, string>> = Object.freeze({
	200: "OK",
	204: "No Content",
	302: "Found",
	304: "Not Modified",
	400: "bad request",
	401: "unauthorized",
	403: "cross-origin request refused",
	404: "not found",
	405: "method not allowed",
	408: "request timeout",
	409: "conflict",
	411: "length required",
	413: "body too large",
	414: "request line too long",
	415: "unsupported media type",
	417: "expectation failed",
	431: "request header too large",
	500: "internal error",
	501: "not implemented",
	503: "busy",
	504: "timed out",
	505: "http version not supported",
});

/** A longer head is our own bug, and throws. */
const HEAD_BYTES_MAX = 640;
/** "0578\r\n": always four digits, so that the length is known before the chunk's size is. */
const CHUNK_HEAD_BYTES = 6;
const CHUNK_DIGITS = 4;
const CHUNK_TAIL_BYTES = 2;
const LAST_CHUNK = "0\r\n\r\n";

enum State {
	UNSENT = 0,
	HEAD = 1,
	BODY = 2,
	LAST = 3,
	SENT = 4,
}

/** The answer to one request. A handler may answer later, within `answerTimeoutMs`. */
export class HttpResponse {
	/** HTTP status, 0 = not answered yet. */
	status = 0;
	contentType = "";
	cacheControl = "no-store";
	/** Why the request was rejected, for the log. */
	rejection = "";
	/** Further header lines, each with its CRLF. */
	extraHeaders = "";
	body: Producer | undefined = undefined;
	/** Infinity = not known beforehand. */
	bodyBytes = 0;
	/** The handler has returned without an answer. */
	deferred = false;
	/** The connection ends with this answer. */
	closes = false;
	/** The connection is gone: an answer is thrown away. Handlers that answer later may look at it. */
	abandoned = false;
	/** The last `pull` stopped because the producer had nothing, not because the client takes nothing. */
	waitsForProducer = false;
	readonly #onLate: (() => void) | undefined;
	#onEnd: (() => void) | undefined = undefined;
	#state: number = State.UNSENT;
	/** Head or last chunk, ASCII, sent up to `#textAt`. */
	#text = "";
	#textAt = 0;
	#isChunked = false;
	#bodyLeft = 0;

	/** @param onLate told when an answer that comes later is there */
	constructor(onLate?: () => void) {
		this.#onLate = onLate;
	}

	/** The client has gone, or the answer has been sent. */
	abandon(): void {
		this.abandoned = true;
		this.#endBody();
	}

	/**
	 * Call it behind the answer, once.
	 * @param callback called once the answer is sent or dropped; at once if it is
	 * @throws {Error} there is no answer yet, or a callback already
	 */
	onEnd(callback: () => void): void {
		if (this.abandoned) callback();
		else if (this.status === 0 || this.#onEnd !== undefined) throw new Error("onEnd before the answer, or twice");
		else this.#onEnd = callback;
	}

	#endBody(): void {
		const onEnd = this.#onEnd;
		this.#onEnd = undefined;
		this.body = undefined;
		onEnd?.();
	}

	/** Adds a header. @throws {TypeError} a control character in it: it would split the answer */
	header(name: string, value: string): this {
		const line = `${name}: ${value}`;
		if (!consistsOf(line, PRINTABLE)) throw new TypeError("invalid header");
		this.extraHeaders += `${line}\r\n`;
		return this;
	}

	/** A small JSON answer. @param value not from ROM, whose objects XS's JSON.stringify rejects */
	json(status: number, value: object): void {
		this.bytes(status, "application/json", encodeUtf8(JSON.stringify(value)));
	}

	/** A large JSON answer, 200, whose texts are made as they are sent. */
	jsonPieces(texts: Iterator<string, void, void>): void {
		this.stream(200, "application/json", new TextsProducer(texts));
	}

	/** A small answer in plain text. */
	text(status: number, text: string): void {
		this.bytes(status, "text/plain", encodeUtf8(text));
	}

	/** An answer whose length is known. @param bytes must stay as they are until the answer has been sent */
	bytes(status: number, contentType: string, bytes: Uint8Array): void {
		this.stream(status, contentType, new BytesProducer(bytes), bytes.length);
	}

	/** @param bodyBytes exact length of what `body` produces */
	stream(status: number, contentType: string, body: Producer, bodyBytes = Infinity): void {
		if (!this.abandoned) this.#answer(status, contentType, body, bodyBytes);
	}

	/** An answer without body: 204, 304, redirects. */
	empty(status: number): void {
		this.#answer(status, "", undefined, 0);
	}

	#answer(status: number, contentType: string, body: Producer | undefined, bodyBytes: number): void {
		this.#endBody();
		this.status = status;
		this.contentType = contentType;
		this.body = body;
		this.bodyBytes = bodyBytes;
		if (this.deferred) this.#onLate?.();
	}

	/**
	 * Begins to send the answer; `closes` tells then whether the connection can serve another request.
	 * @param minor version of the request, 0 or 1
	 * @param isHead the request is HEAD: no body is sent
	 * @param keepAlive what the request allows
	 * @throws {RangeError} head too large
	 */
	begin(minor: number, isHead: boolean, keepAlive: boolean): void {
		const { status, bodyBytes, contentType, cacheControl } = this;
		const hasBody = status !== 204 && status !== 304;
		const isKnown = bodyBytes !== Infinity;
		this.#isChunked = hasBody && !isKnown && minor === 1;
		// without chunks the end of an unknown body is the end of the connection
		this.closes ||= !keepAlive || (hasBody && !isKnown && !this.#isChunked);

		let head = `HTTP/1.1 ${status} ${STATUS_WORDS[status]}\r\n`;
		if (contentType !== "") head += `Content-Type: ${contentType}\r\n`;
		if (hasBody && isKnown) head += `Content-Length: ${bodyBytes}\r\n`;
		if (this.#isChunked) head += "Transfer-Encoding: chunked\r\n";
		head += `Cache-Control: ${cacheControl}\r\n${this.extraHeaders}X-Content-Type-Options: nosniff\r\n`;
		if (this.closes) head += "Connection: close\r\n";
		else if (minor === 0) head += "Connection: keep-alive\r\n";
		head += "\r\n";
		if (head.length > HEAD_BYTES_MAX) throw new RangeError("answer head too large");

		this.#bodyLeft = hasBody && !isHead ? bodyBytes : 0;
		this.#state = State.HEAD;
		this.#text = head;
	}

	/** All of it has been pulled. */
	get isSent(): boolean {
		return this.#state === State.SENT;
	}

	/**
	 * Writes the next bytes of the answer, for which the producer is asked once, to `into[start, end)`.
	 * @returns the index after them; `start` = nothing can be written now, or the answer is sent
	 * @throws what the producer throws; {RangeError} it made more or less than it said
	 */
	pull(into: Uint8Array, start: number, end: number): number {
		let at = start;
		this.waitsForProducer = false;
		if (this.#state === State.HEAD) at = this.#pullText(into, at, end, this.#bodyLeft > 0 ? State.BODY : State.SENT);
		if (this.#state === State.BODY) at = this.#isChunked ? this.#pullChunk(into, at, end) : this.#pullPlain(into, at, end);
		if (this.#state === State.LAST) at = this.#pullText(into, at, end, State.SENT);
		return at;
	}

	/** @param next state behind the text */
	#pullText(into: Uint8Array, start: number, end: number, next: number): number {
		const length = Math.min(end - start, this.#text.length - this.#textAt);
		copyText(this.#text, this.#textAt, this.#textAt + length, into, start);
		this.#textAt += length;
		if (this.#textAt === this.#text.length) {
			this.#state = next;
			this.#text = ""; // a stream may last for hours
			this.#textAt = 0;
		}
		return start + length;
	}

	#pullPlain(into: Uint8Array, start: number, end: number): number {
		if (start === end) return start;
		const length = this.#produce(into, start, Math.min(end, start + this.#bodyLeft));
		if (length === 0 && this.#bodyLeft !== Infinity) throw new RangeError("body shorter than announced");
		if (length > 0) this.#bodyLeft -= length;
		if (length === 0 || this.#bodyLeft === 0) this.#state = State.SENT;
		return start + Math.max(length, 0);
	}

	#pullChunk(into: Uint8Array, start: number, end: number): number {
		const from = start + CHUNK_HEAD_BYTES;
		const to = end - CHUNK_TAIL_BYTES;
		if (to <= from) return start;
		const length = this.#produce(into, from, to);
		if (length === 0) {
			this.#state = State.LAST;
			this.#text = LAST_CHUNK;
		}
		if (length <= 0) return start;
		copyText(`${length.toString(16).padStart(CHUNK_DIGITS, "0")}\r\n`, 0, CHUNK_HEAD_BYTES, into, start);
		copyText("\r\n", 0, CHUNK_TAIL_BYTES, into, from + length);
		return from + length + CHUNK_TAIL_BYTES;
	}

	#produce(into: Uint8Array, start: number, end: number): number {
		const length = this.body?.produce(into, start, end) ?? 0;
		if (length > end - start) throw new RangeError("producer wrote too much");
		// with fewer bytes than a section needs it may be those that were missing, which is the peer's doing
		this.waitsForProducer = length === PENDING && end - start >= SECTION_BYTES;
		return length;
	}
}
