/** Bodies that are made as they are sent: bytes, texts and JSON. */

import { byteLength, copyBytes, copyText } from "../text/bytes.js";

/** `produce` has nothing now, or needs more bytes than it was given: it is asked again at each tick. */
export const PENDING = -1;

/** A body in the making. It belongs to one answer. */
export interface Producer {
	/**
	 * Writes the next bytes of the body to `into[start, end)`: the work of one turn.
	 * @returns how many, 0 = the body is complete, PENDING. A throw cuts the connection.
	 */
	produce(into: Uint8Array, start: number, end: number): number;
}

/** A producer that has this many bytes to fill does not wait for more. */
export const SECTION_BYTES = 1384;

/** Some members of a JSON object, not from ROM, whose frozen objects XS's JSON.stringify rejects. */
export type Members<T> = (source: T) => object;

/** Significant digits of a number: float32 carries 7.2, sensor values have fewer. */
const SIGNIFICANT_DIGITS = 7;

/** A number as answers carry it; NaN and infinities become null. Source: docs/api.md, "Rules". */
export function figure(value: number): number {
	return value % 1 === 0 ? value : Number(value.toPrecision(SIGNIFICANT_DIGITS));
}

/** After this many bytes a producer makes no more in the same turn: nearly a segment of a board's lwIP. */
const ENOUGH_BYTES = 1400;

/** Texts that are made one after the other: a large answer never lies in memory as a whole. */
export class TextsProducer implements Producer {
	readonly #texts: Iterator<string, void, void>;
	#text = "";
	#at = 0;
	#end = 0;

	/** @param texts none of them empty; as `copyText` takes them */
	constructor(texts: Iterator<string, void, void>) {
		this.#texts = texts;
	}

	produce(into: Uint8Array, start: number, end: number): number {
		let at = start;
		while (at < end && (this.#at < this.#end || (at - start < ENOUGH_BYTES && this.#begin()))) {
			const to = Math.min(this.#at + end - at, this.#end);
			copyText(this.#text, this.#at, to, into, at);
			at += to - this.#at;
			this.#at = to;
		}
		return at - start;
	}

	/** Makes the next text. @returns false: that was the last */
	#begin(): boolean {
		this.#text = this.#texts.next().value ?? "";
		this.#at = 0;
		this.#end = byteLength(this.#text);
		return this.#end > 0;
	}
}

/** Shorter ones are sent together, for asking a generator costs more. */
const SHORT_TEXT = 200;

/** A JSON object, some members at a time: each part is a consistent snapshot of `source`. */
export function* partTexts<T>(parts: readonly Members<T>[], source: T): Generator<string, void, void> {
	let before = "{";
	for (const part of parts) {
		yield before + JSON.stringify(part(source)).slice(1, -1);
		before = ",";
	}
	yield "}";
}

/**
 * The JSON text of an object in pieces: a member that is a generator becomes a list, and each of its items is
 * made when it is its turn. Generators stand in the object itself or in objects that are its members.
 */
export function* jsonTexts(value: object): Generator<string, void, void> {
	let text = "{";
	let before = "";
	for (const [name, member] of Object.entries(value)) {
		if (member === undefined) continue;
		text += `${before}${JSON.stringify(name)}:`;
		before = ",";
		const isList = isGenerator(member);
		const own = isList || hasList(member) ? undefined : JSON.stringify(member);
		if (own !== undefined && own.length < SHORT_TEXT) text += own;
		else {
			yield text;
			if (own !== undefined) yield own;
			else yield* isList ? listTexts(member) : jsonTexts(member);
			text = "";
		}
	}
	yield `${text}}`;
}

function* listTexts(items: Iterable<object>): Generator<string, void, void> {
	let before = "[";
	for (const item of items) {
		yield before + JSON.stringify(item);
		before = ",";
	}
	yield before === "[" ? "[]" : "]";
}

function hasList(value: unknown): value is object {
	return typeof value === "object" && value !== null && Object.values(value).some(isGenerator);
}

function isGenerator(value: unknown): value is Iterable<object> {
	return typeof (value as Partial<Iterator<object>> | null)?.next === "function";
}

/** A body that lies in memory or in ROM. */
export class BytesProducer implements Producer {
	readonly #bytes: Uint8Array;
	#at = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	produce(into: Uint8Array, start: number, end: number): number {
		const length = Math.min(end - start, this.#bytes.length - this.#at);
		copyBytes(this.#bytes, this.#at, this.#at + length, into, start);
		this.#at += length;
		return length;
	}
}
