/**
 * Everything the driver sets, with its defaults. A settings object is never changed in place: a change makes a new one, which the
 * controller takes over between two ticks. How it lies on flash: `stored-settings.ts`.
 * Source of defaults and ranges: docs/http-api.md 2.4, docs/control-and-can.md 6.4, docs/decisions.md 1 and 6.
 */

import type { FrameProfile, Generation } from "../coupling/generation.js";
import { MAP, type ModeNumber, STOCK } from "../lock/modes.js";
import { DEFAULT_TUNING, type Tuning } from "../lock/tuning.js";

export const DASHBOARD_SLOTS = 8;
/** Path of the map in force when no named one is current. */
export const UNNAMED_MAP = "/maps/current.json";

export interface PwmSettings {
	/** 10..20000. */
	readonly frequencyHz: number;
	/** True: the pin is low while the duty is on. */
	readonly inverted: boolean;
}

export type TriggerOperator = "gt" | "gte" | "lt" | "lte" | "eq" | "neq" | "change";
export const TRIGGER_OPERATORS: readonly TriggerOperator[] = Object.freeze(["gt", "gte", "lt", "lte", "eq", "neq", "change"]);

/** The mode trigger: a signal that selects a mode. */
export interface TriggerSettings {
	readonly enabled: boolean;
	/** Signal key; "" = the generation's recommended one. */
	readonly signal: string;
	readonly operator: TriggerOperator;
	/** -1,000,000..1,000,000, in the signal's unit. */
	readonly value: number;
	/** Mode in force while the trigger is. */
	readonly mode: ModeNumber;
	/** Whether the status frame is sent while the trigger is in force. */
	readonly broadcastOverCan: boolean;
}

/** What goes into the log files and to the serial port. */
export interface LoggingSettings {
	readonly file: boolean;
	readonly can: boolean;
	readonly error: boolean;
	readonly serial: boolean;
	readonly debugFirmware: boolean;
	readonly debugNetwork: boolean;
	readonly debugCan: boolean;
}

/** True while verbose logging is on: control is kept off then. Source: docs/control-and-can.md 4.4. */
export function isDebugCapture(logging: LoggingSettings): boolean {
	return logging.can || logging.debugFirmware || logging.debugNetwork || logging.debugCan;
}

/** Parked sleep; kept for clients, not built yet. */
export interface LowPowerSettings {
	readonly sleepEnabled: boolean;
	/** 5000..600000. */
	readonly sleepDelayMs: number;
	/** 30..86400. */
	readonly wakeTimerSeconds: number;
	/** 100..5000. */
	readonly probeDurationMs: number;
}

export interface Settings {
	readonly mode: ModeNumber;
	readonly disableController: boolean;
	readonly generation: Generation;
	readonly frameProfile: FrameProfile;
	/** Send the status frame 0x6B0 on the chassis bus. */
	readonly broadcastOverCan: boolean;
	/** Signal keys `bus|0xID|signal|unit`; "" = the generation's recommended one. */
	readonly inputMappings: { readonly speed: string; readonly throttle: string; readonly rpm: string };
	/** Signal keys of the dashboard's slots, DASHBOARD_SLOTS of them; "" = empty. */
	readonly dashboard: readonly string[];
	readonly trigger: TriggerSettings;
	/** Open the coupling while ABS or ESP intervene. */
	readonly respectInterventions: boolean;
	/** Control a coupling that does not report. */
	readonly controlWithoutFeedback: boolean;
	/** Map, curves, gates and ramps. The map lies in a file of its own. */
	readonly tuning: Tuning;
	/** Path of the current map's file: `/maps/<name>.json`, or UNNAMED_MAP. */
	readonly currentMap: string;
	readonly pwm: PwmSettings;
	readonly logging: LoggingSettings;
	readonly lowPower: LowPowerSettings;
	/** Standalone operation; kept for clients, not built yet. */
	readonly standalone: boolean;
	/** The driver has gone through the first start; until then clients lead there. */
	readonly setupDone: boolean;
}

export const DEFAULT_SETTINGS: Settings = Object.freeze({
	mode: STOCK,
	disableController: false,
	generation: 0,
	frameProfile: "reference",
	broadcastOverCan: true,
	inputMappings: Object.freeze({ speed: "", throttle: "", rpm: "" }),
	dashboard: Object.freeze(["", "", "", "", "", "", "", ""]),
	trigger: Object.freeze({ enabled: false, signal: "", operator: "gte", value: 1, mode: MAP, broadcastOverCan: true }),
	respectInterventions: true,
	controlWithoutFeedback: false,
	tuning: DEFAULT_TUNING,
	currentMap: UNNAMED_MAP,
	pwm: Object.freeze({ frequencyHz: 1000, inverted: false }),
	logging: Object.freeze({
		file: true,
		can: false,
		error: true,
		serial: false,
		debugFirmware: false,
		debugNetwork: false,
		debugCan: false,
	}),
	lowPower: Object.freeze({ sleepEnabled: false, sleepDelayMs: 30_000, wakeTimerSeconds: 300, probeDurationMs: 1200 }),
	standalone: false,
	setupDone: false,
});
