/**
 * What the driver has set: inputs, mode trigger, gates, logging, sleep. The answer to a settings request has some of it, too.
 * Source: docs/http-api.md 3.1, 3.3.
 */

import { figure } from "../../http/producer.js";
import { MODES } from "../../lock/modes.js";
import { isDebugCapture } from "../../settings/settings.js";
import { recommendedTriggerKey, triggerKey } from "../../settings/signal-keys.js";
import type { ApiContext } from "../context.js";
import { broadcast, effectiveBroadcast } from "./twins.js";

export function inputMappings({ controller }: ApiContext) {
	const { speed, throttle, rpm } = controller.inputMappings;
	return { speed, throttle, rpm };
}

export function modeTrigger({ controller }: ApiContext) {
	const { settings } = controller;
	const { trigger } = settings;
	return {
		enabled: trigger.enabled,
		signal: triggerKey(settings),
		defaultSignal: recommendedTriggerKey(settings),
		operator: trigger.operator,
		value: figure(trigger.value),
		mode: MODES[trigger.mode],
		...broadcast(trigger.broadcastOverCan),
		active: controller.triggerActive,
		seen: controller.triggerSeen,
		lastValue: figure(controller.triggerValue),
		ageMs: controller.triggerAgeMs,
		effectiveMode: MODES[controller.effectiveMode],
		...effectiveBroadcast(controller.effectiveBroadcastOverCan),
	};
}

export function disengageUnderSpeed({ controller }: ApiContext) {
	const gates = controller.settings.tuning.disengageUnderKmh;
	return { map: figure(gates.map), speed: figure(gates.speed), throttle: figure(gates.throttle), rpm: figure(gates.rpm) };
}

export function lowPower({ controller }: ApiContext) {
	const { sleepEnabled, sleepDelayMs, wakeTimerSeconds, probeDurationMs } = controller.settings.lowPower;
	return {
		sleepEnabled,
		sleepDelayMs: figure(sleepDelayMs),
		wakeTimerSeconds: figure(wakeTimerSeconds),
		probeDurationMs: figure(probeDurationMs),
	};
}

export function logging(context: ApiContext) {
	const { file, can, error, serial, debugFirmware, debugNetwork, debugCan } = context.controller.settings.logging;
	return {
		masterEnabled: file || can || error || serial || debugFirmware || debugNetwork || debugCan,
		enabled: file,
		canEnabled: can,
		errorEnabled: error,
		serialEnabled: serial,
		debugFirmwareEnabled: debugFirmware,
		debugNetworkEnabled: debugNetwork,
		debugCanEnabled: debugCan,
		debugCaptureActive: debugCaptureActive(context),
	};
}

export function debugCaptureActive({ controller }: ApiContext): boolean {
	return isDebugCapture(controller.settings.logging);
}
