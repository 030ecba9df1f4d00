/** The driver's conditions, as one draft. */

import { modeLabel } from "../drive/mode-names";
import { get, post } from "../net/request";
import type { Condition, Conditions } from "../net/types";
import { choiceLabel } from "../settings/settings-draft";
import { hasShapeOf } from "../state/cache";
import { Draft } from "../state/draft";
import { nameOfPath } from "../state/map-name";
import { lookUp, T } from "../texts";

/** Effects of a condition, as they are offered. */
export const EFFECTS: readonly Condition["effect"][] = ["open", "limit", "mode", "map"];

/** A new condition: also the shape that a kept or stored one must have. */
export const NEW_CONDITION: Condition = {
	enabled: true,
	effect: "open",
	signal: "",
	operator: "gte",
	value: 1,
	holdMs: 300,
	limitPercent: 50,
	mode: "MAP",
	broadcastControllerOverCAN: true,
	alsoFromStock: false,
	map: "",
};

/** The condition as the driver has set it. */
export function settingsOfCondition(from: Partial<Condition>): Condition {
	const names = Object.keys(NEW_CONDITION) as (keyof Condition)[];
	return Object.fromEntries(names.map((name) => [name, from[name] ?? NEW_CONDITION[name]])) as unknown as Condition;
}

/** The conditions in the order of the controller. @throws {ApiError} {LinkError} */
export async function readConditions(): Promise<readonly Condition[]> {
	return (await get<Conditions>("/api/conditions")).conditions.map(settingsOfCondition);
}

/**
 * Replaces the whole list.
 * @param revision of the settings that it was made from; absent: whatever they are.
 * @throws {ApiError} {LinkError}
 */
export function writeConditions(conditions: readonly Condition[], revision?: number): Promise<unknown> {
	return post("/api/settings", { conditions, revision });
}

/** The whole list; saving replaces all of it, unless another client has changed the settings. */
export const conditionsDraft: Draft<readonly Condition[]> = new Draft<readonly Condition[]>({
	name: "conditions",
	revision: "settings",
	read: readConditions,
	write: writeConditions,
	// the controller would put the recommended signal in the place of none
	missing: (list) => {
		const at = list.findIndex(({ signal }) => signal === "");
		return at < 0 ? "" : T.conditions.noSignal(at + 1);
	},
	// there may be none yet to compare with
	fits: (list) => hasShapeOf(list, [NEW_CONDITION]),
});

/** The list with one of them moved by `by` places. */
export function moved(list: readonly Condition[], index: number, by: number): readonly Condition[] {
	const next = [...list];
	const [one] = next.splice(index, 1);
	if (one !== undefined) next.splice(index + by, 0, one);
	return next;
}

/** The effect in words. It may come from a damaged backup. */
export function effectLabel(effect: string): string {
	return lookUp(T.conditions.effects, effect) ?? effect;
}

/** Operators as signs. */
const SIGNS: Readonly<Record<string, string>> = { gt: ">", gte: "≥", lt: "<", lte: "≤", eq: "=", neq: "≠", change: "⇄" };

/** The signal and what it is compared with, in signs. */
export function ruleText({ signal, operator, value }: Condition): string {
	const [, , name = ""] = signal.split("|");
	return name === "" ? T.settings.noSignal : `${name} ${lookUp(SIGNS, operator) ?? operator} ${value}`;
}

/** The effect beside its picture: short. */
export function effectText({ effect, mode, map, limitPercent }: Condition): string {
	if (effect === "mode") return modeLabel(mode);
	if (effect === "map") return nameOfPath(map);
	return effect === "limit" ? `≤ ${limitPercent} ${T.units.percent}` : effectLabel(effect);
}

/** A condition for people: what it does, and while what. */
export function conditionText({ enabled, effect, mode, map, limitPercent, signal, operator, value }: Condition): string {
	const { off, rule } = T.conditions;
	const what = { open: "", limit: `${limitPercent} ${T.units.percent}`, mode: modeLabel(mode), map: nameOfPath(map) };
	const does = lookUp(what, effect) ?? "";
	const [, , name = ""] = signal.split("|");
	const text = rule(`${effectLabel(effect)} ${does}`.trim(), name, choiceLabel(operator), value);
	return enabled ? text : `${text} (${off})`;
}
