/**
 * GET /api/status, polled up to four times a second: a function for each group of its members, which other
 * answers have, too. Aliases: docs/api.md, "Names of other firmware". What follows `debugCaptureActive` is
 * ours.
 */

import { flagField } from "../can/bits.js";
import { BUS_OFF, CHASSIS, STOPPED } from "../can/bus.js";
import { BREMSE_1, BREMSE_2, BREMSE_3, MOTOR_1, MOTOR_3, PQ_SIGNALS } from "../can/layouts/pq.js";
import type { ConditionState } from "../controller/conditions.js";
import type { ControllerView } from "../controller/controller-view.js";
import { figure, type Members, partTexts } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { MODES, type ModeNumber } from "../lock/modes.js";
import { nameOf } from "../maps/map-path.js";
import { isAsStored } from "../maps/presets.js";
import type { TuningHistory } from "../maps/tuning-history.js";
import { modeTriggerAt, NEW_CONDITION } from "../settings/condition-list.js";
import { conditionKey, inputKeys, isVerboseLogging, recommendedConditionKey, steeringKey } from "../settings/settings.js";
import { type Fields, SETTING_GROUPS, type SettingGroup } from "../settings/settings-table.js";
import { hasAtMost } from "../text/characters.js";
import { hexadecimal } from "../text/hexadecimal.js";
import { couplingFlags, engagementNm } from "../vehicle/coupling-status.js";
import { type DashboardSlot, MISSING } from "../vehicle/dashboard.js";
import { NEVER_MS } from "../vehicle/sample.js";
import type { ApiContext } from "./context.js";
import { learnState } from "./learn.js";
import { reject } from "./problem.js";
import { diagnosisStatus } from "./uds.js";
import { AWAKE_WORDS, inWords } from "./words.js";

/** The driver wants the status frame sent. */
export function broadcast(value: boolean) {
	return { broadcastOpenHaldexOverCAN: value, broadcastControllerOverCAN: value };
}

/** It is sent now: a condition may decide otherwise. */
export function effectiveBroadcast(value: boolean) {
	return { effectiveBroadcastOpenHaldexOverCAN: value, effectiveBroadcastControllerOverCAN: value };
}

/** 0 = not set. */
export function generations(value: number) {
	return { haldexGeneration: value, couplingGeneration: value };
}

/* Bits of the coupling's status byte, those of Allrad_1. Source: docs/api.md, "State and modes". */
const { mask: CLUTCH_1 } = flagField([PQ_SIGNALS.clutchError]);
const { mask: TEMPERATURE_PROTECTION } = flagField([PQ_SIGNALS.temperatureProtection]);
const { mask: CLUTCH_2 } = flagField([PQ_SIGNALS.stiffnessError]);
const { mask: COUPLING_OPEN } = flagField([PQ_SIGNALS.fullyOpen]);
const { mask: SPEED_LIMIT } = flagField([PQ_SIGNALS.speedLimiter]);

/** Speed in km/h, boost in mbar above 1000, throttle, lock and engagement in percent. */
export function telemetry(controller: ControllerView) {
	const { lockPercent, vehicle } = controller;
	const inputs = inputKeys(controller.settings);
	const { couplingState, engagementRaw } = vehicle;
	const engagement = Math.round(vehicle.engagementPercent);
	const flags = couplingFlags(couplingState, controller.settings.generation);
	return {
		speed: Math.round(vehicle.speedKmh),
		rpm: Math.round(vehicle.rpm),
		boost: Math.round(vehicle.boostMbar),
		throttle: figure(vehicle.pedalPercent),
		spec: figure(lockPercent),
		act: engagement,
		haldexState: couplingState,
		couplingState,
		haldexEngagement: engagement,
		couplingEngagement: engagement,
		haldexEngagementRaw: engagementRaw,
		couplingEngagementRaw: engagementRaw,
		clutch1Report: (flags & CLUTCH_1) !== 0,
		clutch2Report: (flags & CLUTCH_2) !== 0,
		tempProtection: (flags & TEMPERATURE_PROTECTION) !== 0,
		couplingOpen: (flags & COUPLING_OPEN) !== 0,
		speedLimit: (flags & SPEED_LIMIT) !== 0,
		inputsMapped: inputs.speed !== "" && inputs.throttle !== "" && inputs.rpm !== "",
		speedValid: vehicle.speedValid,
		rpmValid: vehicle.rpmValid,
		throttleValid: vehicle.pedalValid,
		engagementValid: vehicle.engagementValid,
		engagementNm: figure(engagementNm(vehicle, controller.settings.generation)),
		engagementSaturated: vehicle.engagementSaturated,
		clutchTemperatureC: figure(vehicle.clutchTemperatureC),
		emergencyMode: vehicle.emergencyMode,
	};
}

/** A bus is alive when a frame arrived within this time. Source: docs/control-and-can.md 2.1. */
const ALIVE_MS = 500;

/** `can`. `chassis`, `haldex` and `coupling`: frames arrive. */
export function buses(context: ApiContext) {
	const { chassisState, couplingBusState, chassisAgeMs, couplingAgeMs } = context.controller.sample;
	const coupling = couplingAgeMs <= ALIVE_MS;
	const lastCouplingMs = shownAge(context, couplingAgeMs, "receivedCoupling");
	return {
		ready: chassisState !== STOPPED && couplingBusState !== STOPPED,
		chassis: chassisAgeMs <= ALIVE_MS,
		haldex: coupling,
		coupling,
		busFailure: chassisState === BUS_OFF || couplingBusState === BUS_OFF,
		lastChassisMs: shownAge(context, chassisAgeMs, "receivedChassis"),
		lastHaldexMs: lastCouplingMs,
		lastCouplingMs,
	};
}

/** `power`: parked sleep. Members of the reference first, then `waits` and `sleepsInMs`, which are ours. */
function power(context: ApiContext) {
	const { controller, sleep } = context;
	const { settings, nowMs } = controller;
	const { lowPower } = settings;
	const { ignition, parked, port } = sleep;
	return {
		lowPowerSleepEnabled: lowPower.sleepEnabled,
		active: sleep.armed,
		maintenanceOverride: sleep.override,
		ignitionSeen: ignition.seen,
		ignitionOn: sleep.ignitionOn,
		ignitionRawOn: ignition.rawOn,
		ignitionSource: ignition.saidBy,
		lastChassisAgeMs: shownAge(context, controller.sample.chassisAgeMs, "receivedChassis"),
		lastIgnitionOnAgeMs: ignition.onAgeMs(nowMs),
		lastIgnitionOffAgeMs: ignition.offAgeMs(nowMs),
		sleepDelayMs: figure(lowPower.sleepDelayMs),
		wakeTimerSeconds: figure(lowPower.wakeTimerSeconds),
		probeDurationMs: figure(lowPower.probeDurationMs),
		wakeCause: port.wakeCause,
		deepSleepEntries: port.entries,
		waits: sleep.waits === "" ? "" : AWAKE_WORDS[sleep.waits],
		sleepsInMs: figure(parked.leftMs),
		framesPerS: figure(parked.framesPerS),
		parkedBelowFramesPerS: figure(parked.parkedBelowFramesPerS),
	};
}

/** ms; 65535 = that long or longer ago, 0 = never. @param counter of the bus's received frames */
function shownAge({ gatewayCounters }: ApiContext, ageMs: number, counter: "receivedChassis" | "receivedCoupling"): number {
	return ageMs < NEVER_MS || gatewayCounters()[counter] > 0 ? ageMs : 0;
}

const FIELDS_MAX = 16;

const SLOTS = Object.freeze(["dash_1", "dash_2", "dash_3", "dash_4", "dash_5", "dash_6", "dash_7", "dash_8"] as const);
const BUSES = Object.freeze(["chassis", "haldex"] as const);

function dashboardSignals({ controller, dashboard }: ApiContext): object[] {
	const { settings } = controller;
	return SLOTS.map((slot, index) => {
		const key = settings.dashboard[index];
		return dashboardSignal(slot, key, key === "" ? undefined : dashboard.slot(index, key, settings.generation));
	});
}

function dashboardSignal(slot: string, signalId: string, signal: DashboardSlot | undefined): object {
	const what = { slot, signalId, mapped: signalId !== "", found: signal?.found === true, label: signal?.label ?? "" };
	if (signal?.found !== true)
		return { ...what, bus: "", dir: "", unit: "", generated: false, ageMs: 0, numeric: false, display: MISSING };
	const { ageMs, bus, display, generated, numeric, sent, unit, value } = signal;
	return {
		...what,
		bus: BUSES[bus],
		dir: sent ? "TX" : "RX",
		unit,
		generated,
		ageMs,
		numeric,
		value: numeric ? figure(value) : undefined,
		display,
	};
}

/** The slots with a signal, for an event. */
export function shownSignals({ controller, dashboard }: ApiContext): object[] {
	const { settings } = controller;
	const signals: object[] = [];
	for (let index = 0; index < SLOTS.length; index++) {
		const key = settings.dashboard[index];
		if (key === "") continue;
		const { found, display } = dashboard.slot(index, key, settings.generation);
		signals.push({ slot: SLOTS[index], found, display });
	}
	return signals;
}

/** Some frames of the car as last sent on the coupling bus. One that has not passed is only named. */
function frameDiag(context: ApiContext) {
	const { lockPercent, settings } = context.controller;
	return {
		lockTarget: figure(lockPercent),
		haldexGen: settings.generation,
		couplingGen: settings.generation,
		motor1: sentFrame(context, MOTOR_1),
		motor3: sentFrame(context, MOTOR_3),
		brakes1: sentFrame(context, BREMSE_1),
		brakes2: sentFrame(context, BREMSE_2),
		brakes3: sentFrame(context, BREMSE_3),
	};
}

function sentFrame({ frames }: ApiContext, id: number): object {
	if (!frames.read(CHASSIS, id) || frames.sent.count === 0) return { id, ok: false };
	const { generated, ageMs, dlc, bytes, dataAt } = frames.sent;
	return { id, ok: true, generated, ageMs, dlc, data: hexadecimal(bytes.subarray(dataAt, dataAt + dlc), " ") };
}

type Scalar = string | number | boolean;

/** Settings by the names that answers have. @param ours those that only this controller has */
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

/** The active keys: the driver's own, or the generation's; "" = there is neither. */
export function inputMappings({ controller }: ApiContext) {
	return shown(SETTING_GROUPS.inputMappings, inputKeys(controller.settings));
}

/** Age of the last value that a condition has seen, ms; 0 = it has seen none. */
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

function steeringGain({ controller }: ApiContext) {
	const { settings, steering } = controller;
	return {
		...shown(SETTING_GROUPS.steeringGain, { ...settings.steeringGain, signal: steeringKey(settings) }),
		valid: steering.valid,
		angleDeg: figure(steering.valid ? steering.angleDeg : 0),
		gainPercent: figure(steering.gainPercent),
	};
}

/** Parked sleep as it is set; what it does now is in `power`. */
export function lowPower({ controller }: ApiContext) {
	return shown(SETTING_GROUPS.lowPower, controller.settings.lowPower);
}

/** Revision of this interface; grows when something that exists changes its meaning. */
const API_VERSION = 1;

/** Why the active mode is what it is, whether frames may be rewritten, and the settings that are ours. */
export function control({ controller }: ApiContext) {
	const { controlActive, sample, settings, statusFrameElsewhere } = controller;
	return {
		...reasonOf(controller),
		controlActive,
		invalidFrame: sample.invalidFrame,
		statusFrameElsewhere,
		...shown(SETTING_GROUPS.driver, settings, true),
		...shown(SETTING_GROUPS.gatesAndRamps, settings.tuning, true),
		pwm: shown(SETTING_GROUPS.pwm, settings.pwm),
		controls: shown(SETTING_GROUPS.controls, settings.controls),
	};
}

/** Why the active mode is active, what holds its lock at 0 %, and the condition's map that it has. */
export function reasonOf({ reason, reasonDetail, conditionMap, heldBy }: ControllerView) {
	return { reason: inWords(reason, reasonDetail), reasonCode: reason, reasonDetail, heldBy, conditionMap };
}

/** All revisions. */
export function revisionsOf({ controller, revisions }: ApiContext) {
	revisions.observe(controller.settings);
	const { map, speedCurve, throttleCurve, rpmCurve, settings } = revisions;
	return { map, speedCurve, throttleCurve, rpmCurve, settings };
}

/** `mapName`, "" = it is stored nowhere; `mapFrom`, "" = it was made from no stored map. */
function namesOfMap(from: string, changed: boolean) {
	const mapFrom = nameOf(from);
	return { mapName: changed ? "" : mapFrom, mapFrom };
}

function earlierStates(history: TuningHistory) {
	const { otherMap } = history;
	return {
		map: history.count("map"),
		speedCurve: history.count("speedCurve"),
		throttleCurve: history.count("throttleCurve"),
		rpmCurve: history.count("rpmCurve"),
		...(otherMap === undefined ? { mapName: null, mapFrom: "" } : namesOfMap(otherMap.from, otherMap.changed)),
	};
}

function loopFigures({ controller }: ApiContext) {
	const { ticks, periodUs, periodMaxUs, jitterMaxUs, overruns, lateMaxUs } = controller.loop;
	return {
		ticks,
		periodUs: figure(periodUs),
		periodMaxUs: figure(periodMaxUs),
		jitterMaxUs: figure(jitterMaxUs),
		overruns,
		lateMaxUs: figure(lateMaxUs),
	};
}

/** Chunks are bytes, the stack is slots; peaks include garbage and what the engine counts twice. `free`: internal memory of a board. */
function heapFigures({ heapFigure }: ApiContext) {
	return {
		slots: heapFigure("slots"),
		slotsPeak: heapFigure("slotsPeak"),
		slotsLimit: heapFigure("slotsLimit"),
		chunks: heapFigure("chunks"),
		chunksPeak: heapFigure("chunksPeak"),
		chunksLimit: heapFigure("chunksLimit"),
		stackPeak: heapFigure("stackPeak"),
		stackLimit: heapFigure("stackLimit"),
		keys: heapFigure("keys"),
		keysLimit: heapFigure("keysLimit"),
		collections: heapFigure("collections"),
		free: heapFigure("free"),
		freeLeast: heapFigure("freeLeast"),
	};
}

/** All of it, or the members that `fields` names: a text of known length, for clients that read no chunks. */
export function getStatus(context: ApiContext, request: HttpRequest, response: HttpResponse): object | undefined {
	const fields = request.query("fields");
	if (fields === undefined) {
		response.jsonPieces(partTexts(PARTS, context));
		return undefined;
	}
	if (!hasAtMost(fields, ",", FIELDS_MAX - 1)) rejectFields(fields);
	let missing = fields.split(",");
	const found: Record<string, unknown> = {};
	for (const part of PARTS) {
		for (const [name, value] of Object.entries(part(context))) {
			if (!missing.includes(name)) continue;
			found[name] = value;
			missing = missing.filter((one) => one !== name);
		}
		if (missing.length === 0) return found;
	}
	return rejectFields(missing[0]);
}

function rejectFields(value: string): never {
	reject(400, "invalid fields", { field: "fields", value, allowed: `1 to ${FIELDS_MAX} members of GET /api/status` });
}

function head(context: ApiContext) {
	const { controller, version } = context;
	const { logging } = controller.settings;
	return {
		version,
		mode: MODES[controller.supervisor.selectedMode],
		effectiveMode: MODES[controller.effectiveMode],
		isStandalone: controller.settings.standalone,
		standalone: {
			generating: controller.standaloneGenerating,
			waits: inWords(controller.standaloneDoubt ?? "", controller.standaloneHeard),
		},
		disableController: controller.supervisor.disabled,
		...broadcast(controller.broadcastOverCan),
		...effectiveBroadcast(controller.effectiveBroadcastOverCan),
		canviewCaptureMode: controller.supervisor.captureActive,
		...generations(controller.settings.generation),
		...shown(SETTING_GROUPS.gatesAndRamps, controller.settings.tuning),
		uptimeMs: controller.nowMs,
		logging: {
			masterEnabled: Object.values(logging).includes(true),
			...shown(SETTING_GROUPS.logging, logging),
			debugCaptureActive: isVerboseLogging(logging),
		},
	};
}

const PARTS: readonly Members<ApiContext>[] = Object.freeze([
	head,
	(context: ApiContext) => ({ can: buses(context), power: power(context), uds: diagnosisStatus(context) }),
	(context: ApiContext) => ({
		telemetry: telemetry(context.controller),
		frameDiag: frameDiag(context),
		learn: learnState(context),
	}),
	(context: ApiContext) => ({ inputMappings: inputMappings(context), modeTrigger: modeTrigger(context) }),
	({ controller }: ApiContext) => ({ dashMappings: shown(SETTING_GROUPS.dashboard, controller.settings.dashboard) }),
	(context: ApiContext) => ({ dashboardSignals: dashboardSignals(context) }),
	(context: ApiContext) => ({
		disengageUnderSpeed: shown(SETTING_GROUPS.disengageUnder, context.controller.settings.tuning.disengageUnderKmh),
		debugCaptureActive: isVerboseLogging(context.controller.settings.logging),
		...control(context),
		revisions: revisionsOf(context),
		...namesOfMap(context.controller.settings.mapFrom, !isAsStored(context.controller.settings)),
		earlier: earlierStates(context.history),
		boardControls: context.boardControls,
		bootReason: context.bootReason,
		bootLoop: context.bootLoop,
		storageWaiting: context.writes.waiting,
		storageProblems: context.storageProblems,
	}),
	(context: ApiContext) => ({ loop: loopFigures(context), gateway: context.gatewayCounters() }),
	(context: ApiContext) => ({
		heap: heapFigures(context),
		steeringGain: steeringGain(context),
		apiVersion: API_VERSION,
		commit: context.commit,
	}),
]);
