/**
 * What a driver stumbled over, under a thumb on the smallest phone: where messages stand, what a parked car
 * is called, what dangerous switches say.
 */
import assert from "node:assert/strict";
import { until } from "../system/wait.js";
import { answerWith, linkIs, PHONE, questionsOf } from "./browser.js";
import { box, button, cell, describePage, saveBar, turnTo } from "./page-fixture.js";

describePage("what a driver stumbled over", (fixture) => {
	it("says a message over the navigation, for a while and on its page only, and why a button does nothing", async () => {
		const { page } = await fixture.open("map", PHONE);
		const notice = page.locator(".notice");
		await cell(page, 0, 0).waitFor();
		const undo = button(page, "Redo");
		await undo.tap({ force: true });
		await notice.getByText("Redo: nothing was changed").waitFor();
		const [message, navigation] = [await box(notice), await box(page.locator(".pages"))];
		assert.ok(message.y >= navigation.y, "it covers nothing but the navigation");
		assert.equal(await undo.evaluate((element) => getComputedStyle(element).borderStyle), "dashed");
		await button(page, "Add 10").tap({ force: true });
		await notice.getByText("Touch cells").waitFor();
		assert.equal(await notice.count(), 1, "the newest one only");
		await turnTo(page, "drive");
		await page.locator(".look").waitFor();
		// what follows a drawing is done after it
		await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
		assert.equal(await notice.count(), 0, "it belongs to its page");
	});

	it("calls a parked car by one calm line, and a car that has lost one bus by its fault", async () => {
		const { chassisRows, couplingRows } = fixture.bench;
		const { page } = await fixture.open("drive", PHONE);
		await linkIs(page, "Live");
		const silent = (rows: readonly { silent?: boolean }[], is: boolean) => {
			for (const row of rows) row.silent = is;
		};
		silent(chassisRows, true);
		try {
			await page.locator(".drive-faults .fault", { hasText: "Nothing comes from the car" }).waitFor();
			silent(couplingRows, true);
			await page.locator('[data-test="reason"]', { hasText: "The ignition is off" }).waitFor();
			assert.equal(await page.locator(".drive-faults .fault").count(), 0);
		} finally {
			silent(chassisRows, false);
			silent(couplingRows, false);
		}
	});

	it("says that another device has applied a map", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await linkIs(page, "Live");
		await page.locator('[data-test="shown"]', { hasText: "unnamed map" }).waitFor();
		await fixture.post("/api/maps/load", { name: "fwd" });
		await page.locator(".notice", { hasText: 'Another device has made "fwd" active' }).waitFor();
		await page.locator('[data-test="shown"]', { hasText: "fwd" }).waitFor();
	});

	it("offers the pedal before the brake and no checksum as an input, and shows raw frames once each", async () => {
		const { page } = await fixture.open("inputs", PHONE);
		await page.getByRole("button", { name: /^Pedal .*%/ }).tap();
		await page.getByRole("searchbox").fill("pedal");
		await page
			.locator(".picks button span", { hasText: /fahrpedal/i })
			.first()
			.waitFor();
		const names = await page.locator(".picks button span").allInnerTexts();
		const first = (part: RegExp) => names.findIndex((name) => part.test(name));
		const brake = first(/brems/i);
		assert.ok(first(/fahrpedal/i) >= 0 && (brake < 0 || first(/fahrpedal/i) < brake), names.join());
		await page.getByRole("searchbox").fill("");
		await page.locator(".picks button").nth(20).waitFor();
		const all = await page.locator(".picks button span").allInnerTexts();
		assert.deepEqual(
			all.filter((name) => /\b(CRC|BZ)\b/.test(name)),
			[],
		);
		await turnTo(page, "can");
		await page.getByLabel("Filter").fill("speed");
		await page
			.locator("tbody th", { hasText: /geschw|v signal/i })
			.first()
			.waitFor();
		await page.getByLabel("Filter").fill("");
		await button(page, "Raw").tap();
		await page
			.locator("td.code", { hasText: /^[0-9a-f]{2} / })
			.first()
			.waitFor();
		const rows = await page
			.locator("tbody tr")
			.evaluateAll((found) => found.map((row) => [0, 2].map((i) => row.children[i]?.textContent).join()));
		assert.equal(new Set(rows).size, rows.length);
	});

	it("lets one save while typing, asks before a dangerous switch, and shows on Drive that it is on", async () => {
		const { page } = await fixture.open("gates", PHONE);
		await answerWith(page, false);
		const field = page.getByLabel(/^Lock rises by at most/);
		await field.focus();
		await page.keyboard.press("Control+A");
		await page.keyboard.type("250");
		const save = saveBar(page).getByRole("button", { name: "Apply" });
		await saveBar(page).locator('button.primary[aria-disabled="false"]').waitFor();
		await save.tap();
		await page.getByText("As in the controller").waitFor();
		assert.equal((await fixture.json<{ lockEngageRatePctPerSec: number }>("/api/status")).lockEngageRatePctPerSec, 250);
		await turnTo(page, "coupling");
		await page.getByLabel("Open while ABS or ESP intervene").uncheck();
		await save.tap();
		const respected = async () => (await fixture.json<{ respectInterventions: boolean }>("/api/status")).respectInterventions;
		await until(async () => /^Ignore ABS and ESP/.test((await questionsOf(page)).join()), 30_000, "the question");
		assert.equal(await respected(), true, "not agreed");
		await answerWith(page, true);
		await page.getByLabel("Control a coupling that does not report").check();
		await save.tap();
		await page.getByText("As in the controller").waitFor();
		assert.equal((await questionsOf(page)).length, 3);
		await turnTo(page, "drive");
		await page.locator(".drive-faults .fault", { hasText: "ABS and ESP are ignored" }).waitFor();
		await page.locator(".drive-faults .fault", { hasText: "Control without feedback" }).waitFor();
		await fixture.post("/api/settings", { respectInterventions: true, controlWithoutFeedback: false });
	});
});
