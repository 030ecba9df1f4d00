/** The settings on flash (STORAGE.md): reading checks every field, and an absent field has its default. */

import { MODES } from "../lock/modes.js";
import { CURVE_POINTS_MAX, CURVE_X_MAX, type LockCurve } from "../lock/tuning.js";
import { conditionsFromStored, conditionsToStored } from "./condition-list.js";
import { DEFAULT_SETTINGS, type Settings } from "./settings.js";
import { ALL_SETTING_GROUPS, changeable, type Fields, groupAt, type MutableFields } from "./settings-table.js";
import { groupOf, reject, valueFromStored } from "./values.js";

/** A request can make the file 9 KB long at most (STORAGE.md). */
const BYTES_MAX = 10_240;

/** All but the map. @throws {RangeError} naming field, value and what is allowed */
function settingsFromStored(fields: Fields): Settings {
	const read: Settings = { ...DEFAULT_SETTINGS, conditions: conditionsFromStored(fields) };
	for (const group of ALL_SETTING_GROUPS) {
		const { stored = group.group, settings } = group;
		const given = stored === "" ? fields : groupOf(fields, stored, groupAt(DEFAULT_SETTINGS, group));
		if (given === undefined) continue;
		const values = changeable(read, DEFAULT_SETTINGS, group);
		for (const name in settings) {
			const field = settings[name].stored ?? name;
			const value = given[field];
			if (value !== undefined)
				values[name] = valueFromStored(settings[name], value, stored === "" ? field : `${stored}.${field}`);
		}
	}
	const curves = groupOf(fields, "curves", CURVE_X_MAX);
	if (curves === undefined) return read;
	const { tuning } = read;
	const { speedCurve, throttleCurve, rpmCurve } = tuning;
	return {
		...read,
		tuning: {
			...tuning,
			speedCurve: curve(curves, "speed", speedCurve),
			throttleCurve: curve(curves, "throttle", throttleCurve),
			rpmCurve: curve(curves, "rpm", rpmCurve),
		},
	};
}

function settingsToStored(from: Settings): object {
	const fields: MutableFields = {};
	for (const group of ALL_SETTING_GROUPS) {
		const { stored = group.group, settings } = group;
		const values = groupAt(from, group);
		const into = stored === "" ? fields : ((Array.isArray(values) ? [] : {}) as MutableFields);
		if (stored !== "") fields[stored] = into;
		for (const name in settings) {
			const { kind, stored: field = name } = settings[name];
			into[field] = kind === "mode" ? MODES[values[name] as number] : values[name];
		}
	}
	fields["conditions"] = conditionsToStored(from.conditions);
	const { speedCurve, throttleCurve, rpmCurve } = from.tuning;
	fields["curves"] = { speed: points(speedCurve), throttle: points(throttleCurve), rpm: points(rpmCurve) };
	return fields;
}

/** The settings as a document of the storage. */
export const SETTINGS_DOCUMENT = Object.freeze({
	path: "settings.json",
	format: 1,
	maxBytes: BYTES_MAX,
	fallback: DEFAULT_SETTINGS,
	read: settingsFromStored,
	write: settingsToStored,
});

function points(curve: LockCurve): number[][] {
	return curve.x.map((x, index) => [x, curve.lockPercent[index]]);
}

/** The curve with the points `[x, lock]` in `fields[key]`, `fallback` without them. @throws {RangeError} */
export function curve(fields: Fields, key: keyof typeof CURVE_X_MAX, fallback: LockCurve): LockCurve {
	const value = fields[key];
	if (value === undefined) return fallback;
	const allowed = `1 to ${CURVE_POINTS_MAX} points [x, lock] of whole numbers, x ascending up to ${CURVE_X_MAX[key]}, lock 0 to 100`;
	if (!Array.isArray(value) || value.length < 1 || value.length > CURVE_POINTS_MAX) reject(`curves.${key}`, value, allowed);
	let last = -1;
	for (const point of value) {
		if (!Array.isArray(point) || point.length !== 2) reject(`curves.${key}`, value, allowed);
		const [x, lock] = point as unknown[];
		if (!isWhole(x) || !isWhole(lock)) reject(`curves.${key}`, value, allowed);
		if (!(x > last && x <= CURVE_X_MAX[key] && lock >= 0 && lock <= 100)) reject(`curves.${key}`, value, allowed);
		last = x;
	}
	const pairs = value as [number, number][];
	return { x: pairs.map(([x]) => x), lockPercent: pairs.map(([, lock]) => lock) };
}

function isWhole(value: unknown): value is number {
	return Number.isInteger(value);
}
