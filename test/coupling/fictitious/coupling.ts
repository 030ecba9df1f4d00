/**
 * A coupling that does not exist: every identifier, bit and byte of this folder is MADE UP, for
 * `adding.test.ts`. It is never built into the firmware, and nothing in it may be taken for that of a real
 * one. Its car sends none of the frames that the firmware decodes by itself.
 */

import type { SignalRow } from "../../../src/can/signal-layout.js";
import type { Coupling } from "../../../src/coupling/coupling.js";
import { type CouplingPlans, every, low, NO_COUNTERS, type PlanTable, xor } from "../../../src/coupling/plan-encoder.js";
import { BRAKE_GROUP } from "../../../src/coupling/plan-format.js";

const SOURCE = "assumed, made up";
const madeUp = (id: number, start: number, length: number): SignalRow => ({
	...{ dbc: "(made up)", id, start, length },
	...{ factor: 1, offset: 0, unit: "", source: SOURCE },
});

export const STATUS_ID = 0x3f1;
export const INTERVENTIONS_ID = 0x3f2;

export const FICTITIOUS = Object.freeze({
	generation: 42,
	car: {
		network: "pq",
		readings: [],
		checks: [],
		interventions: [madeUp(INTERVENTIONS_ID, 3, 1), madeUp(INTERVENTIONS_ID, 9, 1)],
		selector: { position: madeUp(0x3f3, 0, 8), park: 0x50, neutral: 0x4e, source: "assumed, made up" },
		ignition: [],
		recommended: {
			inputs: {
				speed: "chassis|0x4a0|wheel speed front left 4 1|km/h",
				throttle: "chassis|0x380|mo3 pedal value|%",
				rpm: "chassis|0x280|engine rpm|rpm",
			},
			steering: "",
			conditions: {
				espOff: "chassis|0x1a0|br1 esp asr passive|",
				hazardLights: "",
				brake: "chassis|0x288|mo2 bls|",
				handbrake: "",
				reverse: "",
				driveMode: "",
				oilTemperature: "",
			},
		},
	},
	status: {
		state: madeUp(STATUS_ID, 40, 8),
		flags: {
			temperatureProtection: madeUp(STATUS_ID, 47, 1),
			faults: [madeUp(STATUS_ID, 40, 1)],
			emergencyMode: madeUp(STATUS_ID, 41, 1),
			fullyOpen: madeUp(STATUS_ID, 42, 1),
			names: [[madeUp(STATUS_ID, 47, 1), "Made-up heat"]],
		},
		engagement: madeUp(STATUS_ID, 8, 8),
		zeroRaw: 20,
		fullRaw: 220,
		saturates: false,
		bytes: 8,
		source: SOURCE,
	},
	diagnosis: "uds_can",
	hasTrim: true,
	sleeps: true,
} as const satisfies Coupling);

const inline = (counterSet: number, group: number): PlanTable => ({
	counterSet,
	counters: NO_COUNTERS,
	frames: [
		{ message: "Made_Up_1", id: 0x3f4, bytes: ".. aC8 .. .. .. .. .. ..", checksums: xor(7) },
		{ message: "Made_Up_2", id: 0x3f5, bytes: ".. .. a64 .. .. .. .. ..", group },
	],
	source: "made up",
});

const standalone = (counterSet: number): PlanTable => ({
	counterSet,
	counters: [low("MADE_UP", 0xa0)],
	frames: every(20, [{ message: "Made_Up_1", id: 0x3f4, bytes: "11 aC8 22 cMADE_UP 00 00 00 00", checksums: xor(7) }]),
	passes: [],
	source: "made up",
});

/** Its frames. */
export const FICTITIOUS_PLANS: CouplingPlans = Object.freeze({
	marked: [],
	inline: { reference: () => inline(201, 0), corrected: () => inline(202, BRAKE_GROUP) },
	standalone: { reference: () => standalone(203), corrected: () => standalone(204) },
});
