import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Page, Route } from "playwright-core";
import { until } from "../system/wait.js";
import { arrive, linkIs, PHONE, PLAIN_HTTP_HOST, visit } from "./browser.js";
import { button, describePage, turnTo } from "./page-fixture.js";
import { loadAxe, NO_PROBLEMS, problemsOf } from "./page-problems.js";

const ON_ITS_SIDE = { ...PHONE, viewport: { width: 844, height: 390 } };

/** Waits until these modes are shown, in this order. */
async function modesAre(page: Page, modes: readonly string[]): Promise<void> {
	let shown: (string | undefined)[] = [];
	const areShown = async (): Promise<boolean> => {
		shown = await page.locator(".mode").evaluateAll((all) => all.map((mode) => (mode as HTMLElement).dataset["mode"]));
		return isDeepStrictEqual(shown, modes);
	};
	await until(areShown, 20_000, () => `${modes}, not ${shown}`);
}

/** Makes the phone one that vibrates. */
async function feel(page: Page): Promise<void> {
	await page.evaluate(() => {
		const felt: unknown[] = [];
		Object.assign(window, { felt });
		navigator.vibrate = (pattern) => felt.push(pattern) > 0;
	});
}

/** What the page has asked the phone to do: patterns of vibration. */
async function feeling(page: Page): Promise<unknown[]> {
	return page.evaluate(() => (window as unknown as { felt: unknown[] }).felt);
}

describePage("the full screen", (fixture) => {
	for (const [name, options] of [
		["upright", PHONE],
		["on its side", ON_ITS_SIDE],
	] as const)
		it(`shows lock, state and the driver's modes in one look, as large as it goes, ${name}`, async () => {
			const { page, problems } = await fixture.open("drive", options);
			await linkIs(page, "Live");
			await button(page, "Full screen").tap();
			await page.locator(".full-asked", { hasText: /\d/ }).waitFor();
			assert.equal(await page.evaluate(() => document.fullscreenElement !== null), true, "the browser gives the whole screen");
			assert.equal(await page.locator(".top, .pages").count(), 0);
			const { width, height } = page.viewportSize() ?? assert.fail();
			for (const part of [".full-asked", ".full-scale", ".drive-state", ".mode:last-child"]) {
				const { y, height: high } = (await page.locator(part).boundingBox()) ?? assert.fail(part);
				assert.ok(y >= 0 && y + high <= height, `${part} ends at ${y + high} of ${height}`);
			}
			const size = await page.locator(".full-asked").evaluate((number) => Number.parseFloat(getComputedStyle(number).fontSize));
			assert.ok(size > Math.min(width, height) / 4, `${size} px`);
			await page.getByLabel("Leave the full screen").tap();
			await page.locator(".top h1", { hasText: "Drive" }).waitFor();
			await page.waitForFunction(() => document.fullscreenElement === null);
			assert.deepEqual(problems, []);
		});

	for (const [name, options] of [
		["upright", PHONE],
		["on its side", ON_ITS_SIDE],
	] as const)
		it(`tells what was refused where nothing else is to be touched, ${name}`, async () => {
			const { page } = await fixture.open("full", options);
			await linkIs(page, "Live");
			await page.route("**/api/mode", (route) => route.continue({ postData: '{"mode":"gone"}' }));
			await page.locator('[data-mode="8020"]').tap();
			const { x, y, width, height } = (await page.locator(".notice.bad").boundingBox()) ?? assert.fail();
			for (const control of await page.locator(".full a, .full button").all()) {
				const other = (await control.boundingBox()) ?? assert.fail();
				const apart = other.x >= x + width || other.x + other.width <= x || other.y >= y + height || other.y + other.height <= y;
				assert.ok(apart, await control.innerHTML());
			}
		});

	it("has two to six modes of the driver's choice, which the controller keeps, and puts them in force", async () => {
		const { page } = await fixture.open("full", PHONE);
		await modesAre(page, ["STOCK", "MAP", "8020", "5050"]);
		await button(page, "Modes").tap();
		await loadAxe(page);
		assert.deepEqual(await problemsOf(page), NO_PROBLEMS);
		const choice = (mode: string) => page.locator(`[data-favourite="${mode}"]`);
		const toggle = async (mode: string, pressed: boolean) => {
			await choice(mode).tap();
			await page.locator(`[data-favourite="${mode}"][aria-pressed="${pressed}"]`).waitFor();
		};
		for (const mode of ["8020", "5050"]) await toggle(mode, false);
		await choice("MAP").tap({ force: true });
		assert.equal(await choice("MAP").getAttribute("aria-pressed"), "true", "two is the least");
		for (const mode of ["8020", "5050", "FWD", "7030"]) await toggle(mode, true);
		await choice("9010").tap({ force: true });
		assert.equal(await choice("9010").getAttribute("aria-pressed"), "false", "six is the most");
		await toggle("5050", false);
		await button(page, "Modes").tap();
		const chosen = ["STOCK", "MAP", "FWD", "8020", "7030"];
		await modesAre(page, chosen);
		await page.reload();
		await linkIs(page, "Live");
		await modesAre(page, chosen);
		await page.locator('[data-mode="7030"]').tap();
		await page.locator('.mode.selected:not(.waiting)[data-mode="7030"]').waitFor();
		await page.locator(".full-asked", { hasText: "30" }).waitFor();
		const { effectiveMode, controls } = (await fixture.bench.status()) as unknown as Record<string, { favourites: string }>;
		assert.equal(effectiveMode, "7030");
		assert.equal(controls!.favourites, "STOCK MAP 8020 FWD 7030");
		await fixture.post("/api/settings", { controls: { favourites: "STOCK MAP 8020 5050" } });
		await modesAre(page, ["STOCK", "MAP", "8020", "5050"]);
	});

	it("vibrates once when a mode is in force, and twice when it is lost", async () => {
		const { page } = await fixture.open("full", PHONE);
		await linkIs(page, "Live");
		await feel(page);
		await page.locator('.mode.selected:not(.waiting)[data-mode="MAP"]').waitFor();
		await page.locator('[data-mode="8020"]').tap();
		await page.locator('.mode.selected:not(.waiting)[data-mode="8020"]').waitFor();
		// a car that pauses loses a mode and brings it back beside what is done here: feel.test.ts counts them
		assert.deepEqual((await feeling(page)).at(-1), 80);
		const rows = fixture.bench.chassisRows;
		for (const row of rows) row.silent = true;
		try {
			await page.locator('.mode.waiting[data-mode="8020"]').waitFor();
			assert.deepEqual((await feeling(page)).at(-1), [60, 90, 60]);
		} finally {
			for (const row of rows) row.silent = false;
		}
		await page.locator('.mode.selected:not(.waiting)[data-mode="8020"]').waitFor();
		assert.deepEqual((await feeling(page)).at(-1), 80);
	});

	it("doesn't go back to the mode before when an older look is answered late, where no events come through", async () => {
		const { page } = await fixture.open("full", PHONE);
		await page.route("**/api/events*", (route) => route.abort());
		await page.reload();
		await linkIs(page, "Live");
		await feel(page);
		await page.locator('.mode.selected:not(.waiting)[data-mode="MAP"]').waitFor();
		let release = (): void => {};
		const released = new Promise<void>((resolve) => {
			release = resolve;
		});
		const held = new Promise<void>((resolve) => {
			const late = async (route: Route): Promise<void> => {
				const response = await route.fetch();
				resolve();
				await released;
				await route.fulfill({ response });
			};
			void page.route("**/api/status", late, { times: 1 });
		});
		await held;
		await page.locator('[data-mode="8020"]').tap();
		await page.locator('.mode.selected:not(.waiting)[data-mode="8020"]').waitFor();
		const older = page.waitForResponse("**/api/status");
		release();
		await older;
		await page.waitForResponse("**/api/status");
		assert.deepEqual(await feeling(page), [80]);
	});

	it("keeps the screen on by the browser's own means where it has them", async () => {
		const { page } = await visit(fixture.browser, fixture.bench.port, "drive", PHONE);
		// a browser without a window has no screen to keep on
		await page.evaluate(() => {
			navigator.wakeLock.request = async () => new EventTarget() as WakeLockSentinel;
		});
		await turnTo(page, "full");
		await page.locator('[data-awake="kept"]').waitFor();
		assert.equal(await page.locator(".awake-picture").count(), 0);
	});

	it("plays a picture on plain http, as long as it is there, and doesn't promise too much", async () => {
		const { page, problems } = await arrive(fixture.browser, `http://${PLAIN_HTTP_HOST}:${fixture.bench.port}/#full`, PHONE);
		await linkIs(page, "Live");
		assert.equal(await page.evaluate(() => isSecureContext), false);
		await page.locator('[data-awake="tried"]', { hasText: "if not, see the phone's settings" }).waitFor();
		const video = page.locator("video.awake-picture");
		assert.equal(await video.evaluate((picture) => (picture as HTMLVideoElement).paused), false);
		await turnTo(page, "drive");
		await video.waitFor({ state: "detached" });
		assert.deepEqual(problems, []);
	});
});
