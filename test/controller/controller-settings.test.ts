import assert from "node:assert/strict";
import { BUS_OFF, ERROR_ACTIVE, STOPPED } from "../../src/can/bus.js";
import { Reason } from "../../src/controller/reason.js";
import { UNREADABLE_MAP } from "../../src/lock/tuning.js";
import { condition } from "../support/controller-view.js";
import { PlanInterpreter } from "../support/plan-interpreter.js";
import { SampleBuilder } from "../support/sample-builder.js";
import { assertActive, assertStock, Car, isActive, STOCK, TICK_MS, tuned, UNTOUCHED } from "./car.js";

const FWD = 1;
const FULL = 2;
const FORTY = 3;
const SPEED = 7;
const MAP = 9;
const MOTOR_1 = 0x280;

describe("controller/controller: settings and view", () => {
	describe("modes and settings", () => {
		it("is stock at once while the network is open, and for good in a boot loop", () => {
			const car = Car.active({ mode: FULL });
			car.controller.supervisor.setDoubts({ openNetwork: true });
			assertStock(car.tick(), Reason.OPEN_NETWORK);
			car.controller.supervisor.setDoubts({ openNetwork: false });
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
			car.controller.selectMode(FULL);
			assert.equal(car.tick().factor, 25600);
			car.controller.selectMode(STOCK);
			car.tick();
			assert.equal(car.rewritten(MOTOR_1), UNTOUCHED);
		});
	});

	it("takes its plan once, and again for another generation or profile, whose counters start anew", () => {
		const car = Car.active({ mode: FULL });
		const { controller } = car;
		const taken = (): number | undefined => controller.takePlan()?.[1];
		assert.equal(controller.planStale, true);
		const first = taken();
		assert.deepEqual([controller.planStale, taken()], [false, undefined]);
		car.set({ frameProfile: "corrected" });
		const corrected = taken();
		car.set({ generation: 5 });
		const other = taken();
		assert.equal(new Set([first, corrected, other, undefined]).size, 4);
		car.set({ broadcastOverCan: false });
		assert.equal(controller.planStale, false);
		car.set({ generation: 0 });
		assert.equal(taken(), undefined);
	});

	it("takes another plan for another mode of generation 1, with the same counters", () => {
		const car = Car.active({ generation: 1, mode: FULL });
		const [full, forty] = [FULL, FORTY].map((mode) => {
			car.controller.selectMode(mode);
			car.tick();
			return car.controller.takePlan();
		});
		assert.notDeepEqual(full, forty);
		assert.equal(full?.[1], forty?.[1]);
	});

	it("leaves all as it was when new settings make no sense", () => {
		const car = Car.active({ mode: FULL });
		const { settings, telemetry, watchRevision } = car.controller;
		assert.notEqual(watchRevision, 0, "the loop hands over the first list, too");
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
		/** A car, and byte 6 of Motor_1 through the plan that the controller gives out. */
		function leverOf(mode: number, tuning: object = {}): [Car, () => number] {
			const car = Car.active({ generation: 1, mode, ...tuned(tuning) });
			const { controller } = car;
			const interpreter = new PlanInterpreter();
			return [
				car,
				() => {
					const plan = controller.takePlan();
					if (plan !== undefined) interpreter.load(plan);
					interpreter.commit(controller.factor, controller.groups);
					return interpreter.pass(0, MOTOR_1, 8, Uint8Array.of(1, 2, 3, 4, 5, 6, 0x77, 8))[6];
				},
			];
		}

		it("is the preset's while it asks for lock, and FWD's where its gate is closed", () => {
			const [car, lever] = leverOf(FULL, { disableSpeedKmh: 60, releaseRatePercentPerS: 0 });
			for (const [speedKmh, byte] of [
				[50, 0x16],
				[80, 0xfe],
				[50, 0x16],
			] as const) {
				car.speedKmh = speedKmh;
				car.run(400);
				assert.equal(lever(), byte);
			}
		});

		it("stays the car's own in the modes with a table", () => {
			const [car, lever] = leverOf(MAP);
			assert.equal(lever(), 0x77);
			car.pedalRaw = 0;
			car.run(1000);
			assert.deepEqual([car.controller.lockPercent, lever()], [0, 0x77]);
		});
	});

	describe("watch list", () => {
		it("changes with generation and mappings, and with nothing else", () => {
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

		for (const [from, to] of [
			[4, 5],
			[5, 4],
			[1, 2],
		] as const)
			it(`waits for 1 s of valid inputs again when generation ${from} is changed for ${to}, whatever the mode needs`, () => {
				for (const settings of [{ mode: SPEED }, { mode: FULL }, { mode: FULL, respectInterventions: false }]) {
					const car = Car.active({ generation: from, ...settings });
					car.set({ generation: to });
					assert.ok(!car.tick().controlActive);
					assertStock(car.run(990), Reason.STARTING);
					assert.ok(car.until(isActive) <= 20);
				}
			});
	});

	for (const [from, to, shared, reason] of [
		[5, 4, [0x280, 0x1a0, 0x4a0, 0x380, 0x5a0], Reason.NO_FEEDBACK],
		[4, 5, [0x0a7, 0x08a, 0x0b2, 0x0a8], Reason.NO_INTERVENTIONS],
	] as const)
		it(`rewrites nothing after generation ${from} was changed for ${to}, in a car that uses its identifiers for something else`, () => {
			const car = Car.active({ generation: from, mode: FULL });
			car.set({ generation: to });
			car.sendsEngine = car.sendsBrake = car.sendsCoupling = false;
			for (let ms = 0; ms < 1500; ms += TICK_MS) {
				for (const id of shared) car.frame(0, id, Array(8).fill(0));
				car.tick();
				for (const id of shared) assert.equal(car.rewritten(id), UNTOUCHED);
			}
			assertStock(car.controller, reason);
		});

	it("shows how long either bus has been silent; before the first step neither runs", () => {
		const car = new Car({});
		const ages = () => {
			const { chassisState, couplingBusState, chassisAgeMs, couplingAgeMs } = car.controller.sample;
			return [chassisState, couplingBusState, chassisAgeMs, couplingAgeMs];
		};
		assert.deepEqual(ages(), [STOPPED, STOPPED, 65535, 65535]);
		Object.assign(car, { chassisState: ERROR_ACTIVE, couplingState: BUS_OFF, chassisAgeMs: 300, couplingAgeMs: 0xfffe });
		car.tick();
		assert.deepEqual(ages(), [ERROR_ACTIVE, BUS_OFF, 300, 0xfffe]);
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
});
