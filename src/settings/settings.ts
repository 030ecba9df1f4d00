/**
 * Everything the driver sets, with its defaults: both follow from the table. A settings object is never
 * changed in place: a change makes a new one, which the controller applies between two ticks.
 */

import { type MappedKeys, USUAL_CONDITION_SIGNAL } from "../coupling/coupling.js";
import { carOf } from "../coupling/couplings/couplings.js";
import { DEFAULT_TABLES, GATE_HOLD, type Tuning } from "../lock/tuning.js";
import { type Row, SETTINGS_TABLE, type TableGroup } from "./settings-table.js";

type Table = typeof SETTINGS_TABLE;
type ValuesOf<Group extends keyof Table> = Values<Table[Group]["rows"]>;
type Values<Rows> = { readonly [Name in keyof Rows]: Rows[Name] extends Row<infer T> ? T : never };

/** Signal keys of the three inputs; "" = the recommended one. */
export type InputMappings = ValuesOf<"inputMappings">;
/** A signal of the car acts on the coupling. */
export type ConditionSettings = ValuesOf<"conditions">;
/** The angle of the steering wheel reduces lock. */
export type SteeringSettings = ValuesOf<"steeringGain">;
/** What the log files and the serial port get. */
export type LoggingSettings = ValuesOf<"logging">;
/** Buttons of the board, and what it drives beside the coupling. */
export type ControlsSettings = ValuesOf<"controls">;
/** The output that follows the lock. */
export type PwmSettings = ValuesOf<"pwm">;

/** Meaning, unit and range of each member: `settings-table.ts`. */
export interface Settings extends ValuesOf<"driver"> {
	readonly inputMappings: InputMappings;
	/** Signal keys of the slots; "" = empty. */
	readonly dashboard: ValuesOf<"dashboard">;
	readonly steeringGain: SteeringSettings;
	/** In the order in which the driver listed them. */
	readonly conditions: readonly ConditionSettings[];
	/** The map lies in a file of its own, the curves are no rows of the table. */
	readonly tuning: Tuning;
	readonly pwm: PwmSettings;
	readonly controls: ControlsSettings;
	readonly logging: LoggingSettings;
	/** Parked sleep, but for the permission to do it. */
	readonly lowPower: ValuesOf<"lowPower">;
}

/** Defaults of named rows. */
export const defaultsOf = <Rows extends Readonly<Record<string, Row<unknown>>>>(rows: Rows): Values<Rows> =>
	Object.freeze(Object.fromEntries(Object.entries(rows).map(([name, { fallback }]) => [name, fallback]))) as Values<Rows>;

/** The tuning as delivered. */
export const DEFAULT_TUNING: Tuning = Object.freeze({
	...DEFAULT_TABLES,
	...defaultsOf(SETTINGS_TABLE.gatesAndRamps.rows),
	disengageUnderKmh: defaultsOf(SETTINGS_TABLE.disengageUnder.rows),
	...GATE_HOLD,
});

const isList = (rows: TableGroup["rows"]): rows is readonly Row<unknown>[] => Array.isArray(rows);

/** The settings as delivered: STOCK, and no generation. */
export const DEFAULT_SETTINGS: Settings = defaults();

/** True while verbose logging is on: control is kept off then. Source: docs/control-and-can.md 4.4. */
export function isVerboseLogging(logging: LoggingSettings): boolean {
	return logging.can || logging.debugFirmware || logging.debugNetwork || logging.debugCan;
}

/** Keys of the three inputs: the driver's, else the recommended ones; "" = no generation is set. */
export function inputKeys({ inputMappings: own, generation }: Settings): MappedKeys {
	if (generation === 0) return own;
	const recommended = carOf(generation).recommended.inputs;
	return {
		speed: own.speed || recommended.speed,
		throttle: own.throttle || recommended.throttle,
		rpm: own.rpm || recommended.rpm,
	};
}

/** Key of a condition that names no signal; "" = no generation is set. */
export function recommendedConditionKey({ generation }: Settings): string {
	return generation === 0 ? "" : carOf(generation).recommended.conditions[USUAL_CONDITION_SIGNAL];
}

/** Key of a condition's signal. */
export function conditionKey(settings: Settings, { signal }: ConditionSettings): string {
	return signal || recommendedConditionKey(settings);
}

/** Key of the steering angle's signal; "" = no signal. */
export function steeringKey({ generation, steeringGain: { signal } }: Settings): string {
	return signal || (generation === 0 ? "" : carOf(generation).recommended.steering);
}

/** Keys of the conditions that are on, and of the steering angle if it is needed. */
export function watchedKeys(settings: Settings): string {
	const inUse = settings.conditions.filter(({ enabled }) => enabled);
	const steering = settings.steeringGain.enabled ? steeringKey(settings) : "";
	return [...inUse.map((one) => conditionKey(settings, one)), steering].join();
}

function defaults(): Settings {
	const settings: Record<string, unknown> = { tuning: DEFAULT_TUNING };
	for (const { group, isTuning, isEach, rows } of Object.values<TableGroup>(SETTINGS_TABLE)) {
		if (isTuning) continue; // DEFAULT_TUNING has them
		if (isEach) settings[group] = Object.freeze([]);
		else if (isList(rows)) settings[group] = Object.freeze(rows.map(({ fallback }) => fallback));
		else if (group === "") Object.assign(settings, defaultsOf(rows));
		else settings[group] = defaultsOf(rows);
	}
	return Object.freeze(settings) as unknown as Settings;
}
