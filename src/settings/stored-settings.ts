/**
 * The form in which the settings lie on flash (STORAGE.md): reading checks every field, and a field that is absent has its default.
 */

import { FRAME_PROFILES, isGeneration } from "../coupling/generation.js";
import { MODES, type ModeNumber, parseMode } from "../lock/modes.js";
import { CURVE_POINTS_MAX, type LockCurve } from "../lock/tuning.js";
import { DASHBOARD_SLOTS, DEFAULT_SETTINGS, type Settings, TRIGGER_OPERATORS } from "./settings.js";

/** Version of the stored form. Raised when a reader of the old one would misunderstand it. */
export const SETTINGS_FORMAT = 1;

const KEY_LENGTH_MAX = 160;
/** Largest value that the trigger compares with, and the smallest with a minus. */
export const TRIGGER_VALUE_MAX = 1_000_000;
/** Largest x of each curve. Source: docs/http-api.md 3.7. */
export const CURVE_X_MAX = Object.freeze({ speed: 300, throttle: 100, rpm: 10_000 });

/** Longer than any settings file. */
const BYTES_MAX = 8192;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the stored object, all but the map.
 * @throws {RangeError} naming field, value and what is allowed; then nothing of it may be used
 */
export function settingsFromStored(fields: Fields): Settings {
	const d = DEFAULT_SETTINGS;
	const group = (key: string): Fields => object(fields[key] ?? {}, key);
	const generation = fields["generation"] ?? d.generation;
	if (generation !== 0 && !isGeneration(generation)) refuse("generation", generation, "0, 1, 2, 4 or 5");
	const mappings = group("inputMappings");
	const trigger = group("trigger");
	const under = group("disengageUnder");
	const curves = group("curves");
	const pwm = group("pwm");
	const logging = group("logging");
	const lowPower = group("lowPower");
	const tuning = d.tuning;
	return {
		mode: modeField(fields, d.mode),
		disableController: booleanField(fields, "disableController", d.disableController),
		generation: generation as Settings["generation"],
		frameProfile: choice(fields, "frameProfile", d.frameProfile, FRAME_PROFILES),
		broadcastOverCan: booleanField(fields, "broadcastOverCan", d.broadcastOverCan),
		inputMappings: { speed: text(mappings, "speed"), throttle: text(mappings, "throttle"), rpm: text(mappings, "rpm") },
		dashboard: slots(fields["dashboard"] ?? d.dashboard),
		trigger: {
			enabled: booleanField(trigger, "enabled", d.trigger.enabled),
			signal: text(trigger, "signal"),
			operator: choice(trigger, "operator", d.trigger.operator, TRIGGER_OPERATORS),
			value: numberField(trigger, "value", d.trigger.value, -TRIGGER_VALUE_MAX, TRIGGER_VALUE_MAX),
			mode: modeField(trigger, d.trigger.mode),
			broadcastOverCan: booleanField(trigger, "broadcastOverCan", d.trigger.broadcastOverCan),
		},
		respectInterventions: booleanField(fields, "respectInterventions", d.respectInterventions),
		controlWithoutFeedback: booleanField(fields, "controlWithoutFeedback", d.controlWithoutFeedback),
		tuning: {
			...tuning,
			speedCurve: curve(curves, "speed", tuning.speedCurve),
			throttleCurve: curve(curves, "throttle", tuning.throttleCurve),
			rpmCurve: curve(curves, "rpm", tuning.rpmCurve),
			disableThrottlePercent: numberField(fields, "disableThrottle", tuning.disableThrottlePercent, 0, 100),
			disableSpeedKmh: numberField(fields, "disableSpeed", tuning.disableSpeedKmh, 0, 300),
			disengageUnderKmh: {
				map: numberField(under, "map", tuning.disengageUnderKmh.map, 0, 300),
				speed: numberField(under, "speed", tuning.disengageUnderKmh.speed, 0, 300),
				throttle: numberField(under, "throttle", tuning.disengageUnderKmh.throttle, 0, 300),
				rpm: numberField(under, "rpm", tuning.disengageUnderKmh.rpm, 0, 300),
			},
			releaseRatePercentPerS: numberField(fields, "releaseRate", tuning.releaseRatePercentPerS, 0, 1000),
			engageRatePercentPerS: numberField(fields, "engageRate", tuning.engageRatePercentPerS, 0, 1000),
		},
		currentMap: text(fields, "currentMap", d.currentMap),
		pwm: {
			frequencyHz: numberField(pwm, "frequencyHz", d.pwm.frequencyHz, 10, 20_000),
			inverted: booleanField(pwm, "inverted", d.pwm.inverted),
		},
		logging: {
			file: booleanField(logging, "file", d.logging.file),
			can: booleanField(logging, "can", d.logging.can),
			error: booleanField(logging, "error", d.logging.error),
			serial: booleanField(logging, "serial", d.logging.serial),
			debugFirmware: booleanField(logging, "debugFirmware", d.logging.debugFirmware),
			debugNetwork: booleanField(logging, "debugNetwork", d.logging.debugNetwork),
			debugCan: booleanField(logging, "debugCan", d.logging.debugCan),
		},
		lowPower: {
			sleepEnabled: booleanField(lowPower, "sleepEnabled", d.lowPower.sleepEnabled),
			sleepDelayMs: numberField(lowPower, "sleepDelayMs", d.lowPower.sleepDelayMs, 5000, 600_000),
			wakeTimerSeconds: numberField(lowPower, "wakeTimerSeconds", d.lowPower.wakeTimerSeconds, 30, 86_400),
			probeDurationMs: numberField(lowPower, "probeDurationMs", d.lowPower.probeDurationMs, 100, 5000),
		},
		standalone: booleanField(fields, "standalone", d.standalone),
		setupDone: booleanField(fields, "setupDone", d.setupDone),
	};
}

/** The object that lies on flash, without the map; `settingsFromStored` reads it back to equal settings. Pure. */
export function settingsToStored(settings: Settings): object {
	const { tuning, trigger } = settings;
	return {
		mode: MODES[settings.mode],
		disableController: settings.disableController,
		generation: settings.generation,
		frameProfile: settings.frameProfile,
		broadcastOverCan: settings.broadcastOverCan,
		inputMappings: { ...settings.inputMappings },
		dashboard: [...settings.dashboard],
		trigger: { ...trigger, mode: MODES[trigger.mode] },
		respectInterventions: settings.respectInterventions,
		controlWithoutFeedback: settings.controlWithoutFeedback,
		curves: {
			speed: points(tuning.speedCurve),
			throttle: points(tuning.throttleCurve),
			rpm: points(tuning.rpmCurve),
		},
		disableThrottle: tuning.disableThrottlePercent,
		disableSpeed: tuning.disableSpeedKmh,
		disengageUnder: { ...tuning.disengageUnderKmh },
		releaseRate: tuning.releaseRatePercentPerS,
		engageRate: tuning.engageRatePercentPerS,
		currentMap: settings.currentMap,
		pwm: { ...settings.pwm },
		logging: { ...settings.logging },
		lowPower: { ...settings.lowPower },
		standalone: settings.standalone,
		setupDone: settings.setupDone,
	};
}

/** The settings as a document of the storage. */
export const SETTINGS_DOCUMENT = Object.freeze({
	path: "settings.json",
	format: SETTINGS_FORMAT,
	maxBytes: BYTES_MAX,
	fallback: DEFAULT_SETTINGS,
	read: settingsFromStored,
	write: settingsToStored,
});

function points(curve: LockCurve): number[][] {
	return curve.x.map((x, index) => [x, curve.lockPercent[index]]);
}

function refuse(field: string, value: unknown, allowed: string): never {
	throw new RangeError(`${field} is ${JSON.stringify(value)}; allowed: ${allowed}`);
}

function object(value: unknown, field: string): Fields {
	if (typeof value !== "object" || value === null || Array.isArray(value)) refuse(field, value, "an object");
	return value as Fields;
}

function booleanField(fields: Fields, key: string, fallback: boolean): boolean {
	const value = fields[key] ?? fallback;
	if (typeof value !== "boolean") refuse(key, value, "true or false");
	return value;
}

function numberField(fields: Fields, key: string, fallback: number, min: number, max: number): number {
	const value = fields[key] ?? fallback;
	if (typeof value !== "number" || !(value >= min && value <= max)) refuse(key, value, `a number from ${min} to ${max}`);
	return value;
}

function choice<C extends string>(fields: Fields, key: string, fallback: C, allowed: readonly C[]): C {
	const value = fields[key] ?? fallback;
	if (!allowed.includes(value as C)) refuse(key, value, allowed.join(" or "));
	return value as C;
}

function text(fields: Fields, key: string, fallback = ""): string {
	const value = fields[key] ?? fallback;
	if (typeof value !== "string" || value.length > KEY_LENGTH_MAX)
		refuse(key, value, `a text of at most ${KEY_LENGTH_MAX} characters`);
	return value;
}

function slots(value: unknown): string[] {
	const isText = (slot: unknown): boolean => typeof slot === "string" && slot.length <= KEY_LENGTH_MAX;
	if (!Array.isArray(value) || value.length !== DASHBOARD_SLOTS || !value.every(isText))
		refuse("dashboard", value, `${DASHBOARD_SLOTS} signal keys`);
	return value as string[];
}

function modeField(fields: Fields, fallback: ModeNumber): ModeNumber {
	const value = fields["mode"];
	if (value === undefined) return fallback;
	const mode = typeof value === "string" ? parseMode(value) : -1;
	if (mode < 0) refuse("mode", value, MODES.join(", "));
	return mode;
}

function curve(fields: Fields, key: keyof typeof CURVE_X_MAX, fallback: LockCurve): LockCurve {
	const value = fields[key];
	if (value === undefined) return fallback;
	const allowed = `1 to ${CURVE_POINTS_MAX} points [x, lock], x ascending up to ${CURVE_X_MAX[key]}, lock 0 to 100`;
	if (!Array.isArray(value) || value.length < 1 || value.length > CURVE_POINTS_MAX) refuse(`curves.${key}`, value, allowed);
	let last = -1;
	for (const point of value) {
		if (!Array.isArray(point) || point.length !== 2) refuse(`curves.${key}`, value, allowed);
		const [x, lock] = point as unknown[];
		if (typeof x !== "number" || typeof lock !== "number") refuse(`curves.${key}`, value, allowed);
		if (!(x > last && x <= CURVE_X_MAX[key] && lock >= 0 && lock <= 100)) refuse(`curves.${key}`, value, allowed);
		last = x;
	}
	const pairs = value as [number, number][];
	return { x: pairs.map(([x]) => x), lockPercent: pairs.map(([, lock]) => lock) };
}
