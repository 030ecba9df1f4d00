/**
 * GET /api/status: the one snapshot every page loads from, polled up to four times a second and therefore written without
 * building objects. Fields, order and twins (reference and neutral spelling): http-api.md 3.1 and 8; what follows
 * `disengageUnderSpeed` is ours. Parts that are not built yet show their resting values.
 */

import type { ControllerView } from "../controller/view.js";
import { type JsonWriter, jsonKeys } from "../http/json-writer.js";
import type { JsonSection } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { MAP, MODES } from "../lock/modes.js";
import type { ApiContext } from "./context.js";
import { writeTelemetryMembers } from "./telemetry.js";

/** Revision of this interface; grows when something that exists changes its meaning. */
export const API_VERSION = 1;

/** A bus is alive when a frame arrived within this time. Source: http-api.md 3.1 `can`. */
const ALIVE_MS = 500;
/** `chassisAgeMs`, `couplingAgeMs`: never, or longer ago. */
const NEVER_MS = 65535;
const STOPPED = 0;
const BUS_OFF = 4;

/** Defaults of the parked-sleep settings. Source: http-api.md 2.4. */
const SLEEP_DELAY_MS = 30000;
const WAKE_TIMER_S = 300;
const PROBE_MS = 1200;

const DASHBOARD_SLOTS = Object.freeze(["dash_1", "dash_2", "dash_3", "dash_4", "dash_5", "dash_6", "dash_7", "dash_8"] as const);
/** Coupling-bus frames of `frameDiag`. */
const DIAGNOSED_FRAMES = Object.freeze({ motor1: 0x280, motor3: 0x380, brakes1: 0x1a0, brakes2: 0x5a0, brakes3: 0x4a0 });
const LOG_FLAGS = Object.freeze([
	"masterEnabled",
	"enabled",
	"canEnabled",
	"errorEnabled",
	"serialEnabled",
	"debugFirmwareEnabled",
	"debugNetworkEnabled",
	"debugCanEnabled",
	"debugCaptureActive",
] as const);

/** Every key of the answer. */
const K = jsonKeys([
	...LOG_FLAGS,
	...DASHBOARD_SLOTS,
	"version",
	"mode",
	"effectiveMode",
	"isStandalone",
	"disableController",
	"canviewCaptureMode",
	"disableThrottle",
	"disableSpeed",
	"lockReleaseRatePctPerSec",
	"uptimeMs",
	"logging",
	"can",
	"ready",
	"chassis",
	"haldex",
	"coupling",
	"busFailure",
	"lastChassisMs",
	"lastHaldexMs",
	"lastCouplingMs",
	"power",
	"lowPowerSleepEnabled",
	"active",
	"maintenanceOverride",
	"ignitionSeen",
	"ignitionOn",
	"ignitionRawOn",
	"ignitionSource",
	"lastChassisAgeMs",
	"lastIgnitionOnAgeMs",
	"lastIgnitionOffAgeMs",
	"sleepDelayMs",
	"wakeTimerSeconds",
	"probeDurationMs",
	"wakeCause",
	"deepSleepEntries",
	"uds",
	"supported",
	"transport",
	"kwpTp20Supported",
	"target",
	"udsActive",
	"kwpTp20Active",
	"route",
	"selected",
	"last",
	"available",
	"telemetry",
	"speed",
	"rpm",
	"throttle",
	"frameDiag",
	"lockTarget",
	"haldexGen",
	"couplingGen",
	"motor1",
	"id",
	"ok",
	"motor3",
	"brakes1",
	"brakes2",
	"brakes3",
	"learn",
	"tableValid",
	"progress",
	"currentCF",
	"inputMappings",
	"modeTrigger",
	"enabled",
	"signal",
	"defaultSignal",
	"operator",
	"value",
	"seen",
	"lastValue",
	"ageMs",
	"dashMappings",
	"dashboardSignals",
	"slot",
	"signalId",
	"mapped",
	"found",
	"label",
	"bus",
	"dir",
	"unit",
	"generated",
	"numeric",
	"display",
	"disengageUnderSpeed",
	"map",
	"reason",
	"controlActive",
	"frameProfile",
	"engageRatePctPerSec",
	"loop",
	"ticks",
	"periodUs",
	"periodMaxUs",
	"jitterMaxUs",
	"overruns",
	"lateMaxUs",
	"gateway",
	"apiVersion",
	"broadcastOpenHaldexOverCAN",
	"broadcastControllerOverCAN",
	"effectiveBroadcastOpenHaldexOverCAN",
	"effectiveBroadcastControllerOverCAN",
	"haldexGeneration",
	"couplingGeneration",
] as const);

/** Answers with the snapshot; always 200. */
export function getStatus(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	response.sections(200, STATUS_SECTIONS, context);
}

function writeHead(json: JsonWriter, context: ApiContext): void {
	const controller = context.controller;
	json.beginObject();
	json.key(K.version).string(context.version);
	json.key(K.mode).string(MODES[controller.selectedMode]);
	json.key(K.effectiveMode).string(MODES[controller.effectiveMode]);
	json.key(K.isStandalone).boolean(false);
	json.key(K.disableController).boolean(controller.disableController);
	writeBroadcast(json, controller.broadcastOverCan);
	writeEffectiveBroadcast(json, controller.broadcastOverCan);
	json.key(K.canviewCaptureMode).boolean(controller.captureActive);
	writeGeneration(json, controller.generation);
	json.key(K.disableThrottle).number(controller.disableThrottlePercent);
	json.key(K.disableSpeed).number(controller.disableSpeedKmh);
	json.key(K.lockReleaseRatePctPerSec).number(controller.releaseRatePercentPerS);
	json.key(K.uptimeMs).number(controller.uptimeMs);
}

function writeLogging(json: JsonWriter): void {
	json.key(K.logging).beginObject();
	for (const flag of LOG_FLAGS) json.key(K[flag]).boolean(false);
	json.endObject();
}

function writeCan(json: JsonWriter, { controller }: ApiContext): void {
	const { chassisState, couplingBusState, chassisAgeMs, couplingAgeMs } = controller;
	const coupling = couplingAgeMs <= ALIVE_MS;
	const lastCouplingMs = couplingAgeMs >= NEVER_MS ? 0 : couplingAgeMs;
	json.key(K.can).beginObject();
	json.key(K.ready).boolean(chassisState !== STOPPED && couplingBusState !== STOPPED);
	json.key(K.chassis).boolean(chassisAgeMs <= ALIVE_MS);
	json.key(K.haldex).boolean(coupling).key(K.coupling).boolean(coupling);
	json.key(K.busFailure).boolean(chassisState === BUS_OFF || couplingBusState === BUS_OFF);
	json.key(K.lastChassisMs).number(chassisAgeMs >= NEVER_MS ? 0 : chassisAgeMs);
	json.key(K.lastHaldexMs).number(lastCouplingMs).key(K.lastCouplingMs).number(lastCouplingMs);
	json.endObject();
}

function writePower(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.power).beginObject();
	json.key(K.lowPowerSleepEnabled).boolean(false).key(K.active).boolean(false).key(K.maintenanceOverride).boolean(false);
	json.key(K.ignitionSeen).boolean(false).key(K.ignitionOn).boolean(false).key(K.ignitionRawOn).boolean(false);
	json.key(K.ignitionSource).string("");
	json.key(K.lastChassisAgeMs).number(controller.chassisAgeMs >= NEVER_MS ? 0 : controller.chassisAgeMs);
	json.key(K.lastIgnitionOnAgeMs).number(0).key(K.lastIgnitionOffAgeMs).number(0);
	json.key(K.sleepDelayMs).number(SLEEP_DELAY_MS).key(K.wakeTimerSeconds).number(WAKE_TIMER_S);
	json.key(K.probeDurationMs).number(PROBE_MS);
	json.key(K.wakeCause).string("power_on_or_reset").key(K.deepSleepEntries).number(0);
	json.endObject();
}

function writeUds(json: JsonWriter): void {
	json.key(K.uds).beginObject();
	json.key(K.supported).boolean(true).key(K.transport).string("uds_can").key(K.kwpTp20Supported).boolean(true);
	json.key(K.target).string("haldex");
	json.key(K.active).boolean(false).key(K.udsActive).boolean(false).key(K.kwpTp20Active).boolean(false);
	json.key(K.route).beginObject().key(K.selected).boolean(false).endObject();
	json.key(K.last).beginObject().key(K.available).boolean(false).endObject();
	json.endObject();
}

function writeTelemetry(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.telemetry).beginObject();
	writeTelemetryMembers(json, controller);
	json.endObject();
}

function writeFrames(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.frameDiag).beginObject();
	json.key(K.lockTarget).number(controller.lockPercent);
	json.key(K.haldexGen).number(controller.generation).key(K.couplingGen).number(controller.generation);
	json.key(K.motor1).beginObject().key(K.id).number(DIAGNOSED_FRAMES.motor1).key(K.ok).boolean(false).endObject();
	json.key(K.motor3).beginObject().key(K.id).number(DIAGNOSED_FRAMES.motor3).key(K.ok).boolean(false).endObject();
	json.key(K.brakes1).beginObject().key(K.id).number(DIAGNOSED_FRAMES.brakes1).key(K.ok).boolean(false).endObject();
	json.key(K.brakes2).beginObject().key(K.id).number(DIAGNOSED_FRAMES.brakes2).key(K.ok).boolean(false).endObject();
	json.key(K.brakes3).beginObject().key(K.id).number(DIAGNOSED_FRAMES.brakes3).key(K.ok).boolean(false).endObject();
	json.endObject();
	json.key(K.learn).beginObject();
	json.key(K.active).boolean(false).key(K.tableValid).boolean(false).key(K.progress).number(0).key(K.currentCF).number(0);
	json.endObject();
}

// one section each: a signal key may have 160 characters of up to 6 bytes
function writeSpeedInput(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.inputMappings).beginObject().key(K.speed).string(controller.inputMappings.speed);
}

function writeThrottleInput(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.throttle).string(controller.inputMappings.throttle);
}

function writeRpmInput(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.rpm).string(controller.inputMappings.rpm).endObject();
}

function writeTrigger(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.modeTrigger).beginObject();
	json.key(K.enabled).boolean(false).key(K.signal).string("").key(K.defaultSignal).string("");
	json.key(K.operator).string("gte").key(K.value).number(1).key(K.mode).string(MODES[MAP]);
	writeBroadcast(json, true);
	json.key(K.active).boolean(false).key(K.seen).boolean(false).key(K.lastValue).number(0).key(K.ageMs).number(0);
	json.key(K.effectiveMode).string(MODES[controller.effectiveMode]);
	writeEffectiveBroadcast(json, controller.broadcastOverCan);
	json.endObject();
	json.key(K.dashMappings).beginObject();
	for (const slot of DASHBOARD_SLOTS) json.key(K[slot]).string("");
	json.endObject();
	json.key(K.dashboardSignals).beginArray();
}

function writeDashboardSlot(json: JsonWriter, slot: string): void {
	json.beginObject();
	json.key(K.slot).string(slot).key(K.signalId).string("").key(K.mapped).boolean(false).key(K.found).boolean(false);
	json.key(K.label).string("").key(K.bus).string("").key(K.dir).string("").key(K.unit).string("");
	json.key(K.generated).boolean(false).key(K.ageMs).number(0).key(K.numeric).boolean(false).key(K.display).string("--");
	json.endObject();
}

function writeGates(json: JsonWriter, { controller }: ApiContext): void {
	const gates = controller.disengageUnderSpeedKmh;
	json.endArray();
	json.key(K.disengageUnderSpeed).beginObject();
	json.key(K.map).number(gates.map).key(K.speed).number(gates.speed);
	json.key(K.throttle).number(gates.throttle).key(K.rpm).number(gates.rpm);
	json.endObject();
	json.key(K.debugCaptureActive).boolean(false);
	json.key(K.reason).string(controller.reason);
	json.key(K.controlActive).boolean(controller.controlActive);
	json.key(K.frameProfile).string(controller.frameProfile);
	json.key(K.engageRatePctPerSec).number(controller.engageRatePercentPerS);
}

function writeFigures(json: JsonWriter, { controller }: ApiContext): void {
	const loop = controller.loop;
	json.key(K.loop).beginObject();
	json.key(K.ticks).number(loop.ticks).key(K.periodUs).number(loop.periodUs).key(K.periodMaxUs).number(loop.periodMaxUs);
	json.key(K.jitterMaxUs).number(loop.jitterMaxUs).key(K.overruns).number(loop.overruns).key(K.lateMaxUs).number(loop.lateMaxUs);
	json.endObject();
}

function writeGateway(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.gateway).beginObject();
	const counters = controller.gatewayCounters();
	for (const name in counters) json.key(name).number(counters[name]);
	json.endObject();
	json.key(K.apiVersion).number(API_VERSION);
	json.endObject();
}

function writeBroadcast(json: JsonWriter, value: boolean): void {
	json.key(K.broadcastOpenHaldexOverCAN).boolean(value).key(K.broadcastControllerOverCAN).boolean(value);
}

function writeEffectiveBroadcast(json: JsonWriter, value: boolean): void {
	json.key(K.effectiveBroadcastOpenHaldexOverCAN).boolean(value).key(K.effectiveBroadcastControllerOverCAN).boolean(value);
}

function writeGeneration(json: JsonWriter, generation: ControllerView["generation"]): void {
	json.key(K.haldexGeneration).number(generation).key(K.couplingGeneration).number(generation);
}

/** The answer in order; each part is written as one consistent snapshot. */
const STATUS_SECTIONS: readonly JsonSection<ApiContext>[] = Object.freeze([
	writeHead,
	writeLogging,
	writeCan,
	writePower,
	writeUds,
	writeTelemetry,
	writeFrames,
	writeSpeedInput,
	writeThrottleInput,
	writeRpmInput,
	writeTrigger,
	...DASHBOARD_SLOTS.map((slot) => (json: JsonWriter) => writeDashboardSlot(json, slot)),
	writeGates,
	writeFigures,
	writeGateway,
]);
