/**
 * A control loop on a gateway, PWM output and clock that do what their ports promise and can be made to
 * throw. Generation 4.
 */

import type { GatewayPort, PwmPort } from "../../hal/ports.js";
import { ERROR_ACTIVE } from "../../src/can/bus.js";
import { Controller } from "../../src/controller/controller.js";
import { ControlLoop, TICK_MS } from "../../src/runtime/control-loop.js";
import { DEFAULT_SETTINGS, type Settings } from "../../src/settings/settings.js";
import { PlanInterpreter } from "../support/plan-interpreter.js";
import { SampleBuilder } from "../support/sample-builder.js";

export const PWM_PIN = 4;
export const PWM_MAX = 1023;
const MARKER = Uint8Array.of(0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8);

class FakeGateway implements GatewayPort {
	nowMs = 1000;
	/** The call that throws. */
	broken: keyof GatewayPort | undefined;
	readonly interpreter = new PlanInterpreter();
	readonly calls: string[] = [];
	leaseUntilMs = 0;
	/** Of the last frame from the car, as samples tell it. */
	chassisAgeMs = 0;
	/** Of `src/can/bus.ts`. */
	chassisState = ERROR_ACTIVE;
	/** Pin and duty for when a lease runs out. */
	guarded: [number, number] | undefined;
	/** Payload of the status frame, undefined = none is sent. */
	status: { payload: number[]; untilMs: number } | undefined;
	builder = new SampleBuilder(new Uint8Array(0));
	#sampleSize = 0;

	get inForce(): boolean {
		return this.nowMs < this.leaseUntilMs;
	}
	#call(name: keyof GatewayPort): void {
		if (this.broken === name) throw new RangeError(`${name} is broken`);
		this.calls.push(name);
	}
	loadPlan(plan: Uint8Array): void {
		this.#call("loadPlan");
		this.interpreter.load(plan);
	}
	commit(factor: number, groups: number, leaseMs: number): void {
		this.#call("commit");
		this.interpreter.commit(factor, groups);
		this.leaseUntilMs = this.nowMs + leaseMs;
	}
	release(): void {
		this.#call("release");
		this.leaseUntilMs = 0;
	}
	watch(list: Uint8Array): void {
		this.#call("watch");
		this.builder = new SampleBuilder(list);
		this.#sampleSize = this.builder.bytes(0).length;
	}
	sample(into: Uint8Array): void {
		this.#call("sample");
		if (into.length < this.#sampleSize) throw new RangeError("sample buffer is too small");
		into.set(this.builder.bytes(this.nowMs));
		into[6] = this.inForce ? 1 : 0;
		into[4] = this.chassisState;
		into[8] = this.chassisAgeMs & 0xff;
		into[9] = this.chassisAgeMs >> 8;
	}
	setCyclic(_slot: number, bus: number, id: number, periodMs: number, leaseMs: number, payload: Uint8Array): void {
		this.#call("setCyclic");
		if (bus === 0 && id === 0x6b0 && periodMs === 200) this.status = { payload: [...payload], untilMs: this.nowMs + leaseMs };
	}
	/** Age of the last status frame of somebody else, by bus. */
	foreignAgeMs: [number, number] = [0xffffffff, 0xffffffff];
	receivedAgeMs(bus: number, first: number, last: number): number {
		return first === 0x6b0 && last === 0x6b0 ? this.foreignAgeMs[bus] : 0xffffffff;
	}
	clearCyclic(): void {
		this.#call("clearCyclic");
		this.status = undefined;
	}
	guardPwm(pin: number, idleDuty: number): void {
		this.guarded = [pin, idleDuty];
		this.#call("guardPwm");
	}
	counters(): void {
		this.#call("counters");
	}
}

class FakePwm implements PwmPort {
	duty = 0;
	writes = 0;
	open = true;
	broken = false;
	constructor(readonly frequencyHz: number) {}
	write(duty: number): void {
		if (this.broken) throw new Error("PWM is broken");
		this.duty = duty;
		this.writes++;
	}
	close(): void {
		this.open = false;
	}
}

export class LoopBench {
	readonly gateway = new FakeGateway();
	/** Every output that was opened, the last one is in use. */
	readonly pwms: FakePwm[] = [];
	readonly faults: string[] = [];
	readonly clock = { ticks: 0, microseconds: 123_456 };
	readonly controller: Controller;
	readonly loop: ControlLoop;
	speedKmh = 50;
	carSends = true;

	constructor(settings: Partial<Settings> = {}) {
		this.controller = new Controller({ ...DEFAULT_SETTINGS, generation: 4, mode: 3, ...settings }, () => {});
		const open = (frequencyHz: number): FakePwm => {
			if (this.pwms.some((pwm) => pwm.open)) throw new Error("the pin is in use");
			this.pwms.push(new FakePwm(frequencyHz));
			return this.pwm;
		};
		const output = { pin: PWM_PIN, dutyMax: PWM_MAX, open };
		this.loop = new ControlLoop(this.controller, this.gateway, output, this.clock, (error) => this.faults.push(String(error)));
	}

	/** One in which control is active: mode 6040, 40 %. */
	static active(settings: Partial<Settings> = {}): LoopBench {
		const bench = new LoopBench(settings);
		bench.run(1200);
		return bench;
	}

	get pwm(): FakePwm {
		return this.pwms[this.pwms.length - 1];
	}

	run(ms: number): this {
		for (let passed = 0; passed < ms; passed += TICK_MS) this.tick();
		return this;
	}

	/** The car sends, then the loop ticks, `elapsedUs` after the tick before. */
	tick(elapsedUs = TICK_MS * 1000): void {
		this.clock.microseconds += elapsedUs;
		this.gateway.nowMs += elapsedUs / 1000;
		if (this.carSends) this.#send();
		this.loop.tick();
	}

	/** What leaves for Motor_1 now; "stock" if it leaves as it came. */
	sent(): string {
		const { inForce, interpreter } = this.gateway;
		const data = inForce ? interpreter.pass(0, 0x280, 8, Uint8Array.from(MARKER)) : MARKER;
		const hex = Buffer.from(data).toString("hex");
		return hex === Buffer.from(MARKER).toString("hex") ? "stock" : hex;
	}

	#send(): void {
		const { builder, nowMs } = this.gateway;
		const raw = this.speedKmh * 200;
		builder.frame(0, 0x280, false, false, 8, Uint8Array.of(0, 0, 0, 31, 0, 125, 0, 0), nowMs);
		builder.frame(0, 0x1a0, false, false, 8, Uint8Array.of(0, 0, raw & 0xff, raw >> 8, 0, 0, 0, 0), nowMs);
		builder.frame(0, 0x0fd, false, false, 8, new Uint8Array(8), nowMs);
		builder.frame(1, 0x118, false, false, 8, new Uint8Array(8), nowMs);
		builder.frame(1, 0x2c0, false, false, 8, Uint8Array.of(0, 200, 0, 0, 0, 0, 0, 0), nowMs);
	}
}
