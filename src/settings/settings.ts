/**
 * Everything the driver sets, with its defaults, and the form in which it lies on flash (STORAGE.md).
 * A settings object is never changed in place: a change makes a new one, which the controller takes over between two ticks.
 * Source of defaults and ranges: control-and-can.md 6.4, decisions 1 and 6.
 */

import { FRAME_PROFILES, type FrameProfile, type Generation, isGeneration } from "../coupling/generation.js";
import { MODES, type ModeNumber, parseMode, STOCK } from "../lock/modes.js";
import { DEFAULT_TUNING, type Tuning } from "../lock/tuning.js";

/** Version of the stored form. Raised when a reader of the old one would misunderstand it. */
export const SETTINGS_FORMAT = 1;

export interface PwmSettings {
	/** 10..20000. */
	readonly frequencyHz: number;
	/** True: the pin is low while the duty is on. */
	readonly inverted: boolean;
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
	/** Open the coupling while ABS or ESP intervene. */
	readonly respectInterventions: boolean;
	readonly tuning: Tuning;
	readonly pwm: PwmSettings;
}

export const DEFAULT_SETTINGS: Settings = Object.freeze({
	mode: STOCK,
	disableController: false,
	generation: 0,
	frameProfile: "reference",
	broadcastOverCan: true,
	inputMappings: Object.freeze({ speed: "", throttle: "", rpm: "" }),
	respectInterventions: true,
	tuning: DEFAULT_TUNING,
	pwm: Object.freeze({ frequencyHz: 1000, inverted: false }),
});

/**
 * Reads the stored form: an object parsed from JSON. A field that is absent has its default.
 * @throws {RangeError} naming field, value and what is allowed; then nothing of it may be used
 */
export function settingsFromStored(stored: unknown): Settings {
	const fields = object(stored, "settings");
	if (fields["format"] !== SETTINGS_FORMAT) refuse("format", fields["format"], `${SETTINGS_FORMAT}`);
	const mode = fields["mode"] === undefined ? DEFAULT_SETTINGS.mode : modeField(fields["mode"]);
	const generation = fields["generation"] ?? DEFAULT_SETTINGS.generation;
	if (generation !== 0 && !isGeneration(generation)) refuse("generation", generation, "0, 1, 2, 4 or 5");
	const frameProfile = fields["frameProfile"] ?? DEFAULT_SETTINGS.frameProfile;
	if (!FRAME_PROFILES.includes(frameProfile as FrameProfile)) refuse("frameProfile", frameProfile, FRAME_PROFILES.join(" or "));
	const pwm = object(fields["pwm"] ?? {}, "pwm");
	const mappings = object(fields["inputMappings"] ?? {}, "inputMappings");
	return {
		mode,
		disableController: booleanField(fields, "disableController", DEFAULT_SETTINGS.disableController),
		generation: generation as Generation,
		frameProfile: frameProfile as FrameProfile,
		broadcastOverCan: booleanField(fields, "broadcastOverCan", DEFAULT_SETTINGS.broadcastOverCan),
		inputMappings: {
			speed: keyField(mappings, "speed"),
			throttle: keyField(mappings, "throttle"),
			rpm: keyField(mappings, "rpm"),
		},
		respectInterventions: booleanField(fields, "respectInterventions", DEFAULT_SETTINGS.respectInterventions),
		tuning: {
			...DEFAULT_TUNING,
			disableThrottlePercent: numberField(fields, "disableThrottle", DEFAULT_TUNING.disableThrottlePercent, 0, 100),
			disableSpeedKmh: numberField(fields, "disableSpeed", DEFAULT_TUNING.disableSpeedKmh, 0, 300),
			releaseRatePercentPerS: numberField(fields, "releaseRate", DEFAULT_TUNING.releaseRatePercentPerS, 0, 1000),
			engageRatePercentPerS: numberField(fields, "engageRate", DEFAULT_TUNING.engageRatePercentPerS, 0, 1000),
		},
		pwm: {
			frequencyHz: numberField(pwm, "frequencyHz", DEFAULT_SETTINGS.pwm.frequencyHz, 10, 20000),
			inverted: booleanField(pwm, "inverted", DEFAULT_SETTINGS.pwm.inverted),
		},
	};
}

/** The form that lies on flash; `settingsFromStored` reads it back to equal settings. Pure. */
export function settingsToStored(settings: Settings): object {
	return {
		format: SETTINGS_FORMAT,
		mode: MODES[settings.mode],
		disableController: settings.disableController,
		generation: settings.generation,
		frameProfile: settings.frameProfile,
		broadcastOverCan: settings.broadcastOverCan,
		inputMappings: { ...settings.inputMappings },
		respectInterventions: settings.respectInterventions,
		disableThrottle: settings.tuning.disableThrottlePercent,
		disableSpeed: settings.tuning.disableSpeedKmh,
		releaseRate: settings.tuning.releaseRatePercentPerS,
		engageRate: settings.tuning.engageRatePercentPerS,
		pwm: { ...settings.pwm },
	};
}

type Fields = Record<string, unknown>;

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

function keyField(fields: Fields, key: string): string {
	const value = fields[key] ?? "";
	if (typeof value !== "string" || value.length > 160) refuse(key, value, "a signal key of at most 160 characters");
	return value;
}

function modeField(value: unknown): ModeNumber {
	const mode = typeof value === "string" ? parseMode(value) : -1;
	if (mode < 0) refuse("mode", value, MODES.join(", "));
	return mode;
}
