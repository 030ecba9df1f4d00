/**
 * The file in a `multipart/form-data` body, in pieces that may end anywhere. It is the last part: the body's
 * length says where it ends, so none of its bytes is looked at. Source: RFC 2046 5.1, RFC 7578.
 */

import { CR, copyBytes, decodeUtf8, encodeUtf8, equals, indexOfByte, LF } from "../text/bytes.js";
import { hasAtMost, lowerCase } from "../text/characters.js";

const FORM = "multipart/form-data";
const BOUNDARY = "boundary=";
/** Source: RFC 2046 5.1.1. */
const BOUNDARY_CHARACTERS_MAX = 70;
/** Of a Content-Type: browsers send one. */
const PARAMETERS_MAX = 8;
/** All lines before the file: a browser sends some 360 bytes, with the longest file name. */
const HEAD_BYTES_MAX = 2048;
const HEAD_LINES_MAX = 64;
/** Bytes of a line that are read. */
const LINE_BYTES_MAX = 512;
/** Blanks of one kind in a line: to take one out takes slots of the heap. Clients send two, and those of a file name. */
const BLANKS_MAX = 64;

/** The media type in a Content-Type value, in lower case, without its parameters. Source: RFC 9110 8.3.1. */
export function mediaTypeOf(contentType: string): string {
	const end = contentType.indexOf(";");
	return lowerCase((end < 0 ? contentType : contentType.slice(0, end)).trim());
}

/** The boundary in a Content-Type value, 1 to 70 characters; "" if it is not multipart/form-data with one. */
export function multipartBoundary(type: string): string {
	if (mediaTypeOf(type) !== FORM || !hasAtMost(type, ";", PARAMETERS_MAX)) return "";
	const parameters = type.split(";").map((parameter) => parameter.trim());
	const value = parameters.find((parameter) => lowerCase(parameter).startsWith(BOUNDARY))?.slice(BOUNDARY.length) ?? "";
	const boundary = value.startsWith('"') ? value.slice(1, value.lastIndexOf('"')) : value;
	return boundary.length <= BOUNDARY_CHARACTERS_MAX ? boundary : "";
}

type ReceiveFile = (bytes: Uint8Array, start: number, end: number) => boolean;

/** For one body. */
export class MultipartFile {
	/** A part with a file name was found. */
	found = false;
	readonly #receive: ReceiveFile;
	readonly #opening: Uint8Array;
	/** The last delimiter, with a CRLF behind it that some clients leave out. */
	readonly #closing: Uint8Array;
	/** Bytes of the body behind the last piece. */
	#left: number;
	readonly #line = new Uint8Array(LINE_BYTES_MAX);
	#lineLength = 0;
	#headBytes = 0;
	#headLines = 0;
	/** Between a delimiter and the next empty line. */
	#inHeader = false;
	#isFile = false;
	/** The last bytes of the body, as many as `#closing` has. */
	readonly #tail: Uint8Array;
	#tailLength = 0;

	/**
	 * @param bodyBytes length of the body
	 * @param receive told the next bytes of the file, gone after the call; it returns false to stop
	 */
	constructor(boundary: string, bodyBytes: number, receive: ReceiveFile) {
		this.#receive = receive;
		this.#opening = encodeUtf8(`--${boundary}`);
		this.#closing = encodeUtf8(`\r\n--${boundary}--\r\n`);
		this.#tail = new Uint8Array(this.#closing.length);
		this.#left = bodyBytes;
	}

	/** Takes `bytes[start, end)`. @returns false if the receiver stopped it, or there is too much before the file */
	write(bytes: Uint8Array, start: number, end: number): boolean {
		this.#left -= end - start;
		let at = start;
		while (at < end && !this.found) {
			at = this.#readLine(bytes, at, end);
			if (this.#headBytes > HEAD_BYTES_MAX || this.#headLines > HEAD_LINES_MAX) return false;
		}
		const tailStart = Math.max(at, Math.min(end, end + this.#left - this.#tail.length));
		if (tailStart > at && !this.#receive(bytes, at, tailStart)) return false;
		copyBytes(bytes, tailStart, end, this.#tail, this.#tailLength);
		this.#tailLength += end - tailStart;
		return true;
	}

	/** The body is complete. @returns false if it does not end with the closing delimiter, or the receiver stopped it */
	end(): boolean {
		const length = this.#tailLength;
		for (const closing of [this.#closing, this.#closing.subarray(0, -2)]) {
			const fileEnd = length - closing.length;
			if (fileEnd >= 0 && equals(this.#tail, fileEnd, length, closing))
				return fileEnd === 0 || this.#receive(this.#tail, 0, fileEnd);
		}
		return false;
	}

	/** A line before the file, or what there is of it. @returns where to go on */
	#readLine(bytes: Uint8Array, start: number, end: number): number {
		const feed = indexOfByte(bytes, LF, start, end);
		const isWhole = feed >= 0;
		const to = isWhole ? feed : end;
		const next = isWhole ? feed + 1 : end;
		const count = Math.min(to - start, LINE_BYTES_MAX - this.#lineLength);
		copyBytes(bytes, start, start + count, this.#line, this.#lineLength);
		this.#lineLength += count;
		this.#headBytes += next - start;
		if (isWhole) this.#onLine();
		return next;
	}

	#onLine(): void {
		const line = this.#line;
		const hasCr = this.#lineLength > 0 && line[this.#lineLength - 1] === CR;
		const length = hasCr ? this.#lineLength - 1 : this.#lineLength;
		this.#headLines++;
		this.#lineLength = 0;
		if (equals(line, 0, length, this.#opening)) {
			this.#inHeader = true;
			this.#isFile = false;
		} else if (this.#inHeader && length === 0) {
			this.#inHeader = false;
			this.found = this.#isFile;
		} else this.#isFile ||= this.#inHeader && namesFile(textOf(line, length));
	}
}

/** A line as text; of one that is no UTF-8 what is ASCII at its beginning. */
function textOf(line: Uint8Array, length: number): string {
	const text = decodeUtf8(line, 0, length);
	if (text !== undefined) return text;
	let end = 0;
	while (line[end] < 0x80) end++;
	return decodeUtf8(line, 0, end) as string;
}

/** A content-disposition with a file name, in either spelling, and at most `BLANKS_MAX` blanks of a kind. */
function namesFile(line: string): boolean {
	if (!hasAtMost(line, " ", BLANKS_MAX) || !hasAtMost(line, "\t", BLANKS_MAX)) return false;
	const plain = lowerCase(line).replaceAll(" ", "").replaceAll("\t", "");
	return plain.startsWith("content-disposition:") && (plain.includes(";filename=") || plain.includes(";filename*="));
}
