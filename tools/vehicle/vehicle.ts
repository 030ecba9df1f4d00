/**
 * The simulated vehicle: car, chassis bus and coupling ECU in one simulated time of 1 ms steps. A
 * deterministic function of its inputs: no clock, no randomness, no sockets. Who drives is given as a
 * function.
 */
import { type Car, type Driver, newCar, type Selector, stepCar } from "./car.js";
import { ChassisBus, type Generation } from "./chassis.js";
import { CouplingEcu, type CouplingOptions } from "./coupling-ecu.js";
import { type Cycle, driveAccordingTo, phaseAt } from "./cycles.js";
import { type FaultName, faulty } from "./faults.js";
import type { CanFrame, SendFrame } from "./frame.js";

/** Wheel and pedals held constant, for `--speed`, `--pedal` ... A speed is held whatever the pedals say. */
export interface ConstantDrive {
	readonly speedKmh?: number | undefined;
	readonly pedalPercent: number;
	readonly brakePercent: number;
	readonly steeringDeg: number;
	readonly selector: Selector;
	readonly hazardLights?: boolean;
	readonly handbrake?: boolean;
}

export class Vehicle {
	readonly car: Car;
	generation: Generation;
	coupling: CouplingEcu;
	#chassis: ChassisBus;
	readonly #drive: (car: Car) => Driver;
	readonly #options: CouplingOptions;
	#faults: readonly FaultName[] = [];

	/** @param options of its coupling */
	constructor(generation: Generation, drive: Cycle | ConstantDrive, options: CouplingOptions = {}) {
		this.generation = generation;
		this.#options = options;
		this.#chassis = new ChassisBus(generation);
		this.coupling = new CouplingEcu(generation, options);
		if ("phases" in drive) {
			this.car = newCar(drive.startKmh, drive.phases[0].selector);
			this.#drive = (car) => driveAccordingTo(phaseAt(drive, car.timeMs), car);
		} else {
			const { speedKmh, ...hands } = drive;
			const { pedalPercent, brakePercent, steeringDeg, selector } = hands;
			const driver = { ...hands, ignitionOn: true, pinnedSpeedKmh: speedKmh };
			this.car = newCar(speedKmh, selector);
			// Constant from the first frame on: nothing has to settle first.
			Object.assign(this.car, { pedalPercent, brakePercent, steeringDeg });
			this.#drive = () => driver;
		}
	}

	/** Another coupling, and the platform that has it; the car drives on. */
	refit(generation: Generation): void {
		this.generation = generation;
		this.#chassis = new ChassisBus(generation);
		this.coupling = new CouplingEcu(generation, this.#options);
		this.breakDown(this.#faults);
	}

	/** The car has these faults from now on, and no others. */
	breakDown(faults: readonly FaultName[]): void {
		this.#faults = faults;
		this.#chassis.meddle = this.coupling.meddle = faulty(this.generation, faults);
	}

	/** A frame arrives on the coupling bus. */
	receiveOnCouplingBus(frame: CanFrame): void {
		this.coupling.receive(frame, this.car.timeMs);
	}

	/** Advances 1 ms; the frames of that millisecond leave through the two functions. */
	step(sendOnChassisBus: SendFrame, sendOnCouplingBus: SendFrame): void {
		stepCar(this.car, this.#drive(this.car), this.coupling.engagementPercent);
		this.#chassis.step(this.car, sendOnChassisBus);
		this.coupling.step(this.car.timeMs, this.car.ignitionOn, sendOnCouplingBus);
	}
}
