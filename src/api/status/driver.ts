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

/** A setting as answers show it: its name in memory and theirs. */
interface Shown {
	readonly name: string;
	readonly as: string;
	readonly isNumber: boolean;
}

const OUR_DRIVER = shownOf(SETTING_GROUPS.driver, true);
const OUR_GATES = shownOf(SETTING_GROUPS.gatesAndRamps, true);
const PWM = shownOf(SETTING_GROUPS.pwm);
const GATES = shownOf(SETTING_GROUPS.gatesAndRamps);
const INPUTS = shownOf(SETTING_GROUPS.inputMappings);
const DASHBOARD = shownOf(SETTING_GROUPS.dashboard);
const DISENGAGE_UNDER = shownOf(SETTING_GROUPS.disengageUnder);
const LOW_POWER = shownOf(SETTING_GROUPS.lowPower);
const LOGGING = shownOf(SETTING_GROUPS.logging);

/** @param ours those that only this controller has, instead of the others */
function shownOf({ settings }: SettingGroup, ours?: boolean): readonly Shown[] {
	const rows = Object.entries(settings).filter(([, row]) => row.ours === ours);
	return Object.freeze(
		rows.map(([name, { kind, wire = name, shown: as = wire }]) => Object.freeze({ name, as, isNumber: kind === "number" })),
	);
}

/** An answer's members for these settings. */
function shown(rows: readonly Shown[], values: object): MutableFields {
	const members: MutableFields = {};
	for (let i = 0; i < rows.length; i++) {
		const { name, as, isNumber } = rows[i];
		const value = (values as Fields)[name];
		members[as] = isNumber ? figure(value as number) : value;
	}
	return members;
}

/** What only this controller has. */
export function ourSettings({ controller }: ApiContext) {
	const { settings } = controller;
	return {
		...shown(OUR_DRIVER, settings),
		...shown(OUR_GATES, settings.tuning),
		pwm: shown(PWM, settings.pwm),
	};
}

export function gatesAndRamps({ controller }: ApiContext) {
	return shown(GATES, controller.settings.tuning);
}

/** The keys in force: the driver's own, or the generation's. */
export function inputMappings({ controller }: ApiContext) {
	return shown(INPUTS, controller.inputMappings);
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
	return shown(DASHBOARD, controller.settings.dashboard);
}

export function disengageUnderSpeed({ controller }: ApiContext) {
	return shown(DISENGAGE_UNDER, controller.settings.tuning.disengageUnderKmh);
}

export function lowPower({ controller }: ApiContext) {
	return shown(LOW_POWER, controller.settings.lowPower);
}

export function logging(context: ApiContext) {
	const flags = shown(LOGGING, context.controller.settings.logging);
	return {
		masterEnabled: Object.values(flags).includes(true),
		...flags,
		debugCaptureActive: debugCaptureActive(context),
	};
}

export function debugCaptureActive({ controller }: ApiContext): boolean {
	return isDebugCapture(controller.settings.logging);
}
