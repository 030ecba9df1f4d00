// What the driver sees and gets when Wi-Fi holds a request or an answer up.
import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import { withBench } from "../system/bench-car.js";
import { launch, linkIs, PHONE, visit } from "./browser.js";
import { describePage } from "./page-fixture.js";

const LATE_MS = 2500;

const wait = (forMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, forMs));
const tap = (page: Page, mode: string): Promise<void> => page.locator(`[data-mode="${mode}"]`).tap();

/**
 * The answers to `/api/status` that the page asks for around its next change are of then, and arrive late.
 * @returns when they have arrived
 */
async function holdStatus(page: Page): Promise<() => Promise<void>> {
	const AROUND_MS = 300;
	let firstAtMs: number | undefined;
	const held: Promise<void>[] = [];
	const hold = async (route: Route): Promise<void> => {
		const response = await route.fetch();
		const body = await response.body();
		await wait(LATE_MS);
		await route.fulfill({ response, body });
	};
	await page.route("**/api/status", async (route) => {
		firstAtMs ??= performance.now();
		if (performance.now() - firstAtMs > AROUND_MS) return route.continue();
		held.push(hold(route));
	});
	return async () => {
		await Promise.all(held);
		assert.ok(held.length > 0);
		await wait(300);
	};
}

describePage("the page when Wi-Fi holds up what is sent", (fixture) => {
	it("sends one tap after the other, and only the last of those that wait: that one counts", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await page.locator(".reason.good").waitFor();
		const sent: string[] = [];
		await page.route("**/api/mode", async (route) => {
			const { mode } = route.request().postDataJSON() as { mode: string };
			sent.push(mode);
			if (mode === "5050") await wait(1500);
			await route.continue();
		});
		await tap(page, "5050");
		await wait(250);
		await tap(page, "8020");
		await tap(page, "STOCK");
		await page.locator('[data-mode="STOCK"][aria-pressed="true"]').waitFor();
		await wait(1000);
		assert.deepEqual(sent, ["5050", "STOCK"]);
		assert.equal((await fixture.bench.status()).mode, "STOCK");
		assert.equal(await page.locator('[data-mode="STOCK"]').getAttribute("aria-pressed"), "true");
		assert.equal(await page.locator(".mode[aria-busy=true]").count(), 0);
	});

	it("shows the mode of the last tap although the answer to a read before it comes late", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await page.locator(".reason.good").waitFor();
		const late = await holdStatus(page);
		await tap(page, "STOCK");
		await wait(400);
		await tap(page, "5050");
		await page.locator(".reason.good", { hasText: "50:50 is active" }).waitFor();
		await late();
		assert.match(await page.locator(".reason.good").innerText(), /50:50 is active/);
	});

	it("doesn't say that a mode is in force because an answer from before it was lost comes late", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await page.locator(".reason.good").waitFor();
		const late = await holdStatus(page);
		await tap(page, "8020");
		await page.locator(".reason.good", { hasText: "80:20 is active" }).waitFor();
		const { chassisRows } = fixture.bench;
		for (const row of chassisRows) row.silent = true;
		try {
			await page.locator(".reason.idle").waitFor();
			await late();
			assert.equal(await page.locator(".reason.idle").count(), 1);
		} finally {
			for (const row of chassisRows) row.silent = false;
		}
	});

	it("believes a controller that has started anew, although it counts its time from the start again", async () => {
		const { page } = await fixture.open("about", PHONE);
		const before = { uptimeMs: 1e9, mode: "5050", effectiveMode: "5050", reason: "", controlActive: true };
		const body = `event: mode\ndata: ${JSON.stringify(before)}\n\n`;
		await page.route("**/api/events*", (route) => route.abort());
		await page.route("**/api/events*", (route) => route.fulfill({ contentType: "text/event-stream", body }), { times: 1 });
		await page.evaluate(() => {
			location.hash = "drive";
			location.reload();
		});
		await page.locator(".reason", { hasText: "50:50 is active" }).waitFor();
		await page.locator(".reason.good", { hasText: "Map is active" }).waitFor();
		await linkIs(page, "Live");
	});

	it("says of a mode that got no answer that it may still arrive, and shows it when it does", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await page.locator(".reason.good").waitFor();
		// as long as the page waits for it
		await page.route("**/api/mode", () => {});
		await tap(page, "5050");
		await page.locator(".notice.bad", { hasText: "No answer from the controller: the mode may still arrive" }).waitFor();
		await fixture.bench.mode("5050");
		await page.locator(".reason.good", { hasText: "50:50 is active" }).waitFor();
		await page.locator('[data-mode="5050"][aria-pressed="true"]').waitFor();
	});

	it("tells on its own that what was tapped could not be stored", async () => {
		// logs would be what is dropped for it
		const settings = { mode: "MAP", setupDone: true, logToFileEnabled: false, logErrorToFileEnabled: false };
		await withBench({ paced: true, settings, args: ["--fault", "flash-full"] }, async (bench) => {
			bench.show(40, 40);
			const { page } = await visit(await launch(), bench.port, "drive", PHONE);
			await page.locator(".reason.good").waitFor();
			await tap(page, "8020");
			await page.locator(".drive-faults", { hasText: "settings.json can't be stored: no space" }).waitFor();
		});
	});
});
