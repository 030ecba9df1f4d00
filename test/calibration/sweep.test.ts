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
import { commandFactor } from "../../src/controller/lock-factor.js";
import { FULL_FACTOR } from "../../src/coupling/frame-plan.js";

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

/** A whole sweep in which each tick of 10 ms reports what `reportedAt` says of the factor. */
function sweepThrough(bench: Bench, reportedAt: (factor: number, ms: number) => number): void {
	for (let ms = 0; bench.sweep.phase === "running"; ms += 10) {
		bench.nowMs = (bench.nowMs + 10) >>> 0;
		bench.sweep.heard(bench.nowMs);
		bench.sweep.tick(bench.nowMs, reportedAt(bench.sweep.factorPercent, ms));
	}
}

describe("calibration", () => {
	it("goes on evenly to full factor where the report has ended, so that full lock asks for all there is", () => {
		const bench = start();
		// one reading below it again after the end: hunting
		sweepThrough(bench, (factor) => (factor >= 40 && factor !== 45 ? Number.POSITIVE_INFINITY : Math.min(96, 2.4 * factor)));
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
		const { sweep } = bench;
		sweepThrough(bench, (factor, ms) => {
			if (factor === 21) assert.deepEqual([sweep.measured.length, sweep.measured[20], sweep.unsteady[20]], [21, 20, 0]);
			// hunts between 30 and 60 %: by 12 % in a step, and from one step to the next by 5 %
			const hunts = factor > 30 && factor < 60;
			const swing = hunts ? (ms % 200 < 100 ? 12 : 0) - (factor % 2) * 6 : 0;
			return Math.max(0, factor + swing);
		});
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
		// the smallest factor that reaches the most
		const bench = start();
		bench.noisePercent = 0;
		assert.ok(commandFactor(100, bench.run(70_000).sweep.finish()!, "corrected") < FULL_FACTOR * 0.99);
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
			const { sweep } = bench;
			assert.equal(sweep.progress, step);
			bench.problem = CalibrationProblem.CAR_MOVES;
			bench.run(10);
			assert.deepEqual([sweep.phase, sweep.factorPercent, sweep.problem], ["failed", 0, CalibrationProblem.CAR_MOVES]);
		}
	});

	it("is over when the page has been silent for 5 s, a step brings no report, or the operator ends it; then it can begin anew", () => {
		const silent = start().run(1000);
		silent.isPageThere = false;
		silent.run(OPERATOR_MS);
		assert.equal(silent.sweep.phase, "running");
		silent.run(10);
		assert.equal(silent.sweep.problem, CalibrationProblem.PAGE_GONE);
		const absent = start().run(1000);
		absent.isPresent = false;
		absent.run(STEP_MS * 2);
		assert.equal(absent.sweep.problem, CalibrationProblem.NO_REPORT);
		const ended = start().run(5000);
		ended.sweep.cancel();
		ended.sweep.abort("too late");
		assert.deepEqual([ended.sweep.phase, ended.sweep.problem], ["cancelled", ""]);
		for (const { sweep, nowMs } of [silent, absent, ended]) sweep.start(nowMs);
		assert.deepEqual([absent.sweep.problem, absent.sweep.progress], ["", 0]);
		Object.assign(silent, { isPageThere: true, engagement: 60, reaches: () => 60 });
		assert.equal(silent.run(2 * STEP_MS).sweep.progress, 0, "it waits again for the coupling to be open");
		assert.ok(ended.run(70_000).sweep.finish());
	});
});

describe("the fit of a sweep", () => {
	it("takes the lower of two medians", () => {
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
