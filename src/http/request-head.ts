/**
 * The head of one request: method, version, target and the headers that we keep, as index ranges into the
 * connection's input buffer. C reads it (`modules/text/request_head.h`).
 */

import { Text } from "../../modules/text/text.js";
import { NO_BYTES } from "../text/bytes.js";
import { type HttpLimits, inputBytes } from "./limits.js";

/** As in `request_head.c`; another well-formed one is answered with 501. */
export const METHODS = Object.freeze(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY"] as const);
/** A method that the server knows. */
export type Method = (typeof METHODS)[number];

/** Members of `struct request_head`, in its order. */
const REQUEST_LINE_MAX = 0;
const FIELD_BYTES_MAX = 1;
const FIELD_LINES_MAX = 2;
const KEPT_MAX = 3;
const STATE = 4;
const NEXT = 5;
const KEPT_END = 6;
const METHOD = 10;
const MINOR = 11;
const TARGET_START = 12;
const TARGET_END = 13;
const CONTENT_LENGTH = 15;
const EXPECTS_CONTINUE = 16;
const KEEP_ALIVE = 17;
const VALUES = 19;

const EMPTY = 0;
const FIELDS = 2;
const TRAILERS = 3;

/** What `read` reports besides a status. */
export const HEAD_INCOMPLETE = 0;
export const HEAD_COMPLETE = 1;

/**
 * The headers that are kept, by their numbers in `modules/text/request_head.h`; from CONNECTION on they are
 * lists. All others are checked for form and skipped.
 */
export enum HEADER {
	HOST = 0,
	ORIGIN = 1,
	SEC_FETCH_SITE = 2,
	CONTENT_TYPE = 3,
	CONTENT_LENGTH = 4,
	TRANSFER_ENCODING = 5,
	EXPECT = 6,
	AUTHORIZATION = 7,
	LAST_EVENT_ID = 8,
	RANGE = 9,
	CONNECTION = 10,
	ACCEPT = 11,
	ACCEPT_ENCODING = 12,
	IF_NONE_MATCH = 13,
	/** The header's value is not kept: "". */
	ACCEPT_LANGUAGE = 14,
}

/** Members of `struct request_head`. */
const HEAD_FIGURES = 49;

/** The input buffer of a connection, while it reads or handles a request. */
export interface InputBuffer {
	readonly bytes: Uint8Array;
	/** `struct request_head`, and the same as natives take it. */
	readonly figures: Int32Array | Uint8Array;
	readonly memory: ArrayBuffer;
}

/** In ROM, where nothing wider than a byte may lie. */
const NOTHING = new Uint8Array(HEAD_FIGURES);
/** The buffer of a connection that holds none. */
export const NO_INPUT: InputBuffer = Object.freeze({ bytes: NO_BYTES, figures: NOTHING, memory: NOTHING.buffer });

/** A buffer for what one connection reads, and the figures of a head. */
export function newInputBuffer(sizeBytes: number): InputBuffer {
	const memory = new ArrayBuffer(HEAD_FIGURES * Int32Array.BYTES_PER_ELEMENT);
	return { bytes: new Uint8Array(sizeBytes), figures: new Int32Array(memory), memory };
}

/** Makes buffers, and keeps one that is free. */
export class InputBuffers {
	readonly sizeBytes: number;
	#spare: InputBuffer | undefined = undefined;

	constructor(limits: HttpLimits) {
		this.sizeBytes = inputBytes(limits);
	}

	/** What is in it means nothing. */
	take(): InputBuffer {
		const buffer = this.#spare ?? newInputBuffer(this.sizeBytes);
		this.#spare = undefined;
		return buffer;
	}

	/** The caller must not use it any more. */
	give(buffer: InputBuffer): void {
		this.#spare = buffer;
	}
}

/** One for each connection; ranges are valid until its next request. */
export class RequestHead {
	/** The connection's input buffer, and its bytes; `NO_INPUT` while it has none. `hold` sets both. */
	input: InputBuffer = NO_INPUT;
	bytes = NO_INPUT.bytes;
	#figures = NO_INPUT.figures;
	readonly #limits: HttpLimits;

	constructor(limits: HttpLimits) {
		this.#limits = limits;
	}

	/** Takes another input buffer, of which nothing has been read; without one nothing is known. */
	hold(input: InputBuffer): void {
		this.input = input;
		this.bytes = input.bytes;
		this.#figures = input.figures;
		if (input === NO_INPUT) return;
		const figures = this.#figures;
		const limits = this.#limits;
		figures[REQUEST_LINE_MAX] = limits.requestLineBytes;
		figures[FIELD_BYTES_MAX] = limits.headerBytes;
		figures[FIELD_LINES_MAX] = limits.headerLines;
		figures[KEPT_MAX] = limits.keptHeaderBytes;
		figures.fill(0, STATE);
	}

	/** Forgets the request, and keeps limits and buffer for the next one. Idempotent. */
	reset(): void {
		if (this.input !== NO_INPUT) this.#figures.fill(0, STATE);
	}

	/**
	 * What was received is an answer, of which the caller has read the first line. All else is read as of a
	 * request of version 1.0, which knows no chunks either.
	 * @param start of the second line
	 */
	expectFields(start: number): void {
		const figures = this.#figures;
		figures[STATE] = FIELDS;
		figures[NEXT] = figures[KEPT_END] = figures[TARGET_END] = start;
	}

	/** From now on lines are trailers. What is known of the request stays. */
	expectTrailers(): void {
		const figures = this.#figures;
		figures.fill(0, KEPT_END + 1, METHOD);
		figures[STATE] = TRAILERS;
	}

	/**
	 * Reads the lines in `bytes[start, end)`, up to the empty one; `next` says how far.
	 * @returns HEAD_COMPLETE, HEAD_INCOMPLETE, or the status that rejects the request: 400, 414, 417, 431,
	 * 501, 505
	 */
	read(start: number, end: number): number {
		return Text.readHead(this.bytes, this.input.memory, start, end);
	}

	/** Nothing of a request has been read. */
	get isEmpty(): boolean {
		return this.#figures[STATE] === EMPTY;
	}

	/** Index of the first byte that `read` has not used. */
	get next(): number {
		return this.#figures[NEXT];
	}

	/** End of the kept bytes: target, then header values. */
	get keptEnd(): number {
		return this.#figures[KEPT_END];
	}

	get method(): Method {
		return METHODS[this.#figures[METHOD]];
	}

	/** 0 for HTTP/1.0, 1 for HTTP/1.1. */
	get minor(): number {
		return this.#figures[MINOR];
	}

	/** Target in origin form, `bytes[targetStart, targetEnd)`. */
	get targetStart(): number {
		return this.#figures[TARGET_START];
	}

	get targetEnd(): number {
		return this.#figures[TARGET_END];
	}

	/** Bytes of the body, 2^31 - 1 for more than that; -1 for a chunked one. */
	get contentLength(): number {
		return this.#figures[CONTENT_LENGTH];
	}

	get expectsContinue(): boolean {
		return this.#figures[EXPECTS_CONTINUE] !== 0;
	}

	get keepAlive(): boolean {
		return this.#figures[KEEP_ALIVE] !== 0;
	}

	/** A header's value, undefined if absent. ASCII. @param index of `HEADER` */
	value(index: number): string | undefined {
		const at = VALUES + 2 * index;
		const end = this.#figures[at + 1];
		return end === 0 ? undefined : Text.decode(this.bytes, this.#figures[at], end);
	}
}
