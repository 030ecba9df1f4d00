/**
 * HTTP/1.x request parser: bytes in, events out, on one buffer of fixed size, taken when the first byte
 * comes.
 *
 * The buffer holds [kept bytes of the head | free | unread input]. `receive` appends input, `next` is called
 * until it says NEED_DATA. Strict on purpose (CRLF only, no NUL, no body without its length): whatever two
 * parsers could understand differently is rejected. Source: RFC 9112.
 */

import { copyBytes } from "../text/bytes.js";
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
	BODY = 1,
	COMPLETE = 2,
	BROKEN = 3,
}

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
	/** Bytes of the body still to come. */
	#remaining = 0;

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
		return this.#state === State.BODY && this.#remaining <= this.#end - this.#start;
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
		switch (this.#state) {
			case State.HEAD:
				return this.#readHead();
			case State.BODY:
				if (this.#remaining > 0) return this.#takeData();
				this.#state = State.COMPLETE;
				return ParserEvent.END;
			case State.COMPLETE:
				return ParserEvent.END;
			default:
				return ParserEvent.FAILED;
		}
	}

	#readHead(): number {
		if (this.#start === this.#end) return ParserEvent.NEED_DATA;
		const { request } = this;
		const outcome = request.read(this.#start, this.#end);
		this.#start = request.next;
		if (outcome === HEAD_COMPLETE) {
			this.#remaining = request.contentLength;
			this.#state = State.BODY;
			return ParserEvent.HEAD;
		}
		if (outcome !== HEAD_INCOMPLETE) return this.#fail(outcome);
		// a line that we would keep, or whose name alone is that long
		return this.space() > 0 ? ParserEvent.NEED_DATA : this.#fail(431);
	}

	#fail(status: number): number {
		this.status = status;
		this.#state = State.BROKEN;
		this.#start = this.#end;
		return ParserEvent.FAILED;
	}

	#takeData(): number {
		const length = Math.min(this.#remaining, this.#end - this.#start);
		if (length === 0) return ParserEvent.NEED_DATA;
		this.dataStart = this.#start;
		this.dataEnd = this.#start += length;
		this.#remaining -= length;
		return ParserEvent.DATA;
	}
}
