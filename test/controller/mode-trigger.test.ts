import assert from "node:assert/strict";
import { Reason } from "../../src/controller/arbiter.js";
import { createModeTrigger, TRIGGER_DWELL_MS } from "../../src/controller/mode-trigger.js";
import { DEFAULT_SETTINGS, type TriggerSettings } from "../../src/settings/settings.js";
import { TRIGGER_OPERATORS, type TriggerOperator } from "../../src/settings/settings-table.js";
import { TRIGGER_HOLD_MS } from "../../src/vehicle/mapped-inputs.js";
import { WatchList, wordsOf } from "../../src/vehicle/watch-list.js";
import { SampleBuilder } from "../support/sample-builder.js";
import { assertActive, assertStock, Car, STOCK, TICK_MS } from "./car.js";

const FORTY = 3;
const MAP = 9;
const SIGNAL = "chassis|0x280|engine rpm|rpm";
const trigger = (changes: Partial<TriggerSettings>): TriggerSettings => ({
	...DEFAULT_SETTINGS.trigger,
	enabled: true,
	signal: SIGNAL,
	...changes,
});

/** A trigger on engine speed at 1000, fed one frame for each value, as far apart as it dwells. @returns what holds after each */
function holds(operator: TriggerOperator, values: readonly number[]): boolean[] {
	const watch = new WatchList();
	const one = createModeTrigger({ ...DEFAULT_SETTINGS, generation: 4, trigger: trigger({ operator, value: 1000 }) }, watch);
	const gateway = new SampleBuilder(watch.bytes());
	return values.map((rpm, index) => {
		const now = 100 + TRIGGER_DWELL_MS * index;
		gateway.frame(0, 0x280, false, false, 8, Uint8Array.of(0, 0, (rpm * 4) & 0xff, (rpm * 4) >> 8, 0, 0, 0, 0), now);
		const sample = gateway.bytes(now);
		return one?.poll(sample, wordsOf(sample), now) ?? false;
	});
}

/** A car whose trigger puts 6040 in force above 1000 rpm; it turns at 2000. */
function triggered(changes: Partial<TriggerSettings> = {}, settings = {}): Car {
	return Car.active({ mode: 2, trigger: trigger({ operator: "gt", value: 1000, mode: FORTY, ...changes }), ...settings });
}

describe("controller/mode-trigger", () => {
	it("compares by each operator, equal within 0.001", () => {
		const [below, at, above] = [999, 1000, 1001];
		const expected: Record<string, boolean[]> = {
			gt: [false, false, true],
			gte: [false, true, true],
			lt: [true, false, false],
			lte: [true, true, false],
			eq: [false, true, false],
			neq: [true, false, true],
		};
		for (const [operator, wanted] of Object.entries(expected))
			assert.deepEqual(holds(operator as TriggerOperator, [below, at, above]), wanted, operator);
		assert.equal(Object.keys(expected).length, TRIGGER_OPERATORS.length - 1);
	});

	it("with change flips a latch on each rising edge of equality, and the first value is none", () => {
		assert.deepEqual(holds("change", [0, 1000, 1000, 0, 0, 1000, 0, 1000]), [false, true, true, true, true, false, false, true]);
		assert.deepEqual(holds("change", [1000, 1000, 0, 1000]), [false, false, false, true]);
	});

	it("takes a value that differs by just 0.001 for equal", () => {
		const watch = new WatchList();
		const settings = { ...DEFAULT_SETTINGS, generation: 4, trigger: trigger({ operator: "eq", value: 0.001 }) } as const;
		const one = createModeTrigger(settings, watch);
		const gateway = new SampleBuilder(watch.bytes());
		gateway.frame(0, 0x280, false, false, 8, new Uint8Array(8), 100);
		const sample = gateway.bytes(100);
		assert.equal(one?.poll(sample, wordsOf(sample), 100), true);
	});

	it("changes after 300 ms, not a millisecond before, and shows 0 until it has seen its signal", () => {
		const car = triggered();
		car.rpmRaw = 3000;
		car.tick();
		car.rpmRaw = 8000;
		car.run(299, 1);
		assert.equal(car.controller.effectiveMode, 2);
		assert.equal(car.tick(1).effectiveMode, FORTY);
		car.controller.setCapture(true);
		assert.deepEqual([car.controller.triggerSeen, car.controller.triggerValue], [false, 0]);
		const blind = triggered({ signal: "none" });
		assert.deepEqual([blind.controller.triggerSeen, blind.controller.triggerValue], [false, 0]);
	});

	it("puts its mode in force while the condition holds, and shows what it sees", () => {
		const car = triggered();
		assertActive(car.controller, FORTY, 40, Reason.TRIGGERED);
		const { triggerActive, triggerSeen, triggerValue, triggerAgeMs, selectedMode } = car.controller;
		assert.deepEqual([triggerActive, triggerSeen, triggerValue, triggerAgeMs, selectedMode], [true, true, 2000, 0, 2]);
		car.rpmRaw = 3000;
		assertActive(car.tick(), 2, 100);
		assert.deepEqual([car.controller.triggerActive, car.controller.triggerValue], [false, 750]);
		car.rpmRaw = 8000;
		assert.equal(car.run(TRIGGER_DWELL_MS - TICK_MS).effectiveMode, 2);
		assert.equal(car.tick().effectiveMode, FORTY);
	});

	it("keeps each state for 300 ms, however its signal hovers, and takes the last word then", () => {
		for (const operator of ["gt", "lt", "change"] as const) {
			const car = triggered({ operator });
			let { triggerActive } = car.controller;
			let heldMs = TRIGGER_DWELL_MS;
			let changes = 0;
			for (let tick = 0; tick < 500; tick++) {
				// above and below the threshold, and on it
				car.rpmRaw = [3999, 4001, 4000][tick % 3];
				const { triggerActive: now } = car.tick();
				if (now !== triggerActive) {
					assert.ok(heldMs >= TRIGGER_DWELL_MS, `${operator} changed after ${heldMs} ms`);
					heldMs = 0;
					changes++;
				}
				triggerActive = now;
				heldMs += TICK_MS;
			}
			assert.ok(changes > 5, `${operator}: ${changes} changes`);
			car.rpmRaw = 0;
			car.run(TRIGGER_DWELL_MS + TICK_MS);
			if (operator !== "change") assert.equal(car.controller.triggerActive, operator === "lt");
		}
	});

	it("works with the recommended signal of the generation when it has none of its own", () => {
		const car = Car.active({ mode: 2, trigger: trigger({ signal: "", operator: "eq", value: 0, mode: FORTY }) });
		assert.equal(car.controller.triggerActive, true);
	});

	it("can select STOCK", () => {
		const car = triggered({ mode: STOCK });
		assertStock(car.controller, Reason.STOCK_SELECTED);
		assert.equal(car.controller.triggerActive, true);
	});

	it("never switches the controller on", () => {
		for (const off of [{ disableController: true }, { mode: STOCK, disableController: true }, { mode: STOCK }]) {
			const car = triggered({}, off);
			assert.equal(car.controller.controlActive, false);
			assert.deepEqual([car.controller.triggerActive, car.controller.triggerSeen], [false, true]);
		}
	});

	it("decides whether the status frame is sent while it is in force", () => {
		const car = triggered({ broadcastOverCan: false });
		assert.deepEqual([car.controller.broadcastOverCan, car.controller.effectiveBroadcastOverCan], [true, false]);
		car.rpmRaw = 0;
		assert.equal(car.tick().effectiveBroadcastOverCan, true);
	});

	it("lets go 1500 ms after its signal's last frame, and starts over when it comes back", () => {
		const signal = "haldex|0x2c0|center clutch stiffness actual|nm/min";
		const car = triggered({ signal, operator: "change", value: 3 * 200 - 381 });
		assert.equal(car.controller.triggerSeen, true);
		car.sendsCoupling = false;
		car.run(TRIGGER_HOLD_MS - 100);
		car.sendsCoupling = true;
		assert.equal(car.run(100).triggerActive, false, "the same value again is no edge");

		const level = triggered({ signal, operator: "gt", value: 0 });
		level.sendsCoupling = false;
		level.run(TRIGGER_HOLD_MS);
		assert.equal(level.controller.triggerActive, true);
		assert.equal(level.controller.triggerAgeMs, TRIGGER_HOLD_MS);
		assert.equal(level.tick().triggerActive, false);
		level.sendsCoupling = true;
		assert.equal(level.run(TRIGGER_DWELL_MS - TICK_MS).triggerActive, false);
		assert.equal(level.tick().triggerActive, true);
	});

	it("is off with verbose logging, and starts over after it", () => {
		const car = triggered();
		car.set({ logging: { ...DEFAULT_SETTINGS.logging, debugCan: true } });
		assertStock(car.tick(), Reason.VERBOSE_LOGGING);
		assert.deepEqual([car.controller.triggerActive, car.controller.triggerSeen], [false, false]);
	});

	it("without a usable signal does nothing", () => {
		for (const signal of ["none", "chassis|0x1|nothing|"]) {
			const car = triggered({ signal });
			assertActive(car.controller, 2, 100);
			assert.deepEqual([car.controller.triggerSeen, car.controller.triggerAgeMs], [false, 0]);
		}
	});

	it("starts over with another configuration; only another signal needs other frames of the car", () => {
		const car = triggered();
		const revision = car.controller.watchRevision;
		car.set({ trigger: trigger({ operator: "change", value: 2000, mode: FORTY }) });
		assert.deepEqual([car.controller.triggerActive, car.controller.triggerSeen], [false, false]);
		assert.equal(car.controller.watchRevision, revision);
		assertActive(car.run(200), 2, car.controller.lockPercent);
		car.set({ trigger: trigger({ signal: "chassis|0x288|mo2 coolant temperature|degc" }) });
		assert.equal(car.controller.watchRevision, revision + 1);
	});
});

describe("controller: CAN capture", () => {
	it("is stock at once, shows the safe profile, and restores everything when it ends", () => {
		const car = Car.active({ mode: MAP, broadcastOverCan: false });
		car.controller.setCapture(true);
		assertStock(car.tick(), Reason.CAPTURE);
		const seen = () => {
			const { selectedMode, disableController, broadcastOverCan, effectiveBroadcastOverCan, captureActive } = car.controller;
			return [selectedMode, disableController, broadcastOverCan, effectiveBroadcastOverCan, captureActive];
		};
		assert.deepEqual(seen(), [STOCK, true, true, true, true]);
		assert.deepEqual(car.stored, [], "it is never stored");
		car.controller.selectMode(STOCK);
		car.controller.setCapture(true);
		car.controller.setCapture(false);
		assert.deepEqual(seen(), [MAP, false, false, false, false]);
		assert.equal(car.tick().controlActive, true);
		assert.deepEqual(car.stored, []);
	});

	it("ends by itself after 10 minutes", () => {
		const car = Car.active({ mode: MAP });
		car.controller.setCapture(true);
		car.run(600_000 - TICK_MS);
		car.tick(TICK_MS - 1);
		assert.equal(car.controller.captureActive, true);
		assert.equal(car.tick(1).captureActive, false);
		assert.equal(car.run(1000).controlActive, true);
	});

	it("suppresses the trigger, which starts over afterwards", () => {
		const car = triggered();
		car.controller.setCapture(true);
		assert.deepEqual([car.controller.triggerActive, car.controller.triggerSeen], [false, false]);
		assert.equal(car.run(100).triggerSeen, false);
		car.controller.setCapture(false);
		assert.equal(car.tick().triggerActive, true);
	});
});
