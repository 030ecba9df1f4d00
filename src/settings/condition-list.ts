/**
 * The list of conditions: what a request changes of it, and its stored form. A client of the reference sees
 * the first that selects a mode, as its mode trigger.
 */

import { MODES } from "../lock/modes.js";
import { lowerCase } from "../text/characters.js";
import { DIAGNOSED, diagnosedValue, keyOfGeneration } from "../vehicle/mapped-inputs.js";
import { type ConditionSettings, defaultsOf } from "./settings.js";
import {
	CONDITIONS_MAX,
	type Fields,
	type MutableFields,
	SETTING_GROUPS,
	SETTINGS_TABLE,
	type SettingGroup,
} from "./settings-table.js";
import { membersOf, type PatchReader, reject, valueFromStored } from "./values.js";

type Conditions = readonly ConditionSettings[];

const EACH: SettingGroup = SETTING_GROUPS.conditions;
const NAMES: readonly string[] = Object.freeze(Object.keys(EACH.settings));
const MODE_AT = NAMES.indexOf("mode");
const FROM_STOCK_AT = NAMES.indexOf("alsoFromStock");
const MAP_AT = NAMES.indexOf("map");
const NO_MAP = "-";
/** The reference's one condition, by the names that its clients use. */
export const MODE_TRIGGER: SettingGroup = Object.freeze({
	...EACH,
	wire: "modeTrigger",
	settings: Object.freeze(Object.fromEntries(Object.entries(EACH.settings).filter(([, { ours }]) => !ours))),
});
const ALLOWED = `at most ${CONDITIONS_MAX} conditions, each an object with ${membersOf(EACH.settings)}`;

/** Paths of the stored maps that they select, whether they are on or not. */
export function mapsOf(conditions: Conditions): string[] {
	return conditions.filter(({ effect }) => effect === "map").map(({ map }) => map);
}

/** A new condition, which is off. */
export const NEW_CONDITION: ConditionSettings = defaultsOf(SETTINGS_TABLE.conditions.rows);

/** Index of the mode trigger, the first condition that selects a mode; -1 = no condition does. */
export function modeTriggerAt(conditions: Conditions): number {
	return conditions.findIndex(({ effect }) => effect === "mode");
}

/**
 * The conditions after a request: `conditions` has all of them, `modeTrigger` members of that one, which is
 * made in front if it is missing. Unchanged conditions stay the same objects.
 * @param generation after the request; a recommended signal becomes that of this generation
 */
export function patchConditions(old: Conditions, generation: number, body: Fields, read: PatchReader): Conditions {
	const given = body["conditions"];
	const next = given === undefined ? ofGeneration(generation, old) : listed(old, generation, given, read);
	const members = read.group(body, MODE_TRIGGER);
	if (members === undefined) return next;
	const at = modeTriggerAt(next);
	const trigger = at < 0 ? NEW_CONDITION : next[at];
	const changed = patched(trigger, generation, members, MODE_TRIGGER, read);
	if (changed === trigger) return next;
	if (at >= 0) return next.map((one, index) => (index === at ? changed : one));
	if (next.length === CONDITIONS_MAX) read.reject("invalid modeTrigger", "modeTrigger", members, ALLOWED);
	return [changed, ...next];
}

function listed(old: Conditions, generation: number, given: unknown, read: PatchReader): Conditions {
	if (!Array.isArray(given) || given.length > CONDITIONS_MAX) {
		read.reject("invalid conditions", "conditions", given, ALLOWED);
		return old;
	}
	const next: ConditionSettings[] = [];
	for (let index = 0; index < given.length; index++) {
		const item: unknown = given[index];
		const wire = `conditions[${index}]`;
		if (typeof item !== "object" || item === null || Array.isArray(item)) {
			read.reject(`invalid ${wire}`, wire, item, ALLOWED);
			return old;
		}
		const one = patched(NEW_CONDITION, generation, item as Fields, { ...EACH, wire }, read);
		next.push(index < old.length && isSame(old[index], one) ? old[index] : one);
	}
	return next.length === old.length && next.every((one, index) => one === old[index]) ? old : next;
}

function patched(
	from: ConditionSettings,
	generation: number,
	fields: Fields,
	group: SettingGroup,
	read: PatchReader,
): ConditionSettings {
	const values: MutableFields = { ...from };
	for (const name in group.settings) {
		const value = read.setting(fields, name, group.settings[name], group);
		if (value !== undefined) values[name] = value;
	}
	const given = values["signal"] as string;
	const inLowerCase = lowerCase(given);
	const signal = inLowerCase.startsWith(DIAGNOSED) ? inLowerCase : keyOfGeneration(generation, given);
	if (signal.startsWith(DIAGNOSED) && diagnosedValue(generation, signal) === undefined)
		read.reject(
			`invalid ${group.wire}.signal`,
			`${group.wire}.signal`,
			signal,
			"a temperature that is verified, see docs/api.md",
		);
	values["signal"] = signal;
	return isSame(from, values) ? from : (values as unknown as ConditionSettings);
}

/** Replaces recommended signals of another generation by those of this one. */
function ofGeneration(generation: number, conditions: Conditions): Conditions {
	const next = conditions.map((one) => {
		const signal = keyOfGeneration(generation, one.signal);
		return signal === one.signal ? one : { ...one, signal };
	});
	return next.every((one, index) => one === conditions[index]) ? conditions : next;
}

function isSame(one: object, other: object): boolean {
	return NAMES.every((name) => (one as Fields)[name] === (other as Fields)[name]);
}

/**
 * A text for each: its values in the order of the table, with a blank between two. The signal, which may have
 * blanks, is the last. A blank in the path of a map is a slash, and "-" stands for no map.
 */
export function conditionsToStored(conditions: Conditions): string[] {
	return conditions.map((one) => {
		const values = NAMES.map((name) => (one as unknown as Fields)[name]);
		values[MODE_AT] = MODES[one.mode];
		values[MAP_AT] = one.map === "" ? NO_MAP : one.map.split(" ").join("/");
		return values.join(" ");
	});
}

/** The conditions on flash; none if they are absent. @throws {RangeError} one of them is invalid */
export function conditionsFromStored(fields: Fields): Conditions {
	const list = fields["conditions"];
	if (list === undefined) return [];
	if (!Array.isArray(list) || list.length > CONDITIONS_MAX) reject("conditions", list, `at most ${CONDITIONS_MAX} texts`);
	return (list as unknown[]).map((text, index) => {
		const field = `conditions[${index}]`;
		const words = typeof text === "string" ? text.split(" ") : [];
		// older firmware did not have them: there the signal's key follows
		if (words[FROM_STOCK_AT] !== "true" && words[FROM_STOCK_AT] !== "false") words.splice(FROM_STOCK_AT, 0, "false");
		const map = words[MAP_AT];
		if (map?.startsWith("/")) words[MAP_AT] = map.split("/").join(" ").replace(" maps ", "/maps/");
		else if (map === NO_MAP) words[MAP_AT] = "";
		else words.splice(MAP_AT, 0, "");
		if (words.length < NAMES.length) reject(field, text, `${NAMES.join(" ")}, with a blank between two`);
		const values: MutableFields = {};
		NAMES.forEach((name, at) => {
			const word = at < NAMES.length - 1 ? words[at] : words.slice(at).join(" ");
			const { kind } = EACH.settings[name];
			const value = kind === "number" ? Number(word || Number.NaN) : kind === "flag" ? flagOf(word) : word;
			values[name] = valueFromStored(EACH.settings[name], value, `${field}.${name}`);
		});
		return values as unknown as ConditionSettings;
	});
}

function flagOf(word: string): boolean | string {
	return word === "true" || (word === "false" ? false : word);
}
