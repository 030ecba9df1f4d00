import assert from "node:assert/strict";
import { BUS_OFF, ERROR_ACTIVE } from "../../src/can/bus.js";
import { Reason } from "../../src/controller/reason.js";
import { framePlan } from "../../src/coupling/frame-plan.js";
import { DEFAULT_SETTINGS, type Settings, type SteeringSettings } from "../../src/settings/settings.js";
import { condition } from "../support/controller-view.js";
import { assertActive, assertStock, Car, TICK_MS, tuned } from "./car.js";

const FULL = 2;
const FWD = 1;
const AT_ONCE = tuned({ releaseRatePercentPerS: 0 });

/** All at 90 degrees, 20 % from 290 on; 60 % without an angle. */
const gain = (changes: Partial<SteeringSettings> = {}): Partial<Settings> => ({
	...AT_ONCE,
	steeringGain: { enabled: true, startDeg: 90, fullDeg: 290, leastPercent: 20, lostPercent: 60, signal: "", ...changes },
});
const state = (car: Car) => {
	const { valid, angleDeg, gainPercent } = car.controller.steering;
	return [valid, Math.round(angleDeg), Math.round(gainPercent)];
};

function steered(deg: number, settings: Partial<Settings> = {}): Car {
	const car = new Car({ mode: FULL, ...gain(), ...settings });
	car.steeringDeg = deg;
	car.run(2000);
	return car;
}

describe("controller/steering", () => {
	it("is off by default and then ignores the angle", () => {
		const car = new Car({ mode: FULL });
		car.steeringDeg = 400;
		car.run(2000);
		assertActive(car.controller, FULL, 100);
		assert.deepEqual(state(car).slice(0, 1), [false]);
		assert.equal(DEFAULT_SETTINGS.steeringGain.enabled, false);
	});

	for (const generation of [4, 5] as const)
		it(`leaves less lock the more the driver steers, generation ${generation}`, () => {
			for (const [deg, percent] of [
				[90, 100],
				[190, 60],
				[290, 20],
				[540, 20],
			]) {
				const car = steered(deg, { generation });
				assert.equal(Math.round(car.controller.lockPercent), percent, `${deg} degrees`);
				assertActive(car.controller, FULL, car.controller.lockPercent, percent === 100 ? Reason.ACTIVE : Reason.STEERING);
				assert.deepEqual(state(car), [true, deg, percent]);
			}
		});

	it("reduces the lock in every mode that asks for some", () => {
		for (const mode of [2, 3, 4, 5, 6, 7, 8, 9, 10]) {
			const straight = steered(0, { mode }).controller.lockPercent;
			assert.ok(straight > 0);
			assert.equal(steered(290, { mode }).controller.lockPercent, Math.fround(straight * 0.2), `mode ${mode}`);
		}
		assertActive(steered(290, { mode: FWD }).controller, FWD, 0, Reason.STEERING);
		assertStock(steered(290, { mode: 0, disableController: true }).controller, Reason.STOCK_SELECTED);
	});

	it("opens at 0 %, and is not stock: from the first tick on no byte asks for lock in presets", () => {
		const car = steered(0, { ...gain({ leastPercent: 0 }), ...tuned({ releaseRatePercentPerS: 20 }), generation: 1 });
		car.steeringDeg = 500;
		car.run(1000);
		assert.ok(car.controller.lockPercent > 50, "the ramp is slow");
		// the rows of FWD
		assert.deepEqual(car.controller.takePlan(), framePlan(1, "reference", FWD));
		car.run(8000);
		assertActive(car.controller, FULL, 0, Reason.STEERING);
		assert.notEqual(car.rewritten(0x280), "e1e2e3e4e5e6e7e8");
	});

	it("fades by at most 2 % in a tick, whatever the angle does, also where lock would follow at once", () => {
		const car = steered(0);
		const seen: number[] = [];
		for (let tick = 0; tick < 300; tick++) {
			car.steeringDeg = tick % 50 < 25 ? 540 : 0;
			seen.push(car.tick().lockPercent);
		}
		seen.reduce((last, now) => {
			assert.ok(Math.abs(now - last) <= 2.01, `${last} -> ${now}`);
			return now;
		});
		assert.ok(Math.min(...seen) < 55 && Math.max(...seen) > 95);
	});

	it("keeps an angle for 200 ms, then fades to the share of a lost one within 500 ms, and trusts it again after 500 ms", () => {
		for (const lostPercent of [0, 60, 100]) {
			const car = steered(290, gain({ lostPercent }));
			car.steeringDeg = undefined;
			car.run(200);
			assert.deepEqual(state(car), [true, 290, 20]);
			car.run(500);
			assert.deepEqual(state(car), [false, 290, lostPercent]);
			assertActive(car.controller, FULL, lostPercent, Reason.STEERING_LOST);
			car.steeringDeg = 0;
			car.run(500);
			assert.deepEqual([state(car)[0], state(car)[2]], [false, lostPercent]);
			car.run(20 + (100 - lostPercent) * 5);
			assert.deepEqual(state(car), [true, 0, 100]);
			assertActive(car.controller, FULL, 100);
		}
	});

	for (const deg of [0, 290])
		it(`lets no angle of ${deg} degrees that comes and goes move the lock`, () => {
			const car = steered(290);
			for (let round = 0; round < 20; round++) {
				car.steeringDeg = undefined;
				car.run(250);
				car.steeringDeg = deg;
				car.run(300);
				if (round > 2) assertActive(car.controller, FULL, 60, Reason.STEERING_LOST);
			}
		});

	it("ignores the angle if it is an error code or its status is bad", () => {
		for (const [generation, wrong] of [
			[4, { steeringRaw: 0x7f80 }],
			[4, { steeringRaw: 0x7fff }],
			[4, { steeringStatus: 0x02 }],
			[4, { steeringStatus: 0x04 }],
			[2, { steeringStatus: 0x06 }],
			[5, { steeringRaw: 8001 }],
			[5, { steeringRaw: 0x1fff }],
			[5, { steeringStatus: 0x80 }],
		] as const) {
			const car = steered(0, { generation });
			Object.assign(car, wrong);
			car.run(800);
			assertActive(car.controller, FULL, 60, Reason.STEERING_LOST);
		}
		for (const [generation, right] of [
			[4, { steeringRaw: 0x7f7f }],
			[4, { steeringStatus: 0xf9 }],
			[5, { steeringRaw: 8000 }],
			[5, { steeringStatus: 0x7f }],
		] as const) {
			const car = steered(0, { generation });
			Object.assign(car, { steeringDeg: 300 }, right);
			car.run(800);
			assertActive(car.controller, FULL, 20, Reason.STEERING);
		}
	});

	it("is lost with a signal that does not exist, and follows another one, of either sign", () => {
		const car = steered(290, gain({ signal: "chassis|0x1|nothing|" }));
		assert.deepEqual(state(car).slice(0, 1), [false]);
		assertActive(car.controller, FULL, 60, Reason.STEERING_LOST);
		car.set(gain({ signal: "chassis|0x280|engine rpm|rpm" }));
		car.run(3000);
		assertActive(car.controller, FULL, 20, Reason.STEERING);
	});

	it("goes on from where it is when settings change, and its frame is watched only while it is on", () => {
		const car = steered(190);
		car.set(gain({ leastPercent: 0, lostPercent: 5 }));
		assert.ok(car.tick().controlActive, "the same signal");
		car.run(600);
		assert.deepEqual([Math.round(car.controller.lockPercent), car.controller.reason], [50, Reason.STEERING]);
		const before = car.controller.watchRevision;
		car.set(gain({ enabled: false }));
		assert.notEqual(car.controller.watchRevision, before);
		assertActive(car.run(2000), FULL, 100);
		car.set(gain());
		car.run(2500);
		assert.deepEqual([Math.round(car.controller.lockPercent), car.controller.reason], [60, Reason.STEERING]);
	});

	it("keeps its angle when the settings make the gateway watch other frames", () => {
		const car = steered(190);
		const before = car.controller.watchRevision;
		car.set({ conditions: [condition({ signal: "chassis|0x288|mo2 coolant temperature|degc", operator: "gt", value: 200 })] });
		assert.notEqual(car.controller.watchRevision, before);
		car.tick(); // no frame of the new list yet
		assert.deepEqual(state(car), [true, 190, 60]);
	});

	it("knows no angle of another generation", () => {
		const car = steered(290, { generation: 4 });
		car.set({ generation: 5 });
		car.tick();
		assert.deepEqual(state(car).slice(0, 1), [false]);
		assert.equal(state(car)[2], 60);
		car.run(900);
		car.run(1200);
		assertActive(car.controller, FULL, 20, Reason.STEERING);
	});

	describe("asks for no lock from the first command on in a bend whose angle leaves none", () => {
		const inBend = { ...gain({ leastPercent: 0, lostPercent: 100 }), respectInterventions: false, controlWithoutFeedback: true };
		const CONDITION = condition({ signal: "chassis|0x288|mo2 coolant temperature|degc", operator: "gt", value: 200, mode: FWD });
		const CASES: readonly (readonly [string, Partial<Settings>, (car: Car) => void])[] = [
			["after a start", {}, () => {}],
			[
				"after STOCK",
				{},
				(car) => {
					car.set({ mode: 0, disableController: true });
					car.run(300);
					car.set({ mode: FULL, disableController: false });
				},
			],
			[
				"after an interruption that the angle did not outlast",
				{},
				(car) => {
					car.chassisState = BUS_OFF;
					car.steeringDeg = undefined;
					car.run(1000);
					car.chassisState = ERROR_ACTIVE;
					car.steeringDeg = 300;
				},
			],
			[
				"when the steering angle is switched on",
				{ steeringGain: { ...inBend.steeringGain, enabled: false } as SteeringSettings },
				(car) => car.set(inBend),
			],
			["when a condition comes beside it", {}, (car) => car.set({ conditions: [CONDITION] })],
		];
		for (const [when, settings, happens] of CASES)
			for (const lateMs of [0, 400])
				it(`${when}${lateMs > 0 ? `, and where its frame is the last to come` : ""}`, () => {
					const car = new Car({ mode: FULL, ...inBend, ...settings });
					car.steeringDeg = lateMs > 0 ? undefined : 300;
					car.run(lateMs);
					car.steeringDeg = 300;
					if (when !== "after a start") car.run(2000);
					const enabled = car.controller.settings.steeringGain.enabled;
					happens(car);
					let last = car.controller.lockPercent;
					for (let ms = 0; ms < 3000; ms += TICK_MS) {
						const now = car.tick().lockPercent;
						// switched on at full lock it goes down by its fade, and no more is asked for on the
						// way
						const most = enabled ? 0 : Math.max(0, last - 1.9);
						assert.ok(now <= most || (!enabled && ms <= 2 * TICK_MS), `${now} % after ${ms} ms`);
						last = now;
					}
					assertActive(car.controller, FULL, 0, Reason.STEERING);
				});
	});

	it("reduces lock by an angle that is not trusted yet, and never raises it by one", () => {
		const straight = new Car({ mode: FULL, ...gain({ lostPercent: 30 }) });
		straight.run(600);
		straight.steeringDeg = 0;
		straight.run(500);
		assertActive(straight.controller, FULL, 30, Reason.STEERING_LOST);
		assertActive(straight.run(1500), FULL, 100);
		const bend = new Car({ mode: FULL, ...gain({ lostPercent: 100 }) });
		bend.run(600);
		bend.steeringDeg = 290;
		bend.run(500);
		assertActive(bend.controller, FULL, 20, Reason.STEERING);
	});

	it("takes a loss in stock for no loss of the control that begins then", () => {
		const car = steered(290, { mode: 0 });
		car.steeringDeg = undefined;
		car.run(250);
		car.steeringDeg = 290;
		car.run(100);
		assertStock(car.controller, Reason.STOCK_SELECTED);
		car.set({ mode: FULL });
		assertActive(car.run(200), FULL, 20, Reason.STEERING);
	});

	it("is not lost where an angle that is not trusted yet asks for as much as its loss", () => {
		const car = new Car({ mode: FULL, ...gain({ lostPercent: 20 }) });
		car.run(600);
		car.steeringDeg = 290;
		car.run(500);
		assertActive(car.controller, FULL, 20, Reason.STEERING);
	});

	it("lets lock return no faster after an intervention because the wheel turns back", () => {
		const car = steered(290, gain({ leastPercent: 0 }));
		car.braking = true;
		car.run(200);
		car.braking = false;
		car.run(700);
		car.steeringDeg = 0;
		car.run(200);
		let last = car.controller.lockPercent;
		for (let tick = 0; tick < 100; tick++) {
			const now = car.tick().lockPercent;
			assert.ok(now - last <= 2.51, `${last} -> ${now}`);
			last = now;
		}
		assertActive(car.controller, FULL, 100);
	});

	it("raises lock for at most 20 ms of a late tick, and lowers it for all of it", () => {
		const car = steered(290);
		car.steeringDeg = 0;
		car.tick(150);
		assert.equal(Math.round(car.controller.steering.gainPercent), 24);
		car.run(600);
		car.steeringDeg = 290;
		car.tick(150);
		assert.equal(Math.round(car.controller.steering.gainPercent), 70);
	});

	it("is a reason below a condition's limit and above a condition's mode", () => {
		const one = { operator: "gt", value: 0, signal: "chassis|0x280|engine rpm|rpm" } as const;
		const limit = condition({ ...one, effect: "limit", limitPercent: 50 });
		const mode = condition({ ...one, mode: 3 });
		assertActive(steered(290, { conditions: [limit] }).controller, FULL, 20, Reason.LIMITED_BY_CONDITION);
		assertActive(steered(0, { conditions: [limit] }).controller, FULL, 50, Reason.LIMITED_BY_CONDITION);
		assertActive(steered(290, { conditions: [mode] }).controller, 3, 8, Reason.STEERING);
		assertActive(steered(0, { conditions: [mode] }).controller, 3, 40, Reason.SELECTED_BY_CONDITION);
	});
});
