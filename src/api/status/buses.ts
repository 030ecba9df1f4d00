/** `can` and `power` of the status. Source: docs/http-api.md 3.1. */

import { type JsonWriter, jsonKeys } from "../../http/json-writer.js";
import type { ApiContext } from "../context.js";

/** A bus is alive when a frame arrived within this time. */
const ALIVE_MS = 500;
/** `chassisAgeMs`, `couplingAgeMs`: never, or longer ago. */
const NEVER_MS = 65535;
const STOPPED = 0;
const BUS_OFF = 4;

const K = jsonKeys([
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
] as const);

export function writeCan(json: JsonWriter, { controller }: ApiContext): void {
	const { chassisState, couplingBusState, chassisAgeMs, couplingAgeMs } = controller;
	const coupling = couplingAgeMs <= ALIVE_MS;
	json.key(K.can).beginObject();
	json.key(K.ready).boolean(chassisState !== STOPPED && couplingBusState !== STOPPED);
	json.key(K.chassis).boolean(chassisAgeMs <= ALIVE_MS);
	json.key(K.haldex).boolean(coupling).key(K.coupling).boolean(coupling);
	json.key(K.busFailure).boolean(chassisState === BUS_OFF || couplingBusState === BUS_OFF);
	json.key(K.lastChassisMs).number(shownAge(chassisAgeMs));
	json.key(K.lastHaldexMs).number(shownAge(couplingAgeMs)).key(K.lastCouplingMs).number(shownAge(couplingAgeMs));
	json.endObject();
}

/** The driver's settings; parked sleep itself is not built yet and rests. */
export function writePower(json: JsonWriter, { controller }: ApiContext): void {
	const { lowPower } = controller.settings;
	json.key(K.power).beginObject();
	json.key(K.lowPowerSleepEnabled).boolean(lowPower.sleepEnabled);
	json.key(K.active).boolean(false).key(K.maintenanceOverride).boolean(false);
	json.key(K.ignitionSeen).boolean(false).key(K.ignitionOn).boolean(false).key(K.ignitionRawOn).boolean(false);
	json.key(K.ignitionSource).string("");
	json.key(K.lastChassisAgeMs).number(shownAge(controller.chassisAgeMs));
	json.key(K.lastIgnitionOnAgeMs).number(0).key(K.lastIgnitionOffAgeMs).number(0);
	json.key(K.sleepDelayMs).number(lowPower.sleepDelayMs).key(K.wakeTimerSeconds).number(lowPower.wakeTimerSeconds);
	json.key(K.probeDurationMs).number(lowPower.probeDurationMs);
	json.key(K.wakeCause).string("power_on_or_reset").key(K.deepSleepEntries).number(0);
	json.endObject();
}

function shownAge(ageMs: number): number {
	return ageMs >= NEVER_MS ? 0 : ageMs;
}
