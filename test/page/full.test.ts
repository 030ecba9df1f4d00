import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import { arrive, linkIs, PHONE, PLAIN_HTTP_HOST, visit } from "./browser.js";
import { box, button, describePage, turnTo } from "./page-fixture.js";
import { loadAxe, lowContrasts, NO_PROBLEMS, problemsOf } from "./page-problems.js";

const ON_ITS_SIDE = { ...PHONE, viewport: { width: 844, height: 390 } };

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
		it(`is Drive without the header, in one look, in contrasts of 7 to 1 in light colours, and says what was rejected, ${name}`, async () => {
			const { page, problems } = await fixture.open("drive", { ...options, colorScheme: "light" });
			await linkIs(page, "Live");
			await button(page, "Full screen").tap();
			await page.locator(".full .lock-requested", { hasText: /\d/ }).waitFor();
			assert.equal(await page.evaluate(() => document.fullscreenElement !== null), true, "the browser gives the whole screen");
			assert.equal(await page.locator(".top, .pages").count(), 0);
			const { width, height } = page.viewportSize() ?? assert.fail();
			for (const part of [".look", ".lock", ".reason", ".mode:last-child"]) {
				const box = (await page.locator(part).boundingBox()) ?? assert.fail(part);
				assert.ok(box.y >= 0 && box.y + box.height <= height && box.x + box.width <= width, `${part}: ${JSON.stringify(box)}`);
			}
			await loadAxe(page);
			assert.deepEqual(await problemsOf(page), NO_PROBLEMS);
			assert.deepEqual(await lowContrasts(page), []);
			assert.deepEqual(problems, []);
			await page.route("**/api/mode", (route) => route.continue({ postData: '{"mode":"gone"}' }));
			await page.locator('[data-mode="8020"]').tap();
			const notice = await box(page.locator(".notice.bad"));
			for (const control of await page.locator(".full a, .full button").all()) {
				const { x, y, width, height } = await box(control);
				const [left, right] = [x + width <= notice.x, x >= notice.x + notice.width];
				const apart = left || right || y + height <= notice.y || y >= notice.y + notice.height;
				assert.ok(apart, await control.innerHTML());
			}
			await page.getByLabel("Leave the full screen").tap();
			await page.locator(".top h1", { hasText: "Drive" }).waitFor();
			await page.waitForFunction(() => document.fullscreenElement === null);
		});

	it("vibrates once when a mode takes effect, and twice when it is lost", async () => {
		const { page } = await fixture.open("full", PHONE);
		await linkIs(page, "Live");
		await feel(page);
		await page.locator('.mode.selected:not(.waiting)[data-mode="MAP"]').waitFor();
		await page.locator('[data-mode="8020"]').tap();
		await page.locator('.mode.selected:not(.waiting)[data-mode="8020"]').waitFor();
		// a car that pauses loses a mode and brings it back beside what is done here: feel.test.ts counts
		// them
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
