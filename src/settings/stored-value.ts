/** Single values on flash, checked: what `stored-settings.ts` and `condition-list.ts` are read with. */

import { KEY_LENGTH_MAX } from "../can/signal-key.js";
import { GENERATIONS, isGeneration } from "../coupling/couplings/couplings.js";
import { MODES } from "../lock/modes.js";
import { favouritesOf, parseMode } from "./mode-names.js";
import type { Fields, Setting } from "./setting-groups.js";

/** Says which value a field may not have, and what it may. @throws {RangeError} always */
export function refuse(field: string, value: unknown, allowed: string): never {
	throw new RangeError(`${field} is ${JSON.stringify(value)}; allowed: ${allowed}`);
}

/**
 * What lies on flash as `field`; undefined if nothing does. @param like its default: an object, or a list of as many signal keys
 * @throws {RangeError} it is neither, or a list of another length
 */
export function groupOf(fields: Fields, field: string, like: object): Fields | undefined {
	const value = fields[field];
	if (value === undefined) return undefined;
	const isList = Array.isArray(like);
	const allowed = isList ? `${like.length} signal keys` : "an object";
	if (typeof value !== "object" || value === null || Array.isArray(value) !== isList) refuse(field, value, allowed);
	if (isList && (value as unknown[]).length !== like.length) refuse(field, value, allowed);
	return value as Fields;
}

/**
 * The value of a setting, checked.
 * @param field its name for the refusal @throws {RangeError} it is of another type than the setting's kind has, out of range, or none of the choices
 */
export function valueFromStored(
	{ kind = "flag", min = 0, max = 0, fraction = false, choices = [] }: Setting,
	value: unknown,
	field: string,
): unknown {
	switch (kind) {
		case "flag":
			return typeof value === "boolean" ? value : refuse(field, value, "true or false");
		case "number":
			if (typeof value === "number" && value >= min && value <= max && (fraction || Number.isInteger(value))) return value;
			return refuse(field, value, `a ${fraction ? "" : "whole "}number from ${min} to ${max}`);
		case "key":
			if (typeof value === "string" && value.length <= KEY_LENGTH_MAX) return value;
			return refuse(field, value, `a text of at most ${KEY_LENGTH_MAX} characters`);
		case "generation":
			return value === 0 || isGeneration(value) ? value : refuse(field, value, `0, ${GENERATIONS.join(", ")}`);
		case "mode": {
			const mode = typeof value === "string" ? parseMode(value) : -1;
			return mode >= 0 ? mode : refuse(field, value, MODES.join(", "));
		}
		case "modes":
			if (typeof value === "string" && value !== "" && favouritesOf(value) === value) return value;
			return refuse(field, value, "2 to 6 modes");
		default:
			return choices.includes(value as string) ? value : refuse(field, value, choices.join(" or "));
	}
}
