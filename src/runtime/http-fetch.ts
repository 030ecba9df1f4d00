/**
 * Fetches over plain HTTP from a numeric address or localhost, one thing at a time, piece by piece: there is
 * heap neither for TLS nor for a resolver of names. What it fetches is verified by who asked for it.
 */

import type { ClientConstructor, TcpSocket } from "../../hal/network-ports.js";
import type { Download, FetchPort } from "../../hal/update-port.js";
import { elapsedMs } from "../clock/elapsed.js";
import { HTTP_LIMITS } from "../http/limits.js";
import { HEAD_COMPLETE, HEAD_INCOMPLETE, HEADER, newInputBuffer, RequestHead } from "../http/request-head.js";
import { asciiBytes, CR, copyBytes, decimal, encodeUtf8, equals, indexOfByte, LF } from "../text/bytes.js";
import { consistsOf, DECIMAL } from "../text/characters.js";

/** Codes of `Download.onEnd`. Source: Arduino's HTTPClient, whose numbers clients of the reference know. */
export enum FETCH_ERROR {
	NOT_CONNECTED = -1,
	CONNECTION_LOST = -5,
	NO_HTTP = -7,
	TIMEOUT = -11,
}

/** A download without a byte for this long has failed. */
export const FETCH_TIMEOUT_MS = 15_000;
/** What is handled in a turn: a piece of an image becomes one write to flash. */
const PIECE_BYTES = 2048;
const HTTP_PORT = 80;
const SCHEME = "http://";
const ADDRESS = `${DECIMAL}.`;
const PORT_DIGITS = 5;

/** Every problem ends the fetch with a sentence; nothing throws. */
export class HttpFetch implements FetchPort {
	readonly #TCP: ClientConstructor;
	readonly #clock: { readonly ticks: number };
	readonly #later: (callback: () => void, delayMs: number) => void;
	#socket: TcpSocket | undefined;
	#download: Download | undefined;
	#head: AnswerHead | undefined;
	#request: Uint8Array = new Uint8Array(0);
	#connected = false;
	#readableBytes = 0;
	#left = 0;
	#progressMs = 0;

	/** @param later calls back after a delay in ms, and after everything that is due before */
	constructor(TCP: ClientConstructor, clock: { readonly ticks: number }, later: (callback: () => void, delayMs: number) => void) {
		this.#TCP = TCP;
		this.#clock = clock;
		this.#later = later;
	}

	open(url: string, download: Download): void {
		const { address, port, path } = parseUrl(url);
		this.cancel();
		this.#head = new AnswerHead();
		// version 1.0: the answer comes in one piece and ends with the connection
		this.#request = encodeUtf8(`GET ${path} HTTP/1.0\r\nHost: ${address}:${port}\r\nConnection: close\r\n\r\n`);
		this.#connected = false;
		this.#readableBytes = 0;
		this.#progressMs = this.#clock.ticks;
		this.#download = download;
		const socket: TcpSocket = new this.#TCP({
			address,
			port,
			onReadable: (byteLength) => {
				if (this.#socket !== socket) return;
				const isReading = this.#readableBytes > 0;
				this.#readableBytes = byteLength;
				if (!isReading) this.#readOn(socket);
			},
			onWritable: () => {
				if (this.#socket !== socket || this.#connected) return;
				this.#connected = true;
				this.#progressMs = this.#clock.ticks;
				socket.write(this.#request);
			},
			onError: () => {
				if (this.#socket === socket) this.#onClosed();
			},
		});
		this.#socket = socket;
	}

	cancel(): void {
		const socket = this.#socket;
		this.#socket = this.#download = this.#head = undefined;
		socket?.close();
	}

	/** Time-out. Call several times per second. */
	tick(): void {
		if (this.#socket !== undefined && elapsedMs(this.#progressMs, this.#clock.ticks) >= FETCH_TIMEOUT_MS)
			this.#end(FETCH_ERROR.TIMEOUT);
	}

	/** A piece, and the next one in a turn of its own. */
	#readOn(socket: TcpSocket): void {
		if (this.#socket !== socket || this.#readableBytes === 0) return;
		this.#read(socket);
		if (this.#socket === socket && this.#readableBytes > 0) this.#later(() => this.#readOn(socket), 0);
	}

	#read(socket: TcpSocket): void {
		const buffer = socket.read(Math.min(this.#readableBytes, PIECE_BYTES));
		this.#readableBytes -= buffer?.byteLength ?? this.#readableBytes;
		if (buffer === undefined) return;
		this.#progressMs = this.#clock.ticks;
		let bytes = new Uint8Array(buffer);
		const head = this.#head;
		if (head === undefined) return;
		if (!head.complete) {
			const used = head.take(bytes);
			if (used < 0) {
				this.#end(FETCH_ERROR.NO_HTTP);
				return;
			}
			if (!head.complete) return;
			this.#left = head.lengthBytes;
			this.#download?.onHead(head.status, head.lengthBytes);
			bytes = bytes.subarray(used);
		}
		if (this.#left >= 0) {
			if (bytes.length > this.#left) bytes = bytes.subarray(0, this.#left);
			this.#left -= bytes.length;
		}
		// the receiver may cancel in each of its calls
		if (bytes.length > 0) this.#download?.onData(bytes);
		if (this.#left === 0) this.#end(0);
	}

	#onClosed(): void {
		if (!this.#connected) this.#end(FETCH_ERROR.NOT_CONNECTED);
		else this.#end(this.#head?.complete && this.#head.lengthBytes < 0 ? 0 : FETCH_ERROR.CONNECTION_LOST);
	}

	#end(code: number): void {
		const download = this.#download;
		this.cancel();
		download?.onEnd(code);
	}
}

/** @throws {RangeError} not plain HTTP, or a name that would have to be looked up */
function parseUrl(url: string): { address: string; port: number; path: string } {
	const slash = url.indexOf("/", SCHEME.length);
	const authority = url.slice(SCHEME.length, slash < 0 ? url.length : slash);
	const colon = authority.indexOf(":");
	const host = colon < 0 ? authority : authority.slice(0, colon);
	const port = colon < 0 ? String(HTTP_PORT) : authority.slice(colon + 1);
	const path = slash < 0 ? "/" : url.slice(slash);
	const known = url.startsWith(SCHEME) && (host === "localhost" || consistsOf(host, ADDRESS));
	if (!known || port.length > PORT_DIGITS || !consistsOf(port, DECIMAL) || path.includes("\n") || path.includes("\r"))
		throw new RangeError("only http:// with a numeric address or localhost");
	return { address: host === "localhost" ? "127.0.0.1" : host, port: Number(port), path };
}

/** Longest head of an answer, which bounds the memory that a server can take. */
const HEAD_BYTES_MAX = 2048;
const HTTP_1 = asciiBytes("HTTP/1.");
const STATUS_AT = 9;

/** In place of an HTTP status: the server sent none. */
const NO_ANSWER = -1;

/**
 * The head of an answer: collected until its blank line. Behind its first line it is what a request's is, and is
 * read as that.
 */
class AnswerHead {
	/** HTTP status; valid once `complete`. */
	status = 0;
	/** Bytes of the body, -1 = until the connection ends. */
	lengthBytes = -1;
	complete = false;
	readonly #head = new RequestHead(HTTP_LIMITS);
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
