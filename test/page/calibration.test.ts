/** Calibration on a phone, beside a car that stands. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { factorOf, following, reached } from "../../src/page/calibration/learned.js";
import { until } from "../system/wait.js";
import { answerWith, PHONE, questionsOf } from "./browser.js";
import { button, describePage } from "./page-fixture.js";
import { loadAxe, NO_PROBLEMS, problemsOf } from "./page-problems.js";

/** Nothing up to 30 %, then twice as steep as what is sent, and 92 % at the most. */
const TABLE = Array.from({ length: 101 }, (_, factor) => Math.min(92, Math.max(0, 2 * (factor - 30))));
const LEARNED = {
	generation: 5,
	frameProfile: "reference",
	torqueModel: "pinned",
	torqueCeilingNm: 150,
	framesOff: "",
	date: "2026-11-23",
	oilC: [],
	table: TABLE,
};
interface Learn {
	readonly active: boolean;
	readonly progress: number;
}

describe("what was learned", () => {
	it("tells what a lock reaches, by itself and by a guess", () => {
		assert.deepEqual(
			[0, 30, 30.5, 76, 100].map((factor) => reached(TABLE, factor)),
			[0, 0, 1, 92, 92],
		);
		assert.deepEqual(
			[0, 1, 50, 92, 100].map((lock) => factorOf(TABLE, lock)),
			[0, 30.5, 55, 76, 76],
		);
		assert.deepEqual(
			[0, 1, 50, 100].map((lock) => factorOf(undefined, lock)),
			[0, 20.5, 45, 100],
		);
		const points = following(TABLE, TABLE);
		assert.equal(points.length, 51);
		for (const [asked, is] of points) assert.ok(Math.abs(is - Math.min(92, asked)) < 1e-9, `${asked}`);
	});
});

/**
 * Begins until it goes on up to `step`: a machine that pauses withholds the car's frames, and each that is
 * missing ends it, as it must.
 */
async function untilLearning(page: Page, step: RegExp): Promise<void> {
	await until(
		async () => {
			const begin = button(page, "Start");
			// it may have begun between the look and the tap
			if (await begin.isVisible()) await begin.tap({ timeout: 1000 }).catch(() => undefined);
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

	it("begins when the driver has confirmed it, goes on while he looks, and stops when he wants", async () => {
		const { page, problems } = await fixture.open("calibration", PHONE);
		await page.getByText("Not calibrated yet").waitFor();
		await answerWith(page, false);
		await button(page, "Start").tap();
		await until(async () => /with its engine running/.test((await questionsOf(page))[0] ?? ""), 30_000, "the question");
		assert.equal((await fixture.json<Learn>("/api/learn/status")).active, false);
		await answerWith(page, true);
		// longer than the controller waits for a page that has gone
		await untilLearning(page, /^Step [1-3]\d of 100/);
		await button(page, "Stop").tap();
		await page.getByText("Stopped: nothing has changed").waitFor();
		assert.equal((await fixture.bench.status()).effectiveMode, "MAP");
		assert.deepEqual(problems, []);
	});

	it("is over when the page is left", async () => {
		const { page } = await fixture.open("calibration", PHONE);
		await untilLearning(page, /^Step \d+ of 100/);
		await page.context().close();
		await fixture.bench.untilStatus(({ effectiveMode }) => effectiveMode === "MAP", 10_000, "the map in force");
	});

	it("tries another model in a long calibration, pauses when it is stopped, and leaves settings and flash alone", async () => {
		const { page, problems } = await fixture.open("calibration", PHONE);
		const long = page.locator("section", { has: page.getByRole("heading", { name: "Long calibration" }) });
		await page.getByRole("checkbox", { name: "Also find the frames" }).tap();
		// a machine that pauses withholds frames, which ends a sweep as it must: then it can be repeated
		const untilStep = (step: RegExp): Promise<unknown> =>
			until(
				async () => {
					for (const name of ["Start the long calibration", "Repeat this sweep"]) {
						const begin = button(page, name);
						if (await begin.isVisible()) await begin.tap({ timeout: 1000 }).catch(() => undefined);
					}
					return long.getByText(step).isVisible();
				},
				90_000,
				String(step),
			);
		await untilStep(/^Step ([3-9]|\d\d) of 100/);
		await long.getByText("Sweep 1: Pinned").waitFor();
		await long.getByText("Then at most 24 more of one minute each").waitFor();
		await long.getByRole("img", { name: /^Lock reached by what is sent, \d+ of 101 steps/ }).waitFor();
		assert.equal(await button(page, "Delete the calibration").count(), 0);
		await loadAxe(page);
		assert.deepEqual(await problemsOf(page), NO_PROBLEMS);
		await button(page, "Stop").tap();
		await long
			.getByRole("alert")
			.getByText(/Stopped|the/)
			.waitFor();
		await button(page, "End it").tap();
		await button(page, "Start the long calibration").waitFor();
		assert.equal((await fixture.json<{ generation: number }>("/api/learn/table")).generation, 0);
		const { torqueModel, framesOff } = await fixture.json<Record<string, unknown>>("/api/status");
		assert.deepEqual([torqueModel, framesOff], ["pinned", ""]);
		assert.deepEqual(problems, []);
	});

	it("says why it can't begin, and draws what was learned, in German and for everybody", async () => {
		await fixture.post("/api/learn/table", LEARNED);
		fixture.bench.show(40, 40);
		await fixture.bench.untilStatus(({ telemetry }) => telemetry["speed"] === 40, 5000, "a car that moves");
		const { page, problems } = await fixture.open("calibration", { ...PHONE, locale: "de-DE" });
		await page.getByRole("img", { name: "Erreichter über verlangtem Sperrgrad, bis 92 %" }).waitFor();
		await page.getByText("2026-11-23").waitFor();
		await button(page, "Beginnen").tap();
		await page.getByRole("alert").getByText("das Auto bewegt sich", { exact: true }).first().waitFor();
		await loadAxe(page);
		assert.deepEqual(await problemsOf(page), NO_PROBLEMS);
		assert.deepEqual(problems, []);
	});

	it("forgets what was learned", async () => {
		await fixture.post("/api/learn/table", LEARNED);
		const { page } = await fixture.open("calibration", PHONE);
		await button(page, "Delete the calibration").tap();
		await page.getByText("Not calibrated yet").waitFor();
		assert.equal((await fixture.json<{ generation: number }>("/api/learn/table")).generation, 0);
	});
});
