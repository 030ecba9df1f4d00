/** The connection: events, polling, lost answers, and what the driver sees when Wi-Fi holds something up. */
import assert from "node:assert/strict";
import type { Page, Request, Route } from "playwright-core";
import { withBench } from "../system/bench-car.js";
import { until } from "../system/wait.js";
import { gate, hasNoticed, launch, linkIs, PHONE, passTime, visit, withoutEvents } from "./browser.js";
import { apply, applyButton, button, cell, describePage, openFile, saveBar, turnTo } from "./page-fixture.js";

/** Delay of a slow first event: the page polls beside it, and does not close it yet (net/live.ts). */
const SLOW_MS = 3500;

/** Time passes on a page whose time is `stopped`, until it is so. */
async function passTimeUntil(page: Page, isSo: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await isSo())) await page.clock.runFor(100);
}

describePage("the page beside a controller", (fixture) => {
	it("polls the status while no events arrive, and stops once they do", async () => {
		const { page } = await fixture.open("drive", { stopped: true, prepare: withoutEvents });
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

	it("polls until a first event arrives that is 3.5 s late, and keeps its stream open", async () => {
		const { release, released } = gate();
		const prepare = async (page: Page): Promise<void> => {
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
		};
		const { page } = await fixture.open("drive", { stopped: true, prepare });
		const answered = page.waitForResponse((response) => response.url().includes("/api/events"));
		await page.locator(".look").waitFor();
		await page.clock.runFor(SLOW_MS);
		await linkIs(page, "Live");
		release();
		await answered;
		await passTime(page, 1000);
		assert.equal(await page.evaluate(() => (window as unknown as { givenUp: number }).givenUp), 0);
	});

	it("repeats a request to a busy controller, and reports it only if it stays busy", async () => {
		const { page } = await fixture.open("about", { stopped: true });
		let refusals = 2;
		const busy = { status: 503, contentType: "application/json", body: '{"error":"busy"}' };
		await page.route("**/api/map?*", (route) => (refusals-- > 0 ? route.fulfill(busy) : route.continue()));
		await turnTo(page, "map");
		await passTimeUntil(page, () => cell(page, 2, 7).isVisible());
		assert.equal(refusals, -1, "once it has an answer it asks no more");
		refusals = Number.POSITIVE_INFINITY;
		await page.reload();
		await passTimeUntil(page, () => page.getByText("The controller is busy: try again").first().isVisible());
	});

	it("shows mapped signals by events, as they change", async () => {
		await fixture.set({ dashMappings: { dash_1: "chassis|0xfd|esp v signal|unit_kilometerperhour" } });
		const { page } = await fixture.open("drive");
		const signal = page.locator('[data-signal="dash_1"]');
		await signal.filter({ hasText: "40" }).waitFor();
		// on a slow machine the page asks beside the stream: it gets no answer
		await page.route("**/api/status", () => {});
		fixture.bench.show(81, 40);
		await signal.filter({ hasText: "81" }).waitFor();
	});

	it("says why an update would be rejected before the driver chooses a file", async () => {
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
		await openFile(page, "x.bin", "no firmware at all");
		await page.getByRole("alert").filter({ hasText: "Rejected: not an image" }).waitFor();
		await button(page, "Check for an update").click();
		await page.getByText("The last check for an update failed: offline").waitFor();
	});

	it("sends no request while it is hidden", async () => {
		const { page } = await fixture.open("drive", { stopped: true });
		await passTime(page, 1000, () => page.locator('[data-test="link"]', { hasText: "Live" }).isVisible());
		const hide = (hidden: boolean) =>
			page.evaluate((value) => {
				Object.defineProperty(document, "hidden", { value, configurable: true });
				document.dispatchEvent(new Event("visibilitychange"));
			}, hidden);
		await hide(true);
		const asked: string[] = [];
		page.on("request", (request) => asked.push(request.url()));
		// longer than any period in which it asks otherwise
		await page.clock.runFor(10_000);
		assert.deepEqual(asked, []);
		await hide(false);
		await linkIs(page, "Live");
	});

	it("keeps a draft if the connection breaks during a save, also across a reload, and sends nothing twice", async () => {
		const { page } = await fixture.open("map");
		const lock = async () => (await fixture.get("/api/map")).lockTable[6][6];
		const before = await lock();
		let posts = 0;
		await page.route("**/api/map", (route) => {
			if (route.request().method() !== "POST") return route.continue();
			posts++;
			return route.abort();
		});
		await cell(page, 6, 6).click();
		await page.keyboard.type("99");
		await applyButton(page).click();
		await page.getByText("did not get your changes").waitFor();
		await page.reload();
		await saveBar(page).getByText("Not applied yet").waitFor();
		assert.equal(await cell(page, 6, 6).textContent(), "99");
		assert.deepEqual([posts, await lock()], [1, before]);
		await page.unroute("**/api/map");
		await apply(page);
		assert.equal(await lock(), 99);
	});

	it("opens its other pages while the controller is out of reach", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await linkIs(page, "Live");
		const loaded = () =>
			page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => /\/pages-\w+\.js/.test(name)));
		await until(loaded, 20_000, "the other pages");
		await page.context().setOffline(true);
		await turnTo(page, "about");
		await page.getByText("You are responsible for your car").waitFor();
		await turnTo(page, "can");
		await page.getByRole("heading", { name: "Capture" }).waitFor();
	});
});

const tap = (page: Page, mode: string): Promise<void> => page.locator(`[data-mode="${mode}"]`).tap();

/** Holds up the answers to `/api/status`, which are of when they were asked for, until `release`. */
async function holdStatus(page: Page): Promise<{ hold(): Promise<void>; release(): Promise<void> }> {
	let holds = true;
	const { release, released } = gate();
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
		/** Waits until one is held; from now on the others arrive at once. */
		async hold() {
			await until(() => held.length > 0, 30_000, "a question for the status");
			holds = false;
		},
		/** The page has taken them then. */
		async release() {
			release();
			for (const request of held) await (await (await request).response())?.finished();
			await linkIs(page, "Live");
		},
	};
}

describePage("the page on slow Wi-Fi", (fixture) => {
	it("sends one mode after the other, and of those that wait only the last", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await page.locator(".reason.good").waitFor();
		const sent: string[] = [];
		const { release, released } = gate();
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

	it("shows the mode of the last tap although an older answer arrives late", async () => {
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

	it("shows the mode of a controller that has restarted, although its uptime is lower", async () => {
		const before = { uptimeMs: 1e9, mode: "5050", effectiveMode: "5050", reason: "", controlActive: true };
		const body = `event: mode\ndata: ${JSON.stringify(before)}\n\n`;
		const prepare = async (page: Page): Promise<void> => {
			await page.clock.resume();
			await withoutEvents(page);
			await page.route("**/api/events*", (route) => route.fulfill({ contentType: "text/event-stream", body }), { times: 1 });
		};
		const { page } = await fixture.open("drive", { ...PHONE, stopped: true, prepare });
		await page.locator(".reason", { hasText: "50:50 is active" }).waitFor();
		await page.clock.runFor(3000);
		await page.locator(".reason.good", { hasText: "Map is active" }).waitFor();
		await linkIs(page, "Live");
	});

	it("says that an unanswered mode may still arrive, and shows it when it does", async () => {
		const { page } = await fixture.open("drive", { ...PHONE, stopped: true });
		await page.clock.resume();
		await page.locator(".reason.good").waitFor();
		await page.route("**/api/mode", () => {});
		const sent = page.waitForRequest("**/api/mode");
		await tap(page, "5050");
		await sent;
		// as long as the page waits for it, while the link stays: a notice goes once the link is back
		const notice = "No answer from the controller: the mode may still arrive";
		await passTime(page, 8000, () => hasNoticed(page, notice));
		await fixture.bench.mode("5050");
		await page.locator(".reason.good", { hasText: "50:50 is active" }).waitFor();
		await page.locator('[data-mode="5050"][aria-pressed="true"]').waitFor();
	});

	it("reports by itself that a mode could not be stored", async () => {
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
