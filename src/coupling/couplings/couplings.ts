/**
 * All couplings by their generation, as the firmware knows them; `genN.ts` has their frames. Source:
 * docs/control-and-can.md 2.2, 5.2, 5.3, 5.4; docs/decisions.md 1.
 */

import type { Network } from "../../can/catalogue.js";
import { MOTOR_11, MOTOR_11_SIGNALS, MQB_SIGNALS } from "../../can/layouts/mqb.js";
import { PQ_SIGNALS } from "../../can/layouts/pq.js";
import type { FrameCheck, RawRow, SignalRow } from "../../can/signal-layout.js";
import { MQB_CAR, PQ_CAR } from "../cars.js";
import { type Car, type Coupling, OPEN_NM, type TorqueField, type TorqueFrame } from "../coupling.js";
import { markOf } from "../plan-format.js";

/** The report of generations 1, 2 and 4, which differ in where 100 % is. */
const ALLRAD_1 = Object.freeze({
	state: PQ_SIGNALS.couplingState,
	flags: Object.freeze({
		temperatureProtection: PQ_SIGNALS.temperatureProtection,
		faults: Object.freeze([PQ_SIGNALS.clutchError, PQ_SIGNALS.stiffnessError]),
		emergencyMode: PQ_SIGNALS.emergencyMode,
		fullyOpen: PQ_SIGNALS.fullyOpen,
		names: Object.freeze([
			[PQ_SIGNALS.clutchError, "Clutch 1 report"],
			[PQ_SIGNALS.temperatureProtection, "Temperature protection"],
			[PQ_SIGNALS.stiffnessError, "Clutch 2 report"],
			[PQ_SIGNALS.fullyOpen, "Coupling open"],
			[PQ_SIGNALS.speedLimiter, "Speed limit"],
		] as const),
	}),
	engagement: PQ_SIGNALS.engagement,
	zeroRaw: 128,
	noTorque: PQ_SIGNALS.engagementInPercent,
	saturates: true,
	temperature: PQ_SIGNALS.clutchTemperature,
});

const IN_PQ_CAR = Object.freeze({ car: PQ_CAR, diagnosis: "kwp_tp20", hasTrim: false, sleeps: false } as const);

/**
 * Generation 1: engagement ends at raw 198. No diagnosis: that the control unit answers on the K-line only is
 * assumed. Source: docs/control-and-can.md 2.2, 5.4.
 */
const GENERATION_1 = Object.freeze({
	...IN_PQ_CAR,
	generation: 1,
	status: Object.freeze({ ...ALLRAD_1, fullRaw: 198, bytes: 8, source: "firmware, 2.2: Allrad_1, 128 to 198" }),
	diagnosis: "",
} as const satisfies Coupling);

/** What generations 2 and 4 report: a torque. */
const TORQUE_REPORT = Object.freeze({
	fullRaw: 254,
	source: "maker, 2.2: Allrad_1, 7 Nm a step from 128, 254 is the last; agrees on a bench of generation 4",
} as const);

/** Generation 2: the report has four bytes and says nothing of the temperature. */
const GENERATION_2 = Object.freeze({
	...IN_PQ_CAR,
	generation: 2,
	status: Object.freeze({ ...ALLRAD_1, ...TORQUE_REPORT, bytes: 4 }),
} as const satisfies Coupling);

const GENERATION_4 = Object.freeze({
	...IN_PQ_CAR,
	generation: 4,
	status: Object.freeze({ ...ALLRAD_1, ...TORQUE_REPORT, bytes: 8 }),
} as const satisfies Coupling);

/** What is shown, and whose car is read, until a generation is chosen. Source: docs/control-and-can.md 2.3. */
export const UNCONFIGURED: Coupling = GENERATION_4;

/** 0AY 907 554: a unit of generation 4 that another firmware drives with fewer frames. */
const GENERATION_51 = Object.freeze({ ...GENERATION_4, generation: 51 } as const satisfies Coupling);

const { requested, actual, inertia, filtered, overrun, normalOperation } = MOTOR_11_SIGNALS;

function rawOf({ factor, offset }: SignalRow, nm: number): number {
	return (nm - offset) / factor;
}

function rising(signal: SignalRow, step: number): TorqueField {
	return Object.freeze({ signal, raw: rawOf(signal, OPEN_NM), rises: true, step });
}

function fixed(signal: RawRow, raw: number): TorqueField {
	return Object.freeze({ signal, raw, rises: false, step: 0 });
}

/** Source: docs/control-and-can.md 3.14. */
const MOTOR_11_TORQUES: TorqueFrame = Object.freeze({
	id: MOTOR_11,
	fields: Object.freeze([
		rising(requested, 0),
		rising(actual, 8),
		fixed(inertia, rawOf(inertia, 0)),
		rising(filtered, 32),
		fixed(overrun, rawOf(overrun, -22)),
		fixed(normalOperation, 1),
	]),
	codes: Object.freeze(
		[
			...[requested, actual, filtered].map((signal) => markOf("Motor_11", signal, signal.max + 1, 2 ** signal.length - 1)),
			markOf("Motor_11", { start: actual.qualityBit, length: 1 }, 1, 1),
		].map((code) => Object.freeze(code)),
	),
});

/** Reports in Allrad_03; its state is the drive profile, which has no flags. */
const GENERATION_5 = Object.freeze({
	generation: 5,
	car: MQB_CAR,
	status: Object.freeze({
		state: MQB_SIGNALS.couplingState,
		engagement: MQB_SIGNALS.engagement,
		zeroRaw: 0,
		fullRaw: 254,
		saturates: false,
		bytes: 4,
		source: "car, 2.2: Allrad_03, byte 0 of DID 2BF3, 0 to 254",
	}),
	diagnosis: "uds_can",
	hasTrim: true,
	torque: MOTOR_11_TORQUES,
	sleeps: true,
} as const satisfies Coupling);

/** A unit of generation 5 in a PQ car: its report counts as on MQB. */
const GENERATION_53 = Object.freeze({
	...GENERATION_5,
	generation: 53,
	car: Object.freeze({
		...PQ_CAR,
		checks: Object.freeze([...PQ_CAR.checks, ...MQB_CAR.checks.filter(({ id }) => id === MQB_SIGNALS.engagement.id)]),
	}),
	generates: true,
	sleeps: false,
} as const satisfies Coupling);

/** In the order in which the interface lists them. */
export const COUPLINGS = Object.freeze([
	GENERATION_1,
	GENERATION_2,
	GENERATION_4,
	GENERATION_5,
	GENERATION_51,
	GENERATION_53,
] as const);

/** @returns undefined for 0, not configured, and for an unknown generation. */
export function couplingOf(generation: number): Coupling | undefined {
	return COUPLINGS.find((coupling) => coupling.generation === generation);
}

/** Unless it is known, that of `UNCONFIGURED`. */
export function carOf(generation: number): Car {
	return (couplingOf(generation) ?? UNCONFIGURED).car;
}

/** undefined if none is known. @param id of 11 bits */
export function checkOfCar(car: Car, id: number): FrameCheck | undefined {
	return car.checks.find((check) => check.id === id);
}

/** undefined if none is known. */
export function checkOf(network: Network, id: number): FrameCheck | undefined {
	const coupling = COUPLINGS.find(({ car }) => car.network === network);
	return coupling && checkOfCar(coupling.car, id);
}

/** The network of a coupling's car. */
export function networkOf(generation: number): Network {
	return carOf(generation).network;
}

/** 0 = not configured: every frame is forwarded unmodified. Generation 3 is not supported. */
export type Generation = 0 | (typeof COUPLINGS)[number]["generation"];

/** In the order of `COUPLINGS`. */
export const GENERATIONS: readonly Exclude<Generation, 0>[] = Object.freeze(COUPLINGS.map(({ generation }) => generation));

/**
 * `reference`: the bytes, counters and checksums that cars on the road accept. `corrected`: only what
 * influences lock is rewritten, received counters are kept, checksums are valid.
 */
export type FrameProfile = "reference" | "corrected";

/** The first is the default. */
export const FRAME_PROFILES: readonly FrameProfile[] = Object.freeze(["reference", "corrected"]);

/** True if `value` is a generation that can be set. */
export function isGeneration(value: unknown): value is Exclude<Generation, 0> {
	return GENERATIONS.some((generation) => generation === value);
}
