/**
 * HTTP/1.x request parser: bytes in, events out, on one buffer of fixed size, taken when the first byte comes. It does no I/O and knows no time.
 *
 * The buffer holds [kept bytes of the head | free | unread input]. `receive` appends input, `next` is called until it says
 * NEED_DATA. Searching uses the engine's own indexOf: a loop over bytes in JavaScript costs a slow board milliseconds.
 * Strict on purpose (CRLF only, no folded lines, no NUL): whatever two parsers could understand differently is refused.
 * Source: RFC 9112.
 */

import { COLON, CR, hexDigit, isBlank, isTokenByte, LF } from "../text/ascii.js";
import { headerIndex } from "./header-names.js";
import type { InputBuffers } from "./input-buffers.js";
import { CHUNK_LINE_BYTES, type HttpLimits } from "./limits.js";
import { NO_BYTES } from "./no-bytes.js";
import { RequestHead } from "./request-head.js";

/** What `next` reports. */
export const EVENT = Object.freeze({
	/** Everything received was used. */
	NEED_DATA: 0,
	/** The head is complete and checked. */
	HEAD: 1,
	/** Body bytes lie in `buffer[dataStart, dataEnd)`; they must be used before the next call. */
	DATA: 2,
	/** The request is complete; `restart` goes on with what follows. Repeated until then. */
	END: 3,
	/** The request is refused with `status`; nothing more is read. Repeated for ever. */
	FAILED: 4,
});

const REQUEST_LINE = 0;
const HEADER_LINE = 1;
const LENGTH_BODY = 2;
const CHUNK_SIZE = 3;
const CHUNK_DATA = 4;
const CHUNK_CRLF = 5;
const TRAILER_LINE = 6;
const COMPLETE = 7;
const BROKEN = 8;

/** Result of `#line`: no complete line yet. */
const NONE = -1;
const NO_NUL = 0x7fffffff;
/** Eight hexadecimal digits would exceed 2^31. */
const CHUNK_SIZE_DIGITS = 7;

/** Each chunk costs as much as a line, however little is in it: small ones are for who writes in pieces, not for a byte each. */
const SMALL_CHUNK_BYTES = 64;
const SMALL_CHUNKS_MAX = 128;

export class RequestParser {
	readonly head = new RequestHead();
	dataStart = 0;
	dataEnd = 0;
	/** HTTP status that refuses the request, after FAILED. */
	status = 0;
	readonly #limits: HttpLimits;
	readonly #buffers: InputBuffers;
	#state = REQUEST_LINE;
	/** Unread input is `buffer[#start, #end)`; no LF lies before #scanned. */
	#start = 0;
	#end = 0;
	#scanned = 0;
	/** Where the first NUL of the unread input is, as far as it matters. */
	#nul = NO_NUL;
	/** Inside a header line that is too long for the buffer and is of no interest. */
	#skipping = false;
	#headerBytes = 0;
	#headerLines = 0;
	/** Body or chunk bytes still to come. */
	#remaining = 0;
	#emptyLineSeen = false;
	#smallChunks = 0;

	constructor(limits: HttpLimits, buffers: InputBuffers) {
		this.#limits = limits;
		this.#buffers = buffers;
	}

	/** The input; `NO_BYTES` while it holds no buffer. */
	get buffer(): Uint8Array {
		return this.head.bytes;
	}

	/** Forgets everything, for a new connection or because nothing of this one matters any more. */
	reset(): void {
		this.#start = this.#end = 0;
		this.release();
		this.#begin();
	}

	/** Gives the buffer back if no unread input is in it. What the head has kept is gone then. */
	release(): void {
		if (this.hasInput || this.buffer === NO_BYTES) return;
		this.#buffers.give(this.buffer);
		this.head.bytes = NO_BYTES;
		this.head.reset();
		this.#start = this.#end = this.#scanned = 0;
		this.#nul = NO_NUL;
	}

	/** Goes on with the next request after END. */
	restart(): void {
		this.#begin();
		this.#findNul(this.#start);
	}

	/** True while no byte of a request has been received. */
	get idle(): boolean {
		return this.#state === REQUEST_LINE && this.#start === this.#end && !this.#emptyLineSeen;
	}

	/** True from END until `restart`. */
	get complete(): boolean {
		return this.#state === COMPLETE;
	}

	/** True while input waits behind a complete request. */
	get hasInput(): boolean {
		return this.#start < this.#end;
	}

	/** After HEAD: true if all of the body is in the buffer, and `next` reports it in one piece. */
	get bodyIsHere(): boolean {
		return this.#state === LENGTH_BODY && this.#remaining <= this.#end - this.#start;
	}

	/** Number of bytes that `receive` takes now. */
	space(): number {
		if (this.buffer === NO_BYTES) return this.#buffers.sizeBytes;
		const kept = this.head.keptEnd;
		if (this.#start === this.#end) this.#move(kept, 0);
		else if (this.#start > kept && this.buffer.length - this.#end < this.buffer.length >> 2) {
			this.buffer.copyWithin(kept, this.#start, this.#end);
			this.#move(kept, this.#end - this.#start);
		}
		return this.buffer.length - this.#end;
	}

	/** Takes input. @throws {RangeError} more than `space()` */
	receive(bytes: Uint8Array): void {
		if (this.buffer === NO_BYTES) this.head.bytes = this.#buffers.take();
		const at = this.#end;
		this.buffer.set(bytes, at);
		this.#end += bytes.length;
		// binary bodies are full of them and may follow in the same piece, hence the position
		if (this.#nul === NO_NUL && this.#state !== LENGTH_BODY && this.#state !== CHUNK_DATA) {
			const nul = bytes.indexOf(0);
			if (nul >= 0) this.#nul = at + nul;
		}
	}

	/** The next event, one of `EVENT`. Never throws. */
	next(): number {
		for (;;) {
			switch (this.#state) {
				case REQUEST_LINE:
					if (!this.#readRequestLine()) return this.#pause();
					break;
				case HEADER_LINE:
				case TRAILER_LINE:
					if (!this.#readHeaderLine()) return this.#pause();
					if (this.#state !== HEADER_LINE && this.#state !== TRAILER_LINE) return this.#afterHeaders();
					break;
				case LENGTH_BODY:
				case CHUNK_DATA:
					if (this.#remaining > 0) return this.#takeData();
					this.#state = this.#state === LENGTH_BODY ? COMPLETE : CHUNK_CRLF;
					// those of the body do not matter any more, and to look for the next one behind each chunk would take too long
					this.#nul = NO_NUL;
					break;
				case CHUNK_SIZE:
					if (!this.#readChunkSize()) return this.#pause();
					break;
				case CHUNK_CRLF:
					if (!this.#readChunkEnd()) return this.#pause();
					break;
				case COMPLETE:
					return EVENT.END;
				default:
					return EVENT.FAILED;
			}
		}
	}

	#begin(): void {
		this.head.reset();
		this.#state = REQUEST_LINE;
		this.#scanned = this.#start;
		this.#nul = NO_NUL;
		this.#skipping = this.#emptyLineSeen = false;
		this.#headerBytes = this.#headerLines = this.#smallChunks = 0;
		this.status = 0;
	}

	#pause(): number {
		return this.#state === BROKEN ? EVENT.FAILED : EVENT.NEED_DATA;
	}

	#fail(status: number): false {
		this.status = status;
		this.#state = BROKEN;
		this.#start = this.#end;
		return false;
	}

	#move(to: number, length: number): void {
		const by = this.#start - to;
		this.#start = to;
		this.#end = to + length;
		this.#scanned = Math.max(this.#scanned - by, to);
		if (this.#nul !== NO_NUL) this.#nul -= by;
	}

	#findNul(from: number): void {
		const nul = from < this.#end ? this.buffer.indexOf(0, from) : -1;
		this.#nul = nul < 0 || nul >= this.#end ? NO_NUL : nul;
	}

	/** End of the line at #start, without CRLF; NONE while it is incomplete, or wrong (then the parser has failed). */
	#line(): number {
		const feed = this.#scanned < this.#end ? this.buffer.indexOf(LF, this.#scanned) : NONE;
		if (feed < 0 || feed >= this.#end) {
			this.#scanned = this.#end;
			// say so at once: garbage need not wait for its end, or for the time-out
			if (this.#nul < this.#end) this.#fail(400);
			return NONE;
		}
		const end = feed - 1;
		if (end < this.#start || this.#nul < feed || this.buffer.indexOf(CR, this.#start) !== end) {
			this.#fail(400);
			return NONE;
		}
		this.#scanned = feed + 1;
		return end;
	}

	#readRequestLine(): boolean {
		const first = this.buffer[this.#start];
		if (this.#start < this.#end && first !== CR && !isTokenByte(first)) return this.#fail(400);
		const limit = this.#limits.requestLineBytes;
		const start = this.#start;
		const end = this.#line();
		if (end === NONE) return this.#state !== BROKEN && this.#end - start > limit + 1 ? this.#fail(414) : false;
		if (end - start > limit) return this.#fail(414);
		this.#start = this.#scanned;
		if (end === start) {
			// one empty line before a request is forgiven: old clients end a body with one. Source: RFC 9112 2.2
			if (this.#emptyLineSeen) return this.#fail(400);
			this.#emptyLineSeen = true;
			return true;
		}
		const status = this.head.readRequestLine(start, end);
		if (status !== 0) return this.#fail(status);
		this.#state = HEADER_LINE;
		return true;
	}

	#readHeaderLine(): boolean {
		if (this.#skipping) return this.#skipLine();
		const start = this.#start;
		const end = this.#line();
		if (end === NONE) return this.#state !== BROKEN && this.#longHeaderLine();
		this.#start = this.#scanned;
		this.#headerBytes += this.#scanned - start;
		if (this.#headerBytes > this.#limits.headerBytes) return this.#fail(431);
		if (end === start) return this.#endHeaders();
		if (++this.#headerLines > this.#limits.headerLines) return this.#fail(431);
		const colon = this.#headerName(start, end);
		if (colon < 0) return this.#fail(400);
		const index = this.#state === HEADER_LINE ? headerIndex(this.buffer, start, colon) : -1;
		if (index < 0) return true;
		let from = colon + 1;
		let to = end;
		while (from < to && isBlank(this.buffer[from])) from++;
		while (to > from && isBlank(this.buffer[to - 1])) to--;
		const status = this.head.keep(index, from, to, this.head.targetEnd + this.#limits.keptHeaderBytes);
		return status === 0 || this.#fail(status);
	}

	/** Index of the colon behind a well-formed name at `start`, -1 if there is none: a folded line, a blank before the colon. */
	#headerName(start: number, end: number): number {
		let i = start;
		while (i < end && isTokenByte(this.buffer[i])) i++;
		return i > start && i < end && this.buffer[i] === COLON ? i : -1;
	}

	/** An incomplete header line: waits, or starts to skip it when it has filled the buffer. Always false unless it skips. */
	#longHeaderLine(): boolean {
		if (this.#headerBytes + this.#end - this.#start > this.#limits.headerBytes) return this.#fail(431);
		if (this.space() > 0) return false;
		const colon = this.#headerName(this.#start, this.#end);
		if (colon < 0 || headerIndex(this.buffer, this.#start, colon) >= 0) return this.#fail(431);
		this.#skipping = true;
		this.#scanned = this.#start;
		return this.#skipLine();
	}

	#skipLine(): boolean {
		const start = this.#start;
		const end = this.#line();
		if (this.#state === BROKEN) return false;
		if (end !== NONE) this.#start = this.#scanned;
		else {
			// a CR at the very end may belong to the line's CRLF
			const last = this.#end > start && this.buffer[this.#end - 1] === CR ? this.#end - 1 : this.#end;
			const cr = this.buffer.indexOf(CR, start);
			if (cr >= 0 && cr < last) return this.#fail(400);
			this.#start = this.#scanned = last;
		}
		this.#headerBytes += this.#start - start;
		if (this.#headerBytes > this.#limits.headerBytes) return this.#fail(431);
		if (end === NONE) return false;
		this.#skipping = false;
		return ++this.#headerLines <= this.#limits.headerLines || this.#fail(431);
	}

	#endHeaders(): boolean {
		if (this.#state === TRAILER_LINE) {
			this.#state = COMPLETE;
			return true;
		}
		const status = this.head.finish();
		if (status !== 0) return this.#fail(status);
		this.#remaining = Math.max(0, this.head.contentLength);
		this.#state = this.head.contentLength < 0 ? CHUNK_SIZE : LENGTH_BODY;
		this.#headerBytes = this.#headerLines = 0;
		return true;
	}

	#afterHeaders(): number {
		return this.#state === COMPLETE ? EVENT.END : EVENT.HEAD;
	}

	#takeData(): number {
		const length = Math.min(this.#remaining, this.#end - this.#start);
		if (length === 0) return EVENT.NEED_DATA;
		this.dataStart = this.#start;
		this.dataEnd = this.#start = this.#scanned = this.#start + length;
		this.#remaining -= length;
		return EVENT.DATA;
	}

	#readChunkSize(): boolean {
		const start = this.#start;
		const end = this.#line();
		if (this.#state === BROKEN) return false;
		// the last byte of an incomplete line may be its CR
		if ((end === NONE ? this.#end - 1 : end) - start > CHUNK_LINE_BYTES) return this.#fail(400);
		if (end === NONE) return false;
		this.#start = this.#scanned;
		let size = 0;
		let i = start;
		while (i < end && hexDigit(this.buffer[i]) >= 0) size = size * 16 + hexDigit(this.buffer[i++]);
		// behind the digits only an extension, which nobody uses and we ignore
		if (i === start || i - start > CHUNK_SIZE_DIGITS || (i < end && this.buffer[i] !== 0x3b)) return this.#fail(400);
		if (i < end && this.buffer.subarray(i, end).indexOf(0) >= 0) return this.#fail(400);
		if (size < SMALL_CHUNK_BYTES && ++this.#smallChunks > SMALL_CHUNKS_MAX) return this.#fail(400);
		this.#remaining = size;
		this.#state = size > 0 ? CHUNK_DATA : TRAILER_LINE;
		if (size === 0) this.#findNul(this.#start);
		return true;
	}

	#readChunkEnd(): boolean {
		const available = this.#end - this.#start;
		if (available > 0 && this.buffer[this.#start] !== CR) return this.#fail(400);
		if (available < 2) return false;
		if (this.buffer[this.#start + 1] !== LF) return this.#fail(400);
		this.#start += 2;
		this.#scanned = this.#start;
		this.#state = CHUNK_SIZE;
		return true;
	}
}
