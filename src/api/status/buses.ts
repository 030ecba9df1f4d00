/** `can` and `power` of the status. Source: docs/http-api.md 3.1. */

import { BUS_OFF, STOPPED } from "../../can/bus.js";
import { figure } from "../../http/producer.js";
import { NEVER_MS } from "../../vehicle/watch-list.js";
import type { ApiContext } from "../context.js";

/** A bus is alive when a frame arrived within this time. Source: docs/control-and-can.md 2.1. */
const ALIVE_MS = 500;

/** `can`: ages in ms, 0 = never or more than 65 s ago. `chassis`, `haldex` and `coupling` tell whether frames arrive. */
export function buses({ controller }: ApiContext) {
	const { chassisState, couplingBusState, chassisAgeMs, couplingAgeMs } = controller;
	const coupling = couplingAgeMs <= ALIVE_MS;
	const lastCouplingMs = shownAge(couplingAgeMs);
	return {
		ready: chassisState !== STOPPED && couplingBusState !== STOPPED,
		chassis: chassisAgeMs <= ALIVE_MS,
		haldex: coupling,
		coupling,
		busFailure: chassisState === BUS_OFF || couplingBusState === BUS_OFF,
		lastChassisMs: shownAge(chassisAgeMs),
		lastHaldexMs: lastCouplingMs,
		lastCouplingMs,
	};
}

/** `power`: parked sleep. Members of the reference first, then `waits` and `sleepsInMs`, which are ours. */
export function power({ controller, sleep }: ApiContext) {
	const { settings, nowMs } = controller;
	const { lowPower } = settings;
	const { ignition } = sleep;
	return {
		lowPowerSleepEnabled: lowPower.sleepEnabled,
		active: sleep.armed,
		maintenanceOverride: sleep.override,
		ignitionSeen: ignition.seen,
		ignitionOn: sleep.ignitionOn,
		ignitionRawOn: ignition.rawOn,
		ignitionSource: ignition.saidBy,
		lastChassisAgeMs: shownAge(controller.chassisAgeMs),
		lastIgnitionOnAgeMs: ignition.onAgeMs(nowMs),
		lastIgnitionOffAgeMs: ignition.offAgeMs(nowMs),
		sleepDelayMs: figure(lowPower.sleepDelayMs),
		wakeTimerSeconds: figure(lowPower.wakeTimerSeconds),
		probeDurationMs: figure(lowPower.probeDurationMs),
		wakeCause: sleep.wakeCause,
		deepSleepEntries: sleep.entries,
		waits: sleep.waits,
		sleepsInMs: figure(sleep.leftMs),
	};
}

/** ms, 0 = never or longer ago than is counted. */
function shownAge(ageMs: number): number {
	return ageMs >= NEVER_MS ? 0 : ageMs;
}
