/** Drive is the map: what a driver sees at an arm's length, and where a touch leads. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { linkIs, PHONE } from "./browser.js";
import { button, describePage, turnTo } from "./page-fixture.js";
import { loadAxe, NO_PROBLEMS, problemsOf } from "./page-problems.js";

/**
 * 20 minutes of arc at 70 cm on a screen of 390 px that is 65 mm wide; capitals of the usual fonts are 0.7 of
 * their size high.
 */
const ARMS_LENGTH_PX = (700 * Math.tan((20 / 60) * (Math.PI / 180)) * (390 / 65)) / 0.7;

const box = async (page: Page, what: string) => (await page.locator(what).first().boundingBox()) ?? assert.fail(what);
const whole = async (page: Page, state: string) => assert.deepEqual(await problemsOf(page), NO_PROBLEMS, state);

describePage("Drive", (fixture) => {
	it("is the map with the car in it, or the curve, or the fixed lock; the favourite modes can be read at an arm's length", async () => {
		assert.equal(await fixture.post("/api/maps/save", { name: "Gravel" }), 200);
		const { page, problems } = await fixture.open("drive", { ...PHONE, reducedMotion: "reduce" });
		await linkIs(page, "Live");
		await loadAxe(page);
		await page.locator('[data-test="shown"]', { hasText: "Gravel" }).waitFor();
		const map = await box(page, ".look");
		assert.ok(map.y < 120 && map.y + map.height >= 664 / 2 - 10 && map.width > 270, JSON.stringify(map));
		// the fixture's map upright: at 40 km/h and 40 % the car is in the fifth line and the fifth row
		const { speedBins, throttleBins } = JSON.parse(fixture.map) as Record<string, number[]>;
		const point = await box(page, ".look .point");
		const across = (point.x + point.width / 2 - map.x) / map.width;
		const down = (point.y + point.height / 2 - map.y) / map.height;
		assert.ok(Math.abs(across - (throttleBins!.indexOf(40) + 0.5) / 7) < 0.02, `across ${across}`);
		assert.ok(Math.abs(down - (speedBins!.indexOf(40) + 0.5) / 9) < 0.02, `down ${down}`);
		const bar = await box(page, ".lock-scale");
		assert.ok(bar.x >= map.x + map.width && bar.width >= 48, "a thick bar beside it");
		const size = await page
			.locator(".mode b")
			.first()
			.evaluate((text) => Number.parseFloat(getComputedStyle(text).fontSize));
		assert.ok(size >= ARMS_LENGTH_PX, `${size} px, ${ARMS_LENGTH_PX} are needed`);
		await page.locator('[data-cause="check"]').waitFor();
		assert.equal(await page.locator(".closed-gate").count(), 0);

		assert.equal(await fixture.post("/api/settings", { disengageUnderSpeed: { map: 60, speed: 60 } }), 200);
		await page.locator('[data-cause="gate"]', { hasText: "gate: below 60 km/h" }).waitFor();
		const gate = await box(page, ".closed-gate");
		assert.ok(gate.y + gate.height > point.y + point.height / 2, "the car is in what is hatched");
		await whole(page, "with a closed gate");

		await button(page, "All modes").tap();
		const sheet = page.getByRole("dialog", { name: "All modes" });
		await sheet.locator(".mode").nth(10).waitFor();
		await whole(page, "with all modes");
		await sheet.locator('[data-mode="SPEED"]').tap();
		await sheet.waitFor({ state: "detached" });
		await page.locator('.look[data-look="curves/speed"] .chart-curve').waitFor();
		await page.locator(".all-modes.selected").waitFor();
		await page.locator(".look .closed-gate").waitFor();
		await whole(page, "with a curve");

		await page.locator('[data-mode="8020"]').tap();
		await page.locator(".look.fixed", { hasText: "80:20" }).waitFor();
		await page.locator(".lock[aria-label*='requested 20 %']").waitFor();
		await whole(page, "with a fixed lock");
		await page.locator('[data-mode="STOCK"]').tap();
		await page.locator('[data-cause="hand"]').waitFor();

		await page.locator('[data-mode="MAP"]').tap();
		await page.locator('.look[data-look="map"]').tap();
		await page.locator(".heat-grid .closed-gate").waitFor();
		await whole(page, "the map's tools");
		assert.deepEqual(problems, []);
	});

	it("has two to six favourites of the driver's choice, which the controller keeps", async () => {
		const { page } = await fixture.open("drive", PHONE);
		const shown = () =>
			page.locator(".drive-modes .mode").evaluateAll((all) => all.map((mode) => (mode as HTMLElement).dataset["mode"]));
		await linkIs(page, "Live");
		assert.deepEqual(await shown(), ["STOCK", "MAP", "8020", "5050"]);
		await turnTo(page, "display");
		const toggle = async (mode: string, pressed: boolean) => {
			await page.locator(`[data-favourite="${mode}"]`).tap({ force: true });
			await page.locator(`[data-favourite="${mode}"][aria-pressed="${pressed}"]`).waitFor();
		};
		for (const mode of ["8020", "5050"]) await toggle(mode, false);
		await toggle("MAP", true);
		for (const mode of ["8020", "5050", "FWD", "7030"]) await toggle(mode, true);
		await toggle("9010", false);
		await page.locator('[data-test="save-bar"]').getByRole("button", { name: "Apply" }).tap();
		await page.getByText("As in the controller").waitFor();
		await turnTo(page, "drive");
		await page.locator('[data-mode="7030"]').waitFor();
		assert.deepEqual(await shown(), ["STOCK", "MAP", "8020", "5050", "FWD", "7030"]);
		assert.deepEqual(
			(await page.evaluate(() => document.querySelector(".drive-modes")!.getBoundingClientRect().bottom)) <= 608,
			true,
		);
		await fixture.post("/api/settings", { controls: { favourites: "STOCK MAP 8020 5050" } });
		await page.locator('[data-mode="7030"]').waitFor({ state: "detached" });
	});
});
