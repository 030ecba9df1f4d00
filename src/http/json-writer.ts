/**
 * Writes JSON text straight into a byte buffer, so that an answer polled four times a second leaves next to no garbage.
 * Commas are its business; that keys and values alternate is the caller's. When the room is used up it sets `overflowed`
 * and ignores the rest: the caller goes back to a mark and tries again with more room.
 * Numbers: integers as they are, others with 7 significant digits, NaN and infinities as null. Source: docs/http-api.md 1.3.
 */

import { decimalDigits, writeDecimal } from "../text/digits.js";
import { encodeUtf8 } from "../text/utf8.js";
import { NO_BYTES } from "./no-bytes.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
/** float32 carries 7.2 decimal digits; sensor values have fewer. */
const SIGNIFICANT_DIGITS = 7;
const LARGEST_INT32 = 0x7fffffff;
const LETTER_A = 0x61;
const FIRST_PRINTABLE = 0x20;
const TRUE = encodeUtf8("true");
const FALSE = encodeUtf8("false");
const NULL = encodeUtf8("null");
/** Followed by two hexadecimal digits. */
const CONTROL_ESCAPE = encodeUtf8("\\u00");

export class JsonWriter {
	/** True once something did not fit. */
	overflowed = false;
	#into = NO_BYTES;
	#at = 0;
	#end = 0;
	#commaDue = false;

	/** Index after the last byte written. */
	get at(): number {
		return this.#at;
	}

	/** True if a comma comes before the next item; belongs to a mark, together with `at`. */
	get commaDue(): boolean {
		return this.#commaDue;
	}

	/** Writes to `into[at, end)` from now on. @param commaDue true inside an object or array that has an item already */
	open(into: Uint8Array, at: number, end: number, commaDue = false): void {
		this.#into = into;
		this.#at = at;
		this.#end = end;
		this.#commaDue = commaDue;
		this.overflowed = false;
	}

	beginObject(): this {
		return this.#opener(0x7b);
	}

	endObject(): this {
		return this.#closer(0x7d);
	}

	beginArray(): this {
		return this.#opener(0x5b);
	}

	endArray(): this {
		return this.#closer(0x5d);
	}

	/** A key and its colon. @param name from `jsonKeys`, or a plain name: ASCII without characters that need an escape */
	key(name: Uint8Array | string): this {
		this.#item(typeof name === "string" ? encodeUtf8(`"${name}":`) : name);
		this.#commaDue = false;
		return this;
	}

	/** Any text; a lone surrogate becomes U+FFFD. */
	string(text: string): this {
		// native, as long as nothing in it needs an escape: a loop over the bytes costs XS ten times as much
		const quoted = JSON.stringify(text);
		if (quoted.length === text.length + 2) return this.#item(encodeUtf8(quoted));
		this.#comma();
		this.#byte(QUOTE);
		this.#escaped(encodeUtf8(text));
		this.#byte(QUOTE);
		return this.#valueDone();
	}

	/** Members of an object, `"name":value,...`, that are JSON already. */
	members(json: Uint8Array): this {
		this.#comma();
		this.#bytes(json);
		return this.#valueDone();
	}

	number(value: number): this {
		if (!Number.isFinite(value)) return this.null();
		this.#comma();
		if (value === Math.trunc(value) && value >= -LARGEST_INT32 && value <= LARGEST_INT32) this.#integer(value);
		else this.#bytes(encodeUtf8(String(value === Math.trunc(value) ? value : Number(value.toPrecision(SIGNIFICANT_DIGITS)))));
		return this.#valueDone();
	}

	boolean(value: boolean): this {
		return this.#item(value ? TRUE : FALSE);
	}

	null(): this {
		return this.#item(NULL);
	}

	/** A comma if one is due, and the bytes of an item. */
	#item(bytes: Uint8Array): this {
		let at = this.#at;
		if (this.#commaDue) at++;
		const end = at + bytes.length;
		if (end > this.#end) this.overflowed = true;
		else {
			if (this.#commaDue) this.#into[at - 1] = COMMA;
			this.#into.set(bytes, at);
			this.#at = end;
			this.#commaDue = true;
		}
		return this;
	}

	#valueDone(): this {
		this.#commaDue = true;
		return this;
	}

	#opener(byte: number): this {
		this.#comma();
		this.#byte(byte);
		this.#commaDue = false;
		return this;
	}

	#closer(byte: number): this {
		this.#byte(byte);
		return this.#valueDone();
	}

	#comma(): void {
		if (this.#commaDue) this.#byte(COMMA);
	}

	#byte(byte: number): void {
		if (this.#at < this.#end) this.#into[this.#at++] = byte;
		else this.overflowed = true;
	}

	#bytes(bytes: Uint8Array): void {
		if (this.#at + bytes.length > this.#end) this.overflowed = true;
		else {
			this.#into.set(bytes, this.#at);
			this.#at += bytes.length;
		}
	}

	/** Digits from the last to the first, without a string. */
	#integer(value: number): void {
		if (value >= 0 && value <= 9) {
			this.#byte(ZERO + value);
			return;
		}
		let rest = value;
		if (rest < 0) {
			this.#byte(MINUS);
			rest = -rest;
		}
		const digits = decimalDigits(rest);
		if (this.#at + digits > this.#end) this.overflowed = true;
		else this.#at = writeDecimal(rest, digits, this.#into, this.#at);
	}

	#escaped(bytes: Uint8Array): void {
		for (let i = 0; i < bytes.length; i++) {
			const byte = bytes[i];
			if (byte < FIRST_PRINTABLE) {
				this.#bytes(CONTROL_ESCAPE);
				this.#byte(ZERO + (byte >> 4));
				this.#byte(hexCharacter(byte & 15));
			} else {
				if (byte === QUOTE || byte === BACKSLASH) this.#byte(BACKSLASH);
				this.#byte(byte);
			}
		}
	}
}

/** Keys with quotes and colon, as bytes by name: copying those is native, going through a string costs XS an object per character. */
export function jsonKeys<N extends string>(names: readonly N[]): Readonly<Record<N, Uint8Array>> {
	// one buffer for all: a buffer for each key takes 48 bytes more of flash
	const bytes = encodeUtf8(names.map((name) => `"${name}":`).join(""));
	const table = {} as Record<N, Uint8Array>;
	let at = 0;
	for (const name of names) {
		const end = at + name.length + 3;
		table[name] = bytes.subarray(at, end);
		at = end;
	}
	return Object.freeze(table);
}

function hexCharacter(digit: number): number {
	return digit < 10 ? ZERO + digit : LETTER_A + digit - 10;
}
