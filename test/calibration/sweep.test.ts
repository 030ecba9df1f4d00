import assert from "node:assert/strict";
import {
	CalibrationProblem,
	lowerMedianOf,
	OPEN_MS,
	OPEN_WITHIN_MS,
	OPERATOR_MS,
	STEP_MS,
	STEPS,
	Sweep,
	tableOf,
} from "../../src/calibration/sweep.js";
import { commandFactor, FULL_FACTOR } from "../../src/controller/lock-factor.js";

/** Engagement that a coupling with friction and an offset reaches at a factor, percent of both. */
const bent = (factor: number): number => Math.max(0, Math.min(92, 118 * ((factor - 22) / 100) ** 0.8 || 0));

/** A coupling that follows with a lag and reports each 20 ms, with noise and now and then nonsense. */
class Bench {
	readonly sweep = new Sweep();
	nowMs = 4294960000; // the clock wraps within a sweep
	engagement = 0;
	problem: string | undefined;
	isPresent = true;
	isPageThere = true;
	reaches = bent;
	noisePercent = 1;
	#seed = 1;
	#ticks = 0;

	/** Ticks of 10 ms. */
	run(ms: number): this {
		for (let passed = 0; passed < ms && this.sweep.phase === "running"; passed += 10) {
			this.nowMs = (this.nowMs + 10) >>> 0;
			this.engagement += (this.reaches(this.sweep.factorPercent) - this.engagement) * 0.2;
			this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) >>> 0;
			const noise = (((this.#seed >>> 16) % 200) / 100 - 1) * this.noisePercent;
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
			bench.sweep.tick(bench.nowMs, isAtEnd ? Number.POSITIVE_INFINITY : Math.min(96, 2.4 * factorPercent));
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

	it("shows its readings while it runs, and how unsteady each step was", () => {
		const bench = start();
		bench.noisePercent = 0;
		for (let ms = 0; bench.sweep.phase === "running"; ms += 10) {
			const { factorPercent } = bench.sweep;
			// hunts between 30 and 60 %: by 12 % in a step, and from one step to the next by 5 %
			const hunts = factorPercent > 30 && factorPercent < 60;
			const swing = hunts ? (ms % 200 < 100 ? 12 : 0) - (factorPercent % 2) * 6 : 0;
			bench.nowMs = (bench.nowMs + 10) >>> 0;
			bench.sweep.heard(bench.nowMs);
			bench.sweep.tick(bench.nowMs, Math.max(0, factorPercent + swing));
			if (factorPercent === 20 && bench.sweep.factorPercent === 21) {
				assert.deepEqual([bench.sweep.measured.length, bench.sweep.unsteady.length], [21, 21]);
				assert.deepEqual([bench.sweep.measured[20], bench.sweep.unsteady[20]], [20, 0]);
			}
		}
		const table = bench.sweep.finish();
		assert.equal(bench.sweep.measured, table);
		const { unsteady } = bench.sweep;
		assert.equal(unsteady.length, STEPS);
		assert.deepEqual([unsteady[10], unsteady[80]], [0, 0]);
		for (let factor = 32; factor < 59; factor++) assert.ok(unsteady[factor] >= 5, `${factor}: ${unsteady[factor]}`);
		bench.sweep.start(bench.nowMs);
		assert.deepEqual([bench.sweep.measured, bench.sweep.unsteady], [[], []]);
	});

	it("waits until the coupling has been open for half a second, for three seconds at most", () => {
		const closed = start();
		closed.engagement = 60;
		closed.reaches = () => (closed.nowMs - 4294960000 < 1000 ? 60 : 0);
		closed.run(1300);
		assert.equal(closed.sweep.progress, 0);
		closed.run(STEP_MS);
		assert.equal(closed.sweep.progress, 0);
		closed.run(STEP_MS);
		assert.equal(closed.sweep.progress, 1);
		const never = start();
		never.reaches = () => 6;
		never.run(OPEN_WITHIN_MS + STEP_MS - 10);
		assert.equal(never.sweep.progress, 0);
		never.run(20);
		assert.equal(never.sweep.progress, 1);
	});

	it("reads each step's latest report eight times from 400 ms on, and takes the lower median", () => {
		const sweep = new Sweep();
		sweep.start(0);
		let ms = 0;
		for (; ms <= OPEN_MS; ms += 10) sweep.tick(ms, 0);
		ms = OPEN_MS;
		// of the first step the fourth lowest of 10 .. 80, of the second less: the step before counts
		for (const [first, every] of [
			[10, 10],
			[5, 5],
		] as const) {
			const fromMs = ms;
			for (; ms < fromMs + STEP_MS; ) {
				ms += 5;
				const reading = Math.floor((ms - fromMs - 400) / 25);
				sweep.tick(ms, ms < fromMs + 400 ? 99 : first + every * reading);
			}
		}
		assert.equal(sweep.progress, 2);
		for (; sweep.phase === "running"; ms += 10) {
			sweep.heard(ms);
			sweep.tick(ms, 95);
		}
		assert.deepEqual(sweep.finish()?.slice(0, 3), [40, 40, 95]);
	});

	it("takes a minute: each factor from 0 to 100 for 600 ms", () => {
		const bench = start().run(OPEN_MS);
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
		const table = start().run(70_000).sweep.finish();
		assert.ok(table);
		for (const profile of ["corrected", "reference"] as const)
			for (let wanted = 1; wanted <= 100; wanted++) {
				const reached = bent((commandFactor(wanted, table, profile) / FULL_FACTOR) * 100);
				// the reference cuts requests to whole percent and jumps to the end from 99.5 on
				assert.ok(Math.abs(reached - Math.min(wanted, 92)) <= 3, `${profile}: ${wanted} gives ${reached}`);
			}
	});

	it("takes the smallest factor that reaches the most for a request above that", () => {
		const bench = start();
		bench.noisePercent = 0;
		const table = bench.run(70_000).sweep.finish();
		assert.ok(commandFactor(100, table!, "corrected") < FULL_FACTOR * 0.99);
	});

	it("is done then, and discards a sweep in which the coupling hardly moved", () => {
		const bench = start().run(70_000);
		bench.sweep.finish();
		assert.deepEqual([bench.sweep.phase, bench.sweep.progress], ["done", 101]);
		bench.sweep.clear();
		assert.deepEqual([bench.sweep.phase, bench.sweep.progress], ["resting", 0]);
		const stiff = start();
		stiff.reaches = (factor) => factor * 0.45;
		assert.equal(stiff.run(70_000).sweep.finish(), undefined);
		assert.deepEqual([stiff.sweep.phase, stiff.sweep.progress], ["failed", 102]);
		assert.match(stiff.sweep.problem, /hardlyMoved/);
	});

	it("can be aborted at each step, and commands nothing then", () => {
		for (let step = 0; step < STEPS; step += 5) {
			const bench = start().run(OPEN_MS + step * STEP_MS + 100);
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
		other.sweep.cancel();
		assert.deepEqual([other.sweep.phase, other.sweep.progress], ["cancelled", 0]);
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
		assert.ok(bench.run(70_000).sweep.finish());
	});
});

describe("the fit of a sweep", () => {
	it("knows lower medians", () => {
		assert.equal(lowerMedianOf(Float64Array.of(4, 1, 2, 3)), 2);
		assert.equal(lowerMedianOf(Float64Array.of(9, 9, 0, 7, 5, 5, 1, 9)), 5);
	});

	it("stays within 0 and 100 and spans half of it", () => {
		const rising = (least: number, most: number) => Array.from({ length: 101 }, (_, i) => least + ((most - least) * i) / 100);
		assert.deepEqual([tableOf(rising(-3, 104))?.[0], tableOf(rising(-3, 104))?.[100]], [0, 100]);
		assert.equal(tableOf(rising(20, 69)), undefined);
		assert.ok(tableOf(rising(20, 70)));
	});
});
