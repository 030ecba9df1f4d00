/** What code reads of the table of settings: names and ranges, without defaults and what is only for documents. */

import { type Row, SETTINGS_TABLE, type TableGroup } from "./settings-table.js";

/** A row, see `settings-table.ts`. */
export type Setting = Omit<Row<unknown>, "fallback" | "unit" | "applies" | "says">;

/** Settings by their names in memory. */
export interface SettingGroup extends Omit<TableGroup, "rows"> {
	readonly settings: Readonly<Record<string, Setting>>;
}

/** Members of a JSON object or of a group of settings. */
export type Fields = Readonly<Record<string, unknown>>;
/** The same while they are being made. */
export type MutableFields = Record<string, unknown>;

/** The rows of `settings-table.ts` by group, with their names. */
export const SETTING_GROUPS = groups();
/** In the order of the stored form; without the lists. */
export const ALL_SETTING_GROUPS: readonly SettingGroup[] = Object.freeze(
	Object.values<SettingGroup>(SETTING_GROUPS).filter(({ isEach }) => !isEach),
);

/** The group's values in `settings`. */
export function groupAt(settings: object, { group, isTuning }: SettingGroup): Fields {
	const whole = (isTuning ? (settings as Fields)["tuning"] : settings) as Fields;
	return group === "" ? whole : (whole[group] as Fields);
}

/**
 * The group's values in `settings`, to be set: a copy as long as they are those of `old`, so that groups in which nothing is set stay the
 * same objects.
 */
export function changeable(settings: object, old: object, { group, isTuning }: SettingGroup): MutableFields {
	const whole = isTuning ? copied(settings, old, "tuning") : (settings as MutableFields);
	return group === "" ? whole : copied(whole, isTuning ? ((old as Fields)["tuning"] as object) : old, group);
}

function copied(into: object, from: object, name: string): MutableFields {
	const members = into as MutableFields;
	const value = (from as Fields)[name] as object;
	if (members[name] === value) members[name] = Array.isArray(value) ? [...value] : { ...value };
	return members[name] as MutableFields;
}

function groups(): Readonly<Record<keyof typeof SETTINGS_TABLE, SettingGroup>> {
	const all: Record<string, SettingGroup> = {};
	for (const [name, { rows, ...group }] of Object.entries<TableGroup>(SETTINGS_TABLE)) {
		const settings: Record<string, Setting> = {};
		for (const [setting, { says, unit, applies, fallback, ...row }] of Object.entries(rows)) {
			makeNames(row.wire, row.alias, row.shown, row.stored);
			settings[setting] = Object.freeze(row);
		}
		makeNames(group.wire, group.stored);
		all[name] = Object.freeze({ ...group, settings: Object.freeze(settings) });
	}
	return Object.freeze(all) as Record<keyof typeof SETTINGS_TABLE, SettingGroup>;
}

/** A name that is only a text would become one of the engine's at the first request; so each becomes one when the firmware is built. */
function makeNames(...texts: readonly (string | undefined)[]): void {
	const members: MutableFields = {};
	for (const text of texts) if (text !== undefined) members[text] = text;
}
