// What the driver sees and gets when Wi-Fi holds a request or an answer up.
import assert from "node:assert/strict";
import type { Page, Request, Route } from "playwright-core";
import { withBench } from "../system/bench-car.js";
import { until } from "../system/wait.js";
import { launch, linkIs, PHONE, passTime, visit } from "./browser.js";
import { describePage } from "./page-fixture.js";

const tap = (page: Page, mode: string): Promise<void> => page.locator(`[data-mode="${mode}"]`).tap();

interface Held {
	/** From now on answers arrive at once, but those that are held. Some are. */
	hold(): Promise<void>;
	/** They arrive, and the page has taken them. */
	release(): Promise<void>;
}

/** Holds up the answers to `/api/status`: they are of when they were asked for. */
async function holdStatus(page: Page): Promise<Held> {
	let holds = true;
	let release = (): void => {};
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	const held: Promise<Request>[] = [];
	const arrive = async (route: Route): Promise<Request> => {
		const response = await route.fetch();
		const body = await response.body();
		await released;
		await route.fulfill({ response, body });
		return route.request();
	};
	await page.route("**/api/status", (route) => {
		if (!holds) return route.continue();
		held.push(arrive(route));
	});
	return {
		async hold() {
			await until(() => held.length > 0, 30_000, "a question for the status");
			holds = false;
		},
		async release() {
			release();
			for (const request of held) await (await (await request).response())?.finished();
			await linkIs(page, "Live");
		},
	};
}

describePage("the page when Wi-Fi holds up what is sent", (fixture) => {
	it("sends one tap after the other, and only the last of those that wait: that one counts", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await page.locator(".reason.good").waitFor();
		const sent: string[] = [];
		let release = (): void => {};
		const released = new Promise<void>((resolve) => {
			release = resolve;
		});
		await page.route("**/api/mode", async (route) => {
			const { mode } = route.request().postDataJSON() as { mode: string };
			sent.push(mode);
			if (mode === "5050") await released;
			await route.continue();
		});
		await tap(page, "5050");
		await until(() => sent.length === 1, 30_000, "the first mode to be sent");
		await tap(page, "8020");
		await tap(page, "STOCK");
		release();
		await page.locator('[data-mode="STOCK"][aria-pressed="true"]').waitFor();
		await until(async () => (await page.locator(".mode[aria-busy=true]").count()) === 0, 30_000, "its answer");
		assert.deepEqual(sent, ["5050", "STOCK"]);
		assert.equal((await fixture.bench.status()).mode, "STOCK");
		assert.equal(await page.locator('[data-mode="STOCK"]').getAttribute("aria-pressed"), "true");
	});

	it("shows the mode of the last tap although the answer to a read before it comes late", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await page.locator(".reason.good").waitFor();
		const late = await holdStatus(page);
		await tap(page, "STOCK");
		await late.hold();
		await tap(page, "5050");
		await page.locator(".reason.good", { hasText: "50:50 is active" }).waitFor();
		await late.release();
		assert.match(await page.locator(".reason.good").innerText(), /50:50 is active/);
	});

	it("doesn't say that a mode is active because an answer from before it was lost comes late", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await page.locator(".reason.good").waitFor();
		const late = await holdStatus(page);
		await tap(page, "8020");
		await page.locator(".reason.good", { hasText: "80:20 is active" }).waitFor();
		await late.hold();
		const { chassisRows } = fixture.bench;
		for (const row of chassisRows) row.silent = true;
		try {
			await page.locator(".reason.idle").waitFor();
			await late.release();
			assert.equal(await page.locator(".reason.idle").count(), 1);
		} finally {
			for (const row of chassisRows) row.silent = false;
		}
	});

	it("believes a controller that has started anew, although it counts its time from the start again", async () => {
		const { page } = await fixture.open("about", { ...PHONE, stopped: true });
		await page.clock.resume();
		const before = { uptimeMs: 1e9, mode: "5050", effectiveMode: "5050", reason: "", controlActive: true };
		const body = `event: mode\ndata: ${JSON.stringify(before)}\n\n`;
		await page.route("**/api/events*", (route) => route.abort());
		await page.route("**/api/events*", (route) => route.fulfill({ contentType: "text/event-stream", body }), { times: 1 });
		await page.evaluate(() => {
			location.hash = "drive";
			location.reload();
		});
		await page.locator(".reason", { hasText: "50:50 is active" }).waitFor();
		await page.clock.runFor(3000);
		await page.locator(".reason.good", { hasText: "Map is active" }).waitFor();
		await linkIs(page, "Live");
	});

	it("says of a mode that got no answer that it may still arrive, and shows it when it does", async () => {
		const { page } = await fixture.open("drive", { ...PHONE, stopped: true });
		await page.clock.resume();
		await page.locator(".reason.good").waitFor();
		await page.route("**/api/mode", () => {});
		const sent = page.waitForRequest("**/api/mode");
		await tap(page, "5050");
		await sent;
		// as long as the page waits for it, while the link stays: a notice goes once the link is back
		const notice = page.locator(".notice.bad", { hasText: "No answer from the controller: the mode may still arrive" });
		await passTime(page, 8000, () => notice.isVisible());
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
