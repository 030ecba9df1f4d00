/**
 * What the driver has set: inputs, mode trigger, gates, logging, sleep. The answer to a settings request has some of it, too.
 * Source: docs/http-api.md 3.1, 3.3.
 */

import { figure } from "../../http/producer.js";
import { MODES } from "../../lock/modes.js";
import { type Fields, type MutableFields, SETTING_GROUPS, type SettingGroup } from "../../settings/setting-groups.js";
import { isDebugCapture } from "../../settings/settings.js";
import { recommendedTriggerKey, triggerKey } from "../../settings/signal-keys.js";
import type { ApiContext } from "../context.js";
import { broadcast, effectiveBroadcast } from "./aliases.js";

/** @param ours those that only this controller has, instead of the others */
export function shown({ settings }: SettingGroup, values: object, ours?: boolean): MutableFields {
	const members: MutableFields = {};
	for (const name in settings) {
		const { kind, wire = name, ours: isOurs } = settings[name];
		if (isOurs !== ours) continue;
		const value = (values as Fields)[name];
		members[settings[name].shown ?? wire] = kind === "number" ? figure(value as number) : value;
	}
	return members;
}

/** What only this controller has. */
export function ourSettings({ controller }: ApiContext) {
	const { settings } = controller;
	return {
		...shown(SETTING_GROUPS.driver, settings, true),
		...shown(SETTING_GROUPS.gatesAndRamps, settings.tuning, true),
		pwm: shown(SETTING_GROUPS.pwm, settings.pwm),
	};
}

export function gatesAndRamps({ controller }: ApiContext) {
	return shown(SETTING_GROUPS.gatesAndRamps, controller.settings.tuning);
}

/** The keys in force: the driver's own, or the generation's. */
export function inputMappings({ controller }: ApiContext) {
	return shown(SETTING_GROUPS.inputMappings, controller.inputMappings);
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

export function dashMappings({ controller }: ApiContext) {
	return shown(SETTING_GROUPS.dashboard, controller.settings.dashboard);
}

export function disengageUnderSpeed({ controller }: ApiContext) {
	return shown(SETTING_GROUPS.disengageUnder, controller.settings.tuning.disengageUnderKmh);
}

export function lowPower({ controller }: ApiContext) {
	return shown(SETTING_GROUPS.lowPower, controller.settings.lowPower);
}

export function logging(context: ApiContext) {
	const flags = shown(SETTING_GROUPS.logging, context.controller.settings.logging);
	return {
		masterEnabled: Object.values(flags).includes(true),
		...flags,
		debugCaptureActive: debugCaptureActive(context),
	};
}

export function debugCaptureActive({ controller }: ApiContext): boolean {
	return isDebugCapture(controller.settings.logging);
}
