/**
 * The settings as one table, a row for each: what it is called in memory, on the wire and on flash, which
 * values it may have, and what it does. Storing (`stored-settings.ts`), changing (`patch.ts`), answers
 * (`api/status.ts`), the interface's description, the tables in docs/api.md and STORAGE.md and the page's
 * fields follow from it (`tools/derived-documents.ts`); what depends on several settings at once is code in
 * `patch.ts`. A new setting is a row here, its place and its name on the page (`page/settings/settings.ts`,
 * `page/texts/settings.ts`) and a test of what it does; tests say what of that is missing. Source of names,
 * defaults and ranges: docs/api.md, "Settings", docs/control-and-can.md 6.4, docs/decisions.md 1, 6 and 11.
 */

import { FRAME_PROFILES, type Generation } from "../coupling/couplings/couplings.js";
import { CEILING_NM, TORQUE_MODELS } from "../coupling/frame-plan.js";
import { MAP, type ModeNumber, STOCK } from "../lock/modes.js";

/**
 * What a value is. `flag`: true or false. `number`: `min` .. `max`; a request's is clamped. `key`: a signal
 * key; "" stands for the generation's recommended one or for none. `choice`: one of `choices`. `operator`: of
 * a condition, with other spellings in a request. `mode`: a mode's number; its name on the wire and on flash.
 * `modes`: names of modes with a blank between two. `frames`: identifiers likewise. `origin`: of an app.
 * `map`: the path of a stored map; "" = none.
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
	/** Absent = flag. */
	readonly kind?: Kind;
	readonly fallback: T;
	/** Name in requests and answers if it is another than in memory; "" = no request changes it. */
	readonly wire?: string;
	/** The reference's name for the setting, in requests and answers. */
	readonly alias?: string;
	/** Name in answers if it is another than in requests. */
	readonly shown?: string;
	/** Name on flash if it is another than in memory. */
	readonly stored?: string;
	/** Smallest allowed number; absent = 0. */
	readonly min?: number;
	readonly max?: number;
	/** A number may have a fraction; absent = a request's is truncated toward zero. */
	readonly fraction?: boolean;
	/** A request may have the number as decimal text. */
	readonly text?: boolean;
	readonly choices?: readonly string[];
	readonly unit?: string;
	/** Answers to a settings request carry it, and the status behind the reference's own. */
	readonly ours?: boolean;
	/** How a change applies; absent = with the next control tick. */
	readonly applies?: string;
	readonly says: string;
}

/** Rows that are together in memory, in a request or on flash. */
export interface TableGroup {
	/** Name of the object in memory; "" = its members stand among the others, here and below. */
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

type Columns<T> = Omit<Row<T>, "kind">;
/** What the description of the interface takes from a row by type: its names, its kind, its choices. */
type Literal<C> = Omit<C, "fallback" | "says" | "applies" | "unit" | "min" | "max">;
const flag = <const C extends Columns<boolean>>(columns: C): Row<boolean> & Literal<C> => columns;
const number = <const C extends Columns<number>>(columns: C): Row<number> & Literal<C> & { kind: "number" } => ({
	kind: "number",
	...columns,
});
const text = <const K extends Kind, const C extends Columns<string>>(
	kind: K,
	columns: C,
): Row<string> & Literal<C> & { kind: K } => ({
	kind,
	...columns,
});
const key = <const C extends Omit<Columns<string>, "fallback">>(columns: C) => text("key", { fallback: "", ...columns });
const mode = <const C extends Columns<ModeNumber>>(columns: C): Row<ModeNumber> & Literal<C> & { kind: "mode" } => ({
	kind: "mode",
	...columns,
});
const choice = <const C extends Columns<string> & { choices: readonly string[] }>(columns: C) =>
	({ kind: "choice", ...columns }) as Row<C["choices"][number]> & Literal<C> & { kind: "choice" };

/** How a condition compares its signal with its value; `change` toggles each time they become equal. */
export type Operator = "gt" | "gte" | "lt" | "lte" | "eq" | "neq" | "change";
/** All of them, as the interface spells them. */
export const OPERATORS: readonly Operator[] = Object.freeze(["gt", "gte", "lt", "lte", "eq", "neq", "change"]);
type Effect = "open" | "limit" | "mode" | "map";
const EFFECTS: readonly Effect[] = Object.freeze(["open", "limit", "mode", "map"]);
/** Conditions of the driver. Source: docs/decisions.md 23. */
export const CONDITIONS_MAX = 8;
/** Path of the active map when no named one is current. */
export const UNNAMED_MAP = "/maps/current.json";

/** Neutral and reference spelling. Source: docs/api.md, "Names of other firmware". */
const BROADCAST = { wire: "broadcastControllerOverCAN", alias: "broadcastOpenHaldexOverCAN" } as const;
/** Source: docs/decisions.md 22. */
const NEW_CAR = "stock until the inputs have been valid for 1 s";
const UNDER_SPEED = { max: 300, unit: "km/h" } as const;
const VERBOSE = "on, selects `STOCK` and keeps the car stock";
const SLOTS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Each member of `rows` has its name in memory. */
export const SETTINGS_TABLE = {
	driver: {
		group: "",
		rows: {
			mode: mode({ fallback: STOCK, wire: "", says: "the mode that the driver has chosen, by `POST /api/mode`" }),
			disableController: flag({
				fallback: false,
				says: "true selects `STOCK`; false in `STOCK` selects `MAP`",
			}),
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
				fallback: "",
				ours: true,
				says: "identifiers of frames that are not rewritten or generated; with all of them the car is stock",
			}),
			broadcastOverCan: flag({ fallback: true, ...BROADCAST, says: "send the status frame 0x6B0 to the chassis bus" }),
			c6ModeNumbers: flag({
				fallback: false,
				ours: true,
				says: "byte 6 of 0x6B0 counts modes as OpenHaldex-C6, 255 = a mode that it does not have",
			}),
			respectInterventions: flag({ fallback: true, ours: true, says: "open the coupling while ABS or ESP intervene" }),
			controlWithoutFeedback: flag({
				fallback: false,
				ours: true,
				says: "control a coupling that does not report; its heat and faults stay unseen",
			}),
			// a car that needs less than half or more than one and a half times what others do has something
			// else to be mended
			lockTrimPercent: number({
				fallback: 100,
				min: 50,
				max: 150,
				fraction: true,
				unit: "%",
				ours: true,
				says: "generation 5: scales what is sent for a lock, for a car that closes more or less than others",
			}),
			currentMap: text("key", { fallback: UNNAMED_MAP, wire: "", says: "path of the current map's file" }),
			mapFrom: key({ wire: "", says: 'path of the stored map that the active map was made from, `""` = of none' }),
			standalone: flag({
				fallback: false,
				wire: "isStandalone",
				applies: "3 s of listening",
				says: "the coupling has no car's bus: the controller sends its frames",
			}),
			analyzerEnabled: flag({
				fallback: false,
				ours: true,
				applies: "up to 0.1 s",
				says: "the port for SavvyCAN listens",
			}),
			allowedOrigin: text("origin", {
				fallback: "",
				ours: true,
				says: 'origin of an app that may use the interface as the page does, such as `capacitor://localhost`; `""` = none',
			}),
			sleepAllowed: flag({
				fallback: false,
				ours: true,
				says: "parked sleep may switch the controller off; else it only tells what it would do",
			}),
			setupDone: flag({
				fallback: false,
				ours: true,
				says: "the driver has completed the first start",
			}),
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
				fallback: 0,
				wire: "disableThrottle",
				stored: "disableThrottle",
				max: 100,
				text: true,
				unit: "%",
				says: "below this pedal position the preset modes ask for no lock, 0 = off",
			}),
			disableSpeedKmh: number({
				fallback: 0,
				wire: "disableSpeed",
				stored: "disableSpeed",
				max: 300,
				text: true,
				unit: "km/h",
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
			// as far as the reference's release rate goes: 100 ms from open to full lock
			engageRatePercentPerS: number({
				fallback: 0,
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
			map: number({ fallback: 0, ...UNDER_SPEED, says: "below this speed `MAP` asks for no lock, 0 = off" }),
			speed: number({ fallback: 0, ...UNDER_SPEED, says: "the same for `SPEED`" }),
			throttle: number({ fallback: 0, ...UNDER_SPEED, says: "the same for `THROTTLE`" }),
			rpm: number({ fallback: 0, ...UNDER_SPEED, says: "the same for `RPM`" }),
		},
	},
	steeringGain: {
		group: "steeringGain",
		named: true,
		rows: {
			enabled: flag({ fallback: false, says: "ask for less lock while the driver steers" }),
			// two turns, further than a steering wheel goes to either side. A quarter of one is a bend that
			// is driven fast, three quarters are for turning round; nobody has measured which part of the
			// lock a driveline bears then, so half remains
			startDeg: number({
				fallback: 90,
				max: 720,
				unit: "°",
				says: "up to this angle of the steering wheel all lock remains",
			}),
			fullDeg: number({
				fallback: 270,
				max: 720,
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
				fallback: false,
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
			serial: flag({ fallback: false, wire: "logSerialEnabled", shown: "serialEnabled", says: "log to the serial port" }),
			debugFirmware: flag({
				fallback: false,
				wire: "logDebugFirmwareEnabled",
				shown: "debugFirmwareEnabled",
				says: `verbose log of the firmware: turns the file log and the error log ${VERBOSE}`,
			}),
			debugNetwork: flag({
				fallback: false,
				wire: "logDebugNetworkEnabled",
				shown: "debugNetworkEnabled",
				says: "the same for the network",
			}),
			debugCan: flag({
				fallback: false,
				wire: "logDebugCanEnabled",
				shown: "debugCanEnabled",
				says: "the same for the buses",
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
			enabled: flag({ fallback: false, says: "the condition counts" }),
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
			// from what docs/decisions.md 23 asks for up to a minute: who wants more chooses a mode
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
			alsoFromStock: flag({
				fallback: false,
				ours: true,
				says: "of `mode` and `map`: it acts in `STOCK`, too",
			}),
			map: text("map", { fallback: "", ours: true, says: 'of `map`: path of a stored map, `""` = none' }),
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
				fallback: STOCK,
				says: "mode while a button of the board is held for 1 s or more; a hold never leaves `STOCK`",
			}),
			followBrake: flag({ fallback: false, says: "the board's brake output follows its brake input" }),
			invertBrake: flag({ fallback: false, says: "the output is inverted" }),
			followHandbrake: flag({ fallback: false, says: "the same for the handbrake" }),
			invertHandbrake: flag({ fallback: false, says: "the same for the handbrake" }),
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
			sleepEnabled: flag({
				fallback: false,
				says: "parked sleep; the older name `lowPowerSleepEnabled` beside the group wins",
			}),
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
			inverted: flag({ fallback: false, says: "the output is low while the duty is on" }),
		},
	},
} satisfies Record<string, TableGroup>;

/** A row, see `settings-table.ts`. */
export type Setting = Omit<Row<unknown>, "fallback" | "unit" | "applies" | "says">;

/** Settings by their names in memory. */
export interface SettingGroup extends Omit<TableGroup, "rows"> {
	readonly settings: Readonly<Record<string, Setting>>;
}

/** Members of a JSON object or of a group of settings. */
export type Fields = Readonly<Record<string, unknown>>;
/** Members that are still being written. */
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
 * The group's values in `settings`, to be set: a copy as long as they are those of `old`, so that groups in
 * which nothing is set stay the same objects.
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

/**
 * A name that is only a text would become one of the engine's at the first request; so each becomes one when
 * the firmware is built.
 */
function makeNames(...texts: readonly (string | undefined)[]): void {
	const members: MutableFields = {};
	for (const text of texts) if (text !== undefined) members[text] = text;
}
