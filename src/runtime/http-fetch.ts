/**
 * Fetches over plain HTTP from a numeric address or localhost, one thing at a time, piece by piece: there is
 * heap neither for TLS nor for a resolver of names. Whoever asked for it verifies what it fetches.
 */

import type { ClientConstructor, TcpSocket } from "../../hal/network-ports.js";
import type { Download, FetchPort } from "../../hal/update-port.js";
import { elapsedMs } from "../clock/elapsed.js";
import { HEAD_COMPLETE, HEAD_INCOMPLETE, Header, HttpRequest, newInputBuffer } from "../http/request.js";
import { asciiBytes, CR, copyBytes, decimal, encodeUtf8, equals, indexOfByte, LF } from "../text/bytes.js";
import { consistsOf, DECIMAL } from "../text/characters.js";

/** Codes of `Download.onEnd`. Source: Arduino's HTTPClient, whose numbers clients of the reference know. */
export enum FetchError {
	NOT_CONNECTED = -1,
	CONNECTION_LOST = -5,
	NO_HTTP = -7,
	TIMEOUT = -11,
}

/** Assumed: a download without a byte for this long has failed. */
export const FETCH_TIMEOUT_MS = 15_000;
/** Handled in a turn: a piece of an image becomes one write to flash. */
const PIECE_BYTES = 2048;
const HTTP_PORT = 80;
const SCHEME = "http://";
const ADDRESS = `${DECIMAL}.`;
const PORT_DIGITS = 5;
/** Longest head of an answer, which bounds the memory that a server can take. */
const HEAD_BYTES_MAX = 2048;
const HTTP_1 = asciiBytes("HTTP/1.");
const STATUS_AT = 9;
/** In place of an HTTP status: the server sent none. */
const NO_ANSWER = -1;

/** Every problem ends the fetch with a code; nothing but `open` throws. */
export class HttpFetch implements FetchPort {
	readonly #TCP: ClientConstructor;
	readonly #clock: { readonly ticks: number };
	readonly #later: (callback: () => void, delayMs: number) => void;
	#socket: TcpSocket | undefined;
	#download: Download | undefined;
	/** The head of the answer, up to its blank line; behind the first line it is like a request's. */
	#head: HttpRequest | undefined;
	#headBytes = 0;
	/** The answer's status, 0 before its first line. */
	#status = 0;
	#headRead = false;
	#connected = false;
	#readableBytes = 0;
	/** Bytes of the body that are missing; negative = it lasts until the connection ends. */
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
		this.#head = new HttpRequest();
		this.#head.hold(newInputBuffer(HEAD_BYTES_MAX));
		this.#headBytes = this.#status = this.#readableBytes = 0;
		this.#headRead = this.#connected = false;
		this.#progressMs = this.#clock.ticks;
		this.#download = download;
		// version 1.0: the answer comes in one piece and ends with the connection
		const request = encodeUtf8(`GET ${path} HTTP/1.0\r\nHost: ${address}:${port}\r\nConnection: close\r\n\r\n`);
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
				socket.write(request);
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
			this.#end(FetchError.TIMEOUT);
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
		if (!this.#headRead) {
			const used = this.#takeHead(head, bytes);
			if (used < 0) {
				this.#end(FetchError.NO_HTTP);
				return;
			}
			if (!this.#headRead) return;
			this.#left = head.header(Header.CONTENT_LENGTH) === undefined ? -1 : head.contentLength;
			this.#download?.onHead(this.#status, this.#left);
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

	/** Takes bytes up to the end of the head. @returns how many, -1 if this is no answer that can be read */
	#takeHead(head: HttpRequest, bytes: Uint8Array): number {
		const before = this.#headBytes;
		const length = Math.min(bytes.length, HEAD_BYTES_MAX - before);
		copyBytes(bytes, 0, length, head.bytes, before);
		this.#headBytes += length;
		const outcome = this.#readHead(head);
		if (outcome === HEAD_INCOMPLETE) return length < bytes.length ? -1 : length;
		if (outcome !== HEAD_COMPLETE) return -1;
		this.#headRead = true;
		return head.next - before;
	}

	/** @returns as `HttpRequest.read`, or NO_ANSWER */
	#readHead(head: HttpRequest): number {
		const { bytes } = head;
		if (this.#status === 0) {
			const feed = indexOfByte(bytes, LF, 0, this.#headBytes);
			if (feed < 0) return HEAD_INCOMPLETE;
			if (bytes[feed - 1] !== CR || !equals(bytes, 0, HTTP_1.length, HTTP_1)) return NO_ANSWER;
			this.#status = decimal(bytes, STATUS_AT, STATUS_AT + 3);
			if (this.#status < 100) return NO_ANSWER;
			head.expectFields(feed + 1);
		}
		return head.read(head.next, this.#headBytes);
	}

	#onClosed(): void {
		const isWhole = this.#headRead && this.#left < 0;
		if (!this.#connected) this.#end(FetchError.NOT_CONNECTED);
		else this.#end(isWhole ? 0 : FetchError.CONNECTION_LOST);
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
