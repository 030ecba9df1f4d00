/** Calibration, short and long: on a phone beside a car that stands, and how the long one searches. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { NOTHING_LEARNED } from "../../src/calibration/learning.js";
import { SPAN_MIN_PERCENT } from "../../src/calibration/sweep.js";
import { factorOf, following, reached } from "../../src/page/calibration/learned.js";
import { flawsOf, reportOf, type Start, type Sweep, search, type Trial } from "../../src/page/calibration/search.js";
import { until } from "../system/wait.js";
import { answerWith, IN_GERMAN, PHONE, untilAsked } from "./browser.js";
import { button, describePage } from "./page-fixture.js";
import { assertAccessible } from "./page-problems.js";

/** Nothing up to 30 %, then twice as steep as what is sent, and 92 % at the most. */
const TABLE = Array.from({ length: 101 }, (_, factor) => Math.min(92, Math.max(0, 2 * (factor - 30))));
const LEARNED = { ...NOTHING_LEARNED, generation: 5, date: "2026-11-23", table: TABLE };
describe("the learned table", () => {
	it("converts between requested and reached lock", () => {
		assert.deepEqual(
			[0, 30, 30.5, 76, 100].map((factor) => reached(TABLE, factor)),
			[0, 0, 1, 92, 92],
		);
		assert.deepEqual(
			[0, 1, 92, 100].map((lock) => [factorOf(TABLE, lock), factorOf(undefined, lock)]),
			[
				[0, 0],
				[30.5, 20.5],
				[76, 66],
				[76, 100],
			],
		);
		const points = following(TABLE, TABLE);
		assert.equal(points.length, 51);
		for (const [asked, is] of points) assert.ok(Math.abs(is - Math.min(92, asked)) < 1e-9, `${asked}`);
	});
});

/**
 * Begins until it has come to `step`: a machine that pauses withholds the car's frames, and each that is missing
 * ends a sweep, as it must.
 */
async function untilLearning(page: Page, step: RegExp, ...begins: readonly string[]): Promise<void> {
	await until(
		async () => {
			for (const name of begins) {
				const begin = button(page, name);
				// it may have begun between the look and the tap
				if (await begin.isVisible()) await begin.tap({ timeout: 1000 }).catch(() => undefined);
			}
			return page.getByText(step).isVisible();
		},
		90_000,
		String(step),
	);
}

describePage("calibration on the page", (fixture) => {
	beforeEach(async () => {
		fixture.bench.show(0, 0, 900);
		await fixture.bench.untilStatus(({ telemetry }) => telemetry["speed"] === 0, 5000, "a car that stands");
	});
	afterEach(() => fixture.post("/api/learn/clear", {}));

	it("begins once the driver has confirmed, shows its progress, and stops on request", async () => {
		const { page } = await fixture.open("calibration", PHONE);
		await page.getByText("Not calibrated yet").waitFor();
		await answerWith(page, false);
		await button(page, "Start").tap();
		await untilAsked(page, /with its engine running/);
		assert.equal((await fixture.get("/api/learn/status")).active, false);
		await answerWith(page, true);
		// longer than the controller waits for a page that has gone
		await untilLearning(page, /^Step [1-3]\d of 100/, "Start");
		await button(page, "Stop").tap();
		await page.getByText("Stopped: nothing has changed").waitFor();
		assert.equal((await fixture.bench.status()).effectiveMode, "MAP");
	});

	it("ends within 10 s after its page was closed", async () => {
		const { page } = await fixture.open("calibration", PHONE);
		await untilLearning(page, /^Step \d+ of 100/, "Start");
		await page.context().close();
		await fixture.unseen(() =>
			fixture.bench.untilStatus(({ effectiveMode }) => effectiveMode === "MAP", 10_000, "the active map"),
		);
	});

	it("in its long form shows each sweep, pauses when stopped, and changes neither settings nor the stored table", async () => {
		const { page } = await fixture.open("calibration", PHONE);
		const long = page.locator("section", { has: page.getByRole("heading", { name: "Long calibration" }) });
		await page.getByRole("checkbox", { name: "Also find the frames" }).tap();
		await untilLearning(page, /^Step ([3-9]|\d\d) of 100/, "Start the long calibration", "Repeat this sweep");
		await long.getByText("Sweep 1: Pinned").waitFor();
		await long.getByText("Then at most 24 more of one minute each").waitFor();
		await long.getByRole("img", { name: /^Lock reached by what is sent, \d+ of 101 steps/ }).waitFor();
		assert.equal(await button(page, "Delete the calibration").count(), 0);
		await assertAccessible(page);
		await button(page, "Stop").tap();
		await button(page, "End it").tap();
		await button(page, "Start the long calibration").waitFor();
		assert.equal((await fixture.get("/api/learn/table")).generation, 0);
		const { torqueModel, framesOff } = await fixture.get("/api/status");
		assert.deepEqual([torqueModel, framesOff], ["pinned", ""]);
	});

	it("says in German why it can't begin, draws the learned curve, and deletes it", async () => {
		await fixture.post("/api/learn/table", LEARNED);
		fixture.bench.show(40, 40);
		await fixture.bench.untilStatus(({ telemetry }) => telemetry["speed"] === 40, 5000, "a car that moves");
		const { page } = await fixture.open("calibration", IN_GERMAN);
		await page.getByRole("img", { name: "Erreichter über verlangtem Sperrgrad, bis 92 %" }).waitFor();
		await page.getByText("2026-11-23").waitFor();
		await button(page, "Beginnen").tap();
		await page.getByRole("alert").getByText("das Auto bewegt sich", { exact: true }).first().waitFor();
		await assertAccessible(page);
		await button(page, "Gelerntes löschen").tap();
		await page.getByText("Noch nichts eingelernt").waitFor();
		assert.equal((await fixture.get("/api/learn/table")).generation, 0);
	});
});

const PRESENT: Trial = { torqueModel: "pinned", torqueCeilingNm: 150, framesOff: "" };
const START: Start = { generation: 5, profile: "corrected", trial: PRESENT, hasModels: true, frames: [] };
const FRAMES = ["0x08A", "0x0A7", "0x0B2"];
const STEADY: readonly number[] = Array(101).fill(1);
type Curve = Pick<Sweep, "measured" | "unsteady">;
const line = (reaches: (factor: number) => number, unsteady = STEADY): Curve => {
	const measured = Array.from({ length: 101 }, (_, factor) => Math.min(100, Math.max(0, reaches(factor))));
	return { measured, unsteady };
};
const FOLLOWS = line((factor) => factor);
const ofSpan = (percent: number) => line((factor) => (factor * percent) / 100);
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

	it("calls a coupling dead whose curve gives the controller no table", () => {
		assert.deepEqual(
			[SPAN_MIN_PERCENT, SPAN_MIN_PERCENT - 1].map((percent) => flawsOf(ofSpan(percent)).includes("dead")),
			[false, true],
		);
	});

	it("starts with all frames on, leaves a model that hunts, raises the ceiling, and keeps off what changes nothing", () => {
		const needs = ({ framesOff }: Trial) => line((factor) => (framesOff.includes("0x08A") ? 0.6 : 1) * factor);
		const frames = { ...START, generation: 4, hasModels: false, frames: FRAMES };
		const other: Start = { ...START, trial: { torqueModel: "proportional", torqueCeilingNm: 200, framesOff: "0x0A7" } };
		const hunts = ({ torqueModel }: Trial) => (torqueModel === other.trial.torqueModel ? HUNTS : FOLLOWS);
		const weak = ({ torqueCeilingNm }: Trial) => line((factor) => (factor * torqueCeilingNm) / 450);
		const dead = line(() => 5);
		const all = "pinned 150, proportional 150, proportional 300, proportional 509";
		/** `found`: which of the sweeps is proposed, -1 = none. */
		const rows: [start: Start, coupling: (trial: Trial) => Curve, sweeps: string, found: number][] = [
			[START, () => FOLLOWS, "pinned 150", 0],
			[frames, needs, "pinned 150, pinned 150 0x08A, pinned 150 0x0A7, pinned 150 0x0A7 0x0B2", 3],
			// never all of them
			[frames, () => FOLLOWS, "pinned 150, pinned 150 0x08A, pinned 150 0x08A 0x0A7", 2],
			[other, hunts, "proportional 200, pinned 200", 1],
			[other, weak, "proportional 200, proportional 400, proportional 480", 2],
			[START, () => dead, all, -1],
			// the best of the bad ones
			[START, (trial) => (trial.torqueModel === "pinned" ? HUNTS : dead), all, 0],
		];
		for (const [start, coupling, expected, index] of rows) {
			const { sweeps, found } = through(start, coupling);
			assert.equal(tried(sweeps).join(", "), expected);
			assert.equal(found, sweeps[index]);
		}
	});

	it("names the flaws of a curve, and allows an overshoot near full lock", () => {
		const near = STEADY.map((_, factor) => (factor > 91 ? 30 : 1));
		assert.deepEqual(flawsOf(line((factor) => factor, near)), []);
		assert.deepEqual(flawsOf(line((factor) => (factor < 30 ? factor : factor + 40))), ["jumps"]);
		assert.deepEqual(flawsOf(line((factor) => 3 * (factor - 55))), ["late"]);
		assert.deepEqual(flawsOf(line((factor) => 0.9 * factor)), ["short"]);
	});

	it("writes a report without traces of car or owner", () => {
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
