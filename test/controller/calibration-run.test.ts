// A calibration in front of the whole controller: what it sends, what ends it, and what returns then.
// docs/control-and-can.md 5.1.
import assert from "node:assert/strict";
import { NOTHING_LEARNED } from "../../src/calibration/learning.js";
import { CalibrationProblem, OPEN_MS, STEP_MS, STEPS } from "../../src/calibration/sweep.js";
import { BUS_OFF } from "../../src/can/bus.js";
import { Reason } from "../../src/controller/reason.js";
import { chosenPlan } from "../../src/coupling/frame-plan.js";
import type { Settings } from "../../src/settings/settings.js";
import { condition } from "../support/controller-view.js";
import { assertActive, assertStock, Car, STOCK } from "./car.js";

const FULL = 2;
const FORTY = 3;
/** Ticks that are late, but in time: four of them make a step. */
const TICK_MS = 150;
/** In such ticks: until it has been open for long enough. */
const OPENS_MS = TICK_MS * Math.ceil(OPEN_MS / TICK_MS);
/** Values that stay away are missed after 300 or 500 ms. */
const ENDS_WITHIN_MS = 600;
/** From one step that is tried to the next. */
const STRIDE = 10;
const OLD_TABLE = Array.from({ length: STEPS }, (_, factor) => factor);
const LEARNED = { ...NOTHING_LEARNED, generation: 4, date: "2026-11-23", table: OLD_TABLE } as const;

/** A car that stands with its engine running; control has had its inputs for long enough. */
function standing(settings: Partial<Settings> = {}): Car {
	const car = new Car({ mode: FORTY, ...settings });
	car.speedKmh = 0;
	car.run(1500);
	return car;
}

/** The coupling follows what is commanded, and the operator stays. */
function sweep(car: Car, ms: number, tickMs = TICK_MS): void {
	const { calibration } = car.controller;
	for (let passed = 0; passed < ms && calibration.sweep.phase === "running"; passed += tickMs) {
		car.engagementRaw = 128 + Math.ceil(1.26 * calibration.sweep.factorPercent);
		calibration.sweep.heard(car.now);
		car.tick(tickMs);
	}
}

const SLOW = "its speed is an error code";
/** Event that ends a calibration, and the problem that is reported. */
const ENDS: readonly (readonly [string, (car: Car) => void, string])[] = [
	["it moves", (car) => (car.speedKmh = 4), CalibrationProblem.CAR_MOVES],
	[SLOW, (car) => (car.speedRaw = 0x7fff), Reason.NO_SPEED],
	["the selector leaves P", (car) => car.frame(0, 0x440, [0, 0x50, 0, 0, 0, 0, 0, 0]), CalibrationProblem.NOT_PARKED],
	["ABS intervenes", (car) => (car.braking = true), CalibrationProblem.INTERVENES],
	["ABS has intervened between two ticks", (car) => (car.brakedBetween = true), CalibrationProblem.INTERVENES],
	[CalibrationProblem.HOT, (car) => (car.couplingStatus = 2), CalibrationProblem.HOT],
	["the coupling is faulty", (car) => (car.couplingStatus = 8 * 2), CalibrationProblem.FAULTY],
	["the chassis bus is off", (car) => (car.chassisState = BUS_OFF), Reason.CHASSIS_BUS_DOWN],
	["the coupling bus is off", (car) => (car.couplingState = BUS_OFF), Reason.COUPLING_BUS_DOWN],
	["the chassis bus was interrupted", (car) => (car.interruptedBuses = 1), Reason.CHASSIS_BUS_DOWN],
	["the car is silent", (car) => (car.chassisAgeMs = 250), Reason.CHASSIS_SILENT],
	["its lease ran out", (car) => (car.leaseLost = true), CalibrationProblem.LATE],
	["a capture begins", (car) => car.controller.setCapture(true), Reason.CAPTURE],
	["a mode is chosen", (car) => car.controller.selectMode(FULL), CalibrationProblem.SETTINGS_CHANGED],
	["the generation changes", (car) => car.set({ generation: 2 }), CalibrationProblem.SETTINGS_CHANGED],
	["the operator ends it", (car) => car.controller.calibration.sweep.cancel(), ""],
	["control fails", (car) => car.controller.fail(), Reason.FAULT],
];

describe("controller/calibration-run", () => {
	it("sends every factor, in the rows of full lock, and reports its progress", () => {
		const car = standing({ mode: STOCK });
		assert.equal(car.controller.startCalibration(), undefined);
		const seen = new Set<number>();
		sweep(car, OPEN_MS, 50);
		for (let step = 0; step < STEPS; step++) {
			sweep(car, STEP_MS / 2, 50);
			const { factor, effectiveMode, controlActive, lockPercent, reason } = car.controller;
			assert.deepEqual([effectiveMode, controlActive, reason], [FULL, true, Reason.CALIBRATING]);
			assert.equal(factor, lockPercent * 256);
			seen.add(factor);
			sweep(car, STEP_MS / 2, 50);
		}
		assert.equal(seen.size, STEPS);
		assert.equal(car.controller.calibration.sweep.phase, "measured");
		assertStock(car.tick(), Reason.STOCK_SELECTED);
		assert.equal(car.controller.supervisor.selectedMode, STOCK);
		assert.deepEqual(car.stored, [], "nothing of it is a setting");
		const table = car.controller.calibration.sweep.finish();
		assert.ok(table !== undefined && Math.abs(table[50] - 50) <= 1.5, `${table?.[50]}`);
	});

	it("returns to the mode's request afterwards, from 0 % by 25 % in 100 ms", () => {
		const car = standing({ mode: FULL });
		assertActive(car.controller, FULL, 100);
		assert.equal(car.controller.startCalibration(), undefined);
		sweep(car, 60 * STEP_MS);
		car.controller.calibration.sweep.cancel();
		assertActive(car.tick(), FULL, 2.5);
		assertActive(car.tick(), FULL, 5);
		assertActive(car.run(400), FULL, 100);
	});

	for (const [i, [what, happens, said]] of ENDS.entries())
		it(`is over when ${what}, and leaves the table and the mode, at any step`, () => {
			// each at steps of its own, so that all steps are tried; and at the first and the last,
			// for which what is missed after 300 ms only is too late
			const last = what === SLOW ? STEPS - 3 : STEPS - 1;
			const steps = new Set([0, last]);
			for (let step = i % STRIDE; step < last; step += STRIDE) steps.add(step);
			for (const step of steps) {
				const car = standing();
				car.controller.useLearned(LEARNED);
				assert.equal(car.controller.startCalibration(), undefined);
				sweep(car, OPENS_MS + step * STEP_MS + 100);
				const { sweep: calibration } = car.controller.calibration;
				assert.equal(calibration.progress, step);
				happens(car);
				for (let ms = 0; calibration.phase === "running" && ms < ENDS_WITHIN_MS; ms += 10) car.tick();
				if (what !== "control fails") car.tick();
				assert.deepEqual([calibration.phase, calibration.problem], [said === "" ? "cancelled" : "failed", said]);
				assert.equal(calibration.factorPercent, 0);
				assert.ok(car.controller.lockPercent <= 5, `${car.controller.lockPercent} % after it`);
				assert.notEqual(car.controller.reason, Reason.CALIBRATING);
				assert.equal(car.controller.factors.table !== null, car.controller.settings.generation === 4);
			}
		});

	for (const [what, happens] of [
		["it moves", (car: Car) => (car.speedKmh = 4)],
		["a mode is chosen", (car: Car) => car.controller.selectMode(FULL)],
		["the generation changes", (car: Car) => car.set({ generation: 2 })],
		["the operator ends it", (car: Car) => car.controller.calibration.sweep.cancel()],
		["it has ended well", (car: Car) => sweep(car, STEPS * STEP_MS + OPENS_MS)],
	] as const)
		it(`has the settings' frames again after a trial that is over when ${what}; none is stored`, () => {
			const car = standing();
			const { controller } = car;
			const planOf = (trial: object): Uint8Array => chosenPlan({ ...controller.settings, generation: 4, ...trial }, FULL);
			controller.takePlan();
			const trial = { torqueModel: "proportional", torqueCeilingNm: 300, framesOff: "0x280 0x4A0" } as const;
			assert.equal(controller.startCalibration(trial), undefined);
			sweep(car, OPENS_MS + STEP_MS);
			assert.deepEqual(controller.takePlan(), planOf(trial));
			assert.equal(controller.takePlan(), undefined);
			assert.equal(car.stored.length, 0);
			happens(car);
			for (let ms = 0; controller.calibration.sweep.phase === "running" && ms < ENDS_WITHIN_MS; ms += 10) car.tick();
			car.tick();
			if (controller.settings.generation === 4) assert.deepEqual(controller.takePlan(), planOf({}));
			const { torqueModel, torqueCeilingNm, framesOff } = controller.settings;
			assert.deepEqual([torqueModel, torqueCeilingNm, framesOff], ["pinned", 150, ""]);
		});

	it("is over in the first tick in which the car's own speed is above 3 km/h", () => {
		// speeds are compared in one of these ticks
		for (let ticks = 0; ticks < 10; ticks++) {
			const car = standing();
			const { calibration } = car.controller;
			assert.equal(car.controller.startCalibration(), undefined);
			sweep(car, OPENS_MS + STEP_MS);
			for (let i = 0; i < ticks; i++) car.tick();
			assert.equal(calibration.sweep.phase, "running");
			car.speedKmh = 4;
			car.tick();
			assert.deepEqual([calibration.sweep.phase, calibration.sweep.problem], ["failed", CalibrationProblem.CAR_MOVES]);
		}
	});

	it("is over when its operator was not heard of for 5 s, or the coupling does not report", () => {
		const car = standing();
		car.controller.startCalibration();
		car.run(5100);
		assert.match(car.controller.calibration.sweep.problem, /page/);
		assertActive(car.run(1000), FORTY, 40);
		assert.equal(car.controller.startCalibration(), undefined);
		car.sendsCoupling = false;
		sweep(car, 2000);
		assert.notEqual(car.controller.calibration.sweep.problem, "");
		assertStock(car.run(1000), Reason.NO_FEEDBACK);
	});

	it("begins only in a car that stands, runs and is known", () => {
		for (const [happens, said] of [
			[(car: Car) => (car.speedKmh = 1), CalibrationProblem.CAR_MOVES],
			[(car: Car) => (car.rpmRaw = 0), CalibrationProblem.NO_ENGINE],
			[(car: Car) => (car.sendsBrake = false), Reason.NO_SPEED],
			[(car: Car) => (car.braking = true), Reason.INTERVENTION],
			[(car: Car) => (car.sendsCoupling = false), Reason.NO_FEEDBACK],
			[(car: Car) => (car.couplingStatus = 2), Reason.OVERHEATED],
			[(car: Car) => car.controller.setCapture(true), Reason.CAPTURE],
			[(car: Car) => car.controller.setBootLoop(), Reason.BOOT_LOOP],
			[(car: Car) => car.set({ generation: 0 }), Reason.NO_GENERATION],
		] as const) {
			const car = standing();
			happens(car);
			car.run(1000);
			assert.equal(car.controller.startCalibration(), said);
			assert.equal(car.controller.calibration.sweep.progress, 102);
			assert.notEqual(car.tick().reason, Reason.CALIBRATING);
		}
		const car = new Car({ mode: STOCK });
		car.speedKmh = 0;
		car.run(500);
		assert.equal(car.controller.startCalibration(), Reason.SETTLING);
	});

	it("does not begin while the coupling is held open after an intervention, heat or a fault", () => {
		for (const [happens, ms, said] of [
			[(car: Car, on: boolean) => (car.braking = on), 1000, Reason.INTERVENTION],
			[(car: Car, on: boolean) => (car.couplingStatus = on ? 2 : 0), 10_000, Reason.OVERHEATED],
			[(car: Car, on: boolean) => (car.couplingStatus = on ? 4 : 0), 10_000, Reason.COUPLING_FAULT],
		] as const) {
			const car = standing({ mode: STOCK });
			happens(car, true);
			car.run(100);
			happens(car, false);
			car.run(ms - 50);
			assert.equal(car.controller.startCalibration(), said);
			car.run(100);
			assert.equal(car.controller.startCalibration(), undefined);
		}
		const own = standing({ respectInterventions: false });
		own.braking = true;
		own.run(100);
		assert.equal(own.controller.startCalibration(), CalibrationProblem.INTERVENES);
	});

	it("goes on up to 3 km/h, and counts an engine as running from 400 rpm on", () => {
		const car = standing();
		for (const [rpm, said] of [
			[399, CalibrationProblem.NO_ENGINE],
			[400, undefined],
		] as const) {
			car.rpmRaw = rpm * 4;
			car.run(100);
			assert.equal(car.controller.startCalibration(), said, `${rpm} rpm`);
		}
		car.speedKmh = 3;
		sweep(car, 600);
		assert.equal(car.controller.calibration.sweep.phase, "running");
	});

	it("does not begin while it runs, nor while a condition does anything", () => {
		const car = standing();
		assert.equal(car.controller.startCalibration(), undefined);
		assert.equal(car.controller.startCalibration(), CalibrationProblem.TWICE);
		assert.equal(car.controller.calibration.sweep.phase, "running");
		for (const [effect, reason] of [
			["mode", Reason.SELECTED_BY_CONDITION],
			["open", Reason.OPENED_BY_CONDITION],
			["limit", Reason.LIMITED_BY_CONDITION],
		] as const) {
			const held = standing({ conditions: [condition({ effect, operator: "eq", value: 0, limitPercent: 99 })] });
			assert.equal(held.controller.startCalibration(), reason);
		}
	});

	it("applies a table at once, and its end, too", () => {
		const car = standing({ mode: FORTY });
		const guessed = car.controller.factor;
		assert.equal(guessed, 40 * 256);
		car.controller.useLearned({ ...LEARNED, table: OLD_TABLE.map((percent) => Math.min(100, percent * 2)) });
		assert.equal(car.tick().factor, 20 * 256);
		car.controller.useLearned(NOTHING_LEARNED);
		assert.equal(car.tick().factor, guessed);
	});
});
