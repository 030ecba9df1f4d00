/** Conditions on the page: added, ordered, changed, and what each does at the moment. */
import assert from "node:assert/strict";
import type { Condition } from "../../src/page/net/types.js";
import { IN_GERMAN, PHONE } from "./browser.js";
import { apply, box, button, cell, describePage, turnTo } from "./page-fixture.js";
import { assertAccessible } from "./page-problems.js";

describePage("conditions on the page", (fixture) => {
	const stored = async (): Promise<readonly Condition[]> => (await fixture.get("/api/conditions")).conditions;
	/** Does something while the driver brakes. */
	const whileBraking = async (work: () => Promise<void>): Promise<void> => {
		const { data } = fixture.bench.row(0x3be);
		data[3] |= 0x10;
		try {
			await work();
		} finally {
			data[3] &= ~0x10;
		}
	};
	afterEach(async () => {
		await fixture.set({ conditions: [] });
	});

	it("are added from what is proposed, changed, ordered and removed, and say what each does now", async () => {
		const { page } = await fixture.open("conditions", PHONE);
		const cards = page.locator("section", { has: page.getByRole("checkbox", { name: "On", exact: true }) });
		await page.getByText("No conditions yet.").waitFor();
		await button(page, "Another signal").waitFor();
		await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
		await button(page, "Brake holds it closed").tap();
		await cards.nth(0).waitFor();
		const { y } = await box(cards.nth(0));
		assert.ok(y > 0 && y < PHONE.viewport.height / 2, `what is added is in sight, at ${y}`);
		await button(page, "ESP off selects the map").tap();
		await button(page, "Brake opens").tap();
		await cards.nth(1).getByRole("button", { name: "Remove" }).tap();
		await cards.nth(1).getByRole("button", { name: "Up" }).tap();
		await cards.nth(1).getByLabel(/^Mode/).selectOption("7030");
		await cards.nth(0).getByLabel("What it does").selectOption("limit");
		await cards.nth(0).getByLabel("No more lock than").fill("15");
		await cards.nth(0).getByLabel("Lasts at least").fill("1.5");
		await page.keyboard.press("Tab");
		await apply(page);
		assert.deepEqual(
			(await stored()).map(({ effect, mode, limitPercent, holdMs, enabled }) => [effect, mode, limitPercent, holdMs, enabled]),
			[
				["limit", "MAP", 15, 1500, true],
				["mode", "7030", 50, 300, true],
			],
		);
		await cards.nth(0).getByText("Not fulfilled").waitFor();
		const line = cards.nth(0).getByRole("heading", { name: "1. mo fahrer bremst ≥ 1 ≤ 15 %" });
		assert.equal(await line.locator(".icon path[d]").count(), 3, "signal, arrow, effect");
		await whileBraking(async () => {
			for (const index of [0, 1]) await cards.nth(index).getByText("Active now").waitFor();
			await assertAccessible(page);
		});
	});

	it("are not applied while one has no signal: its field and the bar say so, in English and German", async () => {
		for (const [language, own, choose, missing] of [
			[PHONE, "Another signal", "Choose a signal", "Condition 1 has no signal: choose one"],
			[IN_GERMAN, "Ein anderes Signal", "Wähle ein Signal", "Bedingung 1 hat kein Signal: wähle eines"],
		] as const) {
			const { page } = await fixture.open("conditions", language);
			await button(page, own).click();
			const field = page.getByRole("button", { name: /^Signal/ });
			await page.getByText(choose, { exact: true }).waitFor();
			assert.equal(
				await field.evaluate((one) => document.getElementById(one.getAttribute("aria-describedby") ?? "")?.textContent),
				choose,
			);
			await page.locator('[data-test="save-bar"] .primary').click();
			await page.locator('[data-test="save-bar"]').getByText(missing).waitFor();
			assert.deepEqual(await stored(), []);
			await assertAccessible(page);
			await field.click();
			assert.equal(
				await page
					.getByRole("dialog")
					.getByRole("button", { name: /^(Recommended|Empfohlen)$/ })
					.count(),
				0,
			);
			await page.locator(".picks button").first().click();
			await page.getByText(choose, { exact: true }).waitFor({ state: "detached" });
			await page.locator('[data-test="save-bar"] .primary').click();
			await page.locator('[data-test="save-bar"]').getByText(missing).waitFor({ state: "detached" });
			await page.locator('[data-test="save-bar"]:not(.dirty)').waitFor();
			const [{ signal }] = await stored();
			assert.notEqual(signal, "");
			await fixture.set({ conditions: [] });
		}
	});

	it("select a stored map; the driver's own can be edited meanwhile and returns", async () => {
		const wet = { ...JSON.parse(fixture.map), lockTable: Array.from({ length: 7 }, () => Array(9).fill(30)) };
		await fixture.post("/api/maps/import?name=Wet", wet);
		const { page } = await fixture.open("conditions", PHONE);
		await button(page, "Brake opens").tap();
		await page.getByLabel("What it does").selectOption("map");
		await page.getByLabel(/^Map/).selectOption({ label: "Wet" });
		await apply(page);
		await page.getByText("Not fulfilled").waitFor();
		await whileBraking(async () => {
			await page.getByText("Active now").waitFor();
			await assertAccessible(page, "its form");
			await turnTo(page, "drive");
			await page.locator('[data-test="shown"]', { hasText: /^Wet$/ }).waitFor();
			await page.locator('[data-test="reason"]', { hasText: "control is active in the mode of a condition" }).waitFor();
			await assertAccessible(page, "Drive");
			await turnTo(page, "map");
			await page.getByText('A condition has put "Wet" in its place').waitFor();
			await assertAccessible(page, "Map");
			await cell(page, 2, 2).tap();
			await button(page, "Add 10").tap();
			await apply(page);
			const before = JSON.parse(fixture.map).lockTable[2][2];
			const { lockTable } = await fixture.get("/api/map");
			const stored = await fixture.get("/api/maps/export?name=Wet&format=json");
			assert.deepEqual([lockTable[2][2], stored.lockTable[2][2]], [before + 10, 30]);
		});
		await page.getByText('A condition has put "Wet" in its place').waitFor({ state: "detached" });
		await turnTo(page, "drive");
		await page.locator('[data-test="shown"]', { hasText: /^Unnamed map$/ }).waitFor();
		await fixture.set({ conditions: [] });
		await fixture.post("/api/maps/delete", { name: "Wet" });
	});

	it("say that a signal is lost, and Drive says why in German", async () => {
		const one = { enabled: true, effect: "open", signal: "chassis|0x1|nothing|" };
		await fixture.set({ conditions: [one] });
		const { page } = await fixture.open("conditions", IN_GERMAN);
		await page.getByText("kein Signal").first().waitFor();
		await page.goto(page.url().replace("#conditions", "#drive"));
		await page.getByText("eine Bedingung, die öffnet, bekommt keinen gültigen Wert").waitFor();
	});

	it("warn of a signal whose codes are unknown", async () => {
		const conditions = ["chassis|0x104|epb status|", "chassis|0x3be|mo fahrer bremst|"].map((signal) => ({
			enabled: true,
			signal,
		}));
		await fixture.set({ conditions });
		assert.deepEqual(
			(await fixture.get("/api/conditions")).conditions.map(({ codesKnown }: { codesKnown: boolean }) => codesKnown),
			[false, true],
		);
		const { page } = await fixture.open("conditions", PHONE);
		const cards = page.locator("section", { has: page.getByRole("checkbox", { name: "On", exact: true }) });
		await cards.nth(0).getByText("The codes of this signal are unknown").waitFor();
		assert.equal(await cards.nth(1).getByText("The codes of this signal are unknown").count(), 0);
	});

	it("propose a handbrake condition for the value 1 that outlasts its blinking", async () => {
		const { page } = await fixture.open("conditions", PHONE);
		await button(page, "Handbrake opens").tap();
		await apply(page);
		const [{ operator, value, holdMs }] = await stored();
		assert.deepEqual([operator, value, holdMs], ["eq", 1, 1000]);
	});
});
