/**
 * What a settings request changes: settings and a parsed body in, new settings or a refusal out. Pure; nothing is changed in place,
 * and groups that stay equal stay the same objects, so that the controller sees what really changed.
 * Keys, ranges and side effects: docs/http-api.md 1.5, 2.4, 3.3; docs/decisions.md 11 to 14. Where it says "clamped" we clamp, anything else is refused.
 */

import { FRAME_PROFILES, type Generation, isGeneration } from "../coupling/generation.js";
import { MAP, MODES, modeOf, STOCK } from "../lock/modes.js";
import { isDefaultTriggerKey, isRecommendedKey, type MappedKeys } from "../vehicle/mapped-inputs.js";
import { type Fields, PatchReader, type SettingsRefusal } from "./patch-reader.js";
import { DASHBOARD_SLOTS, isDebugCapture, type LoggingSettings, type Settings, type TriggerSettings } from "./settings.js";
import { TRIGGER_VALUE_MAX } from "./stored-settings.js";

/** Neutral and reference spelling. Source: docs/http-api.md 8. */
const BROADCAST = Object.freeze(["broadcastControllerOverCAN", "broadcastOpenHaldexOverCAN"] as const);
const GENERATIONS = "1, 2, 4 or 5";
const GENERATION = Object.freeze(["couplingGeneration", "haldexGeneration"] as const);

/** What each member sets. Members: a name that is only a text would become one of the engine's at the first request. */
const LOGGING: Readonly<Record<string, keyof LoggingSettings>> = Object.freeze({
	logToFileEnabled: "file",
	logCanToFileEnabled: "can",
	logErrorToFileEnabled: "error",
	logSerialEnabled: "serial",
	logDebugFirmwareEnabled: "debugFirmware",
	logDebugNetworkEnabled: "debugNetwork",
	logDebugCanEnabled: "debugCan",
});

/** Every member name that a settings request may have, nested ones too, with one blank between two. */
export const SETTINGS_MEMBERS: string = [
	...BROADCAST,
	...GENERATION,
	...[
		"revision",
		"inputMappings",
		"disableController",
		"disableThrottle",
		"disableSpeed",
		"disengageUnderSpeed",
		"dashMappings",
		"modeTrigger",
	],
	...["lockReleaseRatePctPerSec", "lockEngageRatePctPerSec", "lowPower", "lowPowerSleepEnabled", "isStandalone"],
	...Object.keys(LOGGING),
	...["frameProfile", "respectInterventions", "controlWithoutFeedback", "pwm", "setupDone"],
	...["speed", "throttle", "rpm", "map", "enabled", "signal", "operator", "value", "mode"],
	...["sleepEnabled", "sleepDelayMs", "wakeTimerSeconds", "probeDurationMs", "frequencyHz", "inverted"],
	...["dash_1", "dash_2", "dash_3", "dash_4", "dash_5", "dash_6", "dash_7", "dash_8"],
].join(" ");

/** Each spelling with what it means. Pairs, for a client's text must not become a name of the engine. */
const OPERATORS: readonly (readonly [string, TriggerSettings["operator"]])[] = Object.freeze([
	[">", "gt"],
	["gt", "gt"],
	[">=", "gte"],
	["gte", "gte"],
	["<", "lt"],
	["lt", "lt"],
	["<=", "lte"],
	["lte", "lte"],
	["=", "eq"],
	["==", "eq"],
	["eq", "eq"],
	["!=", "neq"],
	["<>", "neq"],
	["neq", "neq"],
	["change", "change"],
	["changes", "change"],
	["changed", "change"],
]);

/** True if the request must wait until the CAN capture has ended: it would enable the controller or end the broadcast. Never throws. */
export function conflictsWithCapture(body: Fields): boolean {
	return isOff(body["disableController"]) || BROADCAST.some((key) => isOff(body[key]));
}

/**
 * The settings after a request, or why it is refused; then nothing of it applies. Never throws.
 * @param capturing a CAN capture runs: the state that it puts on top cannot be changed, what lies under it stays
 */
export function patchSettings(old: Settings, body: Fields, capturing: boolean): Settings | SettingsRefusal {
	const read = new PatchReader();
	const generation = read.twin(body, GENERATION, (key) => generationOf(read, body, key)) ?? old.generation;
	const generationGiven = GENERATION.some((key) => body[key] !== undefined);
	const broadcast = read.twin(body, BROADCAST, (key) => read.boolean(body, key));
	const disable = read.boolean(body, "disableController");
	const { tuning } = old;
	const gates = read.group(body, "disengageUnderSpeed", "map, speed, throttle, rpm");
	const gate = (key: string, now: number): number => read.clamped(gates, key, 0, 300, "integer", "disengageUnderSpeed") ?? now;
	const pwm = read.group(body, "pwm", "frequencyHz, inverted");
	if (read.boolean(body, "isStandalone") === true)
		read.refuse("invalid isStandalone", "isStandalone", true, "false: standalone operation is not built yet");
	const logging = loggingOf(read, body, old.logging);
	let { mode, disableController, broadcastOverCan } = old;
	if (!capturing) {
		if (disable === true) mode = STOCK;
		else if (disable === false && mode === STOCK) mode = MAP;
		disableController = disable ?? disableController;
		broadcastOverCan = broadcast ?? broadcastOverCan;
	}
	if (isDebugCapture(logging)) {
		mode = STOCK;
		disableController = true;
	}
	const next: Settings = {
		...old,
		mode,
		disableController,
		generation,
		frameProfile: read.choice(body, "frameProfile", FRAME_PROFILES) ?? old.frameProfile,
		broadcastOverCan,
		inputMappings: kept(old.inputMappings, mappingsOf(read, body, old.inputMappings, generation)),
		dashboard: kept(old.dashboard, dashboardOf(read, body, old.dashboard)),
		trigger: kept(old.trigger, triggerOf(read, body, old.trigger, generation)),
		respectInterventions: read.boolean(body, "respectInterventions") ?? old.respectInterventions,
		controlWithoutFeedback: read.boolean(body, "controlWithoutFeedback") ?? old.controlWithoutFeedback,
		tuning: kept(tuning, {
			...tuning,
			disableThrottlePercent: read.clamped(body, "disableThrottle", 0, 100, "integer or text") ?? tuning.disableThrottlePercent,
			disableSpeedKmh: read.clamped(body, "disableSpeed", 0, 300, "integer or text") ?? tuning.disableSpeedKmh,
			disengageUnderKmh: kept(tuning.disengageUnderKmh, {
				map: gate("map", tuning.disengageUnderKmh.map),
				speed: gate("speed", tuning.disengageUnderKmh.speed),
				throttle: gate("throttle", tuning.disengageUnderKmh.throttle),
				rpm: gate("rpm", tuning.disengageUnderKmh.rpm),
			}),
			releaseRatePercentPerS:
				read.clamped(body, "lockReleaseRatePctPerSec", 0, 1000, "number or text") ?? tuning.releaseRatePercentPerS,
			engageRatePercentPerS: read.clamped(body, "lockEngageRatePctPerSec", 0, 1000, "number") ?? tuning.engageRatePercentPerS,
		}),
		pwm: kept(old.pwm, {
			frequencyHz: read.clamped(pwm, "frequencyHz", 10, 20_000, "integer", "pwm") ?? old.pwm.frequencyHz,
			inverted: read.boolean(pwm, "inverted", "pwm") ?? old.pwm.inverted,
		}),
		logging: kept(old.logging, logging),
		setupDone: read.boolean(body, "setupDone") ?? old.setupDone,
		lowPower: kept(old.lowPower, lowPowerOf(read, body, old.lowPower, generationGiven ? generation : undefined)),
	};
	return read.refusal ?? next;
}

/** True for a refusal. */
export function isRefusal(result: Settings | SettingsRefusal): result is SettingsRefusal {
	return "error" in result;
}

function isOff(value: unknown): boolean {
	return value === false || value === 0;
}

function generationOf(read: PatchReader, body: Fields, key: string): Generation | undefined {
	const value = read.number(body, key, "number or text", "invalid haldexGeneration", key, GENERATIONS);
	if (value === undefined || isGeneration(value)) return value;
	read.refuse("invalid haldexGeneration", key, body[key], GENERATIONS);
	return undefined;
}

/** A recommended key is stored as "": from then on the input follows the generation. */
function mappingsOf(read: PatchReader, body: Fields, old: MappedKeys, generation: Generation): MappedKeys {
	const given = read.group(body, "inputMappings", "speed, throttle, rpm");
	const key = (input: keyof MappedKeys): string => {
		const text = read.key(given, input, "inputMappings") ?? old[input];
		return generation !== 0 && isRecommendedKey(input, text) ? "" : text;
	};
	return { speed: key("speed"), throttle: key("throttle"), rpm: key("rpm") };
}

function dashboardOf(read: PatchReader, body: Fields, old: readonly string[]): readonly string[] {
	const given = read.group(body, "dashMappings", `dash_1 to dash_${DASHBOARD_SLOTS}`);
	const slots: string[] = [];
	for (let slot = 0; slot < DASHBOARD_SLOTS; slot++) slots.push(read.key(given, `dash_${slot + 1}`, "dashMappings") ?? old[slot]);
	return slots;
}

function triggerOf(read: PatchReader, body: Fields, old: TriggerSettings, generation: Generation): TriggerSettings {
	const given = read.group(body, "modeTrigger", "enabled, signal, operator, value, mode");
	const signal = read.key(given, "signal", "modeTrigger", "invalid modeTrigger.signal") ?? old.signal;
	const operator = operatorOf(read, given, old.operator);
	const mode = given["mode"] === undefined ? old.mode : modeOf(given["mode"]);
	if (mode < 0) read.refuse("invalid modeTrigger.mode", "modeTrigger.mode", given["mode"], MODES.join(", "));
	const range = `-${TRIGGER_VALUE_MAX}..${TRIGGER_VALUE_MAX}`;
	const value = read.number(given, "value", "number", "invalid modeTrigger.value", "modeTrigger.value", range);
	return {
		enabled: read.boolean(given, "enabled", "modeTrigger", "invalid modeTrigger.enabled") ?? old.enabled,
		signal: generation !== 0 && isDefaultTriggerKey(signal) ? "" : signal,
		operator,
		value: value === undefined ? old.value : Math.min(Math.max(value, -TRIGGER_VALUE_MAX), TRIGGER_VALUE_MAX),
		mode,
		broadcastOverCan:
			read.twin(
				given,
				BROADCAST,
				(key) => read.boolean(given, key, "modeTrigger", `invalid modeTrigger.${key}`),
				"modeTrigger",
			) ?? old.broadcastOverCan,
	};
}

function operatorOf(read: PatchReader, given: Fields, old: TriggerSettings["operator"]): TriggerSettings["operator"] {
	const allowed = OPERATORS.map((spelling) => spelling[0]).join(" ");
	const text = read.text(given, "operator", "invalid modeTrigger.operator", "modeTrigger.operator", allowed);
	if (text === undefined) return old;
	const token = text.trim().toLowerCase();
	const known = OPERATORS.find((spelling) => spelling[0] === token);
	if (known === undefined) read.refuse("invalid modeTrigger.operator", "modeTrigger.operator", text, allowed);
	return known === undefined ? old : known[1];
}

/** Verbose logging goes to the files. */
function loggingOf(read: PatchReader, body: Fields, old: LoggingSettings): LoggingSettings {
	const logging: Record<keyof LoggingSettings, boolean> = { ...old };
	for (const member in LOGGING) {
		const setting = LOGGING[member];
		logging[setting] = read.boolean(body, member) ?? old[setting];
	}
	const debug = logging.debugFirmware || logging.debugNetwork || logging.debugCan;
	return { ...logging, file: logging.file || debug || logging.can, error: logging.error || debug };
}

/** @param newGeneration of the request: without a word about sleep it decides, as in the reference */
function lowPowerOf(
	read: PatchReader,
	body: Fields,
	old: Settings["lowPower"],
	newGeneration?: Generation,
): Settings["lowPower"] {
	const given = read.group(body, "lowPower", "sleepEnabled, sleepDelayMs, wakeTimerSeconds, probeDurationMs");
	const number = (key: string, min: number, max: number): number | undefined =>
		read.clamped(given, key, min, max, "integer", "lowPower");
	const nested = read.boolean(given, "sleepEnabled", "lowPower");
	const sleepEnabled = read.boolean(body, "lowPowerSleepEnabled") ?? nested;
	return {
		sleepEnabled: sleepEnabled ?? (newGeneration === undefined ? old.sleepEnabled : newGeneration === 5),
		sleepDelayMs: number("sleepDelayMs", 5000, 600_000) ?? old.sleepDelayMs,
		wakeTimerSeconds: number("wakeTimerSeconds", 30, 86_400) ?? old.wakeTimerSeconds,
		probeDurationMs: number("probeDurationMs", 100, 5000) ?? old.probeDurationMs,
	};
}

/** `old` if `now` has the same values. */
function kept<T extends object>(old: T, now: T): T {
	for (const key in now) if (old[key] !== now[key]) return now;
	return old;
}
