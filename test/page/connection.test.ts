import assert from "node:assert/strict";
import { linkIs } from "./browser.js";
import { button, cell, describePage, saveBar } from "./page-fixture.js";

const CLIENTS = 4;

describePage("the page's connection", (fixture) => {
	it("polls where events do not come through, and goes back to them when they do", async () => {
		const { page } = await fixture.open("about");
		await page.route("**/api/events*", (route) => route.abort());
		await page.evaluate(() => {
			location.hash = "drive";
			location.reload();
		});
		await linkIs(page, "Live");
		fixture.bench.show(57, 40);
		await page.locator('[data-value="speed"]', { hasText: "57" }).waitFor();
		await page.locator('[data-mode="8020"]').click();
		await page.locator('[data-mode="8020"][aria-pressed="true"]').waitFor();
		await page.locator(".values:not(.stale)").waitFor();
		await page.unroute("**/api/events*");
		await page.waitForResponse((response) => response.url().includes("/api/events") && response.ok());
		// the read that follows a change is over (state/status.ts)
		await page.waitForTimeout(4500);
		let polls = 0;
		page.on("request", (request) => request.url().endsWith("/api/status") && polls++);
		await page.waitForTimeout(2000);
		assert.equal(polls, 0, "nothing is polled beside the events");
		await linkIs(page, "Live");
	});

	it("waits for a slow first event, and polls meanwhile", async () => {
		const SLOW_MS = 3500;
		const { page } = await fixture.open("about");
		await page.route("**/api/events*", async (route) => {
			await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
			await route.continue().catch(() => {});
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
		await linkIs(page, "Live");
		await answered;
		assert.equal(await page.evaluate(() => (window as unknown as { givenUp: number }).givenUp), 0);
	});

	it("keeps a draft when the controller falls silent in the middle of a save, and finds out what became of it", async () => {
		const { page } = await fixture.open("map");
		await cell(page, 2, 7).click();
		await page.keyboard.type("31");
		let posts = 0;
		page.on("request", (request) => request.method() === "POST" && posts++);
		fixture.bench.freeze(true);
		try {
			await saveBar(page).getByRole("button", { name: "Apply" }).click();
			await linkIs(page, "Offline");
			await saveBar(page).getByText("The connection was lost on the way").waitFor();
			assert.equal((await cell(page, 2, 7).innerText()).trim(), "31");
		} finally {
			fixture.bench.freeze(false);
		}
		await linkIs(page, "Live");
		// the request was in the controller's socket all the time: it has arrived, or has been thrown away
		// with its connection
		await page.locator("text=/has your changes after all|did not get your changes/").first().waitFor();
		const stored = (await fixture.json<{ lockTable: number[][] }>("/api/map")).lockTable[2][7];
		const dirty = await saveBar(page).getByText("not arrived").isVisible();
		assert.equal(stored === 31, !dirty, "what the page says is what the controller has");
		assert.equal(posts, 1, "nothing is sent again by itself");
	});

	it("asks again where the controller has no room for a moment, and says so only if that lasts", async () => {
		const { page } = await fixture.open("about");
		let refusals = 2;
		const busy = { status: 503, contentType: "application/json", body: '{"error":"busy"}' };
		await page.route("**/api/map?*", (route) => (refusals-- > 0 ? route.fulfill(busy) : route.continue()));
		await page.evaluate(() => {
			location.hash = "map";
		});
		await cell(page, 2, 7).waitFor();
		assert.equal(refusals, -1, "once it has an answer it asks no more");
		refusals = Number.POSITIVE_INFINITY;
		await page.reload();
		await page.getByText("The controller is busy: try again").first().waitFor();
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

	it("says before one tries why an update would be refused now", async () => {
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

	it("serves four clients at 10 Hz without keeping a control tick waiting or losing a frame", async () => {
		const pages = [];
		for (let i = 0; i < CLIENTS; i++) {
			const { page } = await fixture.open("drive");
			pages.push(page);
		}
		for (const page of pages) await linkIs(page, "Live");
		const before = (await fixture.bench.status()).gateway;
		await fixture.bench.report();
		await pages[0].waitForTimeout(1000);
		await fixture.bench.assertShortTurns();
		const after = (await fixture.bench.status()).gateway;
		for (const counter of ["droppedQueueFull", "malformed", "refused"]) assert.equal(after[counter], before[counter], counter);
		assert.ok(after["forwardedToCoupling"] > before["forwardedToCoupling"] + 100, "the bus was busy");
	});
});
