import assert from "node:assert/strict";
import { medianOf, tableOf } from "../../src/calibration/fit.js";
import { CalibrationProblem } from "../../src/calibration/problem.js";
import { OPERATOR_MS, STEP_MS, STEPS, Sweep } from "../../src/calibration/sweep.js";
import { commandFactor, FULL_FACTOR } from "../../src/coupling/command-factor.js";
import { risingFit } from "../support/rising-fit.js";

/** Engagement that a coupling with friction and an offset reaches at a factor, percent of both. */
const bent = (factor: number): number => Math.max(0, Math.min(92, 118 * ((factor - 22) / 100) ** 0.8 || 0));

/** A coupling that follows with a lag and reports each 20 ms, with noise and now and then nonsense. */
class Bench {
	readonly sweep = new Sweep();
	nowMs = 4294960000; // the clock wraps within a sweep
	engagement = 0;
	problem = "";
	isPresent = true;
	isPageThere = true;
	reaches = bent;
	#seed = 1;
	#ticks = 0;

	/** Ticks of 10 ms. */
	run(ms: number): this {
		for (let passed = 0; passed < ms && this.sweep.phase === "running"; passed += 10) {
			this.nowMs = (this.nowMs + 10) >>> 0;
			this.engagement += (this.reaches(this.sweep.factorPercent) - this.engagement) * 0.2;
			this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) >>> 0;
			const noise = ((this.#seed >>> 16) % 200) / 100 - 1;
			const reported =
				++this.#ticks % 2 !== 0 || !this.isPresent ? Number.NaN : this.#seed % 37 === 0 ? 0 : this.engagement + noise;
			if (this.isPageThere) this.sweep.heard(this.nowMs);
			this.sweep.tick(this.nowMs, reported, this.problem);
		}
		return this;
	}
}

const start = (): Bench => {
	const bench = new Bench();
	bench.sweep.start(bench.nowMs);
	return bench;
};

describe("calibration", () => {
	it("goes on evenly to full factor where the report has ended, so that full lock asks for all there is", () => {
		const bench = start();
		for (let ms = 0; bench.sweep.phase === "running"; ms += 10) {
			const { factorPercent } = bench.sweep;
			bench.sweep.heard(ms);
			bench.nowMs = (bench.nowMs + 10) >>> 0;
			// one reading below it again after the end: hunting
			const isAtEnd = factorPercent >= 40 && factorPercent !== 45;
			bench.sweep.tick(bench.nowMs, isAtEnd ? Number.POSITIVE_INFINITY : Math.min(96, 2.4 * factorPercent), "");
			bench.sweep.heard(bench.nowMs);
		}
		const table = bench.sweep.finish() ?? assert.fail();
		assert.equal(table.length, STEPS);
		assert.deepEqual([table[0], table[20], table[39], table[100]], [0, 48, 93.6, 100]);
		for (let factor = 1; factor < STEPS; factor++) assert.ok(table[factor] >= table[factor - 1], `${factor}`);
		assert.ok(table[70] < 100 && table[70] > table[46], `${table[70]}`);
		assert.equal(commandFactor(100, table, "corrected"), FULL_FACTOR);
		assert.equal(commandFactor(48, table, "corrected"), 20 * 256);
	});

	it("holds each factor for 300 ms, from 0 to 100", () => {
		const bench = start();
		const seen = new Set<number>();
		for (let step = 0; step < STEPS; step++) {
			seen.add(bench.sweep.factorPercent);
			bench.run(STEP_MS);
		}
		assert.deepEqual(
			[...seen],
			Array.from({ length: STEPS }, (_, i) => i),
		);
		assert.equal(bench.sweep.phase, "measured");
		assert.equal(bench.sweep.factorPercent, 0, "nothing is commanded any more");
	});

	it("finds a table with which requests are followed within 3 %", () => {
		const table = start().run(40_000).sweep.finish();
		assert.ok(table);
		for (const profile of ["corrected", "reference"] as const)
			for (let wanted = 1; wanted <= 100; wanted++) {
				const reached = bent((commandFactor(wanted, table, profile) / FULL_FACTOR) * 100);
				// the reference cuts requests to whole percent and jumps to the end from 99.5 on
				assert.ok(Math.abs(reached - Math.min(wanted, 92)) <= 3, `${profile}: ${wanted} gives ${reached}`);
			}
	});

	it("takes the smallest factor that reaches the most for a request above that", () => {
		const table = start().run(40_000).sweep.finish();
		assert.ok(commandFactor(100, table!, "corrected") < FULL_FACTOR * 0.99);
	});

	it("is done then, and discards a sweep in which the coupling hardly moved", () => {
		const bench = start().run(40_000);
		bench.sweep.finish();
		assert.deepEqual([bench.sweep.phase, bench.sweep.progress], ["done", 101]);
		bench.sweep.clear();
		assert.deepEqual([bench.sweep.phase, bench.sweep.progress], ["resting", 0]);
		const stiff = start();
		stiff.reaches = (factor) => factor * 0.45;
		assert.equal(stiff.run(40_000).sweep.finish(), undefined);
		assert.deepEqual([stiff.sweep.phase, stiff.sweep.progress], ["failed", 102]);
		assert.match(stiff.sweep.problem, /hardlyMoved/);
	});

	it("can be given up at each step, and commands nothing then", () => {
		for (let step = 0; step < STEPS; step += 5) {
			const bench = start().run(step * STEP_MS + 100);
			assert.equal(bench.sweep.progress, step);
			bench.problem = CalibrationProblem.CAR_MOVES;
			bench.run(10);
			assert.equal(bench.sweep.phase, "failed");
			assert.equal(bench.sweep.factorPercent, 0);
			assert.equal(bench.sweep.problem, CalibrationProblem.CAR_MOVES);
		}
	});

	it("is over when the page has not been heard of for 5 s, and when the operator wants it", () => {
		const bench = start().run(1000);
		bench.isPageThere = false;
		bench.run(OPERATOR_MS);
		assert.equal(bench.sweep.phase, "running");
		bench.run(10);
		assert.equal(bench.sweep.problem, CalibrationProblem.PAGE_GONE);
		const other = start().run(1000);
		other.sweep.abort("");
		assert.deepEqual([other.sweep.phase, other.sweep.progress], ["cancelled", 3]);
		other.sweep.abort("too late");
		assert.equal(other.sweep.problem, "");
	});

	it("is over when a step brings no report", () => {
		const bench = start().run(1000);
		bench.isPresent = false;
		bench.run(STEP_MS * 2);
		assert.equal(bench.sweep.problem, CalibrationProblem.NO_REPORT);
	});

	it("begins anew after all that", () => {
		const bench = start().run(5000);
		bench.sweep.abort("x");
		bench.sweep.start(bench.nowMs);
		assert.equal(bench.sweep.problem, "");
		assert.ok(bench.run(40_000).sweep.finish());
	});
});

describe("the fit of a sweep", () => {
	it("knows medians", () => {
		assert.equal(medianOf(Float64Array.of(3, 1, 2), 3), 2);
		assert.equal(medianOf(Float64Array.of(4, 1, 2, 3), 4), 2.5);
		assert.equal(medianOf(Float64Array.of(7, 0, 0), 1), 7);
	});

	it("pools what falls at its mean", () => {
		assert.deepEqual(risingFit([1, 3, 2, 4]), [1, 2.5, 2.5, 4]);
		assert.deepEqual(risingFit([3, 2, 1]), [2, 2, 2]);
		assert.deepEqual(risingFit([0, 1, 2]), [0, 1, 2]);
		assert.deepEqual(risingFit([]), []);
	});

	it("is the closest line that never falls", () => {
		const readings = [0, 5, 3, 8, 8, 7, 20, 18, 30];
		const fit = risingFit(readings);
		const distance = (line: readonly number[]) => line.reduce((sum, value, i) => sum + (value - readings[i]) ** 2, 0);
		for (let i = 0; i < fit.length; i++)
			for (const by of [-0.1, 0.1]) {
				const other = fit.map((value, at) => (at === i ? value + by : value));
				const rises = other.every((value, at) => at === 0 || value >= other[at - 1]);
				if (rises) assert.ok(distance(other) >= distance(fit));
			}
	});

	it("stays within 0 and 100 and spans half of it", () => {
		const rising = (least: number, most: number) => Array.from({ length: 101 }, (_, i) => least + ((most - least) * i) / 100);
		assert.deepEqual([tableOf(rising(-3, 104))?.[0], tableOf(rising(-3, 104))?.[100]], [0, 100]);
		assert.equal(tableOf(rising(20, 69)), undefined);
		assert.ok(tableOf(rising(20, 70)));
	});
});
