/**
 * Reads the members of a request. Each reader returns undefined for a member that is absent or refused; the first refusal is kept.
 * Coercion: docs/http-api.md 1.5: 0 and 1 are booleans, some numbers may come as decimal text, null is no value. Never throws.
 */

import { consistsOf, DECIMAL } from "../text/characters.js";
import { decodeUtf8, encodeUtf8 } from "../text/utf8.js";

/** A parsed JSON object with unchecked values. */
export type Fields = Readonly<Record<string, unknown>>;

/** Why a request is refused. */
export interface SettingsRefusal {
	/** Of the error catalogue. */
	readonly error: string;
	/** Member at fault, with a dot for a nested one. */
	readonly field: string;
	readonly value: unknown;
	readonly allowed: string;
}

/** How a number may be given: integers are truncated toward zero. */
export type NumberForm = "integer" | "number" | "integer or text" | "number or text";

/** Bytes of a signal key that count; the rest is cut off. It bounds what the settings file may become. */
export const KEY_BYTES = 160;
const KEY_ALLOWED = "bus|0xID|signal name|unit without control characters, or an empty text";
/** Longest number as text. */
const DIGITS = 24;
const SPACE = 0x20;
const DELETE = 0x7f;
const NO_FIELDS: Fields = Object.freeze({});

export class PatchReader {
	refusal: SettingsRefusal | undefined;

	refuse(error: string, field: string, value: unknown, allowed: string): void {
		this.refusal ??= { error, field, value, allowed };
	}

	/** A group of members; an empty one if it is absent. @param members their names, for who sends no object */
	group(fields: Fields, key: string, members: string): Fields {
		const value = fields[key];
		if (value === undefined) return NO_FIELDS;
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
		this.refuse(`invalid ${key}`, key, value, `an object with ${members}`);
		return NO_FIELDS;
	}

	/** @param group that the member is in, "" = none */
	boolean(fields: Fields, key: string, group = "", error = `invalid ${group || key}`): boolean | undefined {
		const value = fields[key];
		if (value === undefined || typeof value === "boolean") return value;
		if (value === 0 || value === 1) return value === 1;
		this.refuse(error, path(group, key), value, "true, false, 1 or 0");
		return undefined;
	}

	/** A finite number; text only where `form` allows it. @param range in words, for who sends none */
	number(fields: Fields, key: string, form: NumberForm, error: string, field: string, range: string): number | undefined {
		const value = fields[key];
		if (value === undefined) return undefined;
		const takesText = form === "integer or text" || form === "number or text";
		const number = typeof value === "string" && takesText ? decimal(value) : value;
		if (typeof number === "number" && Number.isFinite(number)) return number;
		this.refuse(error, field, value, `${range}, a number${takesText ? " or its decimal text" : ""}`);
		return undefined;
	}

	/** A number brought into `min` .. `max`. */
	clamped(fields: Fields, key: string, min: number, max: number, form: NumberForm, group = ""): number | undefined {
		const number = this.number(fields, key, form, `invalid ${group || key}`, path(group, key), `${min}..${max}`);
		if (number === undefined) return undefined;
		const whole = form === "integer" || form === "integer or text" ? Math.trunc(number) : number;
		return Math.min(Math.max(whole, min), max);
	}

	choice<C extends string>(fields: Fields, key: string, allowed: readonly C[]): C | undefined {
		const value = fields[key];
		if (value === undefined || allowed.includes(value as C)) return value as C | undefined;
		this.refuse(`invalid ${key}`, key, value, allowed.join(", "));
		return undefined;
	}

	text(fields: Fields, key: string, error: string, field: string, allowed: string): string | undefined {
		const value = fields[key];
		if (value === undefined || typeof value === "string") return value;
		this.refuse(error, field, value, allowed);
		return undefined;
	}

	/** A signal key: trimmed, cut after KEY_BYTES at a character's end, no control characters in it. */
	key(fields: Fields, key: string, group: string, error = `invalid ${group}`): string | undefined {
		const field = path(group, key);
		const text = this.text(fields, key, error, field, KEY_ALLOWED)?.trim();
		if (text === undefined) return undefined;
		const bytes = encodeUtf8(text);
		if (bytes.some((byte) => byte < SPACE || byte === DELETE)) {
			this.refuse(error, field, text, KEY_ALLOWED);
			return undefined;
		}
		if (bytes.length <= KEY_BYTES) return text;
		let end = KEY_BYTES;
		while ((bytes[end] & 0xc0) === 0x80) end--;
		return decodeUtf8(bytes, 0, end)?.trim();
	}

	/** One value under two names, neutral and reference; both may be given if they are equal. */
	twin<T>(fields: Fields, names: readonly [string, string], read: (key: string) => T | undefined, group = ""): T | undefined {
		const [neutral, reference] = names;
		const one = read(neutral);
		const other = read(reference);
		if (one !== undefined && other !== undefined && one !== other)
			this.refuse(`conflicting ${neutral}/${reference}`, path(group, neutral), fields[neutral], `the value of ${reference}`);
		return one ?? other;
	}
}

function path(group: string, key: string): string {
	return group === "" ? key : `${group}.${key}`;
}

/** Value of a decimal number's text, NaN for anything else. */
function decimal(text: string): number {
	if (text.length > DIGITS) return Number.NaN;
	const unsigned = text.startsWith("+") || text.startsWith("-") ? text.slice(1) : text;
	const parts = unsigned.split(".");
	const isDecimal = parts.length <= 2 && parts.every((part) => consistsOf(part, DECIMAL));
	return isDecimal ? Number(text) : Number.NaN;
}
