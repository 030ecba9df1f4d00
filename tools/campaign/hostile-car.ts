/**
 * A car that lies: the simulated vehicle's frames (`tools/vehicle`), held at a speed and pedal, of which each
 * can be made silent, wrong, or pulse. Deterministic; knows no sockets. Whatever it does is told to the judge
 * by the frames alone.
 */
import { newCar, type Selector } from "../vehicle/car.js";
import { ChassisBus } from "../vehicle/chassis.js";
import { CouplingEcu } from "../vehicle/coupling-ecu.js";
import { type FaultName, faulty } from "../vehicle/faults.js";
import { mqbChecksum } from "../vehicle/integrity.js";
import { HAZARD } from "./car-reader.js";
import { EXTENDED, REMOTE, type WireFrame } from "./frame-judge.js";
import type { Bus } from "./lockstep.js";
import type { Generation } from "./tables.js";

/** Sends a frame on a bus. */
export type SendOn = (bus: Bus, frame: WireFrame) => void;

/** Changes a frame that is about to be sent; `undefined`: it is not. */
export type Meddle = (data: Uint8Array, ms: number) => Uint8Array | undefined;

const HAZARD_MS = 20;
const NM_PER_PERCENT = 2;

/** Somebody on the chassis bus of a coupling without a car sends this, which nobody generates. */
export const FOREIGN_ID = 0x6f1;
const FOREIGN_MS = 40;

/** At which speed and pedal it goes unless told otherwise. */
export const DRIVES = { speedKmh: 40, pedalPercent: 60 } as const;

/** Sends a car's frames at a set speed and pedal. Each frame can be silenced or changed. */
export class HostileCar {
	readonly generation: Generation;
	/** Another one after each restart of the car. */
	coupling!: CouplingEcu;
	speedKmh: number = DRIVES.speedKmh;
	pedalPercent: number = DRIVES.pedalPercent;
	rpm = 3000;
	/** Whether the flag of ABS is set; undefined: it is not. */
	abs: ((ms: number) => boolean) | undefined;
	/** By identifier, on the bus that it is sent on. */
	readonly meddling = new Map<number, Meddle>();
	/** Sent beside the car's own, in each ms. */
	beside: ((ms: number, send: SendOn) => void) | undefined;
	/** Sent last in each ms, with how many frames each bus has had so far. */
	filler: ((ms: number, count: readonly [number, number], send: SendOn) => void) | undefined;
	silent = false;
	/** Angle of the steering wheel; jerking, it goes from end to end ten times a second. */
	steeringDeg = 0;
	jerks = false;
	selector: Selector = "D";
	/**
	 * Whether the hazard lights are on, sent each HAZARD_MS instead of the car's own frame of them;
	 * undefined: its frame is lost.
	 */
	hazardLights: ((ms: number) => boolean | undefined) | undefined;
	readonly #count: [number, number] = [0, 0];
	readonly #car = newCar(40);
	readonly #isAlone: boolean;
	readonly #faults = new Set<FaultName>();
	#chassis!: ChassisBus;

	/** @param isAlone the coupling has no car */
	constructor(generation: Generation, isAlone = false) {
		this.generation = generation;
		this.#isAlone = isAlone;
		this.restart();
	}

	/** Its control units begin anew, with all of their counters. */
	restart(): void {
		this.#chassis = new ChassisBus(this.generation);
		this.coupling = new CouplingEcu(this.generation);
		this.#meddle();
	}

	/** A fault of `tools/vehicle/faults.ts` begins or ends. */
	fault(name: FaultName, isOn: boolean): void {
		if (isOn) this.#faults.add(name);
		else this.#faults.delete(name);
		this.#meddle();
	}

	/** The trigger's signal: the driver has switched ESP or ASR off while this says so. */
	setTrigger(isSet: (ms: number) => boolean): void {
		const [id, byte, mask] = this.generation === 5 ? [0x0fd, 6, 0x02] : [0x1a0, 7, 0x20];
		this.meddling.set(id, (data, ms) => {
			if (isSet(ms)) data[byte] |= mask;
			return data;
		});
	}

	#meddle(): void {
		this.#chassis.meddle = this.coupling.meddle = faulty(this.generation, this.#faults);
	}

	/** What the controller lets through to its coupling. */
	hears(ms: number, { id, flags, data }: WireFrame): void {
		this.coupling.receive({ id, extended: (flags & EXTENDED) !== 0, rtr: (flags & REMOTE) !== 0, data }, ms);
	}

	/** Sends what is due in this millisecond. */
	step(ms: number, put: SendOn): void {
		const send: SendOn = (bus, frame) => {
			this.#count[bus]++;
			put(bus, frame);
		};
		const car = this.#car;
		car.timeMs = ms;
		car.velocityKmh = this.speedKmh;
		car.wheelFrontLeftKmh = car.wheelFrontRightKmh = car.wheelRearLeftKmh = car.wheelRearRightKmh = this.speedKmh;
		car.pedalPercent = this.pedalPercent;
		car.rpm = this.rpm;
		car.torqueNm = NM_PER_PERCENT * this.pedalPercent;
		car.absActive = this.abs?.(ms) ?? false;
		car.selector = this.selector;
		car.steeringDeg = this.jerks ? (ms % 200 < 100 ? 540 : -540) : this.steeringDeg;
		if (this.silent) return;
		const hazard = this.generation === 5 ? HAZARD.mqb : HAZARD.pq;
		const pass = (bus: Bus, id: number, extended: boolean, data: Uint8Array): void => {
			const meddle = this.meddling.get(id);
			const changed = meddle === undefined ? Uint8Array.from(data) : meddle(Uint8Array.from(data), ms);
			if (changed === undefined || (this.hazardLights !== undefined && id === hazard.id)) return;
			if (meddle !== undefined && this.generation === 5 && changed.length === 8)
				changed[0] = mqbChecksum(id, changed) ?? changed[0];
			send(bus, { id, flags: extended ? EXTENDED : 0, data: changed });
		};
		if (!this.#isAlone) this.#chassis.step(car, (id, extended, data) => pass(0, id, extended, data));
		else if (ms % FOREIGN_MS === 7) pass(0, FOREIGN_ID, false, Uint8Array.of(ms, ms >> 8, ms >> 16, 1));
		this.coupling.step(ms, true, (id, extended, data) => pass(1, id, extended, data));
		const lit = ms % HAZARD_MS === 3 ? this.hazardLights?.(ms) : undefined;
		if (lit !== undefined) {
			const data = new Uint8Array(8);
			data[hazard.byte] = lit ? hazard.mask : 0;
			send(0, { id: hazard.id, flags: 0, data });
		}
		if (ms % 100 === 33) pass(1, 0x2c1, false, Uint8Array.of(0, 1, 2, 3, 4, 5));
		this.beside?.(ms, send);
		this.filler?.(ms, this.#count, send);
	}
}
