/**
 * What the driver has set: inputs, conditions, gates, logging, sleep. The answer to a settings request has some of it, too.
 * Source: docs/http-api.md 3.1, 3.3.
 */

import type { ConditionState } from "../../controller/conditions.js";
import type { ControllerView } from "../../controller/view.js";
import { figure } from "../../http/producer.js";
import { asJson, asJsonOf, type Json, part } from "../../json/write.js";
import { MODES, type ModeNumber } from "../../lock/modes.js";
import { modeTriggerAt, NEW_CONDITION } from "../../settings/condition-list.js";
import { type Fields, SETTING_GROUPS, type SettingGroup } from "../../settings/setting-groups.js";
import { isVerboseLogging } from "../../settings/settings.js";
import type { Kind } from "../../settings/settings-table.js";
import { conditionKey, recommendedConditionKey, steeringKey } from "../../settings/signal-keys.js";
import type { ApiContext } from "../context.js";
import { broadcast, effectiveBroadcast } from "./aliases.js";

/** Settings as answers show them. */
interface Shown {
	/** Their names in memory, and in answers, there with a blank between two. */
	readonly fields: readonly string[];
	readonly names: string;
	/** Which of them are numbers, and modes. */
	readonly numbers: readonly number[];
	readonly modes: readonly number[];
}

const OUR_DRIVER = shownOf(SETTING_GROUPS.driver, true);
const OUR_GATES = shownOf(SETTING_GROUPS.gatesAndRamps, true);
const CONTROLS = shownOf(SETTING_GROUPS.controls);
const PWM = shownOf(SETTING_GROUPS.pwm);
const GATES = shownOf(SETTING_GROUPS.gatesAndRamps);
const INPUTS = shownOf(SETTING_GROUPS.inputMappings);
const DASHBOARD = shownOf(SETTING_GROUPS.dashboard);
const DISENGAGE_UNDER = shownOf(SETTING_GROUPS.disengageUnder);
const STEERING_GAIN = shownOf(SETTING_GROUPS.steeringGain);
const LOW_POWER = shownOf(SETTING_GROUPS.lowPower);
const LOGGING = shownOf(SETTING_GROUPS.logging);

/** @param ours those that only this controller has, instead of the others */
function shownOf({ settings }: SettingGroup, ours?: boolean): Shown {
	const rows = Object.entries(settings).filter(([, row]) => row.ours === ours);
	const indicesOf = (kind: Kind): number[] => rows.flatMap(([, row], index) => (row.kind === kind ? [index] : []));
	return Object.freeze({
		fields: Object.freeze(rows.map(([name]) => name)),
		names: rows.map(([name, { wire = name, shown: as = wire }]) => as).join(" "),
		numbers: Object.freeze(indicesOf("number")),
		modes: Object.freeze(indicesOf("mode")),
	});
}

type Scalar = string | number | boolean;

/** An answer's members for these settings. */
function shown({ fields, names, numbers, modes }: Shown, from: object): Json {
	const values: Scalar[] = [];
	for (let i = 0; i < fields.length; i++) values.push((from as Fields)[fields[i]] as Scalar);
	for (let i = 0; i < numbers.length; i++) values[numbers[i]] = figure(values[numbers[i]] as number);
	for (let i = 0; i < modes.length; i++) values[modes[i]] = MODES[values[modes[i]] as ModeNumber];
	return asJsonOf(names, values);
}

/** What only this controller has. */
export function ourSettings({ controller }: ApiContext) {
	const { settings } = controller;
	return asJson({
		...shown(OUR_DRIVER, settings),
		...shown(OUR_GATES, settings.tuning),
		pwm: part(shown(PWM, settings.pwm)),
		controls: part(shown(CONTROLS, settings.controls)),
	});
}

/** Gates in km/h and percent, ramps in percent per second; 0 = off, or at once. */
export function gatesAndRamps({ controller }: ApiContext) {
	return shown(GATES, controller.settings.tuning);
}

/** The keys in force of speed, throttle and rpm: the driver's own, or the generation's; "" = there is neither. */
export function inputMappings({ controller }: ApiContext) {
	return shown(INPUTS, controller.inputMappings);
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
	return asJson({
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
	});
}

/** With the signal in force: the driver's own, or the generation's; then what the angle does now. */
export function steeringGain({ controller }: ApiContext) {
	const { settings, steering } = controller;
	return asJson({
		...shown(STEERING_GAIN, { ...settings.steeringGain, signal: steeringKey(settings) }),
		valid: steering.valid,
		angleDeg: figure(steering.valid ? steering.angleDeg : 0),
		gainPercent: figure(steering.gainPercent),
	});
}

/** Signal keys by slot; "" = empty. */
export function dashMappings({ controller }: ApiContext) {
	return shown(DASHBOARD, controller.settings.dashboard);
}

/** By mode, km/h; 0 = off. */
export function disengageUnderSpeed({ controller }: ApiContext) {
	return shown(DISENGAGE_UNDER, controller.settings.tuning.disengageUnderKmh);
}

/** Parked sleep as it is set; what it does now is in `buses.ts`. */
export function lowPower({ controller }: ApiContext) {
	return shown(LOW_POWER, controller.settings.lowPower);
}

/** What goes into the log, and whether anything does. */
export function logging(context: ApiContext) {
	const flags = context.controller.settings.logging;
	return asJson({
		masterEnabled: Object.values(flags).includes(true),
		...shown(LOGGING, flags),
		debugCaptureActive: debugCaptureActive(context),
	});
}

/** True while verbose logging keeps the car stock. */
export function debugCaptureActive({ controller }: ApiContext): boolean {
	return isVerboseLogging(controller.settings.logging);
}
