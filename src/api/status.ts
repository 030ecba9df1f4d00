/**
 * GET /api/status: the one snapshot every page loads from, polled up to four times a second and therefore written without
 * building objects. Fields, order and twins (reference and neutral spelling): http-api.md 3.1 and 8; what follows
 * `disengageUnderSpeed` is ours. Parts that are not built yet show their resting values.
 */

import type { ControllerView } from "../controller/view.js";
import type { JsonWriter } from "../http/json-writer.js";
import type { JsonSection } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { MAP, MODES } from "../lock/modes.js";
import type { ApiContext } from "./context.js";

/** Revision of this interface; grows when something that exists changes its meaning. */
export const API_VERSION = 1;

/** Bits of the coupling's status byte. Source: http-api.md 3.1 `haldexState`. */
const CLUTCH_1 = 1;
const TEMPERATURE_PROTECTION = 2;
const CLUTCH_2 = 4;
const COUPLING_OPEN = 8;
const SPEED_LIMIT = 64;

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

const DASHBOARD_SLOTS = Object.freeze(["dash_1", "dash_2", "dash_3", "dash_4", "dash_5", "dash_6", "dash_7", "dash_8"]);
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
]);

/** Answers with the snapshot; always 200. */
export function getStatus(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	response.sections(200, STATUS_SECTIONS, context);
}

function writeHead(json: JsonWriter, context: ApiContext): void {
	const controller = context.controller;
	json.beginObject();
	json.key("version").string(context.version);
	json.key("mode").string(MODES[controller.selectedMode]);
	json.key("effectiveMode").string(MODES[controller.effectiveMode]);
	json.key("isStandalone").boolean(false);
	json.key("disableController").boolean(controller.disableController);
	writeBroadcast(json, controller.broadcastOverCan);
	writeEffectiveBroadcast(json, controller.broadcastOverCan);
	json.key("canviewCaptureMode").boolean(controller.captureActive);
	writeGeneration(json, controller.generation);
	json.key("disableThrottle").number(controller.disableThrottlePercent);
	json.key("disableSpeed").number(controller.disableSpeedKmh);
	json.key("lockReleaseRatePctPerSec").number(controller.releaseRatePercentPerS);
	json.key("uptimeMs").number(controller.uptimeMs);
}

function writeLogging(json: JsonWriter): void {
	json.key("logging").beginObject();
	for (const flag of LOG_FLAGS) json.key(flag).boolean(false);
	json.endObject();
}

function writeCan(json: JsonWriter, { controller }: ApiContext): void {
	const { chassisState, couplingBusState, chassisAgeMs, couplingAgeMs } = controller;
	const coupling = couplingAgeMs <= ALIVE_MS;
	const lastCouplingMs = couplingAgeMs >= NEVER_MS ? 0 : couplingAgeMs;
	json.key("can").beginObject();
	json.key("ready").boolean(chassisState !== STOPPED && couplingBusState !== STOPPED);
	json.key("chassis").boolean(chassisAgeMs <= ALIVE_MS);
	json.key("haldex").boolean(coupling).key("coupling").boolean(coupling);
	json.key("busFailure").boolean(chassisState === BUS_OFF || couplingBusState === BUS_OFF);
	json.key("lastChassisMs").number(chassisAgeMs >= NEVER_MS ? 0 : chassisAgeMs);
	json.key("lastHaldexMs").number(lastCouplingMs).key("lastCouplingMs").number(lastCouplingMs);
	json.endObject();
}

function writePower(json: JsonWriter, { controller }: ApiContext): void {
	json.key("power").beginObject();
	json.key("lowPowerSleepEnabled").boolean(false).key("active").boolean(false).key("maintenanceOverride").boolean(false);
	json.key("ignitionSeen").boolean(false).key("ignitionOn").boolean(false).key("ignitionRawOn").boolean(false);
	json.key("ignitionSource").string("");
	json.key("lastChassisAgeMs").number(controller.chassisAgeMs >= NEVER_MS ? 0 : controller.chassisAgeMs);
	json.key("lastIgnitionOnAgeMs").number(0).key("lastIgnitionOffAgeMs").number(0);
	json.key("sleepDelayMs").number(SLEEP_DELAY_MS).key("wakeTimerSeconds").number(WAKE_TIMER_S);
	json.key("probeDurationMs").number(PROBE_MS);
	json.key("wakeCause").string("power_on_or_reset").key("deepSleepEntries").number(0);
	json.endObject();
}

function writeUds(json: JsonWriter): void {
	json.key("uds").beginObject();
	json.key("supported").boolean(true).key("transport").string("uds_can").key("kwpTp20Supported").boolean(true);
	json.key("target").string("haldex");
	json.key("active").boolean(false).key("udsActive").boolean(false).key("kwpTp20Active").boolean(false);
	json.key("route").beginObject().key("selected").boolean(false).endObject();
	json.key("last").beginObject().key("available").boolean(false).endObject();
	json.endObject();
}

function writeTelemetry(json: JsonWriter, { controller }: ApiContext): void {
	const state = controller.couplingState;
	const engagement = Math.round(controller.engagementPercent);
	json.key("telemetry").beginObject();
	json.key("speed").number(Math.round(controller.speedKmh)).key("rpm").number(Math.round(controller.rpm));
	json.key("boost").number(Math.round(controller.boostMbar)).key("throttle").number(controller.pedalPercent);
	json.key("spec").number(controller.lockPercent).key("act").number(engagement);
	json.key("haldexState").number(state).key("couplingState").number(state);
	json.key("haldexEngagement").number(engagement).key("couplingEngagement").number(engagement);
	json.key("haldexEngagementRaw").number(controller.engagementRaw);
	json.key("couplingEngagementRaw").number(controller.engagementRaw);
	json
		.key("clutch1Report")
		.boolean((state & CLUTCH_1) !== 0)
		.key("clutch2Report")
		.boolean((state & CLUTCH_2) !== 0);
	json.key("tempProtection").boolean((state & TEMPERATURE_PROTECTION) !== 0);
	json
		.key("couplingOpen")
		.boolean((state & COUPLING_OPEN) !== 0)
		.key("speedLimit")
		.boolean((state & SPEED_LIMIT) !== 0);
	const inputs = controller.inputMappings;
	json.key("inputsMapped").boolean(inputs.speed !== "" && inputs.throttle !== "" && inputs.rpm !== "");
	json.key("speedValid").boolean(controller.speedValid).key("rpmValid").boolean(controller.rpmValid);
	json.key("throttleValid").boolean(controller.pedalValid).key("engagementValid").boolean(controller.engagementValid);
	json.endObject();
}

function writeFrames(json: JsonWriter, { controller }: ApiContext): void {
	json.key("frameDiag").beginObject();
	json.key("lockTarget").number(controller.lockPercent);
	json.key("haldexGen").number(controller.generation).key("couplingGen").number(controller.generation);
	json.key("motor1").beginObject().key("id").number(DIAGNOSED_FRAMES.motor1).key("ok").boolean(false).endObject();
	json.key("motor3").beginObject().key("id").number(DIAGNOSED_FRAMES.motor3).key("ok").boolean(false).endObject();
	json.key("brakes1").beginObject().key("id").number(DIAGNOSED_FRAMES.brakes1).key("ok").boolean(false).endObject();
	json.key("brakes2").beginObject().key("id").number(DIAGNOSED_FRAMES.brakes2).key("ok").boolean(false).endObject();
	json.key("brakes3").beginObject().key("id").number(DIAGNOSED_FRAMES.brakes3).key("ok").boolean(false).endObject();
	json.endObject();
	json.key("learn").beginObject();
	json.key("active").boolean(false).key("tableValid").boolean(false).key("progress").number(0).key("currentCF").number(0);
	json.endObject();
}

// one section each: a signal key may have 160 characters of up to 6 bytes
function writeSpeedInput(json: JsonWriter, { controller }: ApiContext): void {
	json.key("inputMappings").beginObject().key("speed").string(controller.inputMappings.speed);
}

function writeThrottleInput(json: JsonWriter, { controller }: ApiContext): void {
	json.key("throttle").string(controller.inputMappings.throttle);
}

function writeRpmInput(json: JsonWriter, { controller }: ApiContext): void {
	json.key("rpm").string(controller.inputMappings.rpm).endObject();
}

function writeTrigger(json: JsonWriter, { controller }: ApiContext): void {
	json.key("modeTrigger").beginObject();
	json.key("enabled").boolean(false).key("signal").string("").key("defaultSignal").string("");
	json.key("operator").string("gte").key("value").number(1).key("mode").string(MODES[MAP]);
	writeBroadcast(json, true);
	json.key("active").boolean(false).key("seen").boolean(false).key("lastValue").number(0).key("ageMs").number(0);
	json.key("effectiveMode").string(MODES[controller.effectiveMode]);
	writeEffectiveBroadcast(json, controller.broadcastOverCan);
	json.endObject();
	json.key("dashMappings").beginObject();
	for (const slot of DASHBOARD_SLOTS) json.key(slot).string("");
	json.endObject();
	json.key("dashboardSignals").beginArray();
}

function writeDashboardSlot(json: JsonWriter, slot: string): void {
	json.beginObject();
	json.key("slot").string(slot).key("signalId").string("").key("mapped").boolean(false).key("found").boolean(false);
	json.key("label").string("").key("bus").string("").key("dir").string("").key("unit").string("");
	json.key("generated").boolean(false).key("ageMs").number(0).key("numeric").boolean(false).key("display").string("--");
	json.endObject();
}

function writeGates(json: JsonWriter, { controller }: ApiContext): void {
	const gates = controller.disengageUnderSpeedKmh;
	json.endArray();
	json.key("disengageUnderSpeed").beginObject();
	json.key("map").number(gates.map).key("speed").number(gates.speed);
	json.key("throttle").number(gates.throttle).key("rpm").number(gates.rpm);
	json.endObject();
	json.key("debugCaptureActive").boolean(false);
	json.key("reason").string(controller.reason);
	json.key("controlActive").boolean(controller.controlActive);
	json.key("frameProfile").string(controller.frameProfile);
	json.key("engageRatePctPerSec").number(controller.engageRatePercentPerS);
}

function writeFigures(json: JsonWriter, { controller }: ApiContext): void {
	const loop = controller.loop;
	json.key("loop").beginObject();
	json.key("ticks").number(loop.ticks).key("periodUs").number(loop.periodUs).key("periodMaxUs").number(loop.periodMaxUs);
	json.key("jitterMaxUs").number(loop.jitterMaxUs).key("overruns").number(loop.overruns).key("lateMaxUs").number(loop.lateMaxUs);
	json.endObject();
}

function writeGateway(json: JsonWriter, { controller }: ApiContext): void {
	json.key("gateway").beginObject();
	const counters = controller.gatewayCounters();
	for (const name in counters) json.key(name).number(counters[name]);
	json.endObject();
	json.key("apiVersion").number(API_VERSION);
	json.endObject();
}

function writeBroadcast(json: JsonWriter, value: boolean): void {
	json.key("broadcastOpenHaldexOverCAN").boolean(value).key("broadcastControllerOverCAN").boolean(value);
}

function writeEffectiveBroadcast(json: JsonWriter, value: boolean): void {
	json.key("effectiveBroadcastOpenHaldexOverCAN").boolean(value).key("effectiveBroadcastControllerOverCAN").boolean(value);
}

function writeGeneration(json: JsonWriter, generation: ControllerView["generation"]): void {
	json.key("haldexGeneration").number(generation).key("couplingGeneration").number(generation);
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
