/**
 * The controller says why lock is held at 0 %: the page must not find a reason of its own while
 * safety acts.
 */

import assert from "node:assert/strict";
import { HeldBy, Reason } from "../../src/controller/reason.js";
import { FWD, MAP, NO_MODE, STOCK, THROTTLE } from "../../src/lock/modes.js";
import { UNREADABLE_MAP } from "../../src/lock/tuning.js";
import { DEFAULT_SETTINGS, type Settings } from "../../src/settings/settings.js";
import { condition } from "../support/controller-view.js";
import { assertActive, assertStock, Car, tuned } from "./car.js";

const FULL = 2;
const FORTY = 3;
const onRpm = condition({ signal: "chassis|0x280|engine rpm|rpm", operator: "gt", value: 1000, mode: FORTY });

function holding(settings: Parameters<typeof Car.active>[0], mode = FWD): Car {
	const car = Car.active(settings);
	car.controller.supervisor.holdMode(mode);
	car.tick();
	return car;
}

describe("controller: a mode that a button holds", () => {
	it("is active instead of the selected one, from the next tick until it is let go, and is stored nowhere", () => {
		const car = holding({ mode: FORTY }, FULL);
		assertActive(car.controller, FULL, car.controller.lockPercent, Reason.SELECTED_BY_BUTTON);
		assert.equal(car.controller.supervisor.selectedMode, FORTY);
		car.controller.supervisor.holdMode(NO_MODE);
		car.tick();
		assertActive(car.controller, FORTY, car.controller.lockPercent);
		assert.deepEqual(car.stored, []);
	});

	it("is stock while the held mode needs a map that can't be read, and not after its release", () => {
		const car = Car.active({ mode: FULL, ...tuned({ map: UNREADABLE_MAP }) });
		car.controller.supervisor.holdMode(MAP);
		car.tick();
		assert.equal(car.controller.controlActive, false);
		assert.equal(car.controller.reason, Reason.MAP_UNREADABLE);
		car.controller.supervisor.holdMode(NO_MODE);
		car.run(1000);
		assertActive(car.controller, FULL, car.controller.lockPercent);
	});

	it("yields to a condition's mode", () => {
		const car = holding({ mode: FULL, conditions: [onRpm] });
		assertActive(car.controller, FORTY, car.controller.lockPercent, Reason.SELECTED_BY_CONDITION);
	});

	it("does nothing in STOCK, and nothing while control is disabled", () => {
		const car = holding({ mode: 0 });
		assertStock(car.controller, Reason.STOCK_SELECTED);
		const disabled = holding({ mode: FULL, disableController: true });
		assertStock(disabled.controller, Reason.DISABLED);
	});
});

const NOTHING_HERE = { x: [0, 100], lockPercent: [0, 0] };
const OPENS = condition({ effect: "open", signal: "chassis|0x280|engine rpm|rpm", operator: "gte", value: 0 });
const steering = { enabled: true, startDeg: 0, fullDeg: 90, leastPercent: 0, lostPercent: 0, signal: "" };

const CASES: readonly (readonly [HeldBy, Partial<Settings>, ((car: Car) => void)?])[] = [
	[HeldBy.NOTHING, { mode: FULL }],
	[HeldBy.NOTHING, { mode: 0, disableController: true }],
	[HeldBy.MODE, { mode: FWD }],
	[HeldBy.MODE, { mode: FWD, ...tuned({ disableSpeedKmh: 20 }) }],
	[HeldBy.TABLE, { mode: THROTTLE, ...tuned({ throttleCurve: NOTHING_HERE }) }],
	[HeldBy.UNDER_SPEED, { mode: MAP, ...tuned({ disengageUnderKmh: { map: 90, speed: 0, throttle: 0, rpm: 0 } }) }],
	[HeldBy.OVER_SPEED, { mode: FULL, ...tuned({ disableSpeedKmh: 20 }) }],
	[HeldBy.PEDAL, { mode: FULL, ...tuned({ disableThrottlePercent: 90 }) }],
	[HeldBy.PEDAL, { mode: FULL, ...tuned({ disableThrottlePercent: 90, disableSpeedKmh: 60 }) }],
	[HeldBy.OVER_SPEED, { mode: FULL, ...tuned({ disableThrottlePercent: 10, disableSpeedKmh: 20 }) }],
	[HeldBy.RAMP, { mode: FULL, ...tuned({ engageRatePercentPerS: 0.1 }) }],
	[HeldBy.STEERING, { mode: FULL, steeringGain: steering }, (car) => (car.steeringDeg = 200)],
	[HeldBy.MODE, { mode: FWD, steeringGain: steering }, (car) => (car.steeringDeg = 200)],
	[HeldBy.CONDITION, { mode: MAP, conditions: [OPENS] }],
	[HeldBy.INTERVENTION, { mode: MAP }, (car) => (car.braking = true)],
	[HeldBy.HEAT, { mode: MAP }, (car) => (car.couplingStatus = 0x02)],
	[HeldBy.COUPLING_FAULT, { mode: MAP }, (car) => (car.couplingStatus = 0x04)],
];

describe("what holds the lock at 0 %", () => {
	for (const [heldBy, settings, happens] of CASES)
		it(`is "${heldBy}" with ${JSON.stringify(settings).slice(0, 80)}`, () => {
			const car = new Car(settings);
			happens?.(car);
			car.run(2500);
			assert.equal(car.controller.heldBy, heldBy);
			assert.equal(Math.round(car.controller.lockPercent), heldBy === HeldBy.NOTHING && settings.mode === FULL ? 100 : 0);
		});

	it("is nothing while an input is missing: the reason says which", () => {
		const car = Car.active({ mode: MAP });
		car.sendsEngine = false;
		car.run(350);
		assert.deepEqual([car.controller.heldBy, car.controller.reason], [HeldBy.NOTHING, Reason.NO_PEDAL]);
	});
});

describe("a mode", () => {
	it("can't be selected while frames are captured or logged, except STOCK", () => {
		const logging = { ...DEFAULT_SETTINGS.logging, debugCan: true };
		for (const [settings, capture, doubt] of [
			[{ mode: FULL }, false, undefined],
			[{ mode: FULL }, true, Reason.CAPTURE],
			[{ mode: FULL, logging }, false, Reason.VERBOSE_LOGGING],
		] as const) {
			const { controller } = new Car(settings);
			controller.setCapture(capture);
			assert.equal(controller.selectMode(MAP), doubt);
			assert.equal(controller.settings.mode, doubt === undefined ? MAP : FULL);
			assert.equal(controller.selectMode(STOCK), undefined);
			assert.equal(controller.settings.mode, STOCK);
		}
	});
});
