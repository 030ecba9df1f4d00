/** What code reads of the table of settings: every name in its place, without defaults and what is only for documents. */

import { type Kind, SETTINGS_TABLE, type TableGroup } from "./settings-table.js";

/** A row, see `settings-table.ts`. */
export interface Setting {
	/** In memory. */
	readonly name: string;
	/** In a request, if it is another; "" = no request changes it. */
	readonly wire?: string;
	readonly twin?: string;
	/** In answers, if it is another than in a request. */
	readonly shown?: string;
	/** On flash, if it is another. */
	readonly stored?: string;
	readonly kind: Kind;
	readonly min?: number;
	readonly max?: number;
	readonly whole?: boolean;
	readonly text?: boolean;
	readonly choices?: readonly string[];
	readonly ours?: boolean;
}

export interface SettingGroup extends Omit<TableGroup, "rows"> {
	readonly settings: readonly Setting[];
}

/** Members of a JSON object or of a group of settings. */
export type Fields = Readonly<Record<string, unknown>>;
export type MutableFields = Record<string, unknown>;

type GroupName = keyof typeof SETTINGS_TABLE;

export const SETTING_GROUPS = byName();
/** All of them, in the order of the stored form. */
export const ALL_SETTING_GROUPS: readonly SettingGroup[] = Object.freeze(Object.values(SETTING_GROUPS));

/**
 * The group at `path` of `settings`, whose members may then be set: a copy of `old`'s as long as it is the same one, so that groups in which
 * nothing is set stay the same objects.
 */
export function changeable(settings: object, old: object, path: readonly string[]): MutableFields {
	let into = settings as MutableFields;
	let from = old as Fields;
	for (const name of path) {
		if (into[name] === from[name]) into[name] = copyOf(from[name] as object);
		into = into[name] as MutableFields;
		from = from[name] as Fields;
	}
	return into;
}

/** The group at `path` of `settings`. */
export function groupAt(settings: object, path: readonly string[]): Fields {
	let group = settings as Fields;
	for (const name of path) group = group[name] as Fields;
	return group;
}

function copyOf(group: object): object {
	return Array.isArray(group) ? [...group] : { ...group };
}

function byName(): Readonly<Record<GroupName, SettingGroup>> {
	const groups = Object.entries(SETTINGS_TABLE).map(([name, group]) => [name, groupOf(group)] as const);
	return Object.freeze(Object.fromEntries(groups)) as Record<GroupName, SettingGroup>;
}

function groupOf({ rows, ...group }: TableGroup): SettingGroup {
	const settings = Object.entries(rows).map(
		([name, { says, unit, applies, fallback, ...row }]): Setting => Object.freeze({ name, ...row }),
	);
	for (const { wire, twin, shown, stored } of settings) makeNames(group.wire, wire, twin, group.stored, stored, shown);
	return Object.freeze({ ...group, path: Object.freeze([...group.path]), settings: Object.freeze(settings) });
}

/** A name that is only a text would become one of the engine's at the first request; so each becomes one when the firmware is built. */
function makeNames(...texts: readonly (string | undefined)[]): void {
	const members: MutableFields = {};
	for (const text of texts) if (text !== undefined) members[text] = text;
}
