import assert from "node:assert/strict";
import { arrive, linkIs, PHONE, PLAIN_HTTP_HOST } from "./browser.js";
import { button, cell, describePage, saveBar, scanned, turnTo } from "./page-fixture.js";
import { loadAxe, NO_PROBLEMS, problemsOf } from "./page-problems.js";

describePage("sharing a map", (fixture) => {
	it("gives a map away by QR code and text; who scans it sees the map, and takes it as a draft", async () => {
		const { page, problems } = await fixture.open("library", PHONE);
		const row = page.locator(".library li", { hasText: "aggressive" });
		await row.scrollIntoViewIfNeeded();
		await row.locator(".map-picture[aria-label*='aggressive']").waitFor();
		await row.getByText("Much lock with much pedal").waitFor();
		await page.locator(".library li", { hasText: "danger" }).getByText("strains coupling and shafts").waitFor();
		await row.getByRole("button", { name: "Share" }).tap();
		await loadAxe(page);
		const link = (await scanned(page, page.locator(".qr svg"))) ?? assert.fail("nothing to scan");
		assert.match(link, new RegExp(`^http://127\\.0\\.0\\.1:${fixture.bench.port}/#share/OC1-[\\w-]{99}$`));
		assert.equal(await page.getByLabel("The map as text").inputValue(), link.split("/").pop());
		assert.deepEqual(await problemsOf(page), NO_PROBLEMS);
		const other = await arrive(fixture.browser, link, PHONE);
		await other.page.getByText(/cells differ from "the map in the controller"/).waitFor();
		await button(other.page, "Open it on the map page").tap();
		await saveBar(other.page).getByText("Not applied yet").waitFor();
		assert.equal(await cell(other.page, 6, 3).getAttribute("aria-label"), "100 % lock at 40 km/h and 100 % pedal");
		assert.equal(JSON.stringify(await fixture.json("/api/map")).includes("100,100"), false, "nothing is active yet");
		await button(other.page, "Undo").tap();
		await saveBar(other.page).getByText("As in the controller").waitFor();
		assert.deepEqual([...problems, ...other.problems], []);
	});

	it("copies the text on plain http, and takes it from a mail elsewhere; a wrong one is told", async () => {
		const { page, problems } = await arrive(fixture.browser, `http://${PLAIN_HTTP_HOST}:${fixture.bench.port}/#map`, PHONE);
		await linkIs(page, "Live");
		await cell(page, 3, 3).tap();
		await page.keyboard.type("91");
		await page.getByRole("link", { name: "Share" }).tap();
		await button(page, "Copy the text").tap();
		await page.getByText("Copied").waitFor();
		const mine = await page.getByLabel("The map as text").inputValue();
		const paste = page.getByLabel("Text of a map");
		await paste.focus();
		await page.keyboard.press("Control+V");
		assert.equal(await paste.inputValue(), mine, "it is what was copied");
		await paste.fill(`Try mine: ${mine.slice(0, 50)} ${mine.slice(51)}`);
		await page.getByText("a part is missing, or a character is wrong").waitFor();
		assert.equal(await button(page, "Show the map").isDisabled(), true);
		await paste.fill(mine.replace("OC1", "OC7"));
		await page.getByText("made by a newer version").waitFor();
		await paste.fill(`Try mine:\n${mine.slice(0, 50)}\n${mine.slice(50)}\nBye`);
		await button(page, "Show the map").tap();
		await page.getByText(/1 cell differs from "the map in the controller"/).waitFor();
		await turnTo(page, "share/OC1-nonsense");
		await page.locator(".fault", { hasText: "This text is damaged" }).waitFor();
		assert.deepEqual(problems, []);
	});
});
