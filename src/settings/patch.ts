/**
 * Applies a settings request. Pure; groups that stay equal stay the same objects, so that the controller sees
 * what really changed. Each value by its row of the table; here is what depends on several at once.
 * docs/api.md, "Settings"; docs/decisions.md 11 to 14.
 */

import { couplingOf } from "../coupling/couplings/couplings.js";
import { MAP, STOCK } from "../lock/modes.js";
import { isRecommendedKey, isRecommendedSteeringKey } from "../vehicle/mapped-inputs.js";
import { MODE_TRIGGER, patchConditions } from "./condition-list.js";
import { type InputMappings, isVerboseLogging, type Settings } from "./settings.js";
import { ALL_SETTING_GROUPS, changeable, type Fields, groupAt, SETTING_GROUPS, type SettingGroup } from "./settings-table.js";
import { PatchReader, type SettingsRejection } from "./values.js";

const { driver, inputMappings, steeringGain, conditions, logging, lowPower } = SETTING_GROUPS;
/** The reference's older name of `lowPower.sleepEnabled`, which wins. */
const SLEEP = Object.freeze({ ...lowPower.settings["sleepEnabled"], wire: "lowPowerSleepEnabled" });

/** Member names of a settings request, nested ones too, with one blank between two. */
export const SETTINGS_MEMBERS: string = membersOf(["revision", SLEEP.wire]);

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** True if the request would enable the controller or end the broadcast: not during a CAN capture. */
export function conflictsWithCapture(body: Fields): boolean {
	return (
		isOff(body["disableController"]) || isOff(body["broadcastControllerOverCAN"]) || isOff(body["broadcastOpenHaldexOverCAN"])
	);
}

/**
 * The settings after a request, or why it is rejected as a whole.
 * @param capturing a CAN capture runs: its own settings cannot be changed
 */
export function patchSettings(old: Settings, body: Fields, capturing: boolean): Settings | SettingsRejection {
	const read = new PatchReader();
	const next: Mutable<Settings> = { ...old };
	for (const group of ALL_SETTING_GROUPS) {
		const given = read.group(body, group);
		if (given === undefined) continue;
		for (const name in group.settings) {
			const value = read.setting(given, name, group.settings[name], group);
			if (value !== undefined) set(next, old, group, name, value);
		}
	}
	const sleep = read.setting(body, SLEEP.wire, SLEEP, driver) ?? sleepOf(next, body);
	if (sleep !== undefined) set(next, old, lowPower, "sleepEnabled", sleep);
	next.conditions = patchConditions(old.conditions, next.generation, body, read);
	if (next.generation !== old.generation && body["framesOff"] === undefined) set(next, old, driver, "framesOff", "");
	followGeneration(next, old);
	chooseMode(next, old, body, capturing);
	keepVerboseLogging(next, old);
	next.inputMappings = kept(old.inputMappings, next.inputMappings);
	next.steeringGain = kept(old.steeringGain, next.steeringGain);
	next.logging = kept(old.logging, next.logging);
	return read.rejection ?? next;
}

/** Whether a request was rejected. */
export function isRejection(result: Settings | SettingsRejection): result is SettingsRejection {
	return "error" in result;
}

/** A generation without a word about sleep decides about it, as in the reference. */
function sleepOf({ generation }: Settings, body: Fields): boolean | undefined {
	const given = body["lowPower"] as Fields | undefined;
	const isNamed = body["couplingGeneration"] !== undefined || body["haldexGeneration"] !== undefined;
	return isNamed && given?.["sleepEnabled"] === undefined ? couplingOf(generation)?.sleeps === true : undefined;
}

/** A recommended key is stored as "": from then on the input follows the generation. */
function followGeneration(next: Settings, old: Settings): void {
	if (next.generation === 0) return;
	for (const name in inputMappings.settings) {
		const input = name as keyof InputMappings;
		if (isRecommendedKey(input, next.inputMappings[input])) set(next, old, inputMappings, input, "");
	}
	if (isRecommendedSteeringKey(next.steeringGain.signal)) set(next, old, steeringGain, "signal", "");
}

function chooseMode(next: Mutable<Settings>, old: Settings, body: Fields, capturing: boolean): void {
	if (capturing) {
		next.disableController = old.disableController;
		next.broadcastOverCan = old.broadcastOverCan;
	} else if (body["disableController"] !== undefined) {
		if (next.disableController) next.mode = STOCK;
		else if (next.mode === STOCK) next.mode = MAP;
	}
}

/** Verbose logging goes to the files, and keeps control off. */
function keepVerboseLogging(next: Mutable<Settings>, old: Settings): void {
	if (!isVerboseLogging(next.logging)) return;
	const { debugFirmware, debugNetwork, debugCan } = next.logging;
	set(next, old, logging, "file", true);
	if (debugFirmware || debugNetwork || debugCan) set(next, old, logging, "error", true);
	next.mode = STOCK;
	next.disableController = true;
}

function set(next: Settings, old: Settings, group: SettingGroup, name: string, value: unknown): void {
	if (groupAt(next, group)[name] !== value) changeable(next, old, group)[name] = value;
}

/** `old` if `now` has the same values: a rule has taken back what the request had set. */
function kept<T extends object>(old: T, now: T): T {
	if (now === old) return old;
	for (const key in now) if (old[key] !== now[key]) return now;
	return old;
}

function isOff(value: unknown): boolean {
	return value === false || value === 0;
}

function membersOf(others: readonly string[]): string {
	const names = [...ALL_SETTING_GROUPS, conditions, MODE_TRIGGER].flatMap(({ group, wire = group, settings }) => [
		wire,
		...Object.entries(settings).flatMap(([name, { wire: member = name, alias = "" }]) => [member, alias]),
	]);
	return [...new Set([...others, ...names])].filter((name) => name !== "").join(" ");
}
