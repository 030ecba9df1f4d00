/**
 * The coupling's control unit: closes the clutch for what it reads of the car's frames, and reports. Allrad_1
 * 0x2C0 every 10 ms (generations 1, 2, 4), Allrad_03 0x118 every 100 ms (generation 5), with the bytes that
 * `test/cars/*.json` has. It answers diagnosis: UDS on generation 5, KWP2000 on 2 and 4. Silent while the
 * ignition is off.
 */
import type { Generation, Meddle } from "./chassis.js";
import { ControlUnit, type ControlUnitState } from "./control-unit/knowledge.js";
import { type ControlUnitFaults, IsoTpServer, noFaults, Tp20Server } from "./control-unit/servers.js";
import { type Character, CouplingInputs, isUnitOfMqb, type Wanted } from "./coupling-inputs.js";
import type { CanFrame, SendFrame } from "./frame.js";

/** Where generation 5 is asked by UDS. */
const UDS_IDS = { request: 0x70f, response: 0x779, extended: false };
const SUPPLY_V = 13.8;
/** Of the module at rest, and how much warmer the closed coupling makes it. */
const RESTING_C = 40;
const WARMING_C = 15;

/** Torque of a PQ coupling's clutch, and its report: 7 Nm a step, from 80 to FE. */
const MOST_NM = 2032;
const [OPEN_RAW, NM_PER_STEP] = [0x80, 7];
/** Where the report saturates. That of generation 1 is what the reference takes it to be. */
const CLOSED_RAW: Readonly<Record<Generation, number>> = { 1: 0xc6, 2: 0xfe, 4: 0xfe, 5: 0xfe, 51: 0xfe, 53: 0xfe };
/** Byte 2 of 0x118 when all is closed. */
const FULL_COUNTS = 254;
const FULLY_OPEN = 0x08;
/** Below this it says that it is open. */
const OPEN_PERCENT = 1;

/** How it answers what is wanted. No two are alike. */
export interface ClutchCurve {
	/** Engagement in percent at rest. @param share 0..1 of what can be wanted */
	readonly reaches: (share: number) => number;
	/** Nothing moves before the wanted engagement is so far away, percent. */
	readonly frictionPercent: number;
}

const STRAIGHT: ClutchCurve = Object.freeze({ reaches: (share: number) => 100 * share, frictionPercent: 0 });

/** For calibration: nothing up to 22 %, steep behind that, never more than 92 %, and it sticks. */
export const BENT: ClutchCurve = Object.freeze({
	reaches: (share: number) => Math.min(92, 118 * Math.max(0, share - 0.22) ** 0.8),
	frictionPercent: 0.5,
});

/* Of the clutch, as measured. */
const DELAY_MS = 40;
const HOLD_MS = 150;
const RISE_PER_MS = 0.5;
const FALL_PER_MS = 0.14;

/** Follows as late and as fast as one was measured in a car (test/cars/mqb.json). For PQ that is assumed. */
class Clutch {
	/** How far it is closed, percent. */
	percent = 0;
	readonly #curve: ClutchCurve;
	readonly #asked: number[] = [];
	#drawn = 0;
	#holdLeftMs = 0;

	constructor(curve: ClutchCurve) {
		this.#curve = curve;
	}

	/** Advances by 1 ms. @param wanted 0..100; undefined = it opens in one step */
	step(wanted: Wanted): void {
		if (wanted === undefined) {
			this.#asked.length = 0;
			this.percent = this.#drawn = this.#holdLeftMs = 0;
			return;
		}
		const { reaches, frictionPercent } = this.#curve;
		this.#asked.push(reaches(wanted / 100));
		const target = this.#asked.length > DELAY_MS ? (this.#asked.shift() as number) : 0;
		this.#drawn = Math.max(0, Math.min(target + frictionPercent, Math.max(target - frictionPercent, this.#drawn)));
		if (this.#drawn >= this.percent) {
			this.percent = Math.min(this.#drawn, this.percent + RISE_PER_MS);
			this.#holdLeftMs = HOLD_MS;
		} else if (this.#holdLeftMs > 0) this.#holdLeftMs -= 1;
		else this.percent = Math.max(this.#drawn, this.percent - FALL_PER_MS);
	}
}

export interface CouplingOptions {
	/** Default: straight. */
	readonly curve?: ClutchCurve | undefined;
	/** Default: lenient. */
	readonly character?: Character | undefined;
}

export class CouplingEcu {
	/** Answers diagnosis. */
	readonly controlUnit: ControlUnit;
	/** Of the oil at rest, °C. */
	restingC = RESTING_C;
	readonly diagnosisFaults: ControlUnitFaults = noFaults();
	/** Faults of its reports; undefined: none. */
	meddle: Meddle | undefined;
	readonly #generation: Generation;
	readonly #inputs: CouplingInputs;
	readonly #clutch: Clutch;
	readonly #diagnosis: IsoTpServer | Tp20Server | undefined;
	#ignitionOn = false;
	#count = 0;

	constructor(generation: Generation, { curve = STRAIGHT, character = "lenient" }: CouplingOptions = {}) {
		this.#generation = generation;
		this.controlUnit = new ControlUnit(generation);
		this.#inputs = new CouplingInputs(generation, character);
		this.#clutch = new Clutch(curve);
		this.#diagnosis = this.#diagnosisServer();
	}

	/** How far the coupling is closed, 0..100. */
	get engagementPercent(): number {
		return this.#clutch.percent;
	}

	/** Takes a frame from the coupling bus. @param timeMs the car's time */
	receive(frame: CanFrame, timeMs: number): void {
		this.#inputs.receive(frame, timeMs);
		if (this.#ignitionOn) this.#diagnosis?.receive(frame, timeMs);
	}

	/** Advances by 1 ms and sends what is due. */
	step(timeMs: number, ignitionOn: boolean, send: SendFrame): void {
		this.#clutch.step(ignitionOn ? this.#inputs.at(timeMs) : undefined);
		this.#ignitionOn = ignitionOn;
		if (!ignitionOn) return;
		this.#report(timeMs, send);
		this.#diagnosis?.step(timeMs, send);
	}

	/** Generation 1 does not answer: what it would say is not known. */
	#diagnosisServer(): IsoTpServer | Tp20Server | undefined {
		const { controlUnit, diagnosisFaults } = this;
		const uds = (request: Uint8Array) => controlUnit.uds(request, this.#state());
		const kwp = (request: Uint8Array) => controlUnit.kwp(request, this.#state());
		if (isUnitOfMqb(this.#generation)) return new IsoTpServer(UDS_IDS, diagnosisFaults, uds);
		return this.#generation === 1 ? undefined : new Tp20Server(diagnosisFaults, kwp, () => controlUnit.connect());
	}

	#state(): ControlUnitState {
		const { engagementPercent } = this;
		return { engagementPercent, supplyV: SUPPLY_V, temperatureC: this.restingC + (WARMING_C * engagementPercent) / 100 };
	}

	#report(timeMs: number, send: SendFrame): void {
		const mqb = isUnitOfMqb(this.#generation);
		if (timeMs % (mqb ? 100 : 10) === 9) {
			const id = mqb ? 0x118 : 0x2c0;
			const { engagementPercent, temperatureC } = this.#state();
			const data = reportOf(this.#generation, engagementPercent, this.#count, temperatureC);
			const sent = this.meddle === undefined ? data : this.meddle({ id, data, timeMs, count: this.#count });
			if (sent !== undefined) send(id, false, sent);
			this.#count += 1;
		}
		// Network management: seen of generation 5.
		if (mqb && timeMs % 1000 === 77) send(0x17f0000f, true, Uint8Array.of(0x00, 0x0f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00));
	}
}

/**
 * The report's payload.
 * @param engagementPercent 0..100 of the most torque
 * @param count reports sent before
 */
export function reportOf(generation: Generation, engagementPercent: number, count: number, temperatureC = RESTING_C): Uint8Array {
	if (isUnitOfMqb(generation)) return Uint8Array.of(0, count & 0x0f, Math.round((engagementPercent * FULL_COUNTS) / 100), 0x12);
	const state = engagementPercent < OPEN_PERCENT ? FULLY_OPEN : 0;
	const steps = Math.round((engagementPercent * MOST_NM) / 100 / NM_PER_STEP);
	const raw = Math.min(CLOSED_RAW[generation], OPEN_RAW + steps);
	if (generation === 4 || generation === 51)
		return Uint8Array.of(state, raw, 0, 0, Math.round(temperatureC) + 60, 0xc0, 0xfe, ((count & 0x0f) << 4) | 3);
	// an open one of generation 2 says 88
	return Uint8Array.of(state, Math.max(0x88, raw), 0, 0);
}

/** The report in percent of its own scale: on PQ all from 882 Nm on (generation 1: 490) is 100. */
export function reportedPercent(generation: Generation, engagementPercent: number): number {
	if (isUnitOfMqb(generation)) return engagementPercent;
	return Math.min(100, (engagementPercent * MOST_NM) / ((CLOSED_RAW[generation] - OPEN_RAW) * NM_PER_STEP));
}
