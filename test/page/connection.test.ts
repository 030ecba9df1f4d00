import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { linkIs, passTime } from "./browser.js";
import { button, cell, describePage, saveBar } from "./page-fixture.js";

/** Of a first event: the page polls beside it, and does not give it up yet (net/live.ts). */
const SLOW_MS = 3500;

/** Time passes on a page whose time is `stopped`, until it is so. */
async function passTimeUntil(page: Page, isSo: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await isSo())) await page.clock.runFor(100);
}

describePage("the page's connection", (fixture) => {
	it("polls where events do not come through, and goes back to them when they do", async () => {
		const { page } = await fixture.open("about", { stopped: true });
		await page.route("**/api/events*", (route) => route.abort());
		await page.evaluate(() => {
			location.hash = "drive";
			location.reload();
		});
		let polls = 0;
		page.on("request", (request) => request.url().endsWith("/api/status") && polls++);
		await passTimeUntil(page, () => page.locator('[data-test="link"]', { hasText: "Live" }).isVisible());
		fixture.bench.show(57, 40);
		await passTimeUntil(page, () => page.locator('[data-value="speed"]', { hasText: "57" }).isVisible());
		await page.locator('[data-mode="8020"]').click();
		await passTimeUntil(page, () => page.locator('[data-mode="8020"][aria-pressed="true"]').isVisible());
		await passTimeUntil(page, () => page.locator(".values:not(.stale)").isVisible());
		assert.ok(polls > 0);
		await page.unroute("**/api/events*");
		let isOpen = false;
		page.on("response", (response) => (isOpen ||= response.url().includes("/api/events") && response.ok()));
		await passTimeUntil(page, () => isOpen);
		// a change is read once more when it was due on flash (state/status.ts): later than that, nothing is read
		const quietMs = 6000;
		let lastPolls = -1;
		for (let rounds = 0; polls !== lastPolls; rounds++) {
			assert.ok(rounds < 5, `${polls} polls: something is polled beside the events`);
			lastPolls = polls;
			await passTime(page, quietMs);
		}
		await linkIs(page, "Live");
	});

	it("waits for a slow first event, and polls meanwhile", async () => {
		const { page } = await fixture.open("drive", { stopped: true });
		let release = (): void => {};
		const released = new Promise<void>((resolve) => {
			release = resolve;
		});
		await page.route("**/api/events*", async (route) => {
			await released;
			await route.continue();
		});
		await page.addInitScript(() => {
			Object.assign(window, { givenUp: 0 });
			const { close } = EventSource.prototype;
			EventSource.prototype.close = function () {
				Object.assign(window, { givenUp: 1 });
				close.call(this);
			};
		});
		const answered = page.waitForResponse((response) => response.url().includes("/api/events"));
		await page.reload();
		await page.locator(".look").waitFor();
		await page.clock.runFor(SLOW_MS);
		await linkIs(page, "Live");
		release();
		await answered;
		await passTime(page, 1000);
		assert.equal(await page.evaluate(() => (window as unknown as { givenUp: number }).givenUp), 0);
	});

	it("keeps a draft when the controller falls silent in the middle of a save, and finds out what became of it", async () => {
		const { page } = await fixture.open("map", { stopped: true });
		await passTimeUntil(page, () => cell(page, 2, 7).isVisible());
		await cell(page, 2, 7).click();
		await page.keyboard.type("31");
		let posts = 0;
		page.on("request", (request) => request.method() === "POST" && posts++);
		fixture.bench.freeze(true);
		try {
			await saveBar(page).getByRole("button", { name: "Apply" }).click();
			await passTimeUntil(page, () => saveBar(page).getByText("The connection was lost on the way").isVisible());
			await linkIs(page, "Offline");
			assert.equal((await cell(page, 2, 7).innerText()).trim(), "31");
		} finally {
			fixture.bench.freeze(false);
		}
		// the request was in the controller's socket all the time: it has arrived, or has been thrown away
		// with its connection
		const told = page.locator("text=/has your changes after all|did not get your changes/").first();
		await passTimeUntil(page, () => told.isVisible());
		await linkIs(page, "Live");
		const stored = (await fixture.json<{ lockTable: number[][] }>("/api/map")).lockTable[2][7];
		const dirty = await saveBar(page).getByText("not arrived").isVisible();
		assert.equal(stored === 31, !dirty, "what the page says is what the controller has");
		assert.equal(posts, 1, "nothing is sent again by itself");
	});

	it("asks again where the controller has no heap for a moment, and says so only if that lasts", async () => {
		const { page } = await fixture.open("about", { stopped: true });
		let refusals = 2;
		const busy = { status: 503, contentType: "application/json", body: '{"error":"busy"}' };
		await page.route("**/api/map?*", (route) => (refusals-- > 0 ? route.fulfill(busy) : route.continue()));
		await page.evaluate(() => {
			location.hash = "map";
		});
		await passTimeUntil(page, () => cell(page, 2, 7).isVisible());
		assert.equal(refusals, -1, "once it has an answer it asks no more");
		refusals = Number.POSITIVE_INFINITY;
		await page.reload();
		await passTimeUntil(page, () => page.getByText("The controller is busy: try again").first().isVisible());
	});

	it("shows the dashboard's signals, and their values as they change", async () => {
		assert.equal(
			await fixture.post("/api/settings", { dashMappings: { dash_1: "chassis|0xfd|esp v signal|unit_kilometerperhour" } }),
			200,
		);
		const { page } = await fixture.open("drive");
		const signal = page.locator('[data-signal="dash_1"]');
		await signal.filter({ hasText: "40" }).waitFor();
		let asked = 0;
		page.on("request", (request) => request.url().includes("/api/") && asked++);
		fixture.bench.show(81, 40);
		await signal.filter({ hasText: "81" }).waitFor();
		assert.equal(asked, 0, "it came as an event");
	});

	it("says before one tries why an update would be rejected now", async () => {
		const { page } = await fixture.open("update");
		const safe = page.locator('[data-test="safe"]');
		const upload = page.locator('input[type="file"]');
		await safe.filter({ hasText: "Not now: control is active" }).waitFor();
		assert.equal(await upload.isDisabled(), true);
		await fixture.bench.mode("STOCK");
		await safe.filter({ hasText: "Not now: the car is moving" }).waitFor();
		fixture.bench.show(0, 0);
		await safe.filter({ hasText: "An update may start now" }).waitFor();
		assert.equal(await upload.isDisabled(), false);
		await upload.setInputFiles({
			name: "x.bin",
			mimeType: "application/octet-stream",
			buffer: Buffer.from("no firmware at all"),
		});
		await page.getByRole("alert").filter({ hasText: "Rejected: not an image" }).waitFor();
		await button(page, "Check for an update").click();
		await page.getByText("The last check for an update failed: offline").waitFor();
	});
});
