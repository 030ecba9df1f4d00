/**
 * The file in a `multipart/form-data` body, as it streams in. Pieces may end anywhere. Other parts are skipped. Source: RFC 2046 5.1, RFC 7578.
 */

import { asciiBytes, CR, equalsIgnoreCase, isBlank, LF, startsIgnoreCase } from "../text/ascii.js";
import { indexOfByte } from "../text/bytes.js";

const MULTIPART = asciiBytes("multipart/form-data");
const BOUNDARY = asciiBytes("boundary=");
const DISPOSITION = asciiBytes("content-disposition:");
const FILE_NAME = asciiBytes("filename");
const DASH = 0x2d;
const QUOTE = 0x22;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const STAR = 0x2a;
const BOUNDARY_BYTES_MAX = 70; // RFC 2046 5.1.1
/**
 * All header lines of one part. Chosen: two lines of LINE_BYTES_MAX. A browser sends two, with the longest file name (255 bytes) some 360 bytes; half
 * would leave little beside that, twice is read for nobody, and ENVELOPE_BYTES of src/api/upload.ts has to hold it.
 */
const PART_HEADER_BYTES_MAX = 1024;
/**
 * Of a header line: the disposition with name and file name is all that is looked at. Chosen: with our field and a file name of 255 bytes it has
 * some 310; half would miss `filename` behind a long name of a field. An upload holds so much of the heap, so not twice.
 */
const LINE_BYTES_MAX = 512;

/** The boundary in a Content-Type value; undefined if it is not multipart/form-data with one. */
export function multipartBoundary(bytes: Uint8Array): Uint8Array | undefined {
	const end = bytes.length;
	if (!startsIgnoreCase(bytes, 0, end, MULTIPART)) return undefined;
	for (let i = MULTIPART.length; i < end; i++) {
		if (bytes[i] !== SEMICOLON) continue;
		let from = i + 1;
		while (from < end && isBlank(bytes[from])) from++;
		if (!startsIgnoreCase(bytes, from, end, BOUNDARY)) continue;
		from += BOUNDARY.length;
		const quoted = bytes[from] === QUOTE;
		if (quoted) from++;
		let to = from;
		while (to < end && bytes[to] !== QUOTE && (quoted || (bytes[to] !== SEMICOLON && !isBlank(bytes[to])))) to++;
		return to > from && to - from <= BOUNDARY_BYTES_MAX ? bytes.slice(from, to) : undefined;
	}
	return undefined;
}

/** Receives the file. */
export interface FileReceiver {
	/** The next bytes, `bytes[start, end)`; they are gone after the call. @returns false to stop */
	data(bytes: Uint8Array, start: number, end: number): boolean;
}

const STATE = Object.freeze({ CONTENT: 0, AFTER_DELIMITER: 1, LINE_END: 2, HEADER: 3, EPILOGUE: 4, BROKEN: 5 } as const);

/** For one body, in pieces of any length. */
export class MultipartFile {
	/** A part with a file name was found. */
	found = false;
	/** More than one. */
	ambiguous = false;
	readonly #receiver: FileReceiver;
	/** CRLF, two dashes, boundary: no CR but the first, so a mismatch can only begin anew at the byte that did not match. */
	readonly #delimiter: Uint8Array;
	readonly #line = new Uint8Array(LINE_BYTES_MAX);
	#state: number = STATE.CONTENT;
	/** Bytes of the delimiter that matched; the first one needs no CRLF. */
	#matched = 2;
	#lineLength = 0;
	#headerBytes = 0;
	#isFile = false;
	#inFile = false;

	constructor(boundary: Uint8Array, receiver: FileReceiver) {
		this.#receiver = receiver;
		this.#delimiter = new Uint8Array(4 + boundary.length);
		this.#delimiter.set([CR, LF, DASH, DASH]);
		this.#delimiter.set(boundary, 4);
	}

	/** The body ended as it should: with the closing delimiter. */
	get complete(): boolean {
		return this.#state === STATE.EPILOGUE;
	}

	/** It is no multipart body, or its headers are too long. */
	get broken(): boolean {
		return this.#state === STATE.BROKEN;
	}

	/** Takes `bytes[start, end)`. @returns false if the receiver stopped it, or it is broken */
	write(bytes: Uint8Array, start: number, end: number): boolean {
		let at = start;
		while (at < end && this.#state !== STATE.EPILOGUE && this.#state !== STATE.BROKEN) {
			if (this.#state === STATE.CONTENT) {
				at = this.#content(bytes, at, end);
				if (at < 0) return false;
			} else this.#step(bytes[at++]);
		}
		return this.#state !== STATE.BROKEN;
	}

	/** Content up to the next delimiter or the end of the piece. @returns where to go on, -1 = stopped */
	#content(bytes: Uint8Array, start: number, end: number): number {
		const delimiter = this.#delimiter;
		let at = start;
		while (at < end) {
			if (this.#matched === 0) {
				const cr = indexOfByte(bytes, CR, at, end);
				const to = cr < 0 ? end : cr;
				if (to > at && !this.#deliver(bytes, at, to)) return -1;
				if (to === end) return end;
				at = to + 1;
				this.#matched = 1;
			} else if (bytes[at] === delimiter[this.#matched]) {
				at++;
				if (++this.#matched < delimiter.length) continue;
				this.#inFile = false;
				this.#state = STATE.AFTER_DELIMITER;
				return at;
			} else {
				// what looked like a delimiter was content
				const count = this.#matched;
				this.#matched = 0;
				if (!this.#deliver(delimiter, 0, count)) return -1;
			}
		}
		return at;
	}

	#deliver(bytes: Uint8Array, start: number, end: number): boolean {
		return !this.#inFile || this.#receiver.data(bytes, start, end);
	}

	#step(byte: number): void {
		switch (this.#state) {
			case STATE.AFTER_DELIMITER:
				if (byte === CR) this.#state = STATE.LINE_END;
				else if (byte === DASH) {
					if (++this.#lineLength === 2) this.#state = STATE.EPILOGUE;
				} else if (!isBlank(byte) || this.#lineLength > 0) this.#state = STATE.BROKEN;
				break;
			case STATE.LINE_END:
				this.#state = byte === LF ? STATE.HEADER : STATE.BROKEN;
				this.#lineLength = this.#headerBytes = 0;
				this.#isFile = false;
				break;
			default:
				this.#header(byte);
		}
	}

	#header(byte: number): void {
		if (++this.#headerBytes > PART_HEADER_BYTES_MAX) this.#state = STATE.BROKEN;
		else if (byte !== LF) {
			if (this.#lineLength < LINE_BYTES_MAX) this.#line[this.#lineLength] = byte;
			this.#lineLength++;
		} else {
			let length = Math.min(this.#lineLength, LINE_BYTES_MAX);
			if (length > 0 && this.#line[length - 1] === CR) length--;
			this.#lineLength = 0;
			if (length === 0) this.#beginContent();
			else if (hasFileName(this.#line, length)) this.#isFile = true;
		}
	}

	#beginContent(): void {
		this.#state = STATE.CONTENT;
		this.#matched = 0;
		this.ambiguous ||= this.#isFile && this.found;
		this.#inFile = this.#isFile && !this.ambiguous;
		this.found ||= this.#isFile;
	}
}

/** True for a content-disposition line with a file name, in either spelling (RFC 7578 4.2). */
function hasFileName(line: Uint8Array, length: number): boolean {
	if (!startsIgnoreCase(line, 0, length, DISPOSITION)) return false;
	let quoted = false;
	for (let i = DISPOSITION.length; i < length; i++) {
		if (line[i] === QUOTE) quoted = !quoted;
		if (quoted || line[i] !== SEMICOLON) continue;
		let from = i + 1;
		while (from < length && isBlank(line[from])) from++;
		let to = from;
		while (to < length && line[to] !== EQUALS && line[to] !== STAR && !isBlank(line[to])) to++;
		if (equalsIgnoreCase(line, from, to, FILE_NAME)) return true;
	}
	return false;
}
