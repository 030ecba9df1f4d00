/** What the page says after three crashes in a row, and where it leads. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { Bench, crashInARow } from "../system/bench-car.js";
import { arrive, describeInBrowser, launch, leave, linkIs } from "./browser.js";
import { button, turnTo } from "./page-fixture.js";
import { assertWhole, loadAxe } from "./page-problems.js";

describeInBrowser("the page in a boot loop", () => {
	let flash: string;
	let bench: Bench;
	let browser: Browser;

	before(async () => {
		flash = mkdtempSync(join(tmpdir(), "oc-boot-loop-"));
		writeFileSync(join(flash, "settings.json"), '{"format":1,"generation":5,"mode":"STOCK","setupDone":true}');
		await crashInARow(flash, 3);
		bench = await Bench.start({ paced: true, settings: null, flash });
		bench.show(0, 0);
		browser = await launch();
	});
	after(async () => {
		await leave();
		await bench?.end();
		if (flash !== undefined) rmSync(flash, { recursive: true, force: true });
	});

	it("says so on every page, leads to the update, and shows nothing that would be rejected", async () => {
		const { page, problems } = await arrive(browser, `http://127.0.0.1:${bench.port}/`, { reducedMotion: "reduce" });
		const streams: string[] = [];
		page.on("request", (request) => request.url().includes("/api/events") && streams.push(request.url()));
		const isWhole = async (): Promise<void> => {
			await page.locator(".boot-loop", { hasText: "The controller has crashed three times in a row" }).waitFor();
			await loadAxe(page);
			await assertWhole(page, page.url());
		};
		await page.locator('[data-test="safe"]', { hasText: "An update may start now" }).waitFor();
		assert.equal(new URL(page.url()).hash, "#update");
		await linkIs(page, "Live");
		assert.equal(await button(page, "Set the password").count(), 0);
		await isWhole();
		await turnTo(page, "drive");
		await page.locator('[data-mode="5050"]').click();
		await page.locator(".notice.bad", { hasText: "boot loop: only update, status and logs" }).waitFor();
		await isWhole();
		await page.getByRole("link", { name: "Open the update" }).click();
		await page.getByRole("heading", { name: "Firmware" }).waitFor();
		assert.deepEqual(streams.slice(1), [], "events are asked for once at the most");
		const refused = problems.filter((text) => /status of 503/.test(text));
		assert.deepEqual([problems.length - refused.length, refused.length <= 2], [0, true], problems.join("\n"));
	});
});
