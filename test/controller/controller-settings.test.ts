import assert from "node:assert/strict";
import { Reason } from "../../src/controller/reason.js";
import { UNREADABLE_MAP } from "../../src/lock/tuning.js";
import { writeStatus } from "../../src/runtime/control-loop.js";
import { condition } from "../support/controller-view.js";
import { PlanInterpreter } from "../support/plan-interpreter.js";
import { SampleBuilder } from "../support/sample-builder.js";
import { assertActive, assertStock, Car, isActive, STOCK, tuned, UNTOUCHED } from "./car.js";

const FWD = 1;
const FULL = 2;
const FORTY = 3;
const SPEED = 7;
const MAP = 9;
const MOTOR_1 = 0x280;

describe("controller/controller: settings and view", () => {
	describe("modes and settings", () => {
		it("is stock at once while the network is open to anybody, and for good in a boot loop", () => {
			const car = Car.active({ mode: FULL });
			car.controller.supervisor.setOpenNetwork(true);
			car.controller.supervisor.setOpenNetwork(true);
			assertStock(car.tick(), Reason.OPEN_NETWORK);
			car.controller.supervisor.setOpenNetwork(false);
			assertActive(car.tick(), FULL, 100);
			car.controller.setBootLoop();
			assertStock(car.run(1000), Reason.BOOT_LOOP);
		});

		it("selects a mode and has it stored; STOCK disables, any other enables", () => {
			const car = Car.active({ mode: FULL });
			car.controller.selectMode(STOCK);
			assertStock(car.tick(), Reason.STOCK_SELECTED);
			car.controller.selectMode(FORTY);
			assertActive(car.tick(), FORTY, 40);
			assert.deepEqual(
				car.stored.map(({ mode, disableController }) => [mode, disableController]),
				[
					[STOCK, true],
					[FORTY, false],
				],
			);
			assert.equal(car.controller.supervisor.selectedMode, FORTY);
		});

		it("is stock while a map that can't be read is selected or could be by a condition, until there is another", () => {
			const selects = condition({ mode: MAP });
			for (const settings of [{ mode: MAP }, { mode: FULL, conditions: [condition({ effect: "limit" }), selects] }]) {
				const car = new Car({ ...settings, currentMap: "/maps/mine.json", ...tuned({ map: UNREADABLE_MAP }) });
				car.run(5000);
				assert.deepEqual(
					[car.controller.controlActive, car.controller.reason, car.controller.reasonDetail],
					[false, Reason.MAP_UNREADABLE, "/maps/mine.json"],
				);
				car.set(tuned({ map: { ...UNREADABLE_MAP } }));
				assert.ok(car.tick().controlActive);
			}
			for (const other of [{ enabled: false }, { mode: FWD }, { effect: "limit", limitPercent: 100 } as const]) {
				const conditions = [{ ...selects, ...other }];
				assertActive(new Car({ mode: FULL, conditions, ...tuned({ map: UNREADABLE_MAP }) }).run(2000), FULL, 100);
			}
		});

		it("commands 0 % in FWD, which is not stock", () => {
			const car = Car.active({ mode: FWD });
			assertActive(car.controller, FWD, 0);
			assert.notEqual(car.rewritten(MOTOR_1), UNTOUCHED);
			car.controller.selectMode(STOCK);
			car.tick();
			assert.equal(car.rewritten(MOTOR_1), UNTOUCHED);
		});

		it("takes the factor from the lock and the profile", () => {
			const car = Car.active({ mode: FORTY });
			assert.equal(car.controller.factor, 40 * 256);
			car.controller.selectMode(FULL);
			assert.equal(car.tick().factor, 25600);
		});
	});

	describe("plan", () => {
		it("is taken once, and again for another generation or profile", () => {
			const car = Car.active({ mode: FULL });
			const { controller } = car;
			const taken = (): number | undefined => controller.takePlan()?.[1];
			assert.equal(controller.planStale, true);
			const first = taken();
			assert.notEqual(first, undefined);
			assert.equal(controller.planStale, false);
			assert.equal(taken(), undefined);
			car.set({ frameProfile: "corrected" });
			assert.equal(controller.planStale, true);
			const corrected = taken();
			car.set({ generation: 5 });
			const other = taken();
			assert.equal(new Set([first, corrected, other]).size, 3); // counters start anew
			car.set({ broadcastOverCan: false });
			assert.equal(controller.planStale, false);
			car.set({ generation: 0 });
			assert.equal(taken(), undefined);
		});

		it("is another one for another mode of generation 1, with the same counters", () => {
			const car = Car.active({ generation: 1, mode: FULL });
			const plans = [FULL, FORTY].map((mode) => {
				car.controller.selectMode(mode);
				car.tick();
				return car.controller.takePlan() as Uint8Array;
			});
			assert.notDeepEqual(plans[0], plans[1]);
			assert.equal(plans[0][1], plans[1][1]);
			for (const plan of plans) assert.doesNotThrow(() => new PlanInterpreter().load(plan));
		});
	});

	it("leaves all as it was when new settings make no sense", () => {
		const car = Car.active({ mode: FULL });
		const { settings, telemetry, watchRevision } = car.controller;
		assert.throws(() => car.set({ mode: FORTY, generation: 5, inputMappings: undefined as never }), TypeError);
		assert.deepEqual([car.controller.settings, car.controller.telemetry], [settings, telemetry]);
		assert.deepEqual([car.controller.watchRevision, car.stored], [watchRevision, []]);
		assertActive(car.run(100), FULL, 100);
	});

	it("starts the ramp again after its lease ran out: the car was stock meanwhile", () => {
		const car = Car.active({ mode: FULL, ...tuned({ engageRatePercentPerS: 100 }) });
		car.run(1000);
		assertActive(car.controller, FULL, 100);
		car.leaseLost = true;
		assertActive(car.tick(), FULL, 1);
		car.leaseLost = false;
		assertActive(car.tick(), FULL, 2);
	});

	describe("generation 1's main lever in the reference profile, where less asks for more", () => {
		/** Byte 6 of Motor_1, through the plan that the controller gives out. */
		class LeverCar {
			readonly car: Car;
			readonly #plan = new PlanInterpreter();
			constructor(mode: number, tuning: object = {}) {
				this.car = Car.active({ generation: 1, mode, ...tuned(tuning) });
			}
			lever(): number {
				const { controller } = this.car;
				const plan = controller.takePlan();
				if (plan !== undefined) this.#plan.load(plan);
				this.#plan.commit(controller.factor, controller.groups);
				return this.#plan.pass(0, MOTOR_1, 8, Uint8Array.of(1, 2, 3, 4, 5, 6, 0x77, 8))[6];
			}
		}

		it("is the preset's while it asks for lock, and FWD's where its gate is closed", () => {
			const full = new LeverCar(FULL, { disableSpeedKmh: 60, releaseRatePercentPerS: 0 });
			assert.equal(full.lever(), 0x16);
			full.car.speedKmh = 80;
			full.car.run(400);
			assert.equal(full.lever(), 0xfe);
			full.car.speedKmh = 50;
			full.car.run(400);
			assert.equal(full.lever(), 0x16);
		});

		it("only ever opens while ABS intervenes and when an input is missing", () => {
			for (const upset of [
				(car: Car) => (car.braking = true),
				(car: Car) => (car.sendsBrake = false),
				(car: Car) => (car.couplingStatus = 0x02),
			]) {
				const full = new LeverCar(FULL, { disableSpeedKmh: 60 });
				let last = full.lever();
				assert.equal(last, 0x16);
				upset(full.car);
				for (let tick = 0; tick < 120 && full.car.controller.controlActive; tick++) {
					full.car.tick();
					const lever = full.lever();
					assert.ok(lever >= last, `${lever} after ${last}`);
					last = lever;
				}
				assert.ok(last > 0xc0, `${last}`);
			}
		});

		it("stays the car's own in the modes with a table", () => {
			const map = new LeverCar(MAP);
			assert.equal(map.lever(), 0x77);
			map.car.pedalRaw = 0;
			map.car.run(1000);
			assert.equal(map.car.controller.lockPercent, 0);
			assert.equal(map.lever(), 0x77);
		});
	});

	describe("watch list", () => {
		it("is another one after another generation or mapping, and only then", () => {
			const car = Car.active({ mode: FULL });
			const { controller } = car;
			const revision = controller.watchRevision;
			car.set({ mode: FORTY, broadcastOverCan: false, frameProfile: "corrected" });
			assert.equal(controller.watchRevision, revision);
			const before = controller.telemetry.watch.bytes();
			car.set({ generation: 5 });
			assert.equal(controller.watchRevision, revision + 1);
			assert.notDeepEqual(controller.telemetry.watch.bytes(), before);
			car.set({ inputMappings: { speed: "", throttle: "", rpm: "" } });
			assert.equal(controller.watchRevision, revision + 2);
		});

		for (const from of [1, 2, 4, 5] as const)
			for (const to of [1, 2, 4, 5] as const)
				it(`begins anew when generation ${from} is changed for ${to}, whatever the mode needs`, () => {
					if (from === to) return;
					for (const settings of [{ mode: SPEED }, { mode: FULL }, { mode: FULL, respectInterventions: false }]) {
						const car = Car.active({ generation: from, ...settings });
						car.set({ generation: to });
						assert.ok(!car.tick().controlActive);
						assertStock(car.tick(), Reason.STARTING);
						assertStock(car.run(980), Reason.STARTING);
						assert.ok(car.until(isActive) <= 20);
					}
				});
	});

	it("shows the vehicle's values to clients", () => {
		const { controller } = Car.active({ mode: MAP });
		const { speedKmh, rpm, pedalPercent, engagementRaw, engagementPercent, boostMbar, couplingState } = controller.vehicle;
		assert.deepEqual({ speedKmh, rpm, pedalPercent }, { speedKmh: 50, rpm: 2000, pedalPercent: 50 });
		assert.deepEqual(
			{ engagementRaw, engagementPercent, boostMbar },
			{ engagementRaw: 200, engagementPercent: 57, boostMbar: 0 },
		);
		assert.equal(couplingState, 0);
		const { speedValid, rpmValid, pedalValid, engagementValid } = controller.vehicle;
		assert.deepEqual([speedValid, rpmValid, pedalValid, engagementValid], [true, true, true, true]);
		assert.deepEqual(
			[controller.sample.chassisState, controller.sample.couplingBusState, controller.sample.chassisAgeMs],
			[1, 1, 0],
		);
		assert.equal(controller.nowMs, 2490);
		assert.deepEqual(
			[controller.supervisor.captureActive, controller.broadcastOverCan, controller.supervisor.disabled],
			[false, true, false],
		);
	});

	it("shows how long either bus has been silent; before the first step nobody is connected", () => {
		const car = new Car({});
		const ages = () => {
			const { chassisState, couplingBusState, chassisAgeMs, couplingAgeMs } = car.controller.sample;
			return [chassisState, couplingBusState, chassisAgeMs, couplingAgeMs];
		};
		assert.deepEqual(ages(), [0, 0, 65535, 65535]);
		car.chassisState = 3;
		car.couplingState = 4;
		car.chassisAgeMs = 300;
		car.couplingAgeMs = 0xfffe;
		car.tick();
		assert.deepEqual(ages(), [3, 4, 300, 0xfffe]);
	});

	it("is stock after a fault of ours, and shows nothing as valid", () => {
		const { controller } = Car.active({ mode: MAP });
		assert.ok(controller.lockPercent > 0 && controller.factor > 0);
		controller.fail();
		assertStock(controller, Reason.FAULT);
		const { speedValid, pedalValid, rpmValid, engagementValid } = controller.vehicle;
		assert.deepEqual([speedValid, pedalValid, rpmValid, engagementValid], [false, false, false, false]);
	});

	it("counts requests, and says which of them are in effect: after the next step, or at once when control has ended", () => {
		const car = Car.active({ mode: FORTY });
		const { controller } = car;
		const pending = () => controller.revision - controller.activeRevision;
		assert.equal(pending(), 0);
		controller.selectMode(STOCK);
		controller.setCapture(true);
		controller.setUpdating(true);
		assert.equal(pending(), 3);
		car.tick();
		assert.equal(pending(), 0);
		car.set({ disableController: false });
		assert.equal(pending(), 1);
		controller.fail();
		assert.ok(pending() < 0);
		car.set({ disableController: true });
		assert.ok(pending() < 0);
	});

	it("keeps counting time after a fault, also of a clock that has stepped back or wraps", () => {
		const car = Car.active({ mode: FORTY });
		const { controller } = car;
		const beforeMs = controller.nowMs;
		car.now -= 7;
		car.tick(0);
		assert.equal(controller.nowMs, beforeMs);
		controller.fail();
		const gateway = new SampleBuilder(controller.telemetry.watch.bytes());
		for (const ms of [0xffff, 0x1_0000, 0x1234_5678, 0xffff_ffff]) {
			controller.look(gateway.bytes(ms));
			assert.equal(controller.nowMs, (ms + 7) % 2 ** 32);
		}
	});

	it("writes the status broadcast of what is active", () => {
		const car = Car.active({ mode: FORTY });
		const payload = new Uint8Array(8);
		writeStatus(payload, car.controller);
		assert.deepEqual([...payload], [0, 0, 200, 40, 50, 0, FORTY, 50]);
		car.set({ disableController: true });
		car.tick();
		writeStatus(payload, car.controller);
		assert.deepEqual([...payload], [0, 0, 200, 0, 50, 0, STOCK, 50]);
	});
});
