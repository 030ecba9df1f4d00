/**
 * The request as a handler sees it: a reading view of the connection's input buffer. It is valid until the answer is given;
 * strings are made when asked for.
 */

import { equalsIgnoreCase, startsIgnoreCase } from "../text/ascii.js";
import { decodeUtf8 } from "../text/utf8.js";
import { NO_BYTES } from "./no-bytes.js";
import type { Method, RequestHead } from "./request-head.js";
import { decodedPath, isQueryShort, queryValue } from "./target.js";

export class HttpRequest {
	/** Decoded path without query; "" before a head was read. */
	path = "";
	/** The collected body; empty unless the route collects it. */
	body = NO_BYTES;
	readonly head: RequestHead;
	#query = "";

	constructor(head: RequestHead) {
		this.head = head;
	}

	get method(): Method {
		return this.head.method;
	}

	/** Reads path and query from the head. @returns false if the path cannot be decoded, or the query has too many parameters. */
	readTarget(): boolean {
		const { bytes, targetStart, targetEnd } = this.head;
		const target = decodeUtf8(bytes, targetStart, targetEnd) as string;
		const mark = target.indexOf("?");
		const path = decodedPath(mark < 0 ? target : target.slice(0, mark));
		this.path = path ?? "";
		this.#query = mark < 0 ? "" : target.slice(mark + 1);
		return path !== undefined && isQueryShort(this.#query);
	}

	/** Lets go of all that it holds. */
	forget(): void {
		this.path = this.#query = "";
		this.body = NO_BYTES;
	}

	/** Value of a query parameter, decoded; "" if it has no value, undefined if it is absent. One that can't be decoded is what nobody takes. */
	query(name: string): string | undefined {
		return queryValue(this.#query, name);
	}

	/** Value of a header, undefined if absent. @param index of `HEADER` */
	header(index: number): string | undefined {
		const head = this.head;
		return head.has(index) ? asciiText(head.bytes, head.start(index), head.end(index)) : undefined;
	}

	/** True if the header is there and equals `lower`, any letter case. Makes no string. */
	headerIs(index: number, lower: Uint8Array): boolean {
		return this.head.has(index) && equalsIgnoreCase(this.head.bytes, this.head.start(index), this.head.end(index), lower);
	}

	/** True if the header is there and starts with `lower`, any letter case. Makes no string. */
	headerStartsWith(index: number, lower: Uint8Array): boolean {
		return this.head.has(index) && startsIgnoreCase(this.head.bytes, this.head.start(index), this.head.end(index), lower);
	}
}

/** Kept header values are ASCII. */
function asciiText(bytes: Uint8Array, start: number, end: number): string {
	let text = "";
	for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]);
	return text;
}
