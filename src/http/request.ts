/**
 * The request as a handler sees it: a reading view of the connection's input buffer. It is valid until the answer is given;
 * strings are made when asked for.
 */

import { equalsIgnoreCase, startsIgnoreCase } from "../text/ascii.js";
import { NO_BYTES } from "./no-bytes.js";
import type { Method, RequestHead } from "./request-head.js";
import { pathEnd, percentDecode, queryValue } from "./target.js";

export class HttpRequest {
	/** Decoded path without query; "" before a head was read. */
	path = "";
	/** The collected body; empty unless the route collects it. */
	body = NO_BYTES;
	readonly head: RequestHead;
	#queryStart = 0;

	constructor(head: RequestHead) {
		this.head = head;
	}

	get method(): Method {
		return this.head.method;
	}

	/** Reads the path from the head. @returns false if it cannot be decoded. */
	readPath(): boolean {
		const head = this.head;
		const end = pathEnd(head.bytes, head.targetStart, head.targetEnd);
		this.#queryStart = Math.min(end + 1, head.targetEnd);
		const path = percentDecode(head.bytes, head.targetStart, end, false);
		this.path = path ?? "";
		return path !== undefined;
	}

	/** Value of a query parameter, decoded; "" if it has no value, undefined if it is absent or broken. */
	query(name: string): string | undefined {
		return queryValue(this.head.bytes, this.#queryStart, this.head.targetEnd, name);
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
