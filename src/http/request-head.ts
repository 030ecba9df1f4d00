/**
 * The head of one request: method, version, target and the headers that we keep, as index ranges into the connection's
 * input buffer. Nothing becomes a string before somebody asks for it. Reused for every request of a connection.
 */

import { decimal, equals, equalsIgnoreCase, isTokenByte, listHas, SPACE } from "../text/ascii.js";
import { encodeUtf8 } from "../text/utf8.js";
import { FIRST_LIST_HEADER, HEADER, HEADER_NAMES } from "./header-names.js";
import { NO_BYTES } from "./no-bytes.js";

/** Methods that a server of ours may know; another well-formed one is answered with 501. */
export const METHODS = Object.freeze(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY"] as const);
export type Method = (typeof METHODS)[number];

const METHOD_BYTES = Object.freeze(METHODS.map(encodeUtf8));
const CHUNKED = encodeUtf8("chunked");
const CLOSE = encodeUtf8("close");
const KEEP_ALIVE = encodeUtf8("keep-alive");
const CONTINUE = encodeUtf8("100-continue");
const HTTP_SLASH = encodeUtf8("HTTP/");
const SCHEME = encodeUtf8("http://");

/** No method anyone uses is longer. */
const LONGEST_METHOD = 24;

export class RequestHead {
	/** The connection's input buffer; `NO_BYTES` while it has none. */
	bytes = NO_BYTES;
	method: Method = "GET";
	/** 0 for HTTP/1.0, 1 for HTTP/1.1. */
	minor = 1;
	/** Target in origin form, `bytes[targetStart, targetEnd)`. */
	targetStart = 0;
	targetEnd = 0;
	/** Bytes of the body; -1 for a chunked one. */
	contentLength = 0;
	expectsContinue = false;
	keepAlive = true;
	/** End of the kept bytes: target, then header values. */
	keptEnd = 0;
	#authorityStart = 0;
	#authorityEnd = 0;
	#closeAsked = false;
	#keepAliveAsked = false;
	/** Start and exclusive end of each header's value; end 0 = header absent, since the target always lies before the values. */
	readonly #ranges = new Uint16Array(2 * HEADER_NAMES.length);

	/** Forgets the request. */
	reset(): void {
		this.keptEnd = 0;
		this.contentLength = 0;
		this.expectsContinue = false;
		this.#closeAsked = this.#keepAliveAsked = false;
		this.#ranges.fill(0);
	}

	/** True if the request has the header. @param index of `HEADER` */
	has(index: number): boolean {
		return this.#ranges[2 * index + 1] !== 0;
	}

	/** Start of a header's value in `bytes`; only meaningful while `has(index)`. */
	start(index: number): number {
		return this.#ranges[2 * index];
	}

	/** End of a header's value in `bytes`, exclusive. */
	end(index: number): number {
		return this.#ranges[2 * index + 1];
	}

	/**
	 * Reads the request line `bytes[start, end)` and keeps its target.
	 * @returns 0, or the status that refuses it: 400, 501 unknown method, 505 version other than 1.0 and 1.1.
	 */
	readRequestLine(start: number, end: number): number {
		const bytes = this.bytes;
		const first = bytes.indexOf(SPACE, start);
		if (first <= start || first >= end || first - start > LONGEST_METHOD) return 400;
		for (let i = start; i < first; i++) if (!isTokenByte(bytes[i])) return 400;
		const second = bytes.indexOf(SPACE, first + 1);
		if (second < 0 || second >= end) return 400;
		const status = this.#readVersion(second + 1, end);
		if (status !== 0) return status;

		let method = 0;
		while (method < METHODS.length && !equals(bytes, start, first, METHOD_BYTES[method])) method++;
		if (method === METHODS.length) return 501;
		this.method = METHODS[method];
		return this.#readTarget(first + 1, second);
	}

	/**
	 * Keeps a header's value. @param index of `HEADER` @param limit kept bytes that are allowed in all
	 * @returns 0, or the status that refuses it: 400, 431.
	 */
	keep(index: number, start: number, end: number, limit: number): number {
		const bytes = this.bytes;
		// what we act upon must be plain text: no control characters, nothing above ASCII
		for (let i = start; i < end; i++) if ((bytes[i] < 0x20 && bytes[i] !== 0x09) || bytes[i] > 0x7e) return 400;
		if (index === HEADER.CONNECTION) {
			if (listHas(bytes, start, end, CLOSE)) this.#closeAsked = true;
			if (listHas(bytes, start, end, KEEP_ALIVE)) this.#keepAliveAsked = true;
			return 0;
		}
		if (this.has(index)) return index < FIRST_LIST_HEADER ? 400 : 0;
		const length = end - start;
		if (this.keptEnd + length > limit) return 431;
		bytes.copyWithin(this.keptEnd, start, end);
		this.#ranges[2 * index] = this.keptEnd;
		this.keptEnd += length;
		this.#ranges[2 * index + 1] = this.keptEnd;
		return 0;
	}

	/**
	 * Checks the head as a whole, once its last line is there: Host, framing of the body, Expect, Connection.
	 * @returns 0, or the status that refuses it: 400, 413, 417, 501. Source: RFC 9112 3.2, 6.3, 11.2.
	 */
	finish(): number {
		return this.#checkHost() || this.#checkFraming() || this.#checkExpect();
	}

	#readVersion(start: number, end: number): number {
		const bytes = this.bytes;
		if (end - start !== 8 || !equals(bytes, start, start + 5, HTTP_SLASH) || bytes[start + 6] !== 0x2e) return 400;
		const major = bytes[start + 5] - 0x30;
		const minor = bytes[start + 7] - 0x30;
		if (major < 0 || major > 9 || minor < 0 || minor > 9) return 400;
		if (major !== 1 || minor > 1) return 505;
		this.minor = minor;
		return 0;
	}

	#readTarget(start: number, end: number): number {
		const bytes = this.bytes;
		if (end === start) return 400;
		for (let i = start; i < end; i++) if (bytes[i] <= 0x20 || bytes[i] >= 0x7f || bytes[i] === 0x23) return 400;
		bytes.copyWithin(0, start, end);
		this.keptEnd = this.targetEnd = end - start;
		this.targetStart = this.#authorityStart = this.#authorityEnd = 0;
		if (bytes[0] === 0x2f) return 0;
		if (this.targetEnd === 1 && bytes[0] === 0x2a) return this.method === "OPTIONS" ? 0 : 400;
		// absolute form, as for a proxy: its authority must be the Host header's, `finish` compares
		if (this.targetEnd < 8 || !equalsIgnoreCase(bytes, 0, 7, SCHEME)) return 400;
		const slash = bytes.indexOf(0x2f, 7);
		if (slash <= 7 || slash >= this.targetEnd) return 400;
		this.#authorityStart = 7;
		this.#authorityEnd = this.targetStart = slash;
		return 0;
	}

	#checkHost(): number {
		const bytes = this.bytes;
		if (!this.has(HEADER.HOST)) return this.minor === 0 && this.#authorityEnd === 0 ? 0 : 400;
		const start = this.#ranges[2 * HEADER.HOST];
		const end = this.#ranges[2 * HEADER.HOST + 1];
		for (let i = start; i < end; i++) if (!isHostByte(bytes[i])) return 400;
		if (this.#authorityEnd === 0) return 0;
		if (this.#authorityEnd - this.#authorityStart !== end - start) return 400;
		for (let i = start; i < end; i++) if (bytes[i] !== bytes[this.#authorityStart + i - start]) return 400;
		return 0;
	}

	#checkFraming(): number {
		const bytes = this.bytes;
		if (this.has(HEADER.TRANSFER_ENCODING)) {
			// both at once is how requests are smuggled past a proxy; 1.0 knows no transfer coding
			if (this.has(HEADER.CONTENT_LENGTH) || this.minor === 0) return 400;
			const start = this.#ranges[2 * HEADER.TRANSFER_ENCODING];
			const end = this.#ranges[2 * HEADER.TRANSFER_ENCODING + 1];
			if (!equalsIgnoreCase(bytes, start, end, CHUNKED)) return listHas(bytes, start, end, CHUNKED) ? 501 : 400;
			this.contentLength = -1;
		} else if (this.has(HEADER.CONTENT_LENGTH)) {
			const start = this.#ranges[2 * HEADER.CONTENT_LENGTH];
			const end = this.#ranges[2 * HEADER.CONTENT_LENGTH + 1];
			this.contentLength = decimal(bytes, start, end);
			if (this.contentLength < 0) return 400;
		}
		return 0;
	}

	#checkExpect(): number {
		this.keepAlive = !this.#closeAsked && (this.minor === 1 || this.#keepAliveAsked);
		if (!this.has(HEADER.EXPECT)) return 0;
		if (!equalsIgnoreCase(this.bytes, this.#ranges[2 * HEADER.EXPECT], this.#ranges[2 * HEADER.EXPECT + 1], CONTINUE)) return 417;
		this.expectsContinue = this.minor === 1;
		return 0;
	}
}

/** Letters, digits and `-._~:[]`: names, addresses and a port, no user name and no list. */
function isHostByte(byte: number): boolean {
	if (byte >= 0x61 && byte <= 0x7a) return true;
	if (byte >= 0x30 && byte <= 0x39) return true;
	if (byte >= 0x41 && byte <= 0x5a) return true;
	return byte === 0x2d || byte === 0x2e || byte === 0x3a || byte === 0x5b || byte === 0x5d || byte === 0x5f || byte === 0x7e;
}
