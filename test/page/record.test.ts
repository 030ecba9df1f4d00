/** The drive recorder, its samples, and a drive as CSV. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { CsvProblem, csvOf, driveOf } from "../../src/page/record/csv.js";
import { firstSince, GAP_MS, keepSample, runs, SAMPLES_MAX, type Sample, samples } from "../../src/page/state/samples.js";
import { until } from "../system/wait.js";
import { answerWith, PHONE, passTime } from "./browser.js";
import { at, button, describePage, downloaded, openFile, saveBar, turnTo } from "./page-fixture.js";
import { assertAccessible } from "./page-problems.js";

const value = async (page: Page, name: string): Promise<string> =>
	(await page.locator(`[data-record="${name}"]`).textContent()) ?? "";
const values = async (page: Page): Promise<string[]> =>
	Promise.all(["accent", "good", "requested"].map((name) => value(page, name)));
const countOf = (page: Page): Promise<number> => page.getByLabel("Moment shown").getAttribute("max").then(Number);

/** Touches the upper graph at a share of its width. */
async function touch(page: Page, share: number): Promise<void> {
	const box = (await page.locator(".record-graph canvas").first().boundingBox()) ?? assert.fail();
	await page.touchscreen.tap(box.x + 26 + share * (box.width - 30), box.y + box.height / 2);
}

describePage("the drive recorder", (fixture) => {
	it("shows the values of the moment that is touched in the graph, and those of now on request", async () => {
		const { page } = await fixture.open("record", { ...PHONE, stopped: true });
		const shows = (speed: string) => () => page.locator('[data-record="accent"]', { hasText: speed }).isVisible();
		await passTime(page, 12_000, shows("40 km/h"));
		fixture.bench.show(110, 80);
		await passTime(page, 500, shows("110 km/h"));
		await button(page, "30 s").tap();
		const left = () => page.locator(".record-place .point").evaluate((point) => point.getBoundingClientRect().left);
		const fast = await left();
		// 8 s of 30 before the end
		await touch(page, 0.73);
		await passTime(page, 0, shows("40 km/h"));
		const stopped = await values(page);
		assert.equal(stopped[1], "40 %");
		assert.ok((await left()) < fast, "the point was at a lower speed then");
		await passTime(page, 500);
		assert.deepEqual(await values(page), stopped, "it stays while the drive goes on");
		await page.getByLabel("Moment shown").focus();
		await page.keyboard.press("End");
		await passTime(page, 0, shows("110 km/h"));
		await page.keyboard.press("Home");
		await passTime(page, 0, shows("40 km/h"));
		fixture.bench.show(20, 10);
		await button(page, "Now").tap();
		await passTime(page, 0, shows("20 km/h"));
		await page.clock.resume();
		await assertAccessible(page);
	});

	it("shows the draft's lock beside the requested one", async () => {
		const { page } = await fixture.open("map", PHONE);
		await saveBar(page).getByText("As in the controller").waitFor();
		await button(page, "All").tap();
		await page.getByLabel("Set to").fill("77");
		await page.keyboard.press("Enter");
		await page.getByText("Not applied yet").waitFor();
		await fixture.set({ disengageUnderSpeed: { map: 5 } });
		await fixture.bench.mode("9010");
		await turnTo(page, "record");
		await page.locator('[data-record="draft"]', { hasText: "77 %" }).waitFor();
		await page.locator('[data-record="requested"]', { hasText: "10 %" }).waitFor();
		await page.locator("dt", { hasText: "Draft" }).waitFor();
		fixture.bench.show(2, 10);
		await page.locator('[data-record="draft"]', { hasText: /^0 %/ }).waitFor();
		await fixture.set({ disengageUnderSpeed: { map: 0 } });
	});

	it("saves and opens a drive as CSV, and names line and value of a fault", async () => {
		const { page } = await fixture.open("record", PHONE);
		await page.locator('[data-record="accent"]', { hasText: "40 km/h" }).waitFor();
		await until(async () => (await countOf(page)) > 12, 30_000, "some samples");
		const { name, text } = await downloaded(page, button(page, "Save as CSV"));
		assert.match(name, /^drive-\d{4}-\d\d-\d\d-\d{4}\.csv$/);
		const lines = text.trim().split("\r\n");
		assert.ok(lines.length > 10, `${lines.length} lines`);
		assert.match(lines[5], /^\d+\.\d\d,40\.0,40\.0,3000,\d+\.\d,\d+\.\d$/);
		const open = (content: string) => openFile(page, "mine.csv", content);
		await open(`${lines[0]}\n0,50,30,2000,44,43\n60,80,20,2500,12,fast\n`);
		await page.getByText('mine.csv, line 3: "lock_engaged_percent fast", allowed: 0..100').waitFor();
		await button(page, "Close").tap();
		assert.equal(await value(page, "accent"), "40 km/h");
		await open(`${lines[0]}\n0,50,30,2000,44,43\n60,80,20,2500,12,11\n`);
		await page.getByText("This is mine.csv.").waitFor();
		assert.deepEqual(await values(page), ["80 km/h", "20 %", "12 %"]);
		await page.getByLabel("Moment shown").focus();
		await page.keyboard.press("Home");
		await page.locator('[data-record="accent"]', { hasText: "50 km/h" }).waitFor();
		assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), [], "nothing of a drive outlives the page");
		await button(page, "Show the car now").tap();
		await page.locator('[data-record="accent"]', { hasText: "40 km/h" }).waitFor();
	});

	it("forgets the drive only after a question", async () => {
		const { page } = await fixture.open("record", PHONE);
		await page.locator('[data-record="accent"]', { hasText: "40 km/h" }).waitFor();
		await answerWith(page, false);
		const before = await until(
			async () => {
				const count = await countOf(page);
				return count > 12 && count;
			},
			30_000,
			"some samples",
		);
		await button(page, "Start again").tap();
		await until(
			async () => {
				const count = await countOf(page);
				assert.ok(count >= before, "nothing is forgotten");
				return count > before + 5;
			},
			30_000,
			"some more",
		);
		await answerWith(page, true);
		await button(page, "Start again").tap();
		await until(async () => (await countOf(page)) < before, 30_000, "a drive that begins anew");
	});
});

describe("the drive that the page remembers", () => {
	const telemetry = { speed: 40, throttle: 30, rpm: 2000, spec: 50, act: 49 };
	const valid = { speedValid: true, rpmValid: true, throttleValid: true, engagementValid: true };

	it("has the last 15 minutes at 10 Hz, and marks invalid values", () => {
		for (let i = 0; i < SAMPLES_MAX + 4; i++) keepSample({ ...telemetry, ...valid }, i * 100);
		keepSample({ ...telemetry, ...valid, speedValid: false, engagementValid: false }, SAMPLES_MAX * 100 + 400);
		assert.deepEqual([SAMPLES_MAX, samples.length, samples[0].atMs], [15 * 60 * 10, SAMPLES_MAX, 500]);
		const { speedKmh, pedalPercent, engagedPercent } = samples.at(-1)!;
		assert.deepEqual([speedKmh, pedalPercent, engagedPercent], [Number.NaN, 30, Number.NaN]);
		samples.length = 0;
	});

	it("is found by time, and has gaps where a value is missing", () => {
		const drive = [at(0, 1, 1), at(100, 2, 2), at(200, Number.NaN, 3), at(300, 4, 4), at(300 + GAP_MS + 1, 5, 5)];
		assert.deepEqual(
			[-1, 0, 50, 300, 9999].map((atMs) => firstSince(drive, atMs)),
			[0, 0, 1, 3, 5],
		);
		const speeds = runs(drive, ({ speedKmh }) => speedKmh).map((run) => run.map(({ speedKmh }) => speedKmh));
		assert.deepEqual(speeds, [[1, 2], [4], [5]]);
	});
});

const DRIVE: readonly Sample[] = [
	{ atMs: 5000, speedKmh: 40, pedalPercent: 12.4, rpm: 2100, requestedPercent: 33.3, engagedPercent: 33 },
	{ atMs: 5100, speedKmh: Number.NaN, pedalPercent: 101.2, rpm: 0, requestedPercent: 0, engagedPercent: Number.NaN },
];
const HEADER = "time_s,speed_kmh,pedal_percent,engine_rpm,lock_asked_percent,lock_engaged_percent";

describe("a drive as CSV", () => {
	it("begins at 0 s, leaves unknown values empty, and can be read again", () => {
		const csv = csvOf(DRIVE);
		assert.equal(csv, `${HEADER}\r\n0.00,40.0,12.4,2100,33.3,33.0\r\n0.10,,101.2,0,0.0,\r\n`);
		const expected = DRIVE.map((sample) => ({ ...sample, atMs: sample.atMs - 5000 }));
		assert.deepEqual(driveOf(csv, 2), expected);
		assert.deepEqual(driveOf(`\ufeff${csv.replaceAll("\r", "")}`, 2), expected, "as an editor may have saved it");
		// samples that Wi-Fi has held up come all at once
		assert.equal(driveOf(csvOf([...DRIVE, { ...DRIVE[1], atMs: DRIVE[1].atMs + 3 }]), 3).at(-1)?.atMs, 100);
	});

	it("is rejected with the line and the value that is wrong", () => {
		const wrong: [csv: string, line: number, found: string][] = [
			["<html>", 1, "<html>"],
			[`${HEADER}\n`, 1, "0"],
			[`${HEADER}\n0,1,1,1,1,1\n1,1,1,1,1,1\n2,1,1,1,1,1`, 4, "3"],
			[`${HEADER}\n0,1,1`, 2, "0,1,1"],
			[`${HEADER}\n0,fast,1,1,1,1`, 2, "speed_kmh fast"],
			[`${HEADER}\n0,1,1,1,100.5,1`, 2, "lock_asked_percent 100.5"],
			[`${HEADER}\n0,1,-1,1,1,1`, 2, "pedal_percent -1"],
			[`${HEADER}\n,1,1,1,1,1`, 2, "time_s "],
			[`${HEADER}\n1,1,1,1,1,1\n0.5,1,1,1,1,1`, 3, "time_s 0.5"],
		];
		for (const [csv, line, found] of wrong)
			assert.throws(
				() => driveOf(csv, 2),
				(error) => error instanceof CsvProblem && error.line === line && error.found === found,
				found,
			);
	});
});
