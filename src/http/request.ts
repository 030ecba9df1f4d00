/** The request as a handler sees it: a view of the connection's input buffer, valid until the answer is given. */

import { decodeUtf8, encodeUtf8, hexDigit, NO_BYTES } from "../text/bytes.js";
import { hasAtMost } from "../text/characters.js";
import type { Method, RequestHead } from "./request-head.js";

/** Texts are made when they are asked for; asking twice makes them twice. */
export class HttpRequest {
	/** Decoded, without query. */
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

	/** @returns false if the path cannot be decoded, or the query has too many parameters. */
	readTarget(): boolean {
		const { bytes, targetStart, targetEnd } = this.head;
		const target = decodeUtf8(bytes, targetStart, targetEnd) as string;
		const mark = target.indexOf("?");
		const path = percentDecoded(mark < 0 ? target : target.slice(0, mark));
		this.path = path ?? "";
		this.#query = mark < 0 ? "" : target.slice(mark + 1);
		return path !== undefined && hasAtMost(this.#query, "&", PARAMETERS_MAX - 1);
	}

	/** Lets go of texts and body. */
	forget(): void {
		this.path = this.#query = "";
		this.body = NO_BYTES;
	}

	/** The first parameter of that name, decoded; see `queryValue`. */
	query(name: string): string | undefined {
		return queryValue(this.#query, name);
	}

	/** Value of a header, undefined if absent. ASCII. @param index of `HEADER` */
	header(index: number): string | undefined {
		return this.head.value(index);
	}
}

/*
 * Path and query of a target. Keys are case-sensitive, the first occurrence wins, `+` in a query is a blank.
 * Source: docs/api.md, "Rules".
 */

const PERCENT = 0x25;
/** Parameters of a query, empty ones between two `&` too: looking for one takes time for each. */
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

/**
 * Undefined for a broken `%XX`, a NUL and invalid UTF-8. The engine's `decodeURIComponent` takes overlong
 * forms.
 */
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
