/**
 * What the driver has set: inputs, conditions, gates, logging, sleep. The answer to a settings request has some of it, too.
 * Source: docs/http-api.md 3.1, 3.3.
 */

import type { ConditionState } from "../../controller/conditions.js";
import type { ControllerView } from "../../controller/view.js";
import { figure } from "../../http/producer.js";
import { MODES, type ModeNumber } from "../../lock/modes.js";
import { modeTriggerAt, NEW_CONDITION } from "../../settings/condition-list.js";
import { type Fields, SETTING_GROUPS, type SettingGroup } from "../../settings/setting-groups.js";
import { isVerboseLogging } from "../../settings/settings.js";
import { conditionKey, recommendedConditionKey, steeringKey } from "../../settings/signal-keys.js";
import type { ApiContext } from "../context.js";
import { broadcast, effectiveBroadcast } from "./aliases.js";

type Scalar = string | number | boolean;

/**
 * Settings by the names that answers have. @param from the values of the group @param ours the ones that only this controller has, instead of the
 * others
 */
function shown({ settings }: SettingGroup, from: object, ours?: boolean): Readonly<Record<string, Scalar>> {
	const members: Record<string, Scalar> = {};
	for (const name in settings) {
		const row = settings[name];
		if (row.ours !== ours) continue;
		const { kind, wire = name, shown: member = wire } = row;
		const value = (from as Fields)[name] as Scalar;
		if (kind === "number") members[member] = figure(value as number);
		else if (kind === "mode") members[member] = MODES[value as ModeNumber];
		else members[member] = value;
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
		controls: shown(SETTING_GROUPS.controls, settings.controls),
	};
}

/** Gates in km/h and percent, ramps in percent per second; 0 = off, or at once. */
export function gatesAndRamps({ controller }: ApiContext) {
	return shown(SETTING_GROUPS.gatesAndRamps, controller.settings.tuning);
}

/** The keys in force of speed, throttle and rpm: the driver's own, or the generation's; "" = there is neither. */
export function inputMappings({ controller }: ApiContext) {
	return shown(SETTING_GROUPS.inputMappings, controller.inputMappings);
}

/** How old the value is that a condition has seen, ms; 0 = it has seen none. */
export function ageOf({ nowMs }: ControllerView, state: ConditionState | undefined): number {
	return state?.seen ? (nowMs - state.atMs) >>> 0 : 0;
}

/** The first condition that selects a mode, as the reference has it. */
export function modeTrigger({ controller }: ApiContext) {
	const { settings } = controller;
	const at = modeTriggerAt(settings.conditions);
	const trigger = at < 0 ? NEW_CONDITION : settings.conditions[at];
	const state = at < 0 ? undefined : controller.conditionAt(at);
	return {
		enabled: trigger.enabled,
		signal: conditionKey(settings, trigger),
		defaultSignal: recommendedConditionKey(settings),
		operator: trigger.operator,
		value: figure(trigger.value),
		mode: MODES[trigger.mode],
		...broadcast(trigger.broadcastOverCan),
		active: state?.holds === true && controller.supervisor.conditionSelects,
		seen: state?.seen === true,
		lastValue: figure(state?.value ?? 0),
		ageMs: ageOf(controller, state),
		effectiveMode: MODES[controller.effectiveMode],
		...effectiveBroadcast(controller.effectiveBroadcastOverCan),
	};
}

/** With the signal in force: the driver's own, or the generation's; then what the angle does now. */
export function steeringGain({ controller }: ApiContext) {
	const { settings, steering } = controller;
	return {
		...shown(SETTING_GROUPS.steeringGain, { ...settings.steeringGain, signal: steeringKey(settings) }),
		valid: steering.valid,
		angleDeg: figure(steering.valid ? steering.angleDeg : 0),
		gainPercent: figure(steering.gainPercent),
	};
}

/** Signal keys by slot; "" = empty. */
export function dashMappings({ controller }: ApiContext) {
	return shown(SETTING_GROUPS.dashboard, controller.settings.dashboard);
}

/** By mode, km/h; 0 = off. */
export function disengageUnderSpeed({ controller }: ApiContext) {
	return shown(SETTING_GROUPS.disengageUnder, controller.settings.tuning.disengageUnderKmh);
}

/** Parked sleep as it is set; what it does now is in `buses.ts`. */
export function lowPower({ controller }: ApiContext) {
	return shown(SETTING_GROUPS.lowPower, controller.settings.lowPower);
}

/** What goes into the log, and whether anything does. */
export function logging(context: ApiContext) {
	const flags = context.controller.settings.logging;
	return {
		masterEnabled: Object.values(flags).includes(true),
		...shown(SETTING_GROUPS.logging, flags),
		debugCaptureActive: debugCaptureActive(context),
	};
}

/** True while verbose logging keeps the car stock. */
export function debugCaptureActive({ controller }: ApiContext): boolean {
	return isVerboseLogging(controller.settings.logging);
}
