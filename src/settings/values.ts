/**
 * Single values of settings, checked by their rows of the table. An invalid value on flash throws. A value in
 * a request is coerced and clamped (docs/api.md, "Rules"), or rejected; the first rejection is kept.
 */

import { KEY_LENGTH_MAX } from "../can/catalogue.js";
import { GENERATIONS, isGeneration } from "../coupling/couplings/couplings.js";
import { FRAMES_OFF_MAX, framesOf } from "../coupling/frame-plan.js";
import { MODES } from "../lock/modes.js";
import { decodeUtf8, encodeUtf8 } from "../text/bytes.js";
import { consistsOf, DECIMAL, decimalOf, lowerCase, PRINTABLE } from "../text/characters.js";
import { FAVOURITES_MAX, FAVOURITES_MIN, favouritesOf, modeOf, parseMode } from "./mode-names.js";
import { type Fields, MAP_FOLDER, MAP_NAME_BYTES_MAX, OPERATORS, type Setting, type SettingGroup } from "./settings-table.js";

const ORIGIN_LENGTH_MAX = 64;
const PORT_DIGITS_MAX = 5;
const SCHEME_END = "://";
const SCHEME_CHARACTERS = `${DECIMAL}abcdefghijklmnopqrstuvwxyz+-.`;
const HOST_CHARACTERS = `${DECIMAL}abcdefghijklmnopqrstuvwxyz-_.`;
const SPACE = 0x20;
const DELETE = 0x7f;

const MAP_PATH_MAX = MAP_FOLDER.length + MAP_NAME_BYTES_MAX;

/** Spellings of each operator in a request, with one blank between two; in the order of OPERATORS. */
export const OPERATOR_SPELLINGS = Object.freeze([
	"> gt",
	">= gte",
	"< lt",
	"<= lte",
	"= == eq",
	"!= <> neq",
	"change changes changed",
]);

/** Says which value a field may not have, and what it may. @throws {RangeError} always */
export function reject(field: string, value: unknown, allowed: string): never {
	throw new RangeError(`${field} is ${JSON.stringify(value)}; allowed: ${allowed}`);
}

/**
 * Members of the group `field` on flash; undefined = absent.
 * @param like its default: an object, or a list of as many signal keys
 * @throws {RangeError} it is something else
 */
export function groupOf(fields: Fields, field: string, like: object): Fields | undefined {
	const value = fields[field];
	if (value === undefined) return undefined;
	const isList = Array.isArray(like);
	const allowed = isList ? `${like.length} signal keys` : "an object";
	if (typeof value !== "object" || value === null || Array.isArray(value) !== isList) reject(field, value, allowed);
	if (isList && (value as unknown[]).length !== like.length) reject(field, value, allowed);
	return value as Fields;
}

/** The checked value of a setting on flash. @param field its name, for the error @throws {RangeError} */
export function valueFromStored(setting: Setting, value: unknown, field: string): unknown {
	switch (setting.kind) {
		case "key":
			if (typeof value === "string" && value.length <= KEY_LENGTH_MAX) return value;
			break;
		case "mode":
			if (typeof value === "string" && parseMode(value) >= 0) return parseMode(value);
			break;
		case "generation":
			if (value === 0 || isGeneration(value)) return value;
			break;
		default:
			if (meant(setting, value) === value) return value;
	}
	return reject(field, value, allowedIn(setting));
}

/** Why a request is rejected. */
export interface SettingsRejection {
	/** A code of the error catalogue. */
	readonly error: string;
	/** Member at fault, with a dot for a nested one. */
	readonly field: string;
	readonly value: unknown;
	readonly allowed: string;
}

/** For one request: after the first rejection what it reads means nothing. */
export class PatchReader {
	rejection: SettingsRejection | undefined;

	/** Keeps the first rejection. @param field by its name in requests */
	reject(error: string, field: string, value: unknown, allowed: string): void {
		this.rejection ??= { error, field, value, allowed };
	}

	/** The members of a group in a request; undefined if it is absent or rejected. */
	group(body: Fields, { group, wire = group, settings }: SettingGroup): Fields | undefined {
		if (wire === "") return body;
		const value = body[wire];
		if (value === undefined) return undefined;
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
		this.reject(`invalid ${wire}`, wire, value, `an object with ${membersOf(settings)}`);
		return undefined;
	}

	/** The value of a setting, by either of its names; undefined if it is absent or rejected. */
	setting(fields: Fields, name: string, setting: Setting, group: SettingGroup): unknown {
		const { alias } = setting;
		const wire = setting.wire ?? name;
		const value = wire === "" || fields[wire] === undefined ? undefined : this.#member(fields, wire, setting, group);
		if (alias === undefined || fields[alias] === undefined) return value;
		const other = this.#member(fields, alias, setting, group);
		if (value !== undefined && other !== undefined && value !== other)
			this.reject(`conflicting ${wire}/${alias}`, path(group, wire), fields[wire], `the value of ${alias}`);
		return value ?? other;
	}

	#member(fields: Fields, name: string, setting: Setting, group: SettingGroup): unknown {
		const given = fields[name];
		const value = meant(setting, given);
		if (value === undefined) this.reject(errorOf(name, setting, group), path(group, name), given, allowedIn(setting));
		return value;
	}
}

/** Names of a group's members in requests, for an error. */
export function membersOf(settings: SettingGroup["settings"]): string {
	return Object.keys(settings)
		.map((name) => settings[name].wire ?? name)
		.join(", ");
}

function path({ group, wire = group }: SettingGroup, name: string): string {
	return wire === "" ? name : `${wire}.${name}`;
}

/** Clients know the reference's messages. */
function errorOf(name: string, { kind, alias }: Setting, group: SettingGroup): string {
	if (kind === "generation") return `invalid ${alias}`;
	const { wire = group.group, named } = group;
	return `invalid ${wire === "" || named ? path(group, name) : wire}`;
}

/** The value that a request means; undefined if it is not allowed. */
function meant(setting: Setting, given: unknown): unknown {
	switch (setting.kind) {
		case "flag":
			return typeof given === "boolean" ? given : given === 0 || given === 1 ? given === 1 : undefined;
		case "number": {
			const number = numberOf(given, setting.text === true);
			if (number === undefined) return undefined;
			const { min = 0, max = 0 } = setting;
			return Math.min(Math.max(setting.fraction ? number : Math.trunc(number), min), max);
		}
		case "key":
			return typeof given === "string" ? keyOf(given) : undefined;
		case "map":
			return typeof given === "string" && isMapPath(given) ? given : undefined;
		case "choice":
			return setting.choices?.includes(given as string) ? given : undefined;
		case "operator": {
			const token = typeof given === "string" ? lowerCase(given.trim()) : "";
			const operator = OPERATOR_SPELLINGS.findIndex((spellings) => spellings.split(" ").includes(token));
			return operator < 0 ? undefined : OPERATORS[operator];
		}
		case "mode": {
			const mode = modeOf(given);
			return mode < 0 ? undefined : mode;
		}
		case "modes":
			return typeof given === "string" ? favouritesOf(given) || undefined : undefined;
		case "frames":
			return typeof given === "string" ? framesOf(given) : undefined;
		case "origin":
			return typeof given === "string" ? originOf(given) : undefined;
		case "generation": {
			const number = numberOf(given, true);
			return isGeneration(number) ? number : undefined;
		}
	}
}

function allowedIn({ kind, min = 0, max, text, choices = [] }: Setting): string {
	switch (kind) {
		case "flag":
			return "true, false, 1 or 0";
		case "number":
			return `${min}..${max}, a number${text ? " or its decimal text" : ""}`;
		case "key":
			return "bus|0xID|signal name|unit without control characters, or an empty text";
		case "map":
			return "a path of GET /api/maps, or an empty text";
		case "choice":
			return choices.join(", ");
		case "operator":
			return OPERATOR_SPELLINGS.join(" ");
		case "mode":
			return MODES.join(", ");
		case "modes":
			return `${FAVOURITES_MIN} to ${FAVOURITES_MAX} different modes with a blank between two: ${MODES.join(", ")}`;
		case "frames":
			return `at most ${FRAMES_OFF_MAX} hexadecimal identifiers as 0x0A7 with a blank between two, or an empty text`;
		case "origin":
			return `scheme://host[:port] of at most ${ORIGIN_LENGTH_MAX} characters, no * and no null, or an empty text`;
		case "generation":
			return `${GENERATIONS.join(", ")}, a number or its decimal text`;
	}
}

/** A signal key cut after KEY_LENGTH_MAX bytes at a character's end; undefined = with control characters. */
function keyOf(given: string): string | undefined {
	// each character has a byte at least: what stands behind them does not count
	const text = given.trimStart().slice(0, KEY_LENGTH_MAX).trimEnd();
	if (text === "" || consistsOf(text, PRINTABLE)) return text;
	const bytes = encodeUtf8(text);
	let end = Math.min(bytes.length, KEY_LENGTH_MAX);
	while ((bytes[end] & 0xc0) === 0x80) end--;
	for (let i = 0; i < end; i++) if (bytes[i] < SPACE || bytes[i] === DELETE) return undefined;
	return decodeUtf8(bytes, 0, end)?.trim();
}

/** Whether it may name a stored map. */
function isMapPath(text: string): boolean {
	return text === "" || (text.length <= MAP_PATH_MAX && text.startsWith(MAP_FOLDER) && text.lastIndexOf("/") < MAP_FOLDER.length);
}

function numberOf(given: unknown, takesText: boolean): number | undefined {
	const number = typeof given === "string" && takesText ? decimalOf(given) : given;
	return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** An app's origin in lower case, as browsers send it. `*` and `null`, which mean every app, are invalid. */
function originOf(text: string): string | undefined {
	const origin = lowerCase(text.trim());
	if (origin === "") return "";
	const schemeEnd = origin.indexOf(SCHEME_END);
	if (origin.length > ORIGIN_LENGTH_MAX || schemeEnd < 0) return undefined;
	const host = origin.slice(schemeEnd + SCHEME_END.length);
	const colon = host.indexOf(":");
	const isPort = colon < 0 || (host.length - colon - 1 <= PORT_DIGITS_MAX && consistsOf(host.slice(colon + 1), DECIMAL));
	const isHost = consistsOf(colon < 0 ? host : host.slice(0, colon), HOST_CHARACTERS);
	return isPort && isHost && consistsOf(origin.slice(0, schemeEnd), SCHEME_CHARACTERS) ? origin : undefined;
}
