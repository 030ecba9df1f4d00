import assert from "node:assert/strict";
import {
	isDay,
	LEARNED_DOCUMENT,
	type LearnedTable,
	Learning,
	learnedTableFrom,
	NOTHING_LEARNED,
} from "../../src/calibration/learning.js";
import { CalibrationProblem, STEP_MS, Sweep } from "../../src/calibration/sweep.js";
import { ManualTime, MemoryFiles } from "../support/memory-files.js";

const TABLE = Array.from({ length: 101 }, (_, factor) => Math.max(0, factor - 20) + 0.5);
const LEARNED: LearnedTable = { ...NOTHING_LEARNED, generation: 4, frameProfile: "corrected", date: "2026-11-23", table: TABLE };
const PATH = "calibration.json";

class Desk {
	readonly time = new ManualTime();
	readonly reports: string[] = [];
	readonly taken: LearnedTable[] = [];
	readonly sweep = new Sweep();
	readonly vehicle = { clutchTemperatureC: Number.NaN };
	rejection: string | undefined;
	readonly learning: Learning;

	constructor(readonly files = new MemoryFiles({})) {
		const { time, sweep } = this;
		const storage = {
			files,
			writes: time.writes,
			clock: time,
			report: (_: string, problem: string) => void this.reports.push(problem),
		};
		this.learning = new Learning(
			{
				settings: { ...NOTHING_LEARNED, generation: 2 },
				calibration: { sweep },
				vehicle: this.vehicle,
				startCalibration: () => {
					if (this.rejection === undefined) sweep.start(0);
					return this.rejection;
				},
				useLearned: (learned) => void this.taken.push(learned),
			},
			storage,
		);
		this.learning.load();
	}

	/** @param span of the coupling's engagement, percent */
	sweepThrough(span: number): void {
		for (let ms = 10; this.sweep.phase === "running"; ms += 10) {
			this.sweep.heard(ms);
			this.sweep.tick(ms, (this.sweep.factorPercent * span) / 100);
		}
		this.learning.tick();
	}

	replace(learned: LearnedTable): string | undefined {
		let problem: string | undefined;
		this.learning.replace(learned, (reason) => (problem = reason));
		assert.equal(problem, undefined, "not before it is stored");
		this.time.pass(500);
		return problem;
	}

	stored(): string {
		this.time.pass(3000);
		return this.files.text(PATH) ?? "";
	}
}

describe("calibration/learning", () => {
	it("begins with nothing, and keeps a sweep's table with its settings", () => {
		const desk = new Desk();
		assert.deepEqual(desk.taken, [NOTHING_LEARNED]);
		assert.equal(desk.learning.start("2026-11-23"), undefined);
		desk.learning.tick();
		assert.equal(desk.taken.length, 1, "not before it is whole");
		desk.sweepThrough(100);
		const { generation, frameProfile, date, table } = desk.learning.learned;
		assert.deepEqual([generation, frameProfile, date, table[70]], [2, "reference", "2026-11-23", 70]);
		assert.equal(desk.taken[1], desk.learning.learned);
		assert.deepEqual(JSON.parse(desk.stored()), { format: 1, ...desk.learning.learned });
		const next = new Desk(desk.files);
		assert.deepEqual(next.taken, [desk.learning.learned]);
	});

	it("keeps how warm the oil was, where the coupling reports it", () => {
		const desk = new Desk();
		desk.vehicle.clutchTemperatureC = 24;
		desk.learning.start("");
		desk.vehicle.clutchTemperatureC = 29;
		desk.sweepThrough(100);
		assert.deepEqual(desk.learning.learned.oilC, [24, 29]);
		assert.deepEqual(JSON.parse(desk.stored())["oilC"], [24, 29]);
		assert.deepEqual(new Desk(desk.files).taken, [desk.learning.learned]);
		desk.vehicle.clutchTemperatureC = Number.NaN;
		desk.learning.start("");
		desk.sweepThrough(100);
		assert.deepEqual(desk.learning.learned.oilC, []);
		for (const oilC of [24, null, [24], ["24", 29], [24, null], [24, 29, 30]])
			assert.throws(() => learnedTableFrom({ ...LEARNED, oilC }), /^RangeError: oilC/, JSON.stringify(oilC));
	});

	it("leaves the old table when a sweep is rejected, aborted or useless", () => {
		const desk = new Desk();
		assert.equal(desk.replace(LEARNED), "");
		const before = desk.stored();
		desk.rejection = CalibrationProblem.CAR_MOVES;
		assert.equal(desk.learning.start(""), CalibrationProblem.CAR_MOVES);
		desk.rejection = undefined;
		desk.learning.start("");
		desk.sweep.tick(STEP_MS, 50, CalibrationProblem.CAR_MOVES);
		desk.learning.tick();
		desk.learning.start("");
		desk.sweepThrough(49);
		assert.match(desk.sweep.problem, /hardlyMoved/);
		assert.equal(desk.learning.learned, LEARNED);
		assert.equal(desk.stored(), before);
		assert.equal(desk.taken.length, 2);
	});

	it("keeps nothing of a trial, which the sweep tells", () => {
		const desk = new Desk();
		assert.equal(desk.replace(LEARNED), "");
		const before = desk.stored();
		assert.equal(desk.learning.start("", { torqueModel: "proportional", torqueCeilingNm: 300, framesOff: "0x0A8" }), undefined);
		desk.sweepThrough(80);
		assert.deepEqual([desk.sweep.phase, desk.sweep.measured.length, desk.sweep.measured[100]], ["done", 101, 80]);
		assert.equal(desk.learning.learned, LEARNED);
		assert.equal(desk.stored(), before);
		assert.equal(desk.taken.length, 2);
		desk.learning.start("", { torqueModel: "pinned", torqueCeilingNm: 300, framesOff: "" });
		desk.sweepThrough(40);
		assert.deepEqual([desk.sweep.problem, desk.sweep.measured[100]], [CalibrationProblem.HARDLY_MOVED, 40]);
		// the next one that is no trial is kept again
		desk.learning.start("");
		desk.sweepThrough(80);
		assert.equal(desk.learning.learned.table[100], 80);
	});

	it("does not take a table of older firmware for generation 5 in corrected, whose rows were others; any other is pinned", () => {
		const former = (generation: number, frameProfile: string) =>
			learnedTableFrom({ generation, frameProfile, date: "", table: TABLE });
		assert.throws(() => former(5, "corrected"), /^RangeError: torqueModel undefined is not allowed/);
		for (const [generation, profile] of [
			[5, "reference"],
			[4, "corrected"],
		] as const) {
			const { torqueModel, torqueCeilingNm, framesOff } = former(generation, profile);
			assert.deepEqual([torqueModel, torqueCeilingNm, framesOff], ["pinned", 150, ""]);
		}
		for (const wrong of [
			{ torqueModel: "x" },
			{ torqueCeilingNm: 9 },
			{ torqueCeilingNm: "150" },
			{ framesOff: "x" },
			{ framesOff: 1 },
		])
			assert.throws(() => learnedTableFrom({ ...LEARNED, ...wrong }), RangeError);
	});

	it("forgets, also after a restart; if that can't be stored it says why and keeps its table", () => {
		const other = new Desk();
		other.replace(LEARNED);
		assert.equal(other.replace(NOTHING_LEARNED), "");
		assert.deepEqual(new Desk(other.files).taken, [NOTHING_LEARNED]);
		const desk = new Desk();
		desk.replace(LEARNED);
		desk.files.capacity = 20;
		assert.equal(desk.replace(NOTHING_LEARNED), "no space");
		assert.equal(desk.learning.learned, LEARNED);
		assert.deepEqual(desk.taken, [NOTHING_LEARNED, LEARNED]);
		assert.deepEqual(new Desk(desk.files).taken, [LEARNED]);
	});

	it("says nothing that a sweep which has just ended takes back: the last word counts", () => {
		const measured = (): Desk => {
			const desk = new Desk();
			desk.learning.start("");
			for (let ms = 10; desk.sweep.phase === "running"; ms += 10) {
				desk.sweep.heard(ms);
				desk.sweep.tick(ms, desk.sweep.factorPercent);
			}
			assert.equal(desk.sweep.phase, "measured");
			return desk;
		};
		const replaced = measured();
		replaced.replace(LEARNED);
		replaced.learning.tick();
		assert.equal(replaced.learning.learned, LEARNED);
		replaced.learning.start("");
		replaced.sweepThrough(100);
		assert.equal(replaced.learning.learned.generation, 2, "the next one is kept");
		const cancelled = measured();
		cancelled.learning.cancel();
		const active = cancelled.taken.at(-1);
		cancelled.learning.tick();
		assert.equal(cancelled.learning.learned, active);
		const again = measured();
		assert.equal(again.learning.start(""), undefined);
		const { table } = again.learning.learned;
		again.learning.cancel();
		assert.deepEqual([table.length, again.learning.learned.table.length], [101, 101], "the next one begins after it is kept");
		assert.equal(cancelled.sweep.phase, "done");
	});

	it("goes on without a table from a file that can't be used, says so, and sets it aside", () => {
		for (const [text, problem] of [
			['{"format":1,"generation":4,"frameProfile"', /not JSON/],
			[JSON.stringify({ format: 1, ...LEARNED, table: TABLE.slice(1) }), /table is not allowed; allowed: 101 numbers/],
			[JSON.stringify({ format: 2, ...LEARNED }), /format is 2/],
			[JSON.stringify({ format: 1, ...LEARNED, table: TABLE.map((percent) => percent + 0.01) }), /allowed: tenths/],
		] as const) {
			const desk = new Desk(new MemoryFiles({ [PATH]: text }));
			assert.deepEqual(desk.taken, [NOTHING_LEARNED]);
			assert.match(desk.reports[0], problem);
			assert.match(desk.reports[0], /^calibration\.json can't be used \(it is kept as calibration\.json\.bad\)/);
		}
	});

	it("stores what is active when a sweep ends while another table is being stored", () => {
		for (let turn = 0; turn < 12; turn++) {
			const desk = new Desk(new MemoryFiles({ [PATH]: "{}" }));
			desk.learning.start("2026-11-23");
			let problem: string | undefined;
			desk.learning.replace(LEARNED, (reason) => (problem = reason));
			let left = turn;
			const next = (): void => (left-- > 0 ? desk.time.later(next, 0) : desk.sweepThrough(100));
			next();
			desk.time.pass(500);
			assert.equal(problem, "");
			const stored = learnedTableFrom(JSON.parse(desk.stored()));
			assert.deepEqual(stored, desk.learning.learned, `after ${turn} turns`);
			assert.deepEqual(desk.taken.at(-1), stored);
		}
	});
});

describe("LEARNED_DOCUMENT", () => {
	it("reads a file of the greatest size that it writes", () => {
		const longest = {
			...LEARNED,
			table: TABLE.map(() => 0)
				.concat([99.9])
				.slice(1),
		};
		for (const learned of [LEARNED, longest, NOTHING_LEARNED]) {
			const text = JSON.stringify({ format: 1, ...LEARNED_DOCUMENT.write(learned) });
			assert.ok(text.length < LEARNED_DOCUMENT.maxBytes / 2, `${text.length}`);
			assert.deepEqual(learnedTableFrom(JSON.parse(text)), learned);
		}
	});

	it("rejects an invalid table or member, and says what is allowed", () => {
		const falling = [...TABLE];
		falling[50] = 1;
		for (const [change, said] of [
			[{ generation: 3 }, "generation 3 is not allowed; allowed: 0, 1, 2, 4, 5, 51, 53"],
			[{ generation: "x".repeat(99) }, /^generation "x{31} is/],
			[{ frameProfile: "other" }, 'frameProfile "other" is not allowed; allowed: reference, corrected'],
			[{ date: "today" }, 'date "today" is not allowed; allowed: a day as 2026-11-23, or ""'],
			[{ date: undefined }, /^date undefined/],
			[
				{ table: {} },
				/^table is not allowed; allowed: 101 numbers 0\.\.100 that never fall, the last at least 50 above the first; of generation 0 none$/,
			],
			[{ generation: 0 }, /^table/],
			[{ generation: 0, table: undefined }, /^table/],
			[{ table: falling }, /^table/],
			[{ table: [...TABLE.slice(0, 100), 101] }, /^table/],
			[{ table: [-1, ...TABLE.slice(1)] }, /^table/],
			[{ table: [...TABLE.slice(0, 100), null] }, /^table/],
			[{ table: TABLE.map((percent) => percent / 2) }, /^table/],
		] as const)
			assert.throws(() => learnedTableFrom({ ...LEARNED, ...change }), { name: "RangeError", message: said });
	});

	it("takes a date as YYYY-MM-DD or none, and nothing else", () => {
		for (const day of ["", "2026-11-23"]) assert.ok(isDay(day), day);
		const wrong = ["2026-11-2x", "20261-1-23", "2026-1-023", "2026-11-23T", "26-11-2026", "----------", 20261123, undefined];
		for (const other of wrong) assert.ok(!isDay(other), `${other}`);
	});
});
