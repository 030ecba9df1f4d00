import assert from "node:assert/strict";
import type { Condition } from "../../src/controller/conditions.js";
import { Reason } from "../../src/controller/reason.js";
import { blockTemperatureC } from "../../src/diagnosis/services.js";
import type { ConditionSettings } from "../../src/settings/settings.js";
import { condition } from "../support/controller-view.js";
import { assertActive, assertStock, Car, STOCK, TICK_MS } from "./car.js";

const FIFTY = 2;
const OIL = "kwp|diagnosis|oil temperature|degc";
const PLATES = "kwp|diagnosis|plate temperature|degc";
/** How long an answer counts. */
const COUNTS_MS = 6000;

const hot = (changes: Partial<ConditionSettings>): ConditionSettings =>
	condition({ signal: OIL, operator: "gte", value: 90, ...changes });
/** Of generation 4: oil and plates in block 1. */
const block = (oilC: number, platesC = 20): Uint8Array => Uint8Array.of(0x61, 1, 0x1a, 0, oilC, 0x1a, 0, platesC, 6, 0x64, 138);
const asked = (car: Car): readonly Condition[] => car.controller.asking ?? [];
const answer = (car: Car, response: Uint8Array): void => {
	for (const one of asked(car)) if (one.asked) one.answer(blockTemperatureC(response, one.asked), car.controller.nowMs);
};

describe("controller: temperatures by diagnosis", () => {
	it("limit lock while the oil is hot or its temperature is missing", () => {
		const car = Car.active({ mode: FIFTY, conditions: [hot({ effect: "limit", limitPercent: 40 })] });
		assertActive(car.controller, FIFTY, 40, Reason.LIMITED_BY_CONDITION); // not known yet
		answer(car, block(70));
		car.run(1000);
		assertActive(car.controller, FIFTY, 100);
		answer(car, block(90));
		car.run(1000);
		assert.equal(car.controller.lockPercent, 40);
		car.run(COUNTS_MS);
		assert.deepEqual([car.controller.lockPercent, car.controller.conditionAt(0)?.live], [40, false]);
		answer(car, block(70));
		car.run(1000);
		assert.equal(car.controller.lockPercent, 100);
		car.run(COUNTS_MS);
		assert.equal(car.controller.lockPercent, 40);
	});

	it("open the coupling when hot; without an answer the car is stock", () => {
		const car = Car.active({ mode: FIFTY, conditions: [hot({ effect: "open", signal: PLATES })] });
		assertStock(car.controller, Reason.NO_CONDITION);
		answer(car, block(95, 70));
		assert.equal(car.run(2000).lockPercent, 100);
		answer(car, block(20, 91));
		car.run(100);
		assert.deepEqual([car.controller.controlActive, car.controller.lockPercent], [true, 0]);
		answer(car, block(20, 70));
		assert.equal(car.run(1000).lockPercent, 100);
		car.run(COUNTS_MS - 1000 + TICK_MS);
		assertStock(car.run(1000), Reason.NO_CONDITION);
	});

	it("are not read from an answer without them, and a capture clears them", () => {
		const car = Car.active({ mode: FIFTY, conditions: [hot({ effect: "limit" })] });
		answer(car, Uint8Array.of(0x61, 1));
		assert.equal(car.run(100).conditionAt(0)?.seen, false);
		answer(car, block(90));
		assert.equal(car.run(100).conditionAt(0)?.value, 90);
		car.controller.setCapture(true);
		assert.equal(car.run(100).conditionAt(0)?.seen, false);
	});

	it("are asked for only while they may act in a car that is heard, and of couplings that can be asked", () => {
		const one = { mode: FIFTY, conditions: [hot({ effect: "limit" }), hot({ enabled: false })] };
		const car = Car.active(one);
		assert.deepEqual(
			asked(car).map((each) => each.asked?.block),
			[1],
		);
		car.set({ mode: STOCK, disableController: true });
		assert.deepEqual(asked(car), []);
		car.set({ mode: FIFTY, disableController: false });
		const { controller } = car;
		for (const set of [
			(on: boolean) => controller.setUpdating(on),
			(on: boolean) => controller.setCapture(on),
			(on: boolean) => controller.supervisor.setDoubts({ openNetwork: on }),
		]) {
			set(true);
			assert.deepEqual(asked(car), [], `${set}`);
			set(false);
			assert.equal(asked(car).length, 1, `${set}`);
		}
		car.ignitionOn = false;
		assert.deepEqual([car.run(100) && asked(car).length], [0]);
		car.ignitionOn = true;
		assert.deepEqual([car.run(100) && asked(car).length], [1]);
		car.sendsBrake = car.sendsEngine = false;
		assert.deepEqual([car.run(1000) && asked(car).length], [0], "parked");
		for (const [brake, engine] of [
			[true, false],
			[false, true],
		] as const) {
			car.sendsBrake = brake;
			car.sendsEngine = engine;
			assert.deepEqual([car.run(1000) && asked(car).length], [1], "speed or engine speed is known");
		}
		car.sendsBrake = car.sendsEngine = true;
		car.sendsCoupling = false;
		assert.deepEqual([car.run(1000) && asked(car).length], [0], "a coupling that is off");
		assert.deepEqual(asked(Car.active({ mode: FIFTY, conditions: [condition({})] })), []);
		for (const [generation, count] of [
			[2, 1],
			[51, 1],
			[1, 0],
			[5, 0],
		] as const)
			assert.equal(asked(Car.active({ ...one, generation })).length, count, `${generation}`);
	});
});
