/**
 * The driver's settings by name: all follows from the table, which follows from the firmware's.
 */

import { SETTINGS } from "../generated/settings-table";
import type { Status } from "../net/types";

type Table = typeof SETTINGS;
/** A setting's name in requests, with a dot behind a group's name. */
export type SettingName = keyof Table;
/** A slot of the dashboard: slots are numbered, not named. */
export type Slot = Extract<SettingName, `dashMappings.${string}`>;
type ValueOf<Kind> = Kind extends "flag" ? boolean : Kind extends "number" | "generation" ? number : string;
/** A value for each name: a number in the unit of its row, a key of a signal, or a choice's name. */
export type Settings = { readonly [Name in SettingName]: ValueOf<Table[Name]["kind"]> };

interface Row {
	readonly kind: Table[SettingName]["kind"];
	/** Absent = 0. */
	readonly min?: number;
	readonly max?: number;
	readonly unit?: string;
	readonly choices?: readonly string[];
	readonly at?: string;
}
/** The table by name. */
export const ROWS: Readonly<Record<SettingName, Row>> = SETTINGS;
export const SETTING_NAMES = Object.keys(ROWS) as SettingName[];

/** Members of a JSON object that are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;
/** True for an object with members: no list, not null. */
export const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/** The sections of the page, each with its settings in their order. */
export const SECTIONS = {
	generation: ["couplingGeneration"],
	inputs: ["inputMappings.speed", "inputMappings.throttle", "inputMappings.rpm"],
	gates: [
		"disengageUnderSpeed.map",
		"disengageUnderSpeed.speed",
		"disengageUnderSpeed.throttle",
		"disengageUnderSpeed.rpm",
		"disableThrottle",
		"disableSpeed",
	],
	ramps: ["lockEngageRatePctPerSec", "lockReleaseRatePctPerSec"],
	steering: [
		"steeringGain.enabled",
		"steeringGain.signal",
		"steeringGain.startDeg",
		"steeringGain.fullDeg",
		"steeringGain.leastPercent",
		"steeringGain.lostPercent",
	],
	frames: [
		"frameProfile",
		"torqueModel",
		"torqueCeilingNm",
		"lockTrimPercent",
		"isStandalone",
		"respectInterventions",
		"controlWithoutFeedback",
		"broadcastControllerOverCAN",
		"c6ModeNumbers",
		"pwm.frequencyHz",
		"pwm.inverted",
	],
	rewritten: ["framesOff"],
	favourites: ["controls.favourites"],
	controls: [
		"controls.heldMode",
		"controls.buttonSignal",
		"controls.buttonValue",
		"controls.followBrake",
		"controls.invertBrake",
		"controls.followHandbrake",
		"controls.invertHandbrake",
	],
	sleep: [
		"lowPower.sleepEnabled",
		"sleepAllowed",
		"lowPower.sleepDelayMs",
		"lowPower.wakeTimerSeconds",
		"lowPower.probeDurationMs",
	],
	dashboard: [
		"dashMappings.dash_1",
		"dashMappings.dash_2",
		"dashMappings.dash_3",
		"dashMappings.dash_4",
		"dashMappings.dash_5",
		"dashMappings.dash_6",
		"dashMappings.dash_7",
		"dashMappings.dash_8",
	],
	apps: ["allowedOrigin"],
	logging: [
		"logToFileEnabled",
		"logErrorToFileEnabled",
		"logSerialEnabled",
		"logCanToFileEnabled",
		"logDebugFirmwareEnabled",
		"logDebugNetworkEnabled",
		"logDebugCanEnabled",
	],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;
/** The pages of settings, and the sections on each. */
export const SECTIONS_OF = {
	gates: ["gates", "ramps"],
	steering: ["steering"],
	coupling: ["generation", "frames", "rewritten", "sleep"],
	inputs: ["inputs", "controls"],
	display: ["favourites", "dashboard"],
	network: ["apps"],
	logs: ["logging"],
} as const satisfies Readonly<Record<string, readonly (keyof typeof SECTIONS)[]>>;
/** Name of a section, which also names its title and hint in the texts. */
export type Section = keyof typeof SECTIONS;

/** The settings in a snapshot. */
export function settingsOf(status: Status): Settings {
	const valueAt = (path: string): unknown => path.split(".").reduce<unknown>((value, name) => (value as Fields)[name], status);
	return Object.fromEntries(SETTING_NAMES.map((name) => [name, valueAt(ROWS[name].at ?? name)])) as unknown as Settings;
}

/** The body of a request: a group's members are in an object. */
export function requestOf(values: Partial<Settings>): Fields {
	const request: Record<string, unknown> = {};
	for (const [path, value] of Object.entries(values)) {
		const [name = "", member] = path.split(".");
		if (member === undefined) request[name] = value;
		else request[name] = { ...(request[name] as Fields | undefined), [member]: value };
	}
	return request;
}

/** The known settings in a request, as a backup holds it. @param wrong told a name of another type; throws */
export function settingsIn(request: Fields, wrong: (name: string) => never): Partial<Settings> {
	const values: Record<string, unknown> = {};
	for (const path of SETTING_NAMES) {
		const [name = "", member] = path.split(".");
		const group = request[name];
		if (member !== undefined && group !== undefined && !isObject(group)) wrong(name);
		const value = member === undefined ? group : (group as Fields | undefined)?.[member];
		if (value === undefined) continue;
		if (typeof value !== TYPES[ROWS[path].kind]) wrong(path);
		values[path] = value;
	}
	return values as Partial<Settings>;
}

const TYPES: Readonly<Record<Row["kind"], string>> = {
	flag: "boolean",
	number: "number",
	generation: "number",
	key: "string",
	choice: "string",
	mode: "string",
	modes: "string",
	frames: "string",
	origin: "string",
};
