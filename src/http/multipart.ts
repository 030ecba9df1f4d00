/**
 * The file in a `multipart/form-data` body, in pieces that may end anywhere. Other parts are skipped. Bytes
 * are looked at natively, and the receiver is called twice at most for each piece, for a body may be made to
 * cost as much as it can. Source: RFC 2046 5.1, RFC 7578.
 */

import { Text } from "../../modules/text/text.js";
import { CR, copyBytes, indexOfByte, isBlank, LF } from "../text/bytes.js";

const DASH = 0x2d;
/** All headers of one part: a browser sends some 360 bytes, with the longest file name. */
const PART_HEADER_BYTES_MAX = 1024;
/** Bytes of a header line that are read. */
const LINE_BYTES_MAX = 512;
/** In the whole body: each byte behind a delimiter and each line of a header costs a call. */
const STEPS_MAX = 64;

/** The boundary in a Content-Type value; undefined if it is not multipart/form-data with one. */
export function multipartBoundary(bytes: Uint8Array): Uint8Array | undefined {
	const found = Text.multipartBoundary(bytes);
	return found === undefined ? undefined : new Uint8Array(found);
}

type ReceiveFile = (bytes: Uint8Array, start: number, end: number) => boolean;

enum State {
	CONTENT = 0,
	AFTER_DELIMITER = 1,
	LINE_END = 2,
	HEADER = 3,
	EPILOGUE = 4,
	BROKEN = 5,
}

/** For one body. */
export class MultipartFile {
	/** A part with a file name was found. */
	found = false;
	/** There are several. */
	ambiguous = false;
	readonly #receive: ReceiveFile;
	/** CRLF, two dashes, boundary: no CR but the first, so what looked like it has no other one in it. */
	readonly #delimiter: Uint8Array;
	readonly #line = new Uint8Array(LINE_BYTES_MAX);
	#state: number = State.CONTENT;
	/** Bytes of the delimiter that matched; the first one needs no CRLF. */
	#matched = 2;
	#lineLength = 0;
	#headerBytes = 0;
	#steps = 0;
	#isFile = false;
	#inFile = false;

	/** @param receive told the next bytes of the file, gone after the call; it returns false to stop */
	constructor(boundary: Uint8Array, receive: ReceiveFile) {
		this.#receive = receive;
		this.#delimiter = new Uint8Array(4 + boundary.length);
		this.#delimiter.set([CR, LF, DASH, DASH]);
		this.#delimiter.set(boundary, 4);
	}

	/** The body ended as it should: with the closing delimiter. */
	get complete(): boolean {
		return this.#state === State.EPILOGUE;
	}

	/** The body is not multipart, or its headers are too long or too many. */
	get broken(): boolean {
		return this.#state === State.BROKEN;
	}

	/** Takes `bytes[start, end)`. @returns false if the receiver stopped it, or it is broken */
	write(bytes: Uint8Array, start: number, end: number): boolean {
		let at = start;
		while (at < end && this.#state !== State.EPILOGUE && this.#state !== State.BROKEN) {
			if (this.#state === State.CONTENT) {
				at = this.#content(bytes, at, end);
				if (at < 0) return false;
			} else if (this.#state === State.HEADER) at = this.#header(bytes, at, end);
			else this.#behindDelimiter(bytes[at++]);
		}
		return this.#state !== State.BROKEN;
	}

	/** Content up to the next delimiter or the end of the piece. @returns where to go on, -1 = stopped */
	#content(bytes: Uint8Array, start: number, end: number): number {
		const delimiter = this.#delimiter;
		let at = start;
		if (this.#matched > 0) {
			while (at < end && bytes[at] === delimiter[this.#matched]) {
				at++;
				if (++this.#matched === delimiter.length) return this.#afterContent(at);
			}
			if (at === end) return end;
			// what looked like a delimiter was content
			if (!this.#deliver(delimiter, 0, this.#matched)) return -1;
		}
		const found = Text.findDelimiter(bytes, delimiter, at, end);
		if (found > at && !this.#deliver(bytes, at, found)) return -1;
		this.#matched = Math.min(delimiter.length, end - found);
		at = found + this.#matched;
		return this.#matched === delimiter.length ? this.#afterContent(at) : at;
	}

	#deliver(bytes: Uint8Array, start: number, end: number): boolean {
		return !this.#inFile || this.#receive(bytes, start, end);
	}

	/** The content ends with a delimiter. @param at where to go on */
	#afterContent(at: number): number {
		this.#inFile = false;
		this.#state = State.AFTER_DELIMITER;
		return at;
	}

	#behindDelimiter(byte: number): void {
		if (++this.#steps > STEPS_MAX) this.#state = State.BROKEN;
		else if (this.#state === State.LINE_END) {
			this.#state = byte === LF ? State.HEADER : State.BROKEN;
			this.#lineLength = this.#headerBytes = 0;
			this.#isFile = false;
		} else if (byte === CR) this.#state = State.LINE_END;
		else if (byte === DASH) {
			if (++this.#lineLength === 2) this.#state = State.EPILOGUE;
		} else if (!isBlank(byte) || this.#lineLength > 0) this.#state = State.BROKEN;
	}

	/** A line of a part's header, or what there is of it. @returns where to go on */
	#header(bytes: Uint8Array, start: number, end: number): number {
		const feed = indexOfByte(bytes, LF, start, end);
		const to = feed < 0 ? end : feed;
		const next = feed < 0 ? end : feed + 1;
		const line = this.#line;
		const count = Math.min(to - start, LINE_BYTES_MAX - this.#lineLength);
		copyBytes(bytes, start, start + count, line, this.#lineLength);
		this.#lineLength += count;
		this.#headerBytes += next - start;
		if (this.#headerBytes > PART_HEADER_BYTES_MAX || (feed >= 0 && ++this.#steps > STEPS_MAX)) this.#state = State.BROKEN;
		else if (feed >= 0) {
			let length = this.#lineLength;
			if (length > 0 && line[length - 1] === CR) length--;
			this.#lineLength = 0;
			if (length === 0) this.#beginContent();
			else if (Text.namesFile(line, length)) this.#isFile = true;
		}
		return next;
	}

	#beginContent(): void {
		this.#state = State.CONTENT;
		this.#matched = 0;
		this.ambiguous ||= this.#isFile && this.found;
		this.#inFile = this.#isFile && !this.ambiguous;
		this.found ||= this.#isFile;
	}
}
