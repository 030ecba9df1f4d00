/**
 * The settings as one table, a row for each: its names in memory, on the wire and on flash, its values, and
 * what it does. Storing (`stored-settings.ts`), changing (`patch.ts`), answers (`api/status.ts`), the
 * interface's description, the tables of docs/api.md and STORAGE.md (`tools/derived-documents.ts`) and the
 * page's fields (`tools/page-tables.ts`) follow from it. A new setting is a row here, its place and name on the
 * page (`page/settings/settings.ts`, `page/texts/settings.ts`) and a test; tests say what of that is missing.
 * Source: docs/api.md, "Settings", docs/control-and-can.md 6.4, docs/decisions.md 1, 6 and 11.
 */

import { FRAME_PROFILES, type Generation } from "../coupling/couplings/couplings.js";
import { CEILING_NM, TORQUE_MODELS } from "../coupling/frame-plan.js";
import { MAP, type ModeNumber, STOCK } from "../lock/modes.js";
import { SPEED_KMH_MAX } from "../lock/tuning.js";

/**
 * `number`: `min` .. `max`; a request's is clamped. `key`: a signal key, "" = the generation's recommended
 * one, or no signal. `choice`: one of `choices`. `operator`: of a condition, with other spellings in a
 * request. `mode`: a number; its name on the wire and on flash. `modes`, `frames`: names of modes,
 * identifiers, with a blank between two. `origin`: of an app. `map`: the path of a stored map, or "".
 */
export type Kind =
	| "flag"
	| "number"
	| "key"
	| "choice"
	| "operator"
	| "mode"
	| "modes"
	| "frames"
	| "generation"
	| "origin"
	| "map";

/** A row of the table. */
export interface Row<T> {
	readonly kind: Kind;
	readonly fallback: T;
	/** Name in requests and answers, absent = as in memory; "" = no request changes it. */
	readonly wire?: string;
	/** The reference's name in requests and answers. */
	readonly alias?: string;
	/** Name in answers, absent = as in requests. */
	readonly shown?: string;
	/** Name on flash, absent = as in memory. */
	readonly stored?: string;
	/** Smallest allowed number; absent = 0. */
	readonly min?: number;
	readonly max?: number;
	/** Absent = a request's fraction is truncated. */
	readonly fraction?: boolean;
	/** A request may have the number as decimal text. */
	readonly text?: boolean;
	readonly choices?: readonly string[];
	readonly unit?: string;
	/** Answers to a settings request carry it, and the status behind the reference's own. */
	readonly ours?: boolean;
	/** Absent = with the next control tick. */
	readonly applies?: string;
	readonly says: string;
}

/** Rows that are together in memory, in a request or on flash. */
export interface TableGroup {
	/** Name of the object in memory; "" = no object of its own, here and below. */
	readonly group: string;
	/** The group is part of the lock core's tuning. */
	readonly isTuning?: boolean;
	readonly wire?: string;
	readonly stored?: string;
	/** The rows describe each item of a list of up to CONDITIONS_MAX: `condition-list.ts`. */
	readonly isEach?: boolean;
	/** A rejection names the member at fault, not only the group. */
	readonly named?: boolean;
	readonly rows: Readonly<Record<string, Row<unknown>>> | readonly Row<unknown>[];
}

/** The fallback is false, 0, "" or STOCK if the row names no other. */
type Columns<T> = Omit<Row<T>, "kind" | "fallback"> & { readonly fallback?: T };
/** Names, kind and choices, for the types of the description. */
type Literal<C> = Omit<C, "fallback" | "says" | "applies" | "unit" | "min" | "max">;
const rowsOf =
	<K extends Kind, T>(kind: K, fallback: T) =>
	<const C extends Columns<T>>(columns: C): Row<T> & Literal<C> & { kind: K } => ({ kind, fallback, ...columns });
const flag = rowsOf<"flag", boolean>("flag", false);
const number = rowsOf<"number", number>("number", 0);
const key = rowsOf<"key", string>("key", "");
const mode = rowsOf<"mode", ModeNumber>("mode", STOCK);
const text = <K extends Kind, const C extends Columns<string>>(kind: K, columns: C) => rowsOf<K, string>(kind, "")(columns);
const choice = <const C extends Columns<string> & { choices: readonly string[]; fallback: string }>(columns: C) =>
	({ kind: "choice", ...columns }) as Row<C["choices"][number]> & Literal<C> & { kind: "choice" };

/** Compares a condition's signal with its value; `change` toggles each time they become equal. */
export type Operator = "gt" | "gte" | "lt" | "lte" | "eq" | "neq" | "change";
/** All of them, as the interface spells them. */
export const OPERATORS: readonly Operator[] = Object.freeze(["gt", "gte", "lt", "lte", "eq", "neq", "change"]);
type Effect = "open" | "limit" | "mode" | "map";
const EFFECTS: readonly Effect[] = Object.freeze(["open", "limit", "mode", "map"]);
/** Conditions of the driver. Source: docs/decisions.md 23. */
export const CONDITIONS_MAX = 8;
/** Folder of the stored maps. */
export const MAP_FOLDER = "/maps/";
/** Bytes of a stored map's name with its ending. Source: docs/api.md, "Stored maps". */
export const MAP_NAME_BYTES_MAX = 63;
/** Path of the active map when no named one is current. */
export const UNNAMED_MAP = "/maps/current.json";
/** Degrees of the steering wheel, without sign. */
export const STEERING_MAX_DEG = 720;

/** Source: docs/api.md, "Names of other firmware". */
const BROADCAST = { wire: "broadcastControllerOverCAN", alias: "broadcastOpenHaldexOverCAN" } as const;
/** Source: docs/decisions.md 22. */
const NEW_CAR = "stock until the inputs have been valid for 1 s";
const SPEED = { max: SPEED_KMH_MAX, unit: "km/h" } as const;
const VERBOSE = "on, selects `STOCK` and keeps the car stock";
const SLOTS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Each member of `rows` has its name in memory. */
export const SETTINGS_TABLE = {
	driver: {
		group: "",
		rows: {
			mode: mode({ wire: "", says: "the mode that the driver has chosen, by `POST /api/mode`" }),
			disableController: flag({ says: "true selects `STOCK`; false in `STOCK` selects `MAP`" }),
			generation: {
				kind: "generation",
				fallback: 0,
				wire: "couplingGeneration",
				alias: "haldexGeneration",
				applies: NEW_CAR,
				says: "of the coupling; sets `lowPower.sleepEnabled` to whether it is 5, another one empties `framesOff`, unless the request has them",
			} as Row<Generation> & { kind: "generation"; wire: "couplingGeneration"; alias: "haldexGeneration" },
			frameProfile: choice({
				fallback: "reference",
				choices: FRAME_PROFILES,
				ours: true,
				says: "which bytes are rewritten",
			}),
			torqueModel: choice({
				fallback: "pinned",
				choices: TORQUE_MODELS,
				ours: true,
				says: "generation 5: how 0x0A7 says a lock, see below",
			}),
			torqueCeilingNm: number({
				fallback: CEILING_NM.usual,
				min: CEILING_NM.least,
				max: CEILING_NM.most,
				unit: "Nm",
				ours: true,
				says: "torque at full lock of `proportional`: a gain of this car, not its engine's torque",
			}),
			framesOff: text("frames", {
				ours: true,
				says: "identifiers, hexadecimal also without `0x`, of frames that are not rewritten or generated; with all of them the car is stock",
			}),
			broadcastOverCan: flag({ fallback: true, ...BROADCAST, says: "send the status frame 0x6B0 to the chassis bus" }),
			c6ModeNumbers: flag({
				ours: true,
				says: "byte 6 of 0x6B0 counts modes as OpenHaldex-C6, 255 = a mode that it does not have",
			}),
			respectInterventions: flag({ fallback: true, ours: true, says: "open the coupling while ABS or ESP intervene" }),
			controlWithoutFeedback: flag({
				ours: true,
				says: "control a coupling that does not report; its heat and faults stay unseen",
			}),
			// a car that needs more of a trim has another fault
			lockTrimPercent: number({
				fallback: 100,
				min: 50,
				max: 150,
				fraction: true,
				unit: "%",
				ours: true,
				says: "generation 5: scales what is sent for a lock, for a car that closes more or less than others",
			}),
			currentMap: key({ fallback: UNNAMED_MAP, wire: "", says: "path of the current map's file" }),
			mapFrom: key({ wire: "", says: 'path of the stored map that the active map was made from, `""` = of none' }),
			standalone: flag({
				wire: "isStandalone",
				applies: "3 s of listening",
				says: "the coupling has no car's bus: the controller sends its frames",
			}),
			analyzerEnabled: flag({ ours: true, applies: "up to 0.1 s", says: "the port for SavvyCAN listens" }),
			allowedOrigin: text("origin", {
				ours: true,
				says: 'origin of an app that may use the interface as the page does, such as `capacitor://localhost`; `""` = none',
			}),
			sleepAllowed: flag({
				ours: true,
				says: "parked sleep may switch the controller off; else it only tells what it would do",
			}),
			setupDone: flag({ ours: true, says: "the driver has completed the first start" }),
		},
	},
	inputMappings: {
		group: "inputMappings",
		rows: {
			speed: key({ says: "source of the speed" }),
			throttle: key({ says: "source of the pedal position" }),
			rpm: key({ says: "source of the engine speed" }),
		},
	},
	gatesAndRamps: {
		group: "",
		isTuning: true,
		rows: {
			disableThrottlePercent: number({
				wire: "disableThrottle",
				stored: "disableThrottle",
				max: 100,
				text: true,
				unit: "%",
				says: "below this pedal position the preset modes ask for no lock, 0 = off",
			}),
			disableSpeedKmh: number({
				wire: "disableSpeed",
				stored: "disableSpeed",
				...SPEED,
				text: true,
				says: "above this speed the preset modes ask for no lock, 0 = off",
			}),
			releaseRatePercentPerS: number({
				fallback: 120,
				wire: "lockReleaseRatePctPerSec",
				stored: "releaseRate",
				max: 1000,
				fraction: true,
				text: true,
				unit: "%/s",
				says: "how fast lock falls, 0 = at once",
			}),
			// as the reference's release rate: 100 ms from open to full lock
			engageRatePercentPerS: number({
				wire: "lockEngageRatePctPerSec",
				stored: "engageRate",
				max: 1000,
				fraction: true,
				unit: "%/s",
				ours: true,
				says: "how fast lock rises, 0 = at once",
			}),
		},
	},
	disengageUnder: {
		group: "disengageUnderKmh",
		isTuning: true,
		wire: "disengageUnderSpeed",
		stored: "disengageUnder",
		rows: {
			map: number({ ...SPEED, says: "below this speed `MAP` asks for no lock, 0 = off" }),
			speed: number({ ...SPEED, says: "the same for `SPEED`" }),
			throttle: number({ ...SPEED, says: "the same for `THROTTLE`" }),
			rpm: number({ ...SPEED, says: "the same for `RPM`" }),
		},
	},
	steeringGain: {
		group: "steeringGain",
		named: true,
		rows: {
			enabled: flag({ says: "ask for less lock while the driver steers" }),
			// assumed: 90 degrees is a bend that is driven fast, 270 are for turning round. Which part of the
			// lock a driveline bears then is not measured, so half remains
			startDeg: number({
				fallback: 90,
				max: STEERING_MAX_DEG,
				unit: "°",
				says: "up to this angle of the steering wheel all lock remains",
			}),
			fullDeg: number({
				fallback: 270,
				max: STEERING_MAX_DEG,
				unit: "°",
				says: "from this angle on `leastPercent` remains",
			}),
			leastPercent: number({ fallback: 50, max: 100, unit: "%", says: "what then remains of the lock" }),
			lostPercent: number({ fallback: 50, max: 100, unit: "%", says: "what remains while no valid angle is known" }),
			signal: key({ says: "source of the angle" }),
		},
	},
	logging: {
		group: "logging",
		wire: "",
		rows: {
			file: flag({ fallback: true, wire: "logToFileEnabled", shown: "enabled", says: "log into `/logs/all.txt`" }),
			can: flag({
				wire: "logCanToFileEnabled",
				shown: "canEnabled",
				says: `log CAN frames: turns the file log ${VERBOSE}`,
			}),
			error: flag({
				fallback: true,
				wire: "logErrorToFileEnabled",
				shown: "errorEnabled",
				says: "log errors into `/logs/error/error.txt`",
			}),
			serial: flag({ wire: "logSerialEnabled", shown: "serialEnabled", says: "log to the serial port" }),
			debugFirmware: flag({
				wire: "logDebugFirmwareEnabled",
				shown: "debugFirmwareEnabled",
				says: `kept for clients of the reference: turns the file log and the error log ${VERBOSE}; nothing more is logged`,
			}),
			debugNetwork: flag({ wire: "logDebugNetworkEnabled", shown: "debugNetworkEnabled", says: "the same" }),
			debugCan: flag({
				wire: "logDebugCanEnabled",
				shown: "debugCanEnabled",
				says: "the same, but `logCanToFileEnabled` needs it",
			}),
		},
	},
	dashboard: {
		group: "dashboard",
		wire: "dashMappings",
		rows: SLOTS.map((slot) => key({ wire: `dash_${slot}`, says: 'what this slot shows, `""` = nothing' })),
	},
	conditions: {
		group: "conditions",
		isEach: true,
		named: true,
		rows: {
			enabled: flag({ says: "the condition counts" }),
			effect: choice({
				fallback: "mode",
				choices: EFFECTS,
				ours: true,
				says: "`open` opens the coupling, `limit` limits lock to `limitPercent`, `mode` selects `mode`, `map` selects `MAP` with `map`",
			}),
			operator: {
				kind: "operator",
				fallback: "gte",
				choices: OPERATORS,
				says: "compares the signal with `value`",
			} as Row<Operator> & { kind: "operator" },
			value: number({ fallback: 1, min: -1_000_000, max: 1_000_000, fraction: true, says: "in the signal's unit" }),
			// the least is that of docs/decisions.md 23
			holdMs: number({
				fallback: 300,
				min: 300,
				max: 60_000,
				unit: "ms",
				ours: true,
				says: "how long a change lasts at least; opening and limiting begin at once",
			}),
			limitPercent: number({ fallback: 50, min: 1, max: 100, unit: "%", ours: true, says: "of `limit`" }),
			mode: mode({ fallback: MAP, says: "of `mode`" }),
			broadcastOverCan: flag({
				fallback: true,
				...BROADCAST,
				says: "of `mode` and `map`: send the status frame 0x6B0 meanwhile",
			}),
			alsoFromStock: flag({ ours: true, says: "of `mode` and `map`: it acts in `STOCK`, too" }),
			map: text("map", { ours: true, says: 'of `map`: path of a stored map, `""` = none' }),
			signal: key({ says: "what is compared" }),
		},
	},
	controls: {
		group: "controls",
		named: true,
		rows: {
			favourites: text("modes", {
				fallback: "STOCK MAP 8020 5050",
				says: "modes that a button steps through and the page shows large",
			}),
			heldMode: mode({
				says: "mode while a button of the board is held for 1 s or more; a hold never leaves `STOCK`",
			}),
			followBrake: flag({ says: "the board's brake output follows its brake input" }),
			invertBrake: flag({ says: "the output is inverted" }),
			followHandbrake: flag({ says: "the same for the handbrake" }),
			invertHandbrake: flag({ says: "the same for the handbrake" }),
			buttonSignal: key({
				says: 'a button of the car, `""` = none: each press selects the next favourite',
			}),
			buttonValue: number({
				fallback: 1,
				min: -1_000_000,
				max: 1_000_000,
				fraction: true,
				says: "value of its signal while it is pressed",
			}),
		},
	},
	lowPower: {
		group: "lowPower",
		rows: {
			sleepEnabled: flag({ says: "parked sleep; the older name `lowPowerSleepEnabled` beside the group wins" }),
			sleepDelayMs: number({
				fallback: 30_000,
				min: 5000,
				max: 600_000,
				unit: "ms",
				says: "quiet time before it sleeps",
			}),
			wakeTimerSeconds: number({
				fallback: 300,
				min: 30,
				max: 86_400,
				unit: "s",
				says: "sleep between two looks at the buses",
			}),
			probeDurationMs: number({
				fallback: 1200,
				min: 100,
				max: 5000,
				unit: "ms",
				says: "how long it then listens",
			}),
		},
	},
	pwm: {
		group: "pwm",
		rows: {
			frequencyHz: number({
				fallback: 1000,
				min: 10,
				max: 20_000,
				unit: "Hz",
				says: "of the output that follows the lock",
			}),
			inverted: flag({ says: "the output is low while the duty is on" }),
		},
	},
} satisfies Record<string, TableGroup>;

/** A row without what only documents need. */
export type Setting = Omit<Row<unknown>, "fallback" | "unit" | "applies" | "says">;

/** Settings by their names in memory. */
export interface SettingGroup extends Omit<TableGroup, "rows"> {
	readonly settings: Readonly<Record<string, Setting>>;
}

/** Members of a JSON object or of a group of settings. */
export type Fields = Readonly<Record<string, unknown>>;
/** Members that are still being written. */
export type MutableFields = Record<string, unknown>;

/** The rows by group, with their names. */
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

/** The group's values in `settings`, to be set: a copy of those of `old`, made once. */
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
	makeNames("modeTrigger", "lowPowerSleepEnabled");
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

/** Makes names of the engine when the firmware is built, not at the first request. */
function makeNames(...texts: readonly (string | undefined)[]): void {
	const members: MutableFields = {};
	for (const text of texts) if (text !== undefined) members[text] = text;
}
