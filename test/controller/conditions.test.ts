import assert from "node:assert/strict";
import { BUS_OFF, ERROR_ACTIVE } from "../../src/can/bus.js";
import { Conditions } from "../../src/controller/conditions.js";
import { Reason } from "../../src/controller/reason.js";
import { carOf } from "../../src/coupling/couplings/couplings.js";
import { DEFAULT_MAP, type LockMap, UNREADABLE_MAP } from "../../src/lock/tuning.js";
import { type ConditionSettings, DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { OPERATORS, type Operator } from "../../src/settings/settings-table.js";
import { CONDITION_SIGNAL_MS } from "../../src/vehicle/mapped-inputs.js";
import { wordsOf } from "../../src/vehicle/sample.js";
import { WatchList } from "../../src/vehicle/watch-list.js";
import { condition } from "../support/controller-view.js";
import { SampleBuilder } from "../support/sample-builder.js";
import { assertActive, assertStock, Car, STOCK, TICK_MS, tuned } from "./car.js";

const FORTY = 3;
const MAP = 9;
const SIGNAL = "chassis|0x280|engine rpm|rpm";
const HOLD_MS = 300;
const onRpm = (changes: Partial<ConditionSettings>): ConditionSettings => condition({ signal: SIGNAL, ...changes });
/** Of the first condition. */
const selects = (car: Car): boolean => car.controller.supervisor.conditionSelects;
const seen = (car: Car): boolean => car.controller.conditionAt(0)?.seen ?? false;
const value = (car: Car): number => car.controller.conditionAt(0)?.value ?? 0;

/** Conditions in front of a gateway that only they watch. */
function aloneWith(
	changes: Partial<ConditionSettings>,
	madeAnew = false,
): {
	all: Conditions;
	gateway: SampleBuilder;
	poll: (now: number) => void;
} {
	const watch = new WatchList();
	const settings = { ...DEFAULT_SETTINGS, generation: 4 as const, conditions: [onRpm(changes)] };
	const before = madeAnew ? new Conditions(settings, new WatchList()) : undefined;
	if (madeAnew) watch.add(0, 0x100, false, 8);
	const all = new Conditions(settings, watch, before);
	const gateway = new SampleBuilder(watch.bytes());
	const poll = (now: number): void => {
		const sample = gateway.bytes(now);
		all.poll(sample, wordsOf(sample), now, true);
	};
	return { all, gateway, poll };
}

/** Feeds engine speeds, as far apart as a condition holds. @returns whether it holds after each */
function holds(operator: Operator, values: readonly number[], threshold = 1000): boolean[] {
	const { all, gateway, poll } = aloneWith({ operator, value: threshold });
	return values.map((rpm, index) => {
		const now = 100 + HOLD_MS * index;
		gateway.frame(0, 0x280, false, false, 8, Uint8Array.of(0, 0, (rpm * 4) & 0xff, (rpm * 4) >> 8, 0, 0, 0, 0), now);
		poll(now);
		return all.selecting?.mode === MAP;
	});
}

/** A car of which a condition puts 6040 active above 1000 rpm; it turns at 2000. */
function triggered(changes: Partial<ConditionSettings> = {}, settings = {}): Car {
	return Car.active({ mode: 2, conditions: [onRpm({ operator: "gt", value: 1000, mode: FORTY, ...changes })], ...settings });
}

describe("controller/conditions", () => {
	it("shows 0 as the last value until its signal comes", () => {
		assert.equal(aloneWith({}).all.at(0)?.value, 0);
	});

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
			assert.deepEqual(holds(operator as Operator, [below, at, above]), wanted, operator);
		assert.equal(Object.keys(expected).length, OPERATORS.length - 1);
	});

	it("flips a latch by the operator change on each rising edge of equality, but not on the first value", () => {
		assert.deepEqual(holds("change", [0, 1000, 1000, 0, 0, 1000, 0, 1000]), [false, true, true, true, true, false, false, true]);
		assert.deepEqual(holds("change", [1000, 1000, 0, 1000]), [false, false, false, true]);
	});

	it("treats values that differ by up to 0.001 as equal", () => {
		assert.deepEqual([holds("eq", [0], 0.001), holds("eq", [0], 0.002)], [[true], [false]]);
	});

	it("reads its signal where another watch list has it", () => {
		const { all, gateway, poll } = aloneWith({ operator: "gt", value: 1000 }, true);
		gateway.frame(0, 0x280, false, false, 8, Uint8Array.of(0, 0, 0x40, 0x1f, 0, 0, 0, 0), 100);
		poll(100);
		assert.deepEqual([all.at(0)?.value, all.selecting?.mode], [2000, MAP]);
	});

	it("acts out of STOCK only with alsoFromStock, and below every other doubt", () => {
		const stock = { mode: STOCK, disableController: true };
		const unmarked = triggered({}, stock);
		assertStock(unmarked.controller, Reason.STOCK_SELECTED);
		assert.deepEqual([selects(unmarked), seen(unmarked)], [false, true]);
		const disabled = triggered({ alsoFromStock: true }, { ...stock, mode: MAP });
		assertStock(disabled.controller, Reason.DISABLED);
		assert.equal(selects(disabled), false);
		const car = triggered({ alsoFromStock: true }, stock);
		assertActive(car.run(100), FORTY, 40, Reason.SELECTED_BY_CONDITION);
		assert.equal(car.controller.supervisor.selectedMode, STOCK);
		car.braking = true;
		car.run(200);
		assert.equal(car.controller.lockPercent, 0);
		car.braking = false;
		car.run(3000);
		car.controller.setUpdating(true);
		assertStock(car.run(20), Reason.UPDATING);
		car.controller.setUpdating(false);
		assert.ok(car.run(1500).controlActive);
		car.sendsCoupling = false;
		assertStock(car.run(1500), Reason.NO_FEEDBACK);
		car.sendsCoupling = true;
		assert.ok(car.run(1500).controlActive);
		car.sendsEngine = false;
		assertStock(car.run(2500), Reason.STOCK_SELECTED);
	});

	it("lets the first of several with alsoFromStock select the mode in STOCK, and a limit act, too", () => {
		const conditions = [
			onRpm({ operator: "gt", value: 1000, mode: 5, broadcastOverCan: false }),
			onRpm({ operator: "gt", value: 1000, mode: FORTY, alsoFromStock: true }),
			onRpm({ operator: "gt", value: 1000, mode: 6, alsoFromStock: true }),
			onRpm({ operator: "gt", value: 1000, effect: "limit", limitPercent: 30 }),
		];
		const car = Car.active({ mode: STOCK, disableController: true, conditions });
		assertActive(car.run(100), FORTY, 30, Reason.LIMITED_BY_CONDITION);
		assert.equal(car.controller.effectiveBroadcastOverCan, true);
		car.set({ mode: 2, disableController: false });
		assert.equal(car.run(100).effectiveMode, 5);
		assert.equal(car.controller.effectiveBroadcastOverCan, false);
	});

	describe("a condition that selects a stored map", () => {
		const WINTER = "/maps/Winter.json";
		const flat = (lockPercent: number): LockMap => ({ ...DEFAULT_MAP, cells: DEFAULT_MAP.cells.map(() => lockPercent) });
		const byWinter = (changes: Partial<ConditionSettings> = {}): ConditionSettings =>
			onRpm({ operator: "gt", value: 1000, effect: "map", map: WINTER, mode: 1, ...changes });
		/** The driver's own map asks for 80 %, Winter for 40 %. */
		const started = (changes: Partial<ConditionSettings> = {}, settings = {}, winter = flat(40)): Car => {
			const car = new Car({ mode: MAP, conditions: [byWinter(changes)], ...tuned({ map: flat(80) }), ...settings });
			car.controller.useStoredMaps([{ path: WINTER, map: winter }]);
			car.run(1500);
			return car;
		};
		const ruling = (car: Car): string => car.controller.conditionMap;

		it("asks for lock by that map while it holds, says so, and ends with the ramps that are set", () => {
			const rates = tuned({ map: flat(80), releaseRatePercentPerS: 100, engageRatePercentPerS: 50 });
			const car = started({}, rates);
			car.run(1000);
			assertActive(car.controller, MAP, 40, Reason.SELECTED_BY_CONDITION);
			assert.deepEqual([car.controller.reasonDetail, ruling(car)], [WINTER, WINTER]);
			car.rpmRaw = 3000;
			car.until(() => ruling(car) === "");
			assert.ok(Math.abs(car.run(390).lockPercent - 60) < 0.6, `half way up: ${car.controller.lockPercent} %`);
			assertActive(car.run(1000), MAP, 80);
			car.rpmRaw = 8000;
			car.until(() => ruling(car) === WINTER);
			assert.ok(Math.abs(car.run(190).lockPercent - 60) < 1.1, `half way down: ${car.controller.lockPercent} %`);
			assertActive(car.run(1000), MAP, 40, Reason.SELECTED_BY_CONDITION);
		});

		it("asks for that map from every mode, from STOCK only with alsoFromStock; the first of several counts", () => {
			assertActive(started({}, { mode: 2 }).controller, MAP, 40, Reason.SELECTED_BY_CONDITION);
			assertStock(started({}, { mode: STOCK, disableController: true }).controller, Reason.STOCK_SELECTED);
			const marked = started({ alsoFromStock: true }, { mode: STOCK, disableController: true });
			assertActive(marked.controller, MAP, 40, Reason.SELECTED_BY_CONDITION);
			const mode = onRpm({ operator: "gt", value: 1000, mode: FORTY });
			assert.equal(ruling(started({}, { conditions: [mode, byWinter()] })), "");
			assert.equal(ruling(started({}, { conditions: [byWinter(), mode] })), WINTER);
		});

		it("leaves edits to the driver's map, and follows its own map when that is stored again", () => {
			const car = started();
			car.set(tuned({ map: flat(100), releaseRatePercentPerS: 0 }));
			assertActive(car.run(100), MAP, 40, Reason.SELECTED_BY_CONDITION);
			car.controller.useStoredMaps([{ path: WINTER, map: flat(10) }]);
			assertActive(car.run(100), MAP, 10, Reason.SELECTED_BY_CONDITION);
			car.rpmRaw = 3000;
			assertActive(car.run(400), MAP, 100);
		});

		it("is stock as long as that map can't be used or is missing, in every mode and whether the condition holds or not", () => {
			for (const mode of [MAP, 2]) {
				const car = started({}, { mode }, UNREADABLE_MAP);
				assertStock(car.controller, Reason.MAP_UNREADABLE);
				car.rpmRaw = 3000;
				assertStock(car.run(1000), Reason.MAP_UNREADABLE);
				assert.deepEqual([car.controller.reasonDetail, ruling(car)], [WINTER, ""]);
				car.controller.useStoredMaps([{ path: WINTER, map: flat(0) }]);
				assert.ok(car.tick().controlActive);
				car.controller.useStoredMaps([]);
				assertStock(car.tick(), Reason.MAP_UNREADABLE);
				car.set({ conditions: [byWinter({ enabled: false })] });
				assert.ok(car.run(1500).controlActive);
			}
		});

		it("acts although the driver's own map can't be read, which is a doubt only in a mode that needs it", () => {
			const car = started({}, { mode: 2, ...tuned({ map: UNREADABLE_MAP }) });
			assertActive(car.controller, MAP, 40, Reason.SELECTED_BY_CONDITION);
			car.controller.selectMode(MAP);
			assertStock(car.tick(), Reason.MAP_UNREADABLE);
		});

		it("has ended 1.6 s after the last frame of its signal", () => {
			const car = started({}, { mode: 2 });
			car.sendsEngine = false;
			assert.equal(car.run(1600).effectiveMode, 2);
		});
	});

	it("selects its mode while it holds, again after 300 ms and not a millisecond before, and shows its value", () => {
		const car = triggered({ broadcastOverCan: false });
		assertActive(car.controller, FORTY, 40, Reason.SELECTED_BY_CONDITION);
		const shown = (): unknown[] => [selects(car), seen(car), value(car), car.controller.effectiveBroadcastOverCan];
		assert.deepEqual([...shown(), car.controller.supervisor.selectedMode], [true, true, 2000, false, 2]);
		assert.equal(car.controller.conditionAt(0)?.atMs, car.controller.nowMs);
		car.rpmRaw = 3000;
		assertActive(car.tick(), 2, 100);
		assert.deepEqual(shown(), [false, true, 750, true]);
		car.rpmRaw = 8000;
		assert.equal(car.run(299, 1).effectiveMode, 2);
		assert.equal(car.tick(1).effectiveMode, FORTY);
		car.controller.setCapture(true);
		assert.deepEqual([seen(car), value(car)], [false, 0]);
		const logged = triggered();
		logged.set({ logging: { ...DEFAULT_SETTINGS.logging, debugCan: true } });
		assertStock(logged.tick(), Reason.VERBOSE_LOGGING);
		assert.deepEqual([selects(logged), seen(logged)], [false, false]);
	});

	it("keeps each state for 300 ms while its signal hovers, then follows the newest value", () => {
		for (const operator of ["gt", "lt", "change"] as const) {
			const car = triggered({ operator });
			let was = selects(car);
			let heldMs = HOLD_MS;
			let changes = 0;
			for (let tick = 0; tick < 500; tick++) {
				// above and below the threshold, and on it
				car.rpmRaw = [3999, 4001, 4000][tick % 3];
				const now = car.tick().supervisor.conditionSelects;
				if (now !== was) {
					assert.ok(heldMs >= HOLD_MS, `${operator} changed after ${heldMs} ms`);
					heldMs = 0;
					changes++;
				}
				was = now;
				heldMs += TICK_MS;
			}
			assert.ok(changes > 5, `${operator}: ${changes} changes`);
			car.rpmRaw = 0;
			car.run(HOLD_MS + TICK_MS);
			if (operator !== "change") assert.equal(selects(car), operator === "lt");
		}
	});

	it("looks at the recommended signal of the generation when it has none of its own", () => {
		const car = Car.active({ mode: 2, conditions: [onRpm({ signal: "", operator: "eq", value: 0, mode: FORTY })] });
		assert.equal(selects(car), true);
	});

	it("releases the mode 1500 ms after its signal's last frame, and starts over when it returns", () => {
		const signal = "haldex|0x2c0|center clutch stiffness actual|nm/min";
		const car = triggered({ signal, operator: "change", value: 3 * 200 - 381 });
		assert.equal(seen(car), true);
		car.sendsCoupling = false;
		car.run(CONDITION_SIGNAL_MS - 100);
		car.sendsCoupling = true;
		assert.equal(car.run(100).supervisor.conditionSelects, false, "the same value again is no edge");

		const level = triggered({ signal, operator: "gt", value: 0 });
		level.sendsCoupling = false;
		level.run(CONDITION_SIGNAL_MS);
		assert.equal(selects(level), true);
		assert.equal(level.tick().supervisor.conditionSelects, false);
		level.sendsCoupling = true;
		assert.equal(level.run(HOLD_MS - TICK_MS).supervisor.conditionSelects, false);
		assert.equal(level.tick().supervisor.conditionSelects, true);
	});

	it("asks for no lock until a rare signal that may select a mode has come, for 1.5 s at most", () => {
		for (const lateMs of [600, 1490, 5000]) {
			const car = new Car({
				mode: 2,
				conditions: [condition({ signal: carOf(4).recommended.steering, operator: "gte", value: 0, mode: 1 })],
			});
			car.steeringDeg = 90;
			car.run(2000);
			assertActive(car.controller, 1, 0, Reason.SELECTED_BY_CONDITION);
			const { inputMappings } = car.controller.settings;
			car.steeringDeg = undefined;
			car.set({ inputMappings: { ...inputMappings, rpm: "chassis|0x288|mo2 bls|" } });
			for (let ms = 0; ms < Math.min(lateMs, 1500); ms += TICK_MS) assert.equal(car.tick().lockPercent, 0, `after ${ms} ms`);
			if (lateMs < 1500) car.steeringDeg = 90;
			for (let ms = 0; ms < 400; ms += TICK_MS) assert.equal(car.tick().lockPercent, 0, "known for too short a time");
			car.run(1000);
			if (lateMs < 1500) assertActive(car.controller, 1, 0, Reason.SELECTED_BY_CONDITION);
			else assertActive(car.controller, 2, 100);
		}
	});

	describe("conditions with a signal every 1 s that allow less lock than the driver's mode", () => {
		/** The wheel is turned; its frame comes once a second. */
		class SlowCar extends Car {
			sendsSlow = true;
			protected override send(): void {
				super.send();
				if (this.sendsSlow && this.now % 1000 === 0) this.frame(0, 0x0c2, [0, 0x10, 0, 0, 0, 0, 0, 0]);
			}

			/** Nothing comes, and that is what the gateway says of it. */
			interrupt(begin: () => void, ms: number): void {
				begin();
				this.sendsSlow = this.sendsBrake = this.sendsEngine = this.sendsCoupling = false;
				this.run(ms);
				this.sendsSlow = this.sendsBrake = this.sendsEngine = this.sendsCoupling = true;
				this.chassisState = this.couplingState = ERROR_ACTIVE;
				this.chassisAgeMs = 0;
			}
		}
		const FWD = { mode: 1 };
		const slow = (effect: Partial<ConditionSettings> = FWD): SlowCar => {
			const one = condition({ signal: carOf(4).recommended.steering, operator: "gt", value: 0, ...effect });
			const car = new SlowCar({ mode: 2, conditions: [one] });
			car.run(3000);
			assert.deepEqual([car.controller.controlActive, car.controller.lockPercent], [true, 0]);
			return car;
		};
		const logging = { ...DEFAULT_SETTINGS.logging, debugCan: true };
		/** Begin and end of an event; nothing comes while a bus is off or the car is silent. */
		const CASES: Readonly<Record<string, readonly [begin: (car: SlowCar) => void, end?: (car: SlowCar) => void]>> = {
			"the chassis bus was off": [(car) => (car.chassisState = BUS_OFF)],
			"the coupling bus was off": [(car) => (car.couplingState = BUS_OFF)],
			"the car was silent": [(car) => (car.chassisAgeMs = 1000)],
			"a capture": [({ controller }) => controller.setCapture(true), ({ controller }) => controller.setCapture(false)],
			"verbose logging": [(car) => car.set({ logging }), (car) => car.set({ logging: DEFAULT_SETTINGS.logging })],
			"another generation was set": [(car) => car.set({ generation: 2 }), (car) => car.set({ generation: 4 })],
		};
		for (const [what, [begin, end]] of Object.entries(CASES))
			for (const effect of [FWD, { effect: "open" as const }])
				it(`keep lock at 0 % after ${what} if they ${"mode" in effect ? "select FWD" : "open the coupling"}`, () => {
					for (let ms = 0; ms <= 4000; ms += 310) {
						const car = slow(effect);
						car.run(ms % 1000);
						if (end === undefined) car.interrupt(() => begin(car), ms);
						else {
							begin(car);
							car.run(ms);
							end(car);
						}
						for (let after = 0; after < 3500; after += TICK_MS)
							assert.equal(car.tick().lockPercent, 0, `${after} ms after ${ms} ms: ${car.controller.reason}`);
						assert.equal(car.controller.controlActive, true);
					}
				});

		it("report that they wait for their signal, and return to the driver's mode when it has not come for 1.5 s", () => {
			const car = slow();
			car.interrupt(() => (car.chassisState = BUS_OFF), 3000);
			car.sendsSlow = false;
			assertStock(car.run(1400), Reason.CONDITION_AWAITED);
			assertActive(car.run(1500), 2, 100);
		});

		it("wait 1.5 s for their signal from the car's first frame on, not from the controller's start", () => {
			const car = new SlowCar({ mode: 2, conditions: slow().controller.settings.conditions });
			car.interrupt(() => (car.chassisAgeMs = 0xffff), 5050);
			for (let ms = 0; ms < 3000; ms += TICK_MS) assert.equal(car.tick().lockPercent, 0, `after ${ms} ms`);
		});
	});

	it("knows all conditions once their signals have come or 1.5 s have passed, also after a reset, and at once if a signal does not exist", () => {
		const missing = aloneWith({ signal: "chassis|0x280|nothing|" });
		missing.poll(100);
		assert.equal(missing.all.known, true);
		const { all, gateway, poll } = aloneWith({});
		const knownAt = (now: number): boolean => {
			poll(now);
			return all.known;
		};
		assert.deepEqual([100, 1599, 1600, 1700].map(knownAt), [false, false, true, true]);
		all.reset();
		assert.deepEqual([all.known, ...[1710, 3209].map(knownAt)], [false, false, false]);
		gateway.frame(0, 0x280, false, false, 8, new Uint8Array(8), 3209);
		assert.equal(knownAt(3209), true);
	});

	it("starts a condition over when its settings change; only another signal changes the watched frames", () => {
		const car = triggered();
		const revision = car.controller.watchRevision;
		car.set({ conditions: [onRpm({ operator: "change", value: 2000, mode: FORTY })] });
		assert.deepEqual([selects(car), seen(car)], [false, false]);
		assert.equal(car.controller.watchRevision, revision);
		assertActive(car.run(200), 2, car.controller.lockPercent);
		car.set({ conditions: [onRpm({ signal: "chassis|0x288|mo2 coolant temperature|degc" })] });
		assert.equal(car.controller.watchRevision, revision + 1);
	});

	describe("conditions that open the coupling", () => {
		const opens = (changes: Partial<ConditionSettings> = {}, settings = {}): Car =>
			Car.active({ mode: 2, conditions: [onRpm({ effect: "open", operator: "lt", value: 1000, ...changes })], ...settings });

		it("open within 100 ms, stay open for their hold time, and give control back then", () => {
			const car = opens({ holdMs: 1000 });
			assertActive(car.controller, 2, 100);
			car.rpmRaw = 3999;
			assert.equal(car.run(90).lockPercent, 10);
			car.rpmRaw = 4000;
			assertActive(car.tick(), 2, 0, Reason.OPENED_BY_CONDITION);
			assertActive(car.run(890), 2, 0, Reason.OPENED_BY_CONDITION);
			assertActive(car.run(20), 2, 100);
		});

		it("open at once, also when they have just ended", () => {
			const car = opens();
			for (let times = 0; times < 3; times++) {
				car.rpmRaw = 0;
				assert.ok(car.tick().lockPercent < 100);
				car.rpmRaw = 8000;
				assertActive(car.run(330), 2, 100);
			}
		});

		it("stand above each mode, that of another condition too, but STOCK stays stock", () => {
			const all = [onRpm({ mode: FORTY, operator: "gte", value: 0 }), onRpm({ effect: "open", operator: "gte", value: 0 })];
			for (const mode of [1, 2, FORTY, 7, 8, MAP, 10])
				assertActive(Car.active({ mode, conditions: all }).controller, FORTY, 0, Reason.OPENED_BY_CONDITION);
			assertStock(Car.active({ mode: STOCK, disableController: true, conditions: all }).controller, Reason.STOCK_SELECTED);
			const toStock = [{ ...all[0], mode: STOCK }, all[1]];
			assertStock(Car.active({ mode: 2, conditions: toStock }).controller, Reason.STOCK_SELECTED);
		});

		it("ramp to stock when their signal is lost, until it has been there for 0.5 s", () => {
			const signal = "haldex|0x2c0|center clutch stiffness actual|nm/min";
			const car = opens({ signal, operator: "lt", value: -9999 }, { controlWithoutFeedback: true });
			assertActive(car.controller, 2, 100);
			car.sendsCoupling = false;
			assert.equal(car.run(CONDITION_SIGNAL_MS).lockPercent, 100);
			assert.equal(car.tick().reason, Reason.NO_CONDITION);
			assert.ok(car.controller.lockPercent < 100 && car.controller.controlActive);
			assertStock(car.run(500), Reason.NO_CONDITION);
			car.sendsCoupling = true;
			assertStock(car.run(490), Reason.SETTLING);
			assert.equal(car.run(20).controlActive, true);
		});

		it("mean stock while their signal is unknown; disabled ones have no effect", () => {
			for (const signal of ["none", "chassis|0x1|nothing|"]) {
				assertStock(opens({ signal }).controller, Reason.NO_CONDITION);
				assertActive(opens({ signal, enabled: false }).controller, 2, 100);
			}
		});
	});

	describe("conditions that limit", () => {
		const limits = (...limits: Partial<ConditionSettings>[]): Car =>
			Car.active({ mode: 2, conditions: limits.map((one) => onRpm({ effect: "limit", operator: "lt", value: 1000, ...one })) });

		it("limit lock to the least of several, and release it afterwards", () => {
			const car = limits({ limitPercent: 60 }, { limitPercent: 20, value: 500 }, { limitPercent: 90 });
			assertActive(car.controller, 2, 100);
			car.rpmRaw = 3000;
			assertActive(car.run(400), 2, 60, Reason.LIMITED_BY_CONDITION);
			car.rpmRaw = 1000;
			assertActive(car.run(400), 2, 20, Reason.LIMITED_BY_CONDITION);
			car.rpmRaw = 8000;
			assertActive(car.run(400), 2, 100);
		});

		it("go on limiting while their signal is lost or unknown", () => {
			const signal = "haldex|0x2c0|center clutch stiffness actual|nm/min";
			const conditions = [onRpm({ effect: "limit", signal, operator: "lt", value: -9999, limitPercent: 30 })];
			const car = Car.active({ mode: 2, conditions, controlWithoutFeedback: true });
			assertActive(car.controller, 2, 100);
			car.sendsCoupling = false;
			assertActive(car.run(CONDITION_SIGNAL_MS), 2, 100);
			assertActive(car.run(1000), 2, 30, Reason.LIMITED_BY_CONDITION);
			car.sendsCoupling = true;
			assertActive(car.run(20), 2, 100);
			assertActive(limits({ signal: "none" }).controller, 2, 50, Reason.LIMITED_BY_CONDITION);
		});
	});

	it("lets the first condition that holds select the mode and say whether the status frame is sent; a disabled one has no state", () => {
		const all = [
			onRpm({ enabled: false }),
			onRpm({ operator: "lt", value: 1000, mode: 1 }),
			onRpm({ operator: "gt", value: 1000, mode: FORTY, broadcastOverCan: false }),
			onRpm({ operator: "gt", value: 500, mode: 6 }),
		];
		const car = Car.active({ mode: 2, conditions: all });
		assertActive(car.controller, FORTY, 40, Reason.SELECTED_BY_CONDITION);
		assert.equal(car.controller.effectiveBroadcastOverCan, false);
		car.rpmRaw = 3000;
		assert.equal(car.run(320).effectiveMode, 1);
		assert.equal(car.controller.effectiveBroadcastOverCan, true);
		car.rpmRaw = 4000;
		assert.equal(car.run(320).effectiveMode, 6);
		assert.deepEqual(
			[0, 1, 2, 3, 4].map((at) => car.controller.conditionAt(at)?.holds),
			[undefined, false, false, true, undefined],
		);
	});
});

describe("controller: CAN capture", () => {
	it("is stock at once, shows the safe profile, and restores everything when it ends", () => {
		const car = Car.active({ mode: MAP, broadcastOverCan: false });
		car.controller.setCapture(true);
		assertStock(car.tick(), Reason.CAPTURE);
		const shown = () => {
			const { broadcastOverCan, effectiveBroadcastOverCan } = car.controller;
			const { selectedMode, disabled, captureActive } = car.controller.supervisor;
			return [selectedMode, disabled, broadcastOverCan, effectiveBroadcastOverCan, captureActive];
		};
		assert.deepEqual(shown(), [STOCK, true, true, true, true]);
		assert.deepEqual(car.stored, [], "it is never stored");
		car.controller.selectMode(FORTY);
		car.controller.setCapture(true);
		car.controller.setCapture(false);
		assert.deepEqual(shown(), [MAP, false, false, false, false]);
		assert.equal(car.tick().controlActive, true);
		assert.deepEqual(car.stored, []);
	});

	it("leaves the car in STOCK if the driver selects that while it runs", () => {
		const car = Car.active({ mode: MAP });
		car.controller.setCapture(true);
		car.run(1000);
		car.controller.selectMode(STOCK);
		assert.equal(car.stored.at(-1)?.mode, STOCK);
		car.run(600_000);
		assert.equal(car.controller.supervisor.captureActive, false);
		assertStock(car.run(1000), Reason.STOCK_SELECTED);
	});

	it("ends by itself after 10 minutes", () => {
		const car = Car.active({ mode: MAP });
		car.controller.setCapture(true);
		car.run(600_000 - TICK_MS);
		car.tick(TICK_MS - 1);
		assert.equal(car.controller.supervisor.captureActive, true);
		assert.equal(car.tick(1).supervisor.captureActive, false);
		assert.equal(car.run(1000).controlActive, true);
	});

	for (const [what, changes, mostPercent] of [
		["limits the lock", { effect: "limit", limitPercent: 30 }, 30],
		["opens the coupling", { effect: "open" }, 0],
		["selects FWD", { mode: 1 }, 0],
	] as const)
		it(`follows a condition that ${what} from its end on, whether it ends by itself or is ended`, () => {
			for (const byItself of [true, false]) {
				const car = triggered(changes);
				car.controller.setCapture(true);
				car.run(byItself ? 600_000 - 2 * TICK_MS : 1000);
				if (!byItself) car.controller.setCapture(false);
				for (let ms = 0; ms < 2000; ms += TICK_MS) assert.ok(car.tick().lockPercent <= mostPercent, `after ${ms} ms`);
				assert.deepEqual([car.controller.controlActive, car.controller.lockPercent], [true, mostPercent]);
			}
		});
});
