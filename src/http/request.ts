/** The request as a handler sees it: a reading view of the connection's input buffer. It is valid until the answer is given. */

import { decodeUtf8 } from "../text/utf8.js";
import { NO_BYTES } from "./no-bytes.js";
import type { Method, RequestHead } from "./request-head.js";
import { decodedPath, isQueryShort, queryValue } from "./target.js";

/** Texts are made when they are asked for; asking twice makes them twice. */
export class HttpRequest {
	/** Decoded path without query; "" before a head was read. */
	path = "";
	/** The collected body; empty unless the route collects it. */
	body = NO_BYTES;
	/** Whatever the router noted when it matched the head, for when the body is there; -1 = nothing. */
	noted = -1;
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
		this.noted = -1;
	}

	/** Value of a query parameter, decoded; "" if it has no value, undefined if it is absent. One that can't be decoded is what nobody takes. */
	query(name: string): string | undefined {
		return queryValue(this.#query, name);
	}

	/** Value of a header, undefined if absent. ASCII. @param index of `HEADER` */
	header(index: number): string | undefined {
		return this.head.value(index);
	}
}
