/**
 * What the driver has set, in several sections, since a signal key may take 320 bytes: inputs, mode trigger, gates, logging, sleep.
 * The answer to a settings request has some of them, too. Source: docs/http-api.md 3.1, 3.3.
 */

import { type JsonWriter, jsonKeys } from "../../http/json-writer.js";
import { MODES } from "../../lock/modes.js";
import { isDebugCapture } from "../../settings/settings.js";
import { recommendedTriggerKey, triggerKey } from "../../settings/signal-keys.js";
import type { ApiContext } from "../context.js";
import { writeBroadcast, writeEffectiveBroadcast } from "./twins.js";

const K = jsonKeys([
	"inputMappings",
	"speed",
	"throttle",
	"rpm",
	"modeTrigger",
	"enabled",
	"signal",
	"defaultSignal",
	"operator",
	"value",
	"mode",
	"active",
	"seen",
	"lastValue",
	"ageMs",
	"effectiveMode",
	"disengageUnderSpeed",
	"map",
	"lowPower",
	"sleepEnabled",
	"sleepDelayMs",
	"wakeTimerSeconds",
	"probeDurationMs",
	"logging",
	"masterEnabled",
	"canEnabled",
	"errorEnabled",
	"serialEnabled",
	"debugFirmwareEnabled",
	"debugNetworkEnabled",
	"debugCanEnabled",
	"debugCaptureActive",
] as const);

export function writeSpeedInput(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.inputMappings).beginObject().key(K.speed).string(controller.inputMappings.speed);
}

export function writeThrottleInput(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.throttle).string(controller.inputMappings.throttle);
}

export function writeRpmInput(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.rpm).string(controller.inputMappings.rpm).endObject();
}

export function writeTriggerSignal(json: JsonWriter, { controller }: ApiContext): void {
	const { settings } = controller;
	json.key(K.modeTrigger).beginObject();
	json.key(K.enabled).boolean(settings.trigger.enabled);
	json.key(K.signal).string(triggerKey(settings)).key(K.defaultSignal).string(recommendedTriggerKey(settings));
}

export function writeTrigger(json: JsonWriter, { controller }: ApiContext): void {
	const { trigger } = controller.settings;
	json.key(K.operator).string(trigger.operator).key(K.value).number(trigger.value).key(K.mode).string(MODES[trigger.mode]);
	writeBroadcast(json, trigger.broadcastOverCan);
	json.key(K.active).boolean(controller.triggerActive).key(K.seen).boolean(controller.triggerSeen);
	json.key(K.lastValue).number(controller.triggerValue).key(K.ageMs).number(controller.triggerAgeMs);
	json.key(K.effectiveMode).string(MODES[controller.effectiveMode]);
	writeEffectiveBroadcast(json, controller);
	json.endObject();
}

export function writeGates(json: JsonWriter, { controller }: ApiContext): void {
	const gates = controller.settings.tuning.disengageUnderKmh;
	json.key(K.disengageUnderSpeed).beginObject();
	json.key(K.map).number(gates.map).key(K.speed).number(gates.speed);
	json.key(K.throttle).number(gates.throttle).key(K.rpm).number(gates.rpm);
	json.endObject();
}

export function writeLowPower(json: JsonWriter, { controller }: ApiContext): void {
	const { lowPower } = controller.settings;
	json.key(K.lowPower).beginObject();
	json.key(K.sleepEnabled).boolean(lowPower.sleepEnabled).key(K.sleepDelayMs).number(lowPower.sleepDelayMs);
	json.key(K.wakeTimerSeconds).number(lowPower.wakeTimerSeconds).key(K.probeDurationMs).number(lowPower.probeDurationMs);
	json.endObject();
}

export function writeLogging(json: JsonWriter, context: ApiContext): void {
	const { file, can, error, serial, debugFirmware, debugNetwork, debugCan } = context.controller.settings.logging;
	json.key(K.logging).beginObject();
	json.key(K.masterEnabled).boolean(file || can || error || serial || debugFirmware || debugNetwork || debugCan);
	json.key(K.enabled).boolean(file).key(K.canEnabled).boolean(can).key(K.errorEnabled).boolean(error);
	json.key(K.serialEnabled).boolean(serial).key(K.debugFirmwareEnabled).boolean(debugFirmware);
	json.key(K.debugNetworkEnabled).boolean(debugNetwork).key(K.debugCanEnabled).boolean(debugCan);
	writeDebugCapture(json, context);
	json.endObject();
}

export function writeDebugCapture(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.debugCaptureActive).boolean(isDebugCapture(controller.settings.logging));
}
