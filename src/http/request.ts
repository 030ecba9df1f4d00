/**
 * A request as a handler sees it: method, target, the headers that we keep, and the collected body. Its head
 * lies in the connection's input buffer as index ranges, which C reads (`modules/text/text.h`). Texts
 * are made when they are asked for, until the answer is given.
 */

import { Text } from "../../modules/text/text.js";
import { decodeUtf8, encodeUtf8, hexDigit, NO_BYTES } from "../text/bytes.js";
import { hasAtMost } from "../text/characters.js";
import { HTTP_LIMITS, INPUT_BYTES } from "./limits.js";

/** The methods of `request_head.c`, in its order; another well-formed one is answered with 501. */
const METHODS = Object.freeze(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY"] as const);
/** A method that the server knows. */
export type Method = (typeof METHODS)[number];

/* Members of `struct request_head`, in its order. */
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
const HEAD_FIGURES = 43;

const EMPTY = 0;
const FIELDS = 2;

/** Outcome of `read` that is no status. */
export const HEAD_INCOMPLETE = 0;
export const HEAD_COMPLETE = 1;

/**
 * The headers that are kept, by their numbers in `modules/text/text.h`; from CONNECTION on they are
 * lists. All others are checked for form and skipped.
 */
export enum Header {
	HOST = 0,
	ORIGIN = 1,
	SEC_FETCH_SITE = 2,
	CONTENT_TYPE = 3,
	CONTENT_LENGTH = 4,
	TRANSFER_ENCODING = 5,
	EXPECT = 6,
	AUTHORIZATION = 7,
	LAST_EVENT_ID = 8,
	CONNECTION = 9,
	IF_NONE_MATCH = 10,
	/** The header's value is not kept: "". */
	ACCEPT_LANGUAGE = 11,
}

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
	#spare: InputBuffer | undefined = undefined;

	/** A buffer with anything in it. */
	take(): InputBuffer {
		const buffer = this.#spare ?? newInputBuffer(INPUT_BYTES);
		this.#spare = undefined;
		return buffer;
	}

	/** The caller must not use it any more. */
	give(buffer: InputBuffer): void {
		this.#spare = buffer;
	}
}

/** One for each connection. The answer to a request of ours is read as one, too (`runtime/http-fetch.ts`). */
export class HttpRequest {
	/** Decoded, without query; `readTarget` sets it. */
	path = "";
	/** The collected body; empty unless the route collects it. */
	body = NO_BYTES;
	/** The connection's input buffer, and its bytes; `NO_INPUT` while it has none. `hold` sets both. */
	input: InputBuffer = NO_INPUT;
	bytes = NO_INPUT.bytes;
	#figures = NO_INPUT.figures;
	#query = "";

	/** Takes another input buffer, of which nothing has been read; without one nothing is known. */
	hold(input: InputBuffer): void {
		this.input = input;
		this.bytes = input.bytes;
		this.#figures = input.figures;
		if (input === NO_INPUT) return;
		const figures = this.#figures;
		figures[REQUEST_LINE_MAX] = HTTP_LIMITS.requestLineBytes;
		figures[FIELD_BYTES_MAX] = HTTP_LIMITS.headerBytes;
		figures[FIELD_LINES_MAX] = HTTP_LIMITS.headerLines;
		figures[KEPT_MAX] = HTTP_LIMITS.keptHeaderBytes;
		figures.fill(0, STATE);
	}

	/** Forgets the head, and keeps limits and buffer for the next one. Idempotent. */
	reset(): void {
		if (this.input !== NO_INPUT) this.#figures.fill(0, STATE);
	}

	/** Forgets path, query and body. */
	forget(): void {
		this.path = this.#query = "";
		this.body = NO_BYTES;
	}

	/**
	 * The input is an answer, of which the caller has read the first line. The rest is read as of a request
	 * of version 1.0, which knows no transfer coding either.
	 * @param start of the second line
	 */
	expectFields(start: number): void {
		const figures = this.#figures;
		figures[STATE] = FIELDS;
		figures[NEXT] = figures[KEPT_END] = figures[TARGET_END] = start;
	}

	/**
	 * Reads the lines in `bytes[start, end)`, up to the empty one; `next` says how far.
	 * @returns HEAD_COMPLETE, HEAD_INCOMPLETE, or the status that rejects the request: 400, 411, 414, 417,
	 * 431, 501, 505
	 */
	read(start: number, end: number): number {
		return Text.readHead(this.bytes, this.input.memory, start, end);
	}

	/** Reads path and query. @returns false: the path cannot be decoded, or there are too many parameters */
	readTarget(): boolean {
		const figures = this.#figures;
		const target = decodeUtf8(this.bytes, figures[TARGET_START], figures[TARGET_END]) as string;
		const mark = target.indexOf("?");
		const path = percentDecoded(mark < 0 ? target : target.slice(0, mark));
		this.path = path ?? "";
		this.#query = mark < 0 ? "" : target.slice(mark + 1);
		return path !== undefined && hasAtMost(this.#query, "&", PARAMETERS_MAX - 1);
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

	/** Bytes of the body, 2^31 - 1 for more than that. */
	get contentLength(): number {
		return this.#figures[CONTENT_LENGTH];
	}

	get expectsContinue(): boolean {
		return this.#figures[EXPECTS_CONTINUE] !== 0;
	}

	get keepAlive(): boolean {
		return this.#figures[KEEP_ALIVE] !== 0;
	}

	/** A header's value, ASCII; undefined if absent. */
	header(header: Header): string | undefined {
		const at = VALUES + 2 * header;
		const end = this.#figures[at + 1];
		return end === 0 ? undefined : Text.decode(this.bytes, this.#figures[at], end);
	}

	/** The first parameter of that name; see `queryValue`. */
	query(name: string): string | undefined {
		return queryValue(this.#query, name);
	}
}

/*
 * Path and query of a target. Keys are case-sensitive, the first occurrence wins, `+` in a query is a blank.
 * Source: docs/api.md, "Rules".
 */

const PERCENT = 0x25;
/** Empty ones between two `&` count: looking for a parameter takes time for each. */
const PARAMETERS_MAX = 16;

/**
 * Value of the first parameter `name` in a query, decoded; the name may be encoded there, too.
 * @returns "" for a name without value; U+FFFD for a value that cannot be decoded, so that it is rejected and
 * not overlooked; undefined if it is absent
 */
export function queryValue(query: string, name: string): string | undefined {
	for (const parameter of query.split("&")) {
		if (parameter === "") continue;
		const [key] = parameter.split("=", 1);
		// each character takes three at most
		if (key === name || (key.length <= 3 * name.length && percentDecoded(key.replaceAll("+", " ")) === name))
			return percentDecoded(parameter.slice(key.length + 1).replaceAll("+", " ")) ?? "\ufffd";
	}
	return undefined;
}

/** @returns undefined for a broken `%XX`, NUL and invalid UTF-8; overlong forms, too, unlike `decodeURIComponent` */
function percentDecoded(text: string): string | undefined {
	if (!text.includes("%")) return text;
	const bytes = encodeUtf8(text);
	let end = 0;
	for (let at = 0; at < bytes.length; at++) {
		let byte = bytes[at];
		if (byte === PERCENT) {
			byte = (hexDigit(bytes[at + 1]) << 4) | hexDigit(bytes[at + 2]);
			at += 2;
		}
		if (byte <= 0) return undefined;
		bytes[end++] = byte;
	}
	return decodeUtf8(bytes, 0, end);
}
