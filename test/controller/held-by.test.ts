/**
 * What holds the lock at 0 % is the controller's to say: the page must not find a reason of its own while
 * safety acts.
 */
import assert from "node:assert/strict";
import { HeldBy, Reason } from "../../src/controller/reason.js";
import type { Settings } from "../../src/settings/settings.js";
import { condition } from "../support/condition.js";
import { Car, tuned } from "./car.js";

const FWD = 1;
const FULL = 2;
const THROTTLE = 8;
const MAP = 9;
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
