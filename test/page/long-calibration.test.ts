/** What the long calibration tries, how it judges, and what it proposes, on couplings of every kind. */
import assert from "node:assert/strict";
import { flawsOf, reportOf, type Start, type Sweep, search, type Trial } from "../../src/page/calibration/search.js";

const PRESENT: Trial = { torqueModel: "pinned", torqueCeilingNm: 150, framesOff: "" };
const START: Start = { generation: 5, profile: "corrected", trial: PRESENT, hasModels: true, frames: [] };
const FRAMES = ["0x08A", "0x0A7", "0x0B2"];
const STEADY: readonly number[] = Array(101).fill(1);
type Curve = Pick<Sweep, "measured" | "unsteady">;
const line = (reaches: (factor: number) => number, unsteady = STEADY): Curve => {
	const measured = Array.from({ length: 101 }, (_, factor) => Math.min(100, Math.max(0, reaches(factor))));
	return { measured, unsteady };
};
const HUNTS = line(
	(factor) => factor,
	STEADY.map((_, factor) => (factor > 20 && factor < 80 ? 14 : 1)),
);

/** All of it. @param coupling what it does with a trial */
function through(start: Start, coupling: (trial: Trial) => Curve): { sweeps: Sweep[]; found: Sweep | undefined } {
	const sweeps: Sweep[] = [];
	const sequence = search(start);
	let left = Number.POSITIVE_INFINITY;
	for (let next = sequence.next(); ; ) {
		if (next.done) return { sweeps, found: next.value };
		assert.ok(next.value.left < left, "what is left falls");
		left = next.value.left;
		const sweep = { step: next.value, ...coupling(next.value.trial) };
		sweeps.push(sweep);
		next = sequence.next(sweep);
	}
}
const tried = (sweeps: readonly Sweep[]): string[] =>
	sweeps.map(({ step: { trial } }) => `${trial.torqueModel} ${trial.torqueCeilingNm} ${trial.framesOff}`.trim());

/** Hunts with pinned torques; with proportional ones it follows 0x0A7, 0.7 counts of 254 a Nm. */
const unit554k = ({ torqueModel, torqueCeilingNm, framesOff }: Trial): Curve => {
	if (torqueModel === "pinned") return HUNTS;
	if (framesOff.includes("0x0A7")) return line(() => 3);
	return line((factor) => ((10 + ((torqueCeilingNm - 10) * factor) / 100) * 0.7 * 100) / 254);
};

describe("the long calibration", () => {
	it("is content with a coupling that follows", () => {
		const { sweeps, found } = through(START, () => line((factor) => factor));
		assert.deepEqual(tried(sweeps), ["pinned 150"]);
		assert.equal(found, sweeps[0]);
	});

	it("finds model, ceiling and the one frame that a 554K needs", () => {
		const { sweeps, found } = through({ ...START, frames: FRAMES }, unit554k);
		assert.deepEqual(tried(sweeps), [
			"pinned 150",
			"proportional 150",
			"proportional 300",
			"proportional 390",
			"proportional 390 0x08A",
			"proportional 390 0x08A 0x0A7",
			"proportional 390 0x08A 0x0B2",
		]);
		assert.deepEqual(sweeps.map(flawsOf), [["hunts"], ["dead"], ["short"], [], [], ["dead"], []]);
		assert.equal(found, sweeps[6]);
	});

	it("tries frames one after the other, keeps what changes nothing off, and never switches all off", () => {
		const needs =
			(id: string) =>
			({ framesOff }: Trial) =>
				line((factor) => (framesOff.includes(id) ? 0.6 : 1) * factor);
		const start = { ...START, generation: 4, hasModels: false, frames: FRAMES };
		assert.deepEqual(tried(through(start, needs("0x08A")).sweeps), [
			"pinned 150",
			"pinned 150 0x08A",
			"pinned 150 0x0A7",
			"pinned 150 0x0A7 0x0B2",
		]);
		const any = through(start, () => line((factor) => factor));
		assert.deepEqual(tried(any.sweeps).at(-1), "pinned 150 0x08A 0x0A7");
		assert.equal(any.found?.step.trial.framesOff, "0x08A 0x0A7");
		for (const frames of [[], ["0x0A7"]]) assert.equal(through({ ...start, frames }, needs("0x0A7")).sweeps.length, 1);
	});

	it("starts with all frames, whatever is off now, and goes back from a model that hunts", () => {
		const trial = { torqueModel: "proportional", torqueCeilingNm: 200, framesOff: "0x0A7" } as const;
		const { sweeps, found } = through({ ...START, trial }, ({ torqueModel }) =>
			torqueModel === "proportional" ? HUNTS : line((factor) => factor),
		);
		assert.deepEqual(tried(sweeps), ["proportional 200", "pinned 200"]);
		assert.equal(found, sweeps[1]);
		const short = through({ ...START, trial }, ({ torqueCeilingNm }) => line((factor) => (factor * torqueCeilingNm) / 450));
		assert.deepEqual(tried(short.sweeps), ["proportional 200", "proportional 400", "proportional 480"]);
	});

	it("proposes the least bad, and nothing where nothing closes", () => {
		const dead = through(START, () => line(() => 5));
		assert.deepEqual(tried(dead.sweeps), ["pinned 150", "proportional 150", "proportional 300", "proportional 509"]);
		assert.equal(dead.found, undefined);
		const bad = through(START, ({ torqueModel }) => (torqueModel === "pinned" ? HUNTS : line(() => 5)));
		assert.equal(bad.found, bad.sweeps[0]);
	});

	it("knows what is wrong with a curve, and takes an overshoot near full lock for none", () => {
		const near = STEADY.map((_, factor) => (factor > 91 ? 30 : 1));
		assert.deepEqual(flawsOf(line((factor) => factor, near)), []);
		assert.deepEqual(flawsOf(line((factor) => (factor < 30 ? factor : factor + 40))), ["jumps"]);
		assert.deepEqual(flawsOf(line((factor) => 3 * (factor - 55))), ["late"]);
		assert.deepEqual(flawsOf(line((factor) => 0.9 * factor)), ["short"]);
	});

	it("reports what another owner wants to know, and nothing of car or owner", () => {
		const start = { ...START, frames: FRAMES };
		const { sweeps, found } = through(start, unit554k);
		const report = reportOf(start, sweeps, found, "v0.1.0 abc1234");
		assert.deepEqual(report.split("\n").slice(0, 7), [
			"OpenCoupling long calibration",
			"software v0.1.0 abc1234",
			"generation 5, frame profile corrected",
			"engagement in % at factor 0, 10, ... 100:",
			"1. pinned, frames off: none: hunts",
			"   0 10 20 30 40 50 60 70 80 90 100; unsteady by 14 %",
			"2. proportional 150 Nm, frames off: none: dead",
		]);
		assert.match(report, /^proposed: proportional 390 Nm, frames off: 0x08A 0x0B2\nframes needed: 0x0A7\nmeasured in a car/m);
		assert.match(reportOf(start, [], undefined, ""), /nothing to use was found/);
	});
});
