// A car in front of the controller: it sends its frames every 10 ms of its own clock, and the controller
// steps on them.
import assert from "node:assert/strict";
import { ERROR_ACTIVE } from "../../src/can/bus.js";
import { Controller } from "../../src/controller/controller.js";
import { Reason } from "../../src/controller/reason.js";
import { couplingOf } from "../../src/coupling/couplings/couplings.js";
import { chosenPlan } from "../../src/coupling/frame-plan.js";
import { ALL_GROUPS } from "../../src/coupling/plan-format.js";
import type { Tuning } from "../../src/lock/tuning.js";
import { DEFAULT_SETTINGS, DEFAULT_TUNING, type Settings } from "../../src/settings/settings.js";
import { PlanInterpreter } from "../support/plan-interpreter.js";
import { SampleBuilder } from "../support/sample-builder.js";

export const TICK_MS = 10;
export const STOCK = 0;

export const tuned = (changes: Partial<Tuning>): { tuning: Tuning } => ({ tuning: { ...DEFAULT_TUNING, ...changes } });
export const isActive = (controller: Controller): boolean => controller.controlActive;
export const isStock = (controller: Controller): boolean => !controller.controlActive;

export function assertStock(controller: Controller, reason: Reason): void {
	assert.deepEqual(
		[controller.controlActive, controller.effectiveMode, controller.lockPercent, controller.factor, controller.reason],
		[false, STOCK, 0, 0, reason],
	);
}

export function assertActive(controller: Controller, mode: number, lockPercent: number, reason: Reason = Reason.ACTIVE): void {
	assert.deepEqual(
		[controller.controlActive, controller.effectiveMode, controller.lockPercent, controller.reason],
		[true, mode, lockPercent, reason],
	);
}

/** Result of `rewritten` for a frame that left as it came. */
export const UNTOUCHED = "e1e2e3e4e5e6e768";

export class Car {
	readonly controller: Controller;
	/** Settings that the controller had stored, in order. */
	readonly stored: Settings[] = [];
	/** Clock of the last step. */
	now: number;

	// Values of the car's frames, raw as on the bus.
	speedKmh = 50;
	/** Overrides the speed by a raw value: an error code. */
	speedRaw: number | undefined;
	/** 0.4 % per step. */
	pedalRaw = 125;
	rpmRaw = 8000;
	/** ABS intervenes. */
	braking = false;
	/** ABS intervened in the frame before the latest one, once. */
	brakedBetween = false;
	/** The coupling's status byte (PQ), and its raw engagement (PQ 128 = 0 %, MQB 250 = 100 %). */
	couplingStatus = 0;
	engagementRaw: number | undefined;
	/**
	 * Magnitude of the steering wheel's angle; undefined: its frame does not come. Raw value and what else is
	 * set in the frame override it.
	 */
	steeringDeg: number | undefined;
	steeringRaw: number | undefined;
	/** Byte 5 on PQ, 1 on MQB: what is wrong with the angle. */
	steeringStatus = 0;
	/** In the frame of the ignition switch; undefined: it does not come. */
	ignitionOn: boolean | undefined;
	/** Of all wheels, in a frame of their own (PQ 0x4A0, MQB 0x0B2); undefined: it does not come. */
	wheelsKmh: number | undefined;
	/** The counter of 0x1A0, 0x2C0, 0x121 and 0x118, with which all of them go; undefined: it stands at 0. */
	count: number | undefined;
	sendsBrake = true;
	sendsEngine = true;
	sendsCoupling = true;
	// Header of the sample.
	chassisState = ERROR_ACTIVE;
	couplingState = ERROR_ACTIVE;
	chassisAgeMs = 0;
	couplingAgeMs = 0;
	leaseLost = false;
	/**
	 * In standalone operation: frames are being sent; if not, what keeps them back (watched frames, README of
	 * the gateway).
	 */
	generating = true;
	heard = 0;
	/** Bit 0, 1: the chassis, the coupling bus did not run at some time since the last tick. */
	interruptedBuses = 0;

	#builder = new SampleBuilder(new Uint8Array(0));
	#watchRevision = -1;

	constructor(settings: Partial<Settings>, now = 1000) {
		this.now = now - TICK_MS;
		this.controller = new Controller({ ...DEFAULT_SETTINGS, generation: 4, ...settings }, (changed) => this.stored.push(changed));
	}

	/** A car in which control has become active. */
	static active(settings: Partial<Settings>): Car {
		const car = new Car(settings);
		car.run(1500);
		return car;
	}

	/** Time passes, tick by tick. @returns the controller, as after the last tick */
	run(ms: number, tickMs = TICK_MS): Controller {
		for (let passed = 0; passed < ms; passed += tickMs) this.tick(tickMs);
		return this.controller;
	}

	/**
	 * Ticks until `condition` holds.
	 * @returns how long that took, ms
	 * @throws {Error} more than 30 s
	 */
	until(condition: (controller: Controller) => boolean): number {
		for (let ms = TICK_MS; ms <= 30_000; ms += TICK_MS) {
			this.tick();
			if (condition(this.controller)) return ms;
		}
		throw new Error("waited for 30 s in vain");
	}

	tick(elapsedMs = TICK_MS): Controller {
		this.now += elapsedMs;
		const { controller } = this;
		if (controller.watchRevision !== this.#watchRevision) {
			this.#watchRevision = controller.watchRevision;
			this.#builder = new SampleBuilder(controller.telemetry.watch.bytes()); // nothing received on a new list yet
		} else this.send();
		const sample = this.#builder.bytes(this.now);
		sample[4] = this.chassisState;
		sample[5] = this.couplingState;
		const { generation, standalone } = controller.settings;
		const generates = standalone || couplingOf(generation)?.generates === true;
		const inForce = generates ? this.generating : controller.controlActive && !this.leaseLost;
		sample[6] = inForce ? 1 : 0; // the plan of the last tick
		new DataView(sample.buffer, sample.byteOffset).setUint32(12, this.heard, true);
		sample[7] = this.interruptedBuses;
		sample[8] = this.chassisAgeMs & 0xff;
		sample[9] = this.chassisAgeMs >> 8;
		sample[10] = this.couplingAgeMs & 0xff;
		sample[11] = this.couplingAgeMs >> 8;
		controller.step(sample);
		return controller;
	}

	/** Changes settings as the interface does. */
	set(changes: Partial<Settings>): void {
		this.controller.applySettings({ ...this.controller.settings, ...changes });
	}

	/** The frame that leaves for a received one of eight bytes `E1` .. `E7`, `68`, if control is active. */
	rewritten(id: number): string {
		const { controller } = this;
		const received = [0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0x68];
		const interpreter = new PlanInterpreter();
		const { generation } = controller.settings;
		if (controller.controlActive && generation !== 0) {
			interpreter.load(chosenPlan({ ...controller.settings, generation, standalone: false }, controller.effectiveMode));
			interpreter.commit(controller.factor, controller.groups ?? ALL_GROUPS);
		}
		// as a car sends it: with the checksums that the plan demands
		const frame = interpreter.sealed(0, id, 8, Uint8Array.from(received));
		const sent = Buffer.from(interpreter.pass(0, id, 8, frame));
		return sent.equals(frame) ? UNTOUCHED : sent.toString("hex");
	}

	/** The frames of 10 ms. */
	protected send(): void {
		if (this.count !== undefined) this.count = (this.count + 1) & 0x0f;
		const isMqb = this.controller.settings.generation === 5;
		if (this.ignitionOn !== undefined)
			if (isMqb) this.frame(0, 0x3c0, [0, 0, this.ignitionOn ? 0x03 : 0x01, 0]);
			else this.frame(0, 0x572, [this.ignitionOn ? 0x07 : 0x01]);
		if (this.wheelsKmh !== undefined) {
			const raw = isMqb ? Math.round(this.wheelsKmh / 0.0075) : Math.round(this.wheelsKmh * 100) << 1;
			const one = [raw & 0xff, raw >> 8];
			this.frame(0, isMqb ? 0x0b2 : 0x4a0, [...one, ...one, ...one, ...one]);
		}
		if (this.controller.settings.generation === 5) this.#sendMqb();
		else this.#sendPq();
	}

	/** @param factor degrees for a step */
	#steeringRaw(factor: number): number {
		return this.steeringRaw ?? Math.round((this.steeringDeg ?? 0) / factor);
	}

	#sendPq(): void {
		const { pedalRaw, rpmRaw } = this;
		const angle = this.#steeringRaw(0.04375);
		const isRight = 0x80; // of the sign, which counts for nothing
		const wheel = [angle & 0xff, (angle >> 8) | isRight, 0, 0, 0, this.steeringStatus, 0, 0];
		if (this.steeringDeg !== undefined) this.frame(0, 0x0c2, wheel);
		const raw = this.speedRaw ?? this.speedKmh * 100;
		const brake = [this.braking ? 0x04 : 0, 0, (raw << 1) & 0xff, (raw >> 7) & 0xff, 0, 0, 0, this.count ?? 0];
		if (this.sendsEngine) this.frame(0, 0x280, [0, 0, rpmRaw & 0xff, rpmRaw >> 8, 0, pedalRaw, 0, 0]);
		if (this.brakedBetween) this.frame(0, 0x1a0, [0x04, ...brake.slice(1)]);
		this.brakedBetween = false;
		if (this.sendsBrake) this.frame(0, 0x1a0, brake);
		if (this.sendsCoupling)
			this.frame(1, 0x2c0, [this.couplingStatus, this.engagementRaw ?? 0xc8, 0, 0, 0, 0, 0, (this.count ?? 0) << 4]);
	}

	#sendMqb(): void {
		const raw = this.speedRaw ?? this.speedKmh * 100;
		const angle = this.#steeringRaw(0.1);
		if (this.steeringDeg !== undefined)
			this.frame(0, 0x086, [0, this.steeringStatus, angle & 0xff, (angle >> 8) | 0x20, 0, 0, 0, 0]);
		const pedal = [0, ((this.pedalRaw & 15) << 4) | (this.count ?? 0), this.pedalRaw >> 4, 0, 0, 0, 0, 0];
		if (this.sendsEngine) this.frame(0, 0x121, pedal);
		if (this.sendsBrake) this.frame(0, 0x0fd, [0, 0, 0, 0, raw & 0xff, raw >> 8, 0, this.braking ? 0x01 : 0]);
		if (this.sendsCoupling) this.frame(1, 0x118, [0, this.count ?? 0, this.engagementRaw ?? 125, 0]);
	}

	frame(bus: number, id: number, data: readonly number[]): void {
		this.#builder.frame(bus, id, false, false, data.length, Uint8Array.from(data), this.now);
	}
}
