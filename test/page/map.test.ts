/** The map: edited by cells and areas, tried, kept, undone, and the drive on it. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { figure } from "../../src/http/producer.js";
import {
	change,
	differences,
	gatedLockAt,
	interpolate,
	lockAt,
	rectangle,
	sameAxes,
	secondsPerCell,
	smooth,
	withBin,
} from "../../src/page/map/edit.js";
import { arrowFrom, type Spot } from "../../src/page/map/heat-selection.js";
import { cellAt, type Layout, LYING, UPRIGHT } from "../../src/page/map/layout.js";
import { GAP_MS } from "../../src/page/state/samples.js";
import { withBench } from "../system/bench-car.js";
import { until } from "../system/wait.js";
import { linkIs, ON_ITS_SIDE, PHONE, passTime, postsOf, questionsOf, resize, untilNoticed } from "./browser.js";
import { applyButton, at, box, button, cell, describePage, middle, placesOf, saveBar, turnTo } from "./page-fixture.js";
import { assertAccessible } from "./page-problems.js";

const MAP = {
	speedBins: [0, 10, 20, 40, 60, 80, 110, 140, 160],
	throttleBins: [0, 10, 25, 40, 60, 80, 100],
	lockTable: Array.from({ length: 7 }, (_, row) => Array.from({ length: 9 }, (_, column) => (row * 31 + column * 17) % 101)),
};

type Map = { lockTable: number[][] };

describePage("the map page", (fixture) => {
	const active = async () => (await fixture.get("/api/map")).lockTable;
	const current = async () => (await fixture.get("/api/maps")).current;
	const kept = async (name: string) =>
		(await fixture.get(`/api/maps/export?name=${encodeURIComponent(name)}&format=json`)).lockTable;
	const tryIt = async (page: Page) => {
		await applyButton(page).tap();
		await page.locator(".notice.good", { hasText: "Active now" }).waitFor();
		await button(page, "Close").tap();
	};

	it("tries a map without changing the stored one, and saves it under its name", async () => {
		await fixture.post("/api/maps/save", { name: "Gravel road" });
		const { page } = await fixture.open("map", PHONE);
		const before = await active();
		await page.getByRole("button", { name: "Change speed 140 km/h" }).tap();
		await page.getByLabel("Speed, km/h").waitFor();
		await assertAccessible(page, "an axis");
		await button(page, "Cancel").tap();
		await cell(page, 2, 2).tap();
		await button(page, "Add 10").tap();
		await tryIt(page);
		assert.deepEqual([(await active())[2][2], await kept("Gravel road")], [before[2][2] + 10, before]);
		await assertAccessible(page, "tried");
		await button(page, "Save").tap();
		await button(page, "Save as").waitFor();
		await assertAccessible(page, "a name is asked for");
		await button(page, "Save as").tap();
		await untilNoticed(page, 'Stored as "Gravel road"');
		assert.deepEqual(await kept("Gravel road"), await active());
	});

	it("undoes and redoes applied changes, also from before a reload, as a draft first", async () => {
		const before = (await active())[3][3];
		const { page } = await fixture.open("map", PHONE);
		const isShown = (lock: number) =>
			cell(page, 3, 3)
				.filter({ hasText: new RegExp(`^${lock}$`) })
				.waitFor();
		await cell(page, 3, 3).tap();
		for (let i = 1; i <= 2; i++) {
			await button(page, "Add 10").tap();
			await tryIt(page);
		}
		await page.reload();
		await isShown(before + 20);
		const posts = postsOf(page);
		await button(page, "Undo").tap();
		await isShown(before + 10);
		await saveBar(page).getByText("As it was before the last change").waitFor();
		await assertAccessible(page, "undone");
		await button(page, "Undo").tap();
		await isShown(before);
		await saveBar(page).getByText("As it was 2 changes ago").waitFor();
		await button(page, "Redo").tap();
		await isShown(before + 10);
		assert.deepEqual([(await active())[3][3], posts], [before + 20, []], "nothing is active before it is tried");
		await tryIt(page);
		assert.equal((await active())[3][3], before + 10);
	});

	it("restores a stored map that was replaced by Undo, not by A/B", async () => {
		const other = JSON.parse(fixture.map) as Map;
		other.lockTable[4].fill(71);
		await fixture.post("/api/maps/import?name=Ice", other);
		const { page } = await fixture.open("map", PHONE);
		const saveAs = async (name: string) => {
			await button(page, "Save").tap();
			await page.getByLabel("Name", { exact: true }).fill(name);
			await button(page, "Save as").tap();
		};
		await cell(page, 4, 4).waitFor();
		await saveAs("Ice");
		await untilNoticed(page, 'Stored as "Ice"');
		assert.deepEqual(await kept("Ice"), await active());
		assert.match((await questionsOf(page))[0] ?? "", /"Undo" brings it back/);
		await button(page, "Undo").tap();
		await cell(page, 4, 4).filter({ hasText: /^71$/ }).waitFor();
		const { earlier } = await fixture.get("/api/status");
		await saveAs("Ice");
		await until(async () => (await kept("Ice"))[4][4] === 71, 30_000, "the map of before");
		assert.notEqual(earlier.mapName, "Ice");
	});

	it("swaps two maps with one touch, names the next one, and moves no button", async () => {
		await fixture.post("/api/maps/save", { name: "Asphalt" });
		const other = JSON.parse(fixture.map) as Map;
		for (const row of other.lockTable) row.fill(64);
		await fixture.post("/api/map", { ...other, try: true });
		const { page } = await fixture.open("drive", PHONE);
		await linkIs(page, "Live");
		const swap = page.locator('[data-mode="AB"]');
		await swap.getByText("Asphalt", { exact: true }).waitFor();
		const places = () => placesOf(page, ".mode");
		const before = await places();
		await swap.tap();
		await untilNoticed(page, "Asphalt");
		assert.equal(await current(), "/maps/Asphalt.json");
		await swap.getByText("Asphalt, changed", { exact: true }).waitFor();
		await swap.tap();
		await fixture.bench.untilStatus(({ telemetry }) => Math.round(telemetry["spec"]) === 64, 8000, "the lock of the other map");
		await swap.getByText("Asphalt", { exact: true }).waitFor();
		assert.deepEqual(await places(), before);
		await assertAccessible(page, "swapped");
	});

	it("changes many cells at once: steps, factor, smoothing, an area that is dragged, all and none", async () => {
		const { page } = await fixture.open("map");
		const read = async (row: number, column: number) => Number((await cell(page, row, column).innerText()).trim());
		await button(page, "All").click();
		await page.getByLabel("Set to").fill("40");
		await page.keyboard.press("Enter");
		await button(page, "Multiply by 1.1").click();
		await button(page, "Add 10").click();
		await button(page, "Subtract 1").click();
		assert.deepEqual([await read(0, 0), await read(6, 8)], [53, 53]);
		await button(page, "None").click();
		await page.getByText("Touch cells").waitFor();
		await cell(page, 2, 2).hover();
		await page.mouse.down();
		await cell(page, 4, 4).hover();
		await page.mouse.up();
		await page.getByText("9 cells selected").waitFor();
		await cell(page, 2, 2).click();
		await cell(page, 4, 4).click({ modifiers: ["Shift"] });
		await page.getByText("9 cells selected").waitFor();
		await page.getByLabel("Set to").fill("93");
		await page.keyboard.press("Enter");
		await button(page, "Smooth").click();
		const corner = await read(2, 2);
		assert.ok(corner > 53 && corner < 93, `${corner} lies between its neighbours`);
		assert.equal(await read(3, 3), 93);
		for (let i = 0; i < 5; i++) await button(page, "Undo").click();
		await page.getByText("As in the controller").waitFor();
		for (let i = 0; i < 5; i++) await button(page, "Redo").click();
		assert.equal(await read(2, 2), corner);
		await saveBar(page).getByRole("button", { name: "Discard" }).click();
		await page.getByText("As in the controller").waitFor();
		assert.equal(await read(0, 0), (await active())[0][0]);
	});

	it("marks cells that differ from the controller's, and turns the map in 3D by the arrow keys", async () => {
		const { page } = await fixture.open("map");
		await cell(page, 1, 1).click();
		await page.keyboard.type("88");
		await button(page, "Changes").click();
		await page.locator(".cell.moved").waitFor();
		assert.equal(await page.locator(".cell.moved").count(), 1);
		await button(page, "3D").click();
		const surface = page.locator("canvas.surface");
		const drawn = () => surface.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
		const turned = () => surface.getAttribute("aria-valuenow");
		await surface.focus();
		const before = [await turned(), await drawn()];
		await page.keyboard.press("ArrowRight");
		const after = [await turned(), await drawn()];
		assert.ok(after[0] !== before[0] && after[1] !== before[1], "the arrow keys turn it");
	});

	it("shows the operating point as a ring that covers no number", async () => {
		const { page } = await fixture.open("map", PHONE);
		await page.locator(".point:not(.old)").waitFor();
		const style = await page.locator(".point").evaluate((point) => {
			const { backgroundColor, backgroundImage, pointerEvents, transitionDuration } = getComputedStyle(point);
			return [backgroundColor, backgroundImage, pointerEvents, transitionDuration];
		});
		// a transition draws sixty times a second what is told ten times
		assert.deepEqual(style, ["rgba(0, 0, 0, 0)", "none", "none", "0s"]);
		await page.locator(".heat-trail .trail").first().waitFor({ state: "attached" });
		const [x, y] = middle(await box(cell(page, 4, 4).locator("b")));
		const top = await page.evaluate(
			([left, above]) => {
				document.querySelector<SVGElement>(".heat-trail")!.style.pointerEvents = "all";
				return document.elementFromPoint(left, above)?.tagName;
			},
			[x, y] as const,
		);
		assert.equal(top, "B");
	});

	it("reaches cells and axes by keyboard, applies a typed cell to the car, and keeps the focus", async () => {
		const { page } = await fixture.open("map");
		await cell(page, 0, 0).waitFor();
		const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
		await page.locator("#content").focus();
		await page.keyboard.press("Tab");
		assert.match(String(await focused()), /lock at 0 km\/h and 0 % pedal/);
		await page.keyboard.press("ArrowUp");
		await page.keyboard.press("ArrowRight");
		assert.equal(await focused(), "Change speed 5 km/h");
		await page.keyboard.press("ArrowDown");
		assert.match(String(await focused()), /lock at 5 km\/h and 0 % pedal/);
		await page.keyboard.press("ArrowLeft");
		await page.keyboard.press("ArrowLeft");
		assert.equal(await focused(), "Change pedal 0 %");
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		await page.getByLabel("Pedal, %").waitFor();
		await button(page, "Cancel").click();
		// 40 km/h and 40 %, where the car and the sliders are, is that cell
		await cell(page, 4, 4).click();
		await page.keyboard.type("77");
		await applyButton(page).focus();
		await page.keyboard.press("Enter");
		await page.locator(".notice.good").waitFor();
		await page.locator('[data-test="preview"]', { hasText: "77 %" }).waitFor();
		await fixture.bench.untilStatus(({ telemetry }) => Math.round(telemetry["spec"]) === 77, 8000, "the lock of the cell");
		await until(async () => (await page.evaluate(() => document.activeElement?.textContent)) === "Apply", 30_000, "the focus");
	});

	it("handles each move of a drag on area, surface and graph, so that the browser scrolls nothing", async () => {
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

	it("fits the screen upright and on its side, and moves nothing while one edits and saves", async () => {
		const { page } = await fixture.open("map", PHONE);
		await cell(page, 6, 8).waitFor();
		for (const [size, column] of [
			[PHONE.viewport, 2],
			[ON_ITS_SIDE.viewport, 3],
		] as const) {
			await resize(page, size);
			const isUpright = size === PHONE.viewport;
			const edited = cell(page, 0, column);
			const [header, navigation] = [await box(page.locator(".top")), await box(page.locator(".pages"))];
			const bottom = isUpright ? navigation.y : size.height;
			const apply = applyButton(page);
			const tools = ["3D", "Multiply by 1.1", "Interpolate"].map((label) => button(page, label));
			for (const what of [cell(page, 0, 0), cell(page, 6, 8), ...tools, apply]) {
				const { x, y, width, height } = await box(what);
				assert.ok(y >= header.height && y + height <= bottom && x + width <= size.width, `${what}: ${x}, ${y}`);
			}
			await edited.tap();
			const lock = Number(await edited.textContent());
			const before = await placesOf(page, "[data-cell], .map-tools button, .save-bar button, .pages a");
			const isAsBefore = async (what: string) =>
				assert.deepEqual(await placesOf(page, "[data-cell], .map-tools button, .save-bar button, .pages a"), before, what);
			const posts = postsOf(page);
			const [x, y] = middle(await box(button(page, "Add 10")));
			for (let taps = 1; taps <= 4; taps++) {
				await page.touchscreen.tap(x, y);
				await edited.filter({ hasText: String(lock + 10 * taps) }).waitFor();
			}
			assert.deepEqual(posts, []);
			await isAsBefore("a draft has begun");
			await apply.tap();
			await page.locator(".notice.good").waitFor();
			await isAsBefore("it was saved");
			const notice = await box(page.locator(".notice"));
			const isFree = isUpright ? notice.y >= navigation.y : notice.y + notice.height <= header.y + header.height;
			assert.ok(isFree, "a message covers no content");
			// the second time, the first cell is still among them
			await saveBar(page)
				.getByText(/As in the controller \d cells? selected/)
				.waitFor();
			await button(page, "Close").tap();
		}
	});

	it("shows the seconds in each cell, and the car's path, which fades", async () => {
		const { page } = await fixture.open("map", { ...PHONE, stopped: true });
		const isDrawn = async () => (await page.locator(".heat-trail .trail").count()) > 0;
		// longer than one step of age
		await passTime(page, 5500, isDrawn);
		await page.clock.resume();
		assert.equal(await page.locator(".stay").count(), 0);
		await button(page, "Time").tap();
		await cell(page, 4, 4).locator(".stay").waitFor();
		assert.match((await cell(page, 4, 4).getAttribute("aria-label")) ?? "", /, [1-9] s of this drive$/);
		assert.equal(await page.locator(".stay").count(), 1, "of the cell that was used");
		await cell(page, 4, 4).tap();
		await button(page, "Add 10").tap();
		await button(page, "Changes").tap();
		assert.match((await cell(page, 4, 4).getAttribute("aria-label")) ?? "", /, \d+ s of this drive, \+10$/);
		await assertAccessible(page, "with time and changes");
		await button(page, "Undo").tap();
		await button(page, "Changes").tap();
		await button(page, "Time").tap();
		assert.equal(await page.locator(".stay").count(), 0);
		fixture.bench.show(110, 80);
		// 80 % pedal and 110 km/h on the axes of the map, upright, with the axes' own cells before them
		const newest = page.locator(".heat-trail .trail:last-child path").first();
		await until(
			async () => /L7\.500 8\.750$/.test((await newest.getAttribute("d")) ?? ""),
			30_000,
			"the path to where the car is",
		);
		const opacities = await page
			.locator(".heat-trail .trail")
			.evaluateAll((parts) => parts.map((part) => Number(part.getAttribute("opacity"))));
		assert.ok(opacities[0] < opacities.at(-1)!, "the newest is drawn last, and strongest");
	});
});

describe("the heat map's layout", () => {
	it("has a place for each cell, lying and upright", () => {
		for (const layout of [LYING, UPRIGHT]) {
			const cells = new Set<number>();
			for (let line = 0; line < layout.lines; line++)
				for (let place = 0; place < layout.perLine; place++) {
					const cell = layout.cellOf(line, place);
					assert.deepEqual([layout.lineOf(cell), layout.placeOf(cell)], [line, place]);
					cells.add(cell);
				}
			assert.deepEqual([cells.size, Math.max(...cells)], [63, 62]);
		}
	});

	it("leads the arrow keys from cell to cell, to the axes, and no further", () => {
		const steps: [layout: Layout, from: Spot, key: string, least: 0 | -1, to: Spot | undefined][] = [
			[LYING, [3, 3], "ArrowUp", 0, [2, 3]],
			[LYING, [6, 8], "ArrowRight", 0, [6, 8]],
			[LYING, [0, 2], "ArrowUp", 0, [0, 2]],
			[LYING, [0, 2], "ArrowUp", -1, [-1, 2]],
			[LYING, [-1, 2], "ArrowDown", -1, [0, 2]],
			[LYING, [-1, 0], "ArrowLeft", -1, [-1, 0]],
			[LYING, [0, -1], "ArrowUp", -1, [0, -1]],
			[LYING, [3, 3], "constructor", -1, undefined],
			[UPRIGHT, [6, 6], "ArrowDown", 0, [7, 6]],
			[UPRIGHT, [6, 6], "ArrowRight", 0, [6, 6]],
		];
		for (const [layout, from, key, least, to] of steps)
			assert.deepEqual(arrowFrom(from, key, layout, least), to, `${key} from ${from}`);
	});
});

describe("changes to a map", () => {
	const flat = { ...MAP, lockTable: Array.from({ length: 7 }, () => Array<number>(9).fill(0)) };
	const withCorners = change(flat, new Set([cellAt(0, 0), cellAt(0, 8)]), (_, cell) => (cell === 0 ? 90 : 10));

	it("interpolate between cells by the values of the axis", () => {
		const [row] = interpolate(withCorners, rectangle(cellAt(0, 0), cellAt(0, 8))).lockTable;
		// 40 of 160 km/h
		assert.deepEqual([row[0], row[3], row[8]], [90, 70, 10]);
	});

	it("smooth each cell half-way to its neighbours, and hold it within 0 to 100 %", () => {
		assert.deepEqual(smooth(withCorners, new Set([cellAt(0, 1)])).lockTable[0].slice(0, 3), [90, 15, 0]);
		assert.equal(change(flat, new Set([5]), () => 140.2).lockTable[0][5], 100);
	});

	it("keep an axis ascending and within its range", () => {
		assert.deepEqual(withBin(MAP, "speedBins", 8, 150.4)?.speedBins.slice(7), [140, 150]);
		for (const value of [140, 301, Number.NaN]) assert.equal(withBin(MAP, "speedBins", 8, value), undefined);
	});

	it("differ from another map by its interpolated values, not by index", () => {
		const slope = { ...MAP, lockTable: MAP.lockTable.map(() => MAP.speedBins.map((speed) => speed / 2)) };
		const speedBins = [0, 5, 15, 30, 50, 70, 90, 120, 150];
		const other = { ...slope, speedBins, lockTable: slope.lockTable.map(() => speedBins.map((speed) => speed / 2)) };
		assert.ok(
			differences(slope, other)
				.flat()
				.slice(0, 8)
				.every((by) => by === 0),
		);
		assert.deepEqual([sameAxes(slope, slope), sameAxes(slope, other)], [true, false]);
	});
});

describe("the lock that the page computes", () => {
	it("is the same as the controller's, with and without gates", async () => {
		await withBench({}, async (bench) => {
			assert.equal((await bench.post("/api/map", MAP)).code, 200);
			const gates = { disengageUnderSpeed: { map: 30, speed: 0, throttle: 0, rpm: 0 }, disableSpeed: 20, disableThrottle: 5 };
			assert.equal((await bench.post("/api/settings", gates)).code, 200);
			for (const speed of [0, 0.5, 7, 10, 29.9, 30, 33.3, 60, 111, 160, 250])
				for (const pedal of [0, 3, 10, 33, 60.5, 98.9, 99, 100]) {
					const { text } = await bench.ask("GET", `/api/preview?mode=MAP&speed=${speed}&throttle=${pedal}`);
					const { lock, ungated } = JSON.parse(text) as { lock: number; ungated: number };
					const where = `${speed} km/h, ${pedal} %`;
					assert.equal(figure(lockAt(MAP, speed, pedal)), ungated, where);
					assert.equal(figure(gatedLockAt(MAP, gates, speed, pedal)), lock, `${where}, behind the gate`);
				}
		});
	});

	it("comes with the time spent near each cell, as far as speed and pedal are known", () => {
		const drive = [at(0, 40, 40), at(1000, 49, 33), at(1500, 51, 33), at(2000, Number.NaN, 33), at(2500, 300, 100)];
		const seconds = secondsPerCell(MAP, [...drive, at(2600, 300, 100), at(2600 + GAP_MS + 1, 0, 0)], GAP_MS);
		const found = seconds.map((value, cell) => [cell, Number(value.toFixed(3))]).filter(([, value]) => value !== 0);
		assert.deepEqual(found, [
			[3 * 9 + 3, 1.5],
			[3 * 9 + 4, 0.5],
			[6 * 9 + 8, 0.1],
		]);
	});
});
