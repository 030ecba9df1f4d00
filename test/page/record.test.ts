import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../system/wait.js";
import { answerWith, PHONE, passTime, resize } from "./browser.js";
import { box, button, describePage, downloaded, saveBar, turnTo } from "./page-fixture.js";
import { loadAxe, NO_PROBLEMS, problemsOf } from "./page-problems.js";

const value = async (page: Page, name: string): Promise<string> =>
	(await page.locator(`[data-record="${name}"]`).textContent()) ?? "";
const values = async (page: Page): Promise<string[]> =>
	Promise.all(["accent", "good", "requested"].map((name) => value(page, name)));
const samples = (page: Page): Promise<number> => page.getByLabel("Moment shown").getAttribute("max").then(Number);

/** Touches the upper graph at a share of its width. */
async function touch(page: Page, share: number): Promise<void> {
	const box = (await page.locator(".record-graph canvas").first().boundingBox()) ?? assert.fail();
	await page.touchscreen.tap(box.x + 26 + share * (box.width - 30), box.y + box.height / 2);
}

describePage("the drive recorder", (fixture) => {
	it("shows the drive, stops where the graph is touched, moves the point on the map, and goes on", async () => {
		const { page, problems } = await fixture.open("record", { ...PHONE, stopped: true });
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
		await loadAxe(page);
		assert.deepEqual(await problemsOf(page), NO_PROBLEMS);
		assert.deepEqual(problems, []);
	});

	it("has graph, values and the point on the map in one look, upright, on its side and on a large screen", async () => {
		const { page } = await fixture.open("record", PHONE);
		await page.locator(".record-place .point").waitFor();
		for (const size of [PHONE.viewport, { width: 844, height: 390 }, { width: 1280, height: 800 }]) {
			await resize(page, size);
			const bar = await box(page.locator(".pages"));
			const bottom = bar.height < size.height / 2 ? bar.y : size.height;
			for (const part of [".record-graph canvas", ".record-values", ".record-place"]) {
				const { y, height } = await box(page.locator(part).first());
				assert.ok(y >= 0 && y + height <= bottom, `${part} ends at ${y + height} of ${bottom}`);
			}
		}
	});

	it("says what the draft would have asked, beside what was asked", async () => {
		const { page } = await fixture.open("map", PHONE);
		await saveBar(page).getByText("As in the controller").waitFor();
		await button(page, "All").tap();
		await page.getByLabel("Set to").fill("77");
		await page.keyboard.press("Enter");
		await page.getByText("Not applied yet").waitFor();
		await fixture.post("/api/settings", { disengageUnderSpeed: { map: 5 } });
		await fixture.bench.mode("9010");
		await turnTo(page, "record");
		await page.locator('[data-record="draft"]', { hasText: "77 %" }).waitFor();
		await page.locator('[data-record="requested"]', { hasText: "10 %" }).waitFor();
		await page.locator("dt", { hasText: "Draft" }).waitFor();
		fixture.bench.show(2, 10);
		await page.locator('[data-record="draft"]', { hasText: /^0 %/ }).waitFor();
		await fixture.post("/api/settings", { disengageUnderSpeed: { map: 0 } });
	});

	it("saves a drive as CSV and shows it again; a wrong file changes nothing and is told by line and value", async () => {
		const { page } = await fixture.open("record", PHONE);
		await page.locator('[data-record="accent"]', { hasText: "40 km/h" }).waitFor();
		await until(async () => (await samples(page)) > 12, 30_000, "some samples");
		const { name, text } = await downloaded(page, button(page, "Save as CSV"));
		assert.match(name, /^drive-\d{4}-\d\d-\d\d-\d{4}\.csv$/);
		const lines = text.trim().split("\r\n");
		assert.ok(lines.length > 10, `${lines.length} lines`);
		assert.match(lines[5], /^\d+\.\d\d,40\.0,40\.0,3000,\d+\.\d,\d+\.\d$/);
		const open = (content: string) =>
			page.locator('input[type="file"]').setInputFiles({ name: "mine.csv", mimeType: "text/csv", buffer: Buffer.from(content) });
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
				const count = await samples(page);
				return count > 12 && count;
			},
			30_000,
			"some samples",
		);
		await button(page, "Start again").tap();
		assert.ok((await samples(page)) >= before);
		await answerWith(page, true);
		await button(page, "Start again").tap();
		await until(async () => (await samples(page)) < before, 30_000, "a drive that begins anew");
	});
});
