/**
 * HTTP/1.x request parser: bytes in, events out, on one buffer of fixed size, taken when the first byte
 * comes.
 *
 * The buffer holds [kept bytes of the head | free | unread input]. `receive` appends input, `next` is called
 * until it says NEED_DATA. Strict on purpose (CRLF only, no NUL): whatever two parsers could understand
 * differently is rejected. Source: RFC 9112.
 */

import { CR, copyBytes, hexDigit, indexOfByte, LF } from "../text/bytes.js";
import { INPUT_BYTES } from "./limits.js";
import { HEAD_COMPLETE, HEAD_INCOMPLETE, HttpRequest, type InputBuffers, NO_INPUT } from "./request.js";

/** Outcome of `next`. */
export enum ParserEvent {
	/** Everything received was used. */
	NEED_DATA = 0,
	/** The head is complete and checked. */
	HEAD = 1,
	/** Body bytes lie in `buffer[dataStart, dataEnd)`; they must be used before the next call. */
	DATA = 2,
	/** The request is complete; `restart` goes on with what follows. Repeated until then. */
	END = 3,
	/** The request is rejected with `status`; nothing more is read. Each further call returns the same. */
	FAILED = 4,
}

enum State {
	HEAD = 0,
	LENGTH_BODY = 1,
	CHUNK_SIZE = 2,
	CHUNK_DATA = 3,
	CHUNK_CRLF = 4,
	TRAILERS = 5,
	COMPLETE = 6,
	BROKEN = 7,
}

/** A chunk-size line with its extensions. */
const CHUNK_LINE_BYTES = 128;
/** Eight hexadecimal digits would exceed 2^31. */
const CHUNK_SIZE_DIGITS = 7;

/** Each chunk costs as much as a line, however little is in it. */
const SMALL_CHUNK_BYTES = 64;
const SMALL_CHUNKS_MAX = 128;

/** One for each connection. */
export class RequestParser {
	readonly request = new HttpRequest();
	dataStart = 0;
	dataEnd = 0;
	/** HTTP status that rejects the request, after FAILED. */
	status = 0;
	readonly #buffers: InputBuffers;
	#state: number = State.HEAD;
	/** Unread input is `buffer[#start, #end)`. */
	#start = 0;
	#end = 0;
	/** Body or chunk bytes still to come. */
	#remaining = 0;
	#smallChunks = 0;

	constructor(buffers: InputBuffers) {
		this.#buffers = buffers;
	}

	/** The input; empty while it holds no buffer. */
	get buffer(): Uint8Array {
		return this.request.bytes;
	}

	/** Forgets everything. */
	reset(): void {
		this.#start = this.#end;
		this.release();
		this.restart();
	}

	/** Gives the buffer back if no unread input is in it. What the head has kept is gone then. */
	release(): void {
		const { request } = this;
		if (this.#start < this.#end || request.input === NO_INPUT) return;
		this.#buffers.give(request.input);
		request.hold(NO_INPUT);
		this.#start = this.#end = 0;
	}

	/** Goes on with the next request after END. */
	restart(): void {
		this.request.reset();
		this.#state = State.HEAD;
		this.#smallChunks = 0;
	}

	/** True while no byte of a request has been received. */
	get idle(): boolean {
		return this.#state === State.HEAD && this.#start === this.#end && this.request.isEmpty;
	}

	/** True from END until `restart`. */
	get complete(): boolean {
		return this.#state === State.COMPLETE;
	}

	/** True while input waits behind a complete request. */
	get hasInput(): boolean {
		return this.#start < this.#end;
	}

	/** After HEAD: true if all of the body is in the buffer, and `next` reports it in one piece. */
	get bodyIsHere(): boolean {
		return this.#state === State.LENGTH_BODY && this.#remaining <= this.#end - this.#start;
	}

	/** Bytes that `receive` takes now. */
	space(): number {
		const { input, bytes, keptEnd } = this.request;
		if (input === NO_INPUT) return INPUT_BYTES;
		if (this.#start === this.#end) this.#start = this.#end = keptEnd;
		else if (this.#start > keptEnd && bytes.length - this.#end < bytes.length >> 2) {
			bytes.copyWithin(keptEnd, this.#start, this.#end);
			this.#end += keptEnd - this.#start;
			this.#start = keptEnd;
		}
		return bytes.length - this.#end;
	}

	/** Takes input. @throws {RangeError} more than `space()` */
	receive(bytes: Uint8Array): void {
		const { request } = this;
		if (request.input === NO_INPUT) request.hold(this.#buffers.take());
		copyBytes(bytes, 0, bytes.length, request.bytes, this.#end);
		this.#end += bytes.length;
	}

	/** The next event, a `ParserEvent`. Never throws. */
	next(): number {
		for (;;) {
			switch (this.#state) {
				case State.HEAD:
					return this.#readHead() ? this.#beginBody() : this.#pause();
				case State.TRAILERS:
					if (!this.#readHead()) return this.#pause();
					this.#state = State.COMPLETE;
					break;
				case State.LENGTH_BODY:
				case State.CHUNK_DATA:
					if (this.#remaining > 0) return this.#takeData();
					this.#state = this.#state === State.LENGTH_BODY ? State.COMPLETE : State.CHUNK_CRLF;
					break;
				case State.CHUNK_SIZE:
					if (!this.#readChunkSize()) return this.#pause();
					break;
				case State.CHUNK_CRLF:
					if (!this.#readChunkEnd()) return this.#pause();
					break;
				case State.COMPLETE:
					return ParserEvent.END;
				default:
					return ParserEvent.FAILED;
			}
		}
	}

	#pause(): number {
		return this.#state === State.BROKEN ? ParserEvent.FAILED : ParserEvent.NEED_DATA;
	}

	#fail(status: number): false {
		this.status = status;
		this.#state = State.BROKEN;
		this.#start = this.#end;
		return false;
	}

	/** Lines of the head, or of trailers. @returns true if they are complete */
	#readHead(): boolean {
		if (this.#start === this.#end) return false;
		const { request } = this;
		const outcome = request.read(this.#start, this.#end);
		this.#start = request.next;
		if (outcome === HEAD_COMPLETE) return true;
		if (outcome !== HEAD_INCOMPLETE) return this.#fail(outcome);
		// a line that we would keep, or whose name alone is that long
		return this.space() > 0 ? false : this.#fail(431);
	}

	#beginBody(): number {
		const { contentLength } = this.request;
		this.#remaining = contentLength;
		this.#state = contentLength < 0 ? State.CHUNK_SIZE : State.LENGTH_BODY;
		return ParserEvent.HEAD;
	}

	#takeData(): number {
		const length = Math.min(this.#remaining, this.#end - this.#start);
		if (length === 0) return ParserEvent.NEED_DATA;
		this.dataStart = this.#start;
		this.dataEnd = this.#start += length;
		this.#remaining -= length;
		return ParserEvent.DATA;
	}

	#readChunkSize(): boolean {
		const { buffer } = this;
		const start = this.#start;
		const feed = indexOfByte(buffer, LF, start, this.#end);
		const isWhole = feed >= 0;
		// the last byte of an incomplete line may be its CR
		const end = isWhole ? feed - 1 : this.#end - 1;
		if (end - start > CHUNK_LINE_BYTES) return this.#fail(400);
		if (indexOfByte(buffer, 0, start, isWhole ? feed : this.#end) >= 0) return this.#fail(400);
		if (!isWhole) return false;
		if (indexOfByte(buffer, CR, start, feed) !== end) return this.#fail(400);
		this.#start = feed + 1;
		let size = 0;
		let i = start;
		while (i < end && hexDigit(buffer[i]) >= 0) size = size * 16 + hexDigit(buffer[i++]);
		// behind the digits only an extension, which is unused and ignored
		if (i === start || i - start > CHUNK_SIZE_DIGITS || (i < end && buffer[i] !== 0x3b)) return this.#fail(400);
		if (size < SMALL_CHUNK_BYTES && ++this.#smallChunks > SMALL_CHUNKS_MAX) return this.#fail(400);
		this.#remaining = size;
		this.#state = size > 0 ? State.CHUNK_DATA : State.TRAILERS;
		if (size === 0) this.request.expectTrailers();
		return true;
	}

	#readChunkEnd(): boolean {
		const available = this.#end - this.#start;
		if (available > 0 && this.buffer[this.#start] !== CR) return this.#fail(400);
		if (available < 2) return false;
		if (this.buffer[this.#start + 1] !== LF) return this.#fail(400);
		this.#start += 2;
		this.#state = State.CHUNK_SIZE;
		return true;
	}
}
