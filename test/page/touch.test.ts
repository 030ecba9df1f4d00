/**
 * The page under a thumb, on the smallest phone: nothing that appears moves or covers what a finger is on.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../system/wait.js";
import { linkIs, PHONE } from "./browser.js";
import { box, button, cell, describePage, middle, saveBar, turnTo } from "./page-fixture.js";
import { loadAxe, NO_PROBLEMS, problemsOf } from "./page-problems.js";

const ON_ITS_SIDE = { ...PHONE, viewport: { width: 844, height: 390 } };

/** Positions of what could be touched or read now. */
const places = (page: Page, selector: string): Promise<string[]> =>
	page.locator(selector).evaluateAll((all) =>
		all.map((element) => {
			const { x, y, width, height } = element.getBoundingClientRect();
			return [x, y, width, height].map(Math.round).join();
		}),
	);

describePage("the page under a thumb", (fixture) => {
	for (const [name, options] of [
		["upright", PHONE],
		["on its side", ON_ITS_SIDE],
	] as const) {
		it(`edits the map with all in one look, and moves nothing while one edits, saves and reads what became of it, ${name}`, async () => {
			const { page } = await fixture.open("map", options);
			await cell(page, 6, 8).waitFor();
			const [header, navigation] = [await box(page.locator(".top")), await box(page.locator(".pages"))];
			const bottom = options === PHONE ? navigation.y : options.viewport.height;
			const apply = saveBar(page).getByRole("button", { name: "Apply" });
			const tools = ["3D", "Multiply by 1.1", "Interpolate"].map((label) => button(page, label));
			for (const what of [cell(page, 0, 0), cell(page, 6, 8), ...tools, apply]) {
				const { x, y, width, height } = await box(what);
				assert.ok(y >= header.height && y + height <= bottom && x + width <= options.viewport.width, `${what}: ${x}, ${y}`);
			}
			await cell(page, 2, 2).tap();
			const lock = Number(await cell(page, 2, 2).textContent());
			const before = await places(page, "[data-cell], .map-tools button, .save-bar button, .pages a");
			const isAsBefore = async (what: string) =>
				assert.deepEqual(await places(page, "[data-cell], .map-tools button, .save-bar button, .pages a"), before, what);
			let posts = 0;
			page.on("request", (request) => request.method() === "POST" && posts++);
			const [x, y] = middle(await box(button(page, "Add 10")));
			for (let taps = 1; taps <= 4; taps++) {
				await page.touchscreen.tap(x, y);
				await cell(page, 2, 2)
					.filter({ hasText: String(lock + 10 * taps) })
					.waitFor();
			}
			assert.equal(posts, 0);
			await isAsBefore("a draft has begun");
			await apply.tap();
			await page.locator(".notice.good").waitFor();
			await isAsBefore("it was saved");
			const notice = await box(page.locator(".notice"));
			const isFree = options === PHONE ? notice.y >= navigation.y : notice.y + notice.height <= header.y + header.height;
			assert.ok(isFree, "a message covers no content");
			await saveBar(page).getByText("As in the controller 1 cell selected").waitFor();
		});

		it(`has the modes in sight, and with the state at the same place whatever is wrong, ${name}`, async () => {
			const { page } = await fixture.open("drive", options);
			await linkIs(page, "Live");
			await page.locator('[data-test="reason"]', { hasText: "Map is active" }).waitFor();
			const before = await places(page, ".mode, .all-modes, .reason");
			assert.equal(before.length, 6);
			const last = await box(page.locator(".mode").last());
			const bottom = options === PHONE ? (await box(page.locator(".pages"))).y : options.viewport.height;
			assert.ok(last.y + last.height <= bottom, `the last row ends at ${last.y + last.height}, the room at ${bottom}`);
			await fixture.post("/api/canview/capture", { active: true });
			await page.getByText("A CAN capture runs").waitFor();
			assert.deepEqual(await places(page, ".mode, .all-modes, .reason"), before, "a capture runs");
			await fixture.post("/api/canview/capture", { active: false });
			const rows = fixture.bench.chassisRows;
			for (const row of rows) row.silent = true;
			try {
				await page.locator(".drive-faults .fault", { hasText: "Nothing comes from the car" }).waitFor();
				assert.deepEqual(await places(page, ".mode, .all-modes, .reason"), before, "the car is silent");
			} finally {
				for (const row of rows) row.silent = false;
			}
		});
	}

	it("says nothing green, and sends no mode, while the controller doesn't answer", async () => {
		const { page } = await fixture.open("drive", { ...PHONE, stopped: true });
		await page.clock.resume();
		await page.locator(".reason.good").waitFor();
		let posts = 0;
		page.on("request", (request) => request.method() === "POST" && posts++);
		fixture.bench.freeze(true);
		try {
			await page.locator(".reason.stale", { hasText: "Last known: Map is active" }).waitFor();
			assert.equal(await page.locator(".reason.good").count(), 0);
			await page.clock.fastForward(2000);
			await page.locator('[data-mode="5050"]').tap();
			await page.locator(".notice.bad", { hasText: "mode not sent" }).waitFor();
		} finally {
			fixture.bench.freeze(false);
		}
		await linkIs(page, "Live");
		await page.locator(".reason.good", { hasText: "Map is active" }).waitFor();
		assert.equal(posts, 0);
	});

	it("takes no drag over area, surface or record for a flick, which would take the next tap", async () => {
		const { page } = await fixture.open("map", PHONE);
		await page.evaluate(() => {
			const told = { moves: [] as boolean[] };
			Object.assign(window, { told });
			document.addEventListener("touchmove", (event) => told.moves.push(event.defaultPrevented), { passive: true });
		});
		const screen = await page.context().newCDPSession(page);
		/** Whether the page itself has taken each move. */
		const flick = async (selector: string): Promise<boolean[]> => {
			const [x, y] = middle(await box(page.locator(selector).first()));
			for (const [type, by] of [
				["touchStart", 0],
				["touchMove", 40],
				["touchMove", 80],
				["touchEnd", 0],
			] as const)
				await screen.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x: x + by, y }] });
			return page.evaluate(() => (window as unknown as { told: { moves: boolean[] } }).told.moves.splice(0));
		};
		const taken = (moves: readonly boolean[]) => moves.length > 0 && moves.every((prevented) => prevented);
		await button(page, "Area").tap();
		await page.locator(".heat.area").waitFor();
		assert.ok(taken(await flick('[data-cell="30"]')), "area");
		await button(page, "3D").tap();
		await page.locator(".surface").waitFor();
		assert.ok(taken(await flick(".surface")), "surface");
		await turnTo(page, "record");
		await page.locator(".record-graph canvas").first().waitFor();
		assert.ok(taken(await flick(".record-graph canvas")), "record");
	});

	it("compares maps where it was asked for, by interpolating between cells if the axes differ", async () => {
		const flat = {
			speedBins: [0, 20, 40, 60, 80, 100, 120, 140, 160],
			throttleBins: [0, 10, 20, 30, 40, 70, 100],
			lockTable: Array.from({ length: 7 }, () => [0, 20, 40, 60, 80, 100, 100, 100, 100]),
		};
		assert.equal((await fixture.bench.ask("POST", "/api/map", JSON.stringify(flat))).code, 200);
		assert.equal(await fixture.post("/api/maps/save", { name: "Slope" }), 200);
		const steeper = {
			...flat,
			speedBins: [0, 10, 30, 50, 70, 90, 110, 130, 150],
			lockTable: flat.lockTable.map(() => [0, 10, 30, 50, 75, 90, 100, 100, 100]),
		};
		// tried only: else it would soon be what is stored under this name
		assert.equal((await fixture.bench.ask("POST", "/api/map", JSON.stringify({ ...steeper, try: true }))).code, 200);
		const { page } = await fixture.open("library", PHONE);
		const row = page.locator(".library li").filter({ has: page.locator("b", { hasText: /^Slope$/ }) });
		await row.getByRole("button", { name: "Compare" }).tap();
		const comparison = row.locator(".comparison");
		// one column of seven cells is 5 % above the same slope; by index nearly all would differ
		await comparison.getByText('7 cells differ from "Slope"').waitFor();
		await comparison.getByText("interpolating").waitFor();
		await loadAxe(page);
		assert.deepEqual(await problemsOf(page), NO_PROBLEMS, "with a comparison");
		assert.deepEqual(
			(await comparison.locator("td:not(:empty)").allInnerTexts()).map((text) => text.trim()),
			Array.from({ length: 7 }, () => "+5"),
		);
		const { y, height } = await box(comparison);
		assert.ok(y < PHONE.viewport.height && y + height > 0, "it is in sight");
	});

	it("keeps the focus where it was when a map was saved by keyboard", async () => {
		const { page } = await fixture.open("map");
		await cell(page, 1, 1).click();
		await page.keyboard.type("37");
		const save = saveBar(page).getByRole("button", { name: "Apply" });
		await save.focus();
		await page.keyboard.press("Enter");
		await page.locator(".notice.good").waitFor();
		await until(async () => (await page.evaluate(() => document.activeElement?.textContent)) === "Apply", 30_000, "the focus");
		await turnTo(page, "drive");
	});

	it("loses no edit of two phones: who saves second is asked, sees what differs, and decides", async () => {
		const lock = async (row: number, column: number) =>
			(await fixture.json<{ lockTable: number[][] }>("/api/map")).lockTable[row][column];
		const [a, b] = [(await fixture.open("map", PHONE)).page, (await fixture.open("map", PHONE)).page];
		const save = (page: Page) => saveBar(page).getByRole("button", { name: "Apply" }).tap();
		const raise = async (page: Page, row: number, column: number) => {
			await cell(page, row, column).tap();
			await button(page, "Add 10").tap();
		};
		const before = await lock(1, 1);
		await raise(a, 1, 1);
		await raise(b, 5, 5);
		await save(a);
		await a.locator(".notice.good").waitFor();
		await saveBar(b).getByText("Changed by another device").waitFor();
		const posts: string[] = [];
		b.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
		await save(b);
		const dialog = b.getByRole("dialog");
		await button(b, "Compare").last().waitFor();
		await dialog.getByRole("button", { name: "Compare" }).tap();
		await dialog.getByText("2 cells differ").waitFor();
		await loadAxe(b);
		assert.deepEqual(await problemsOf(b), NO_PROBLEMS, "with the choice");
		assert.deepEqual(posts, [], "nothing is written before the choice");
		await dialog.getByRole("button", { name: "Take theirs" }).tap();
		await saveBar(b).getByText("As in the controller").waitFor();
		assert.equal(Number(await cell(b, 1, 1).textContent()), before + 10, "theirs");
		await b.getByRole("button", { name: "Undo" }).tap();
		await save(b);
		await until(async () => (await lock(5, 5)) === Number(await cell(b, 5, 5).textContent()), 30_000, "mine, on purpose now");
		await cell(a, 5, 5)
			.filter({ hasText: String(await lock(5, 5)) })
			.waitFor();
	});

	it("finds out about somebody else's change from the refusal alone, and keeps mine if one says so", async () => {
		const { page } = await fixture.open("curves/rpm", PHONE);
		await page.route("**/api/events*", (route) => route.abort());
		await page.reload();
		await page.getByLabel("Point 1, Lock, %").fill("17");
		await page.keyboard.press("Tab");
		assert.equal(await fixture.post("/api/curve/rpm", { points: [{ x: 0, lock: 3 }] }), 200);
		const save = saveBar(page).getByRole("button", { name: "Apply" });
		await save.tap();
		const dialog = page.getByRole("dialog");
		await dialog.getByRole("button", { name: "Keep mine" }).waitFor();
		const first = async () => (await fixture.json<{ points: { lock: number }[] }>("/api/curve/rpm")).points[0].lock;
		assert.equal(await first(), 3, "theirs is active until one decides");
		await dialog.getByRole("button", { name: "Keep mine" }).tap();
		await until(async () => (await first()) === 17, 30_000, "mine");
	});
});
