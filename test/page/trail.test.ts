import assert from "node:assert/strict";
import { arrowFrom, type Spot } from "../../src/page/map/heat-selection.js";
import { LYING, UPRIGHT } from "../../src/page/map/layout.js";
import { until } from "../system/wait.js";
import { PHONE, passTime } from "./browser.js";
import { button, cell, describePage } from "./page-fixture.js";
import { loadAxe, NO_PROBLEMS, problemsOf } from "./page-problems.js";

describePage("the drive on the map", (fixture) => {
	it("tells the seconds in each cell when asked, and leaves a path that fades, from where the car was to where it is", async () => {
		const { page, problems } = await fixture.open("map", { ...PHONE, stopped: true });
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
		await loadAxe(page);
		assert.deepEqual(await problemsOf(page), NO_PROBLEMS, "with time and changes");
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
		assert.ok(opacities.length > 1, "more than one step of age");
		assert.deepEqual(
			opacities,
			[...opacities].sort((a, b) => a - b),
			"the newest is drawn last, and strongest",
		);
		assert.deepEqual(problems, []);
	});
});

describe("the heat map's layout", () => {
	it("has each cell in one place, lying and upright", () => {
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

	const steps: [from: Spot, key: string, least: 0 | -1, to: Spot | undefined][] = [
		[[3, 3], "ArrowUp", 0, [2, 3]],
		[[3, 3], "ArrowDown", 0, [4, 3]],
		[[3, 3], "ArrowLeft", 0, [3, 2]],
		[[3, 3], "ArrowRight", 0, [3, 4]],
		[[6, 8], "ArrowDown", 0, [6, 8]],
		[[6, 8], "ArrowRight", 0, [6, 8]],
		[[0, 2], "ArrowUp", 0, [0, 2]],
		[[0, 2], "ArrowUp", -1, [-1, 2]],
		[[4, 0], "ArrowLeft", -1, [4, -1]],
		[[-1, 2], "ArrowRight", -1, [-1, 3]],
		[[-1, 2], "ArrowDown", -1, [0, 2]],
		[[-1, 2], "ArrowUp", -1, [-1, 2]],
		[[-1, 0], "ArrowLeft", -1, [-1, 0]],
		[[0, -1], "ArrowUp", -1, [0, -1]],
		[[-1, 8], "ArrowRight", -1, [-1, 8]],
		[[4, -1], "ArrowRight", -1, [4, 0]],
		[[3, 3], "Enter", -1, undefined],
		[[3, 3], "constructor", -1, undefined],
	];
	for (const [from, key, least, to] of steps)
		it(`${key} leads from ${from} to ${to ?? "nowhere"}${least === 0 ? ", among cells" : ""}`, () => {
			assert.deepEqual(arrowFrom(from, key, LYING, least), to);
		});

	it("ends later below and earlier on the right where it stands upright", () => {
		assert.deepEqual(arrowFrom([6, 6], "ArrowDown", UPRIGHT, 0), [7, 6]);
		assert.deepEqual(arrowFrom([6, 6], "ArrowRight", UPRIGHT, 0), [6, 6]);
	});
});
