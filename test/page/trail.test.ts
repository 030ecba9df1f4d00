import assert from "node:assert/strict";
import { until } from "../system/wait.js";
import { linkIs, PHONE } from "./browser.js";
import { button, cell, describePage } from "./page-fixture.js";

describePage("the drive on the map", (fixture) => {
	it("tells the seconds in each cell when asked, and leaves a path that fades, from where the car was to where it is", async () => {
		const { page, problems } = await fixture.open("map", PHONE);
		await linkIs(page, "Live");
		await page.locator(".heat-trail .trail").first().waitFor({ state: "attached" });
		// longer than one step of age
		await page.waitForTimeout(5500);
		assert.equal(await page.locator(".stay").count(), 0);
		await button(page, "Time").tap();
		await cell(page, 4, 4)
			.locator(".stay", { hasText: /^[1-9] s$/ })
			.waitFor();
		assert.match((await cell(page, 4, 4).getAttribute("aria-label")) ?? "", /, [1-9] s of this drive$/);
		assert.equal(await page.locator(".stay").count(), 1, "of the cell that was used");
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
