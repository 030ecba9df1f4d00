import assert from "node:assert/strict";
import type { GatewayPort, PwmPort } from "../../hal/ports.js";
import { ERROR_ACTIVE } from "../../src/can/bus.js";
import { Controller } from "../../src/controller/controller.js";
import { ControlLoop, TICK_MS } from "../../src/runtime/control-loop.js";
import { DEFAULT_SETTINGS, DEFAULT_TUNING, type Settings } from "../../src/settings/settings.js";
import { motionRejection } from "../../src/update/rejection.js";
import { PlanInterpreter } from "../support/plan-interpreter.js";
import { SampleBuilder } from "../support/sample-builder.js";

const PWM_PIN = 4;
const PWM_MAX = 1023;
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

	get isActive(): boolean {
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
		into[6] = this.isActive ? 1 : 0;
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

class LoopBench {
	readonly gateway = new FakeGateway();
	/** Every output that was opened, the last one is in use. */
	readonly pwms: FakePwm[] = [];
	readonly faults: string[] = [];
	readonly clock = { ticks: 0, microseconds: 123_456 };
	readonly controller: Controller;
	readonly loop: ControlLoop;

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
		this.#send();
		this.loop.tick();
	}

	/** What leaves for Motor_1 now; "stock" if it leaves as it came. */
	sent(): string {
		const { isActive, interpreter } = this.gateway;
		const data = isActive ? interpreter.pass(0, 0x280, 8, Uint8Array.from(MARKER)) : MARKER;
		const hex = Buffer.from(data).toString("hex");
		return hex === Buffer.from(MARKER).toString("hex") ? "stock" : hex;
	}

	#send(): void {
		const { builder, nowMs } = this.gateway;
		const raw = 50 * 200; // km/h
		builder.frame(0, 0x280, false, false, 8, Uint8Array.of(0, 0, 0, 31, 0, 125, 0, 0), nowMs);
		builder.frame(0, 0x1a0, false, false, 8, Uint8Array.of(0, 0, raw & 0xff, raw >> 8, 0, 0, 0, 0), nowMs);
		builder.frame(0, 0x0fd, false, false, 8, new Uint8Array(8), nowMs);
		builder.frame(1, 0x118, false, false, 8, new Uint8Array(8), nowMs);
		builder.frame(1, 0x2c0, false, false, 8, Uint8Array.of(0, 200, 0, 0, 0, 0, 0, 0), nowMs);
	}
}

const FULL = 2;
const FORTY = 3;
const LEASE_MS = 240;
const FAULT = "fault";
const duty = (lockPercent: number): number => Math.round((lockPercent / 100) * PWM_MAX);

describe("runtime/control-loop", () => {
	describe("plan and lease", () => {
		it("loads the plan once and renews its lease with every tick", () => {
			const bench = LoopBench.active();
			assert.equal(bench.gateway.calls.filter((name) => name === "loadPlan").length, 1);
			assert.equal(bench.sent(), "e1650c1f65650865"); // 40 % of docs/control-and-can.md 3.7
			const commits = () => bench.gateway.calls.filter((name) => name === "commit").length;
			const before = commits();
			bench.run(100);
			assert.equal(commits() - before, 10);
			assert.equal(bench.gateway.leaseUntilMs, bench.gateway.nowMs + LEASE_MS);
		});

		it("leaves the car stock when it stops ticking, and starts the ramp again afterwards", () => {
			const bench = LoopBench.active({ tuning: { ...DEFAULT_TUNING, engageRatePercentPerS: 100 } });
			bench.run(1000);
			assert.equal(bench.controller.lockPercent, 40);
			bench.gateway.nowMs += LEASE_MS - 1;
			assert.notEqual(bench.sent(), "stock");
			bench.gateway.nowMs += 1;
			assert.equal(bench.sent(), "stock");
			bench.tick();
			assert.ok(bench.controller.lockPercent > 0 && bench.controller.lockPercent < 40);
			assert.notEqual(bench.sent(), "stock");
		});

		it("releases the gateway at once in stock", () => {
			const bench = LoopBench.active();
			bench.controller.selectMode(0);
			bench.tick();
			assert.deepEqual([bench.sent(), bench.pwm.duty], ["stock", 0]);
		});

		it("hands over another watch list with a buffer for its samples, and another plan", () => {
			const bench = LoopBench.active();
			for (const generation of [5, 2] as const) {
				bench.controller.applySettings({ ...bench.controller.settings, generation });
				bench.run(1200);
				assert.deepEqual([bench.faults, bench.controller.lockPercent], [[], 40]);
			}
			assert.equal(bench.sent(), "e16521" + "1fe5e665e8");
			for (const name of ["loadPlan", "watch"]) assert.equal(bench.gateway.calls.filter((call) => call === name).length, 3);
		});
	});

	describe("PWM", () => {
		it("has the lock percentage for its duty, and is written when that changes", () => {
			const bench = LoopBench.active();
			assert.equal(bench.pwm.duty, duty(40));
			const { writes } = bench.pwm;
			bench.run(200);
			assert.equal(bench.pwm.writes, writes);
			bench.controller.selectMode(FULL);
			bench.tick();
			assert.equal(bench.pwm.duty, PWM_MAX);
		});

		it("is off from the start, with inverted polarity, too", () => {
			const bench = new LoopBench({ pwm: { frequencyHz: 1000, inverted: true } });
			assert.equal(bench.pwm.duty, PWM_MAX);
			bench.run(1200);
			assert.equal(bench.pwm.duty, PWM_MAX - duty(40));
		});

		it("is guarded by the gateway, with the duty that is off, and written again after a stall", () => {
			const bench = LoopBench.active({ pwm: { frequencyHz: 1000, inverted: true } });
			assert.deepEqual(bench.gateway.guarded, [PWM_PIN, PWM_MAX]);
			const { settings } = bench.controller;
			bench.controller.applySettings({ ...settings, pwm: { ...settings.pwm, inverted: false } });
			bench.tick();
			assert.deepEqual(bench.gateway.guarded, [PWM_PIN, 0]);
			const driven = bench.pwm.duty;
			bench.pwm.duty = 0; // as the gateway leaves it
			bench.tick();
			assert.equal(bench.pwm.duty, 0);
			bench.tick(50_000);
			assert.equal(bench.pwm.duty, driven);
		});

		it("applies another frequency and polarity with the next tick", () => {
			const bench = LoopBench.active({ pwm: { frequencyHz: 500, inverted: false } });
			const change = (frequencyHz: number, inverted: boolean) => {
				bench.controller.applySettings({ ...bench.controller.settings, pwm: { frequencyHz, inverted } });
				bench.tick();
			};
			change(500, true);
			assert.deepEqual([bench.pwms.length, bench.pwm.duty], [1, PWM_MAX - duty(40)]);
			change(2000, true);
			assert.deepEqual(
				bench.pwms.map((pwm) => [pwm.frequencyHz, pwm.open]),
				[
					[500, false],
					[2000, true],
				],
			);
			assert.equal(bench.pwm.duty, PWM_MAX - duty(40));
		});
	});

	describe("status frame", () => {
		it("is renewed every 50 ms, and ends when the driver does not want it", () => {
			const bench = LoopBench.active();
			bench.run(3000);
			assert.deepEqual(bench.gateway.status, {
				payload: [0, 0, 200, 40, 50, 0, FORTY, 50],
				untilMs: bench.gateway.nowMs + 250,
			});
			const before = bench.gateway.calls.filter((name) => name === "setCyclic").length;
			bench.run(500);
			assert.equal(bench.gateway.calls.filter((name) => name === "setCyclic").length - before, 10);
			bench.controller.applySettings({ ...bench.controller.settings, broadcastOverCan: false });
			bench.run(50);
			assert.equal(bench.gateway.status, undefined);
		});

		it("ends within 50 ms when another node sends it on either bus", () => {
			for (const bus of [0, 1]) {
				const bench = LoopBench.active();
				bench.run(3000);
				assert.ok(bench.gateway.status !== undefined);
				bench.gateway.foreignAgeMs[bus] = 0;
				bench.run(50);
				assert.deepEqual([bench.gateway.status, bench.controller.statusFrameElsewhere], [undefined, true]);
			}
		});
	});

	describe("measurement", () => {
		it("keeps the last and the longest period, the largest deviation, how late a tick was, and every missed tick", () => {
			for (const [periodsUs, figures] of [
				[[10_000, 10_000], { periodUs: 10_000, periodMaxUs: 10_000, jitterMaxUs: 0, overruns: 0, lateMaxUs: 0 }],
				[[12_500, 7000], { periodUs: 7000, periodMaxUs: 12_500, jitterMaxUs: 3000, overruns: 0, lateMaxUs: 2500 }],
				// the clock steps back
				[[10_000, -1_000_000], { periodUs: 0, periodMaxUs: 10_000, jitterMaxUs: 10_000, overruns: 0, lateMaxUs: 0 }],
				[[19_999, 10_000], { periodUs: 10_000, periodMaxUs: 19_999, jitterMaxUs: 9999, overruns: 0, lateMaxUs: 9999 }],
				[[20_000, 10_000], { periodUs: 10_000, periodMaxUs: 20_000, jitterMaxUs: 10_000, overruns: 1, lateMaxUs: 10_000 }],
				[[39_999, 25_000], { periodUs: 25_000, periodMaxUs: 39_999, jitterMaxUs: 29_999, overruns: 3, lateMaxUs: 29_999 }],
			] as const) {
				const bench = new LoopBench();
				bench.tick();
				for (const us of periodsUs) bench.tick(us);
				assert.deepEqual({ ...bench.controller.loop }, { ticks: 3, ...figures });
			}
		});
	});

	describe("a fault in a tick", () => {
		const brokenIn = (name: NonNullable<LoopBench["gateway"]["broken"]>) => (bench: LoopBench) => {
			bench.gateway.broken = name;
			if (name === "watch") bench.controller.watchRevision++;
			if (name === "loadPlan") bench.controller.applySettings({ ...bench.controller.settings, frameProfile: "corrected" });
		};
		const breaks: readonly (readonly [string, (bench: LoopBench) => void])[] = [
			["in the gateway's sample", brokenIn("sample")],
			["in the gateway's commit", brokenIn("commit")],
			["in the gateway's setCyclic", brokenIn("setCyclic")],
			["because the plan is refused", brokenIn("loadPlan")],
			["because the watch list is refused", brokenIn("watch")],
			[
				"in the controller",
				({ controller }) => {
					controller.telemetry.update = () => {
						throw new TypeError("no such thing");
					};
				},
			],
			[
				"in the PWM",
				({ controller, pwm }) => {
					controller.selectMode(FULL);
					pwm.broken = true;
				},
			],
		];
		for (const [what, breakIt] of breaks)
			it(`${what} ends control at once and for good, and is reported once`, () => {
				const bench = LoopBench.active();
				bench.run(3000); // the status frame is sent
				assert.notEqual(bench.sent(), "stock");
				breakIt(bench);
				bench.run(50);
				assert.equal(bench.sent(), "stock");
				const { controlActive, effectiveMode, lockPercent, factor, reason, vehicle } = bench.controller;
				assert.deepEqual(
					{ controlActive, effectiveMode, lockPercent, factor, reason, speedValid: vehicle.speedValid },
					{ controlActive: false, effectiveMode: 0, lockPercent: 0, factor: 0, reason: FAULT, speedValid: false },
				);
				assert.equal(bench.faults.length, 1);
				if (!bench.pwm.broken) assert.equal(bench.pwm.duty, 0);
				bench.gateway.broken = undefined;
				bench.controller.selectMode(FORTY);
				bench.run(2000);
				assert.deepEqual([bench.sent(), bench.controller.reason, bench.faults.length], ["stock", FAULT, 1]);
			});

		it("still sees that the car falls silent, and lets no calibration go on: an update and the BOOT key ask for that", () => {
			const bench = LoopBench.active();
			bench.controller.calibration.runs = true;
			bench.gateway.watch(new Uint8Array(32 * 8)); // somebody else has another list: the buffer is too small
			bench.tick();
			assert.deepEqual([bench.faults.length, bench.controller.calibration.runs], [1, false]);
			const { nowMs } = bench.controller;
			bench.gateway.chassisAgeMs = 12_000;
			bench.run(1000);
			assert.deepEqual([bench.controller.nowMs - nowMs, bench.controller.sample.chassisAgeMs], [1010, 12_000]);
			assert.equal(motionRejection(bench.controller), "");
		});

		it("leaves it to the lease when the gateway can't even release", () => {
			const bench = LoopBench.active();
			bench.gateway.commit = bench.gateway.release = () => {
				throw new Error("broken");
			};
			bench.tick();
			assert.deepEqual([bench.faults.length, bench.pwm.duty], [1, 0]);
			bench.gateway.nowMs += LEASE_MS;
			assert.equal(bench.sent(), "stock");
		});
	});
});
