/**
 * Trying a map and keeping it are two things; there is a way back across saves; two maps are swapped with one
 * touch.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../system/wait.js";
import { linkIs, PHONE, questionsOf } from "./browser.js";
import { button, cell, describePage, saveBar } from "./page-fixture.js";
import { loadAxe, NO_PROBLEMS, problemsOf } from "./page-problems.js";

interface LockMap {
	readonly lockTable: number[][];
}

describePage("trying, keeping and going back", (fixture) => {
	const inForce = async () => (await fixture.json<LockMap>("/api/map")).lockTable;
	const current = async () => (await fixture.json<{ current: string }>("/api/maps")).current;
	const kept = async (name: string) =>
		(await fixture.json<LockMap>(`/api/maps/export?name=${encodeURIComponent(name)}&format=json`)).lockTable;
	const tryIt = async (page: Page) => {
		await saveBar(page).getByRole("button", { name: "Apply" }).tap();
		await page.locator(".notice.good", { hasText: "Active now" }).waitFor();
		await button(page, "Close").tap();
	};
	const whole = async (page: Page, state: string) => assert.deepEqual(await problemsOf(page), NO_PROBLEMS, state);

	it("tries a map without touching the stored one, and keeps it when told to, under its name again", async () => {
		assert.equal(await fixture.post("/api/maps/save", { name: "Gravel road" }), 200);
		const { page } = await fixture.open("map", PHONE);
		const before = await inForce();
		await loadAxe(page);
		await page.getByRole("button", { name: "Change speed 140 km/h" }).tap();
		await page.getByLabel("Speed, km/h").waitFor();
		await whole(page, "an axis");
		await button(page, "Cancel").tap();
		await cell(page, 2, 2).tap();
		await button(page, "Add 10").tap();
		await tryIt(page);
		assert.deepEqual([(await inForce())[2][2], await kept("Gravel road")], [before[2][2] + 10, before]);
		await whole(page, "tried");
		await button(page, "Save").tap();
		await button(page, "Save as").waitFor();
		await whole(page, "a name is asked for");
		await button(page, "Save as").tap();
		await page.locator(".notice.good", { hasText: 'Stored as "Gravel road"' }).waitFor();
		assert.deepEqual(await kept("Gravel road"), await inForce());
	});

	it("undoes what was tried before a reload, shows it as a draft first, and comes forward again", async () => {
		const before = (await inForce())[3][3];
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
		let posts = 0;
		page.on("request", (request) => request.method() === "POST" && posts++);
		await button(page, "Undo").tap();
		await isShown(before + 10);
		await saveBar(page).getByText("As it was before the last change").waitFor();
		await loadAxe(page);
		await whole(page, "undone");
		await button(page, "Undo").tap();
		await isShown(before);
		await saveBar(page).getByText("As it was 2 changes ago").waitFor();
		await button(page, "Redo").tap();
		await isShown(before + 10);
		assert.deepEqual([(await inForce())[3][3], posts], [before + 20, 0], "nothing is active before it is tried");
		await tryIt(page);
		assert.equal((await inForce())[3][3], before + 10);
	});

	it("brings back a stored map that was replaced, though it was never active; A/B does not: it swaps what was", async () => {
		const other = JSON.parse(fixture.map) as LockMap;
		other.lockTable[4].fill(71);
		assert.equal(await fixture.post("/api/maps/import?name=Ice", other), 200);
		const { page } = await fixture.open("map", PHONE);
		const saveAs = async (name: string) => {
			await button(page, "Save").tap();
			await page.getByLabel("Name", { exact: true }).fill(name);
			await button(page, "Save as").tap();
		};
		await cell(page, 4, 4).waitFor();
		await saveAs("Ice");
		await page.locator(".notice.good", { hasText: 'Stored as "Ice"' }).waitFor();
		assert.deepEqual(await kept("Ice"), await inForce());
		assert.match((await questionsOf(page))[0] ?? "", /"Undo" brings it back/);
		await button(page, "Undo").tap();
		await cell(page, 4, 4).filter({ hasText: /^71$/ }).waitFor();
		const { earlier } = await fixture.json<{ earlier: { mapName: string | null } }>("/api/status");
		await saveAs("Ice");
		await until(async () => (await kept("Ice"))[4][4] === 71, 30_000, "the map of before");
		assert.notEqual(earlier.mapName, "Ice");
	});

	it("suggests the active map's name, but not into a field that is in use", async () => {
		assert.equal(await fixture.post("/api/maps/save", { name: "Gravel road" }), 200);
		const { page } = await fixture.open("library", PHONE);
		const name = page.getByLabel("Name", { exact: true });
		const active = page.locator("[data-test=active-map]");
		await active.filter({ hasText: "Gravel road" }).waitFor();
		assert.equal(await name.inputValue(), "Gravel road");
		await name.fill("");
		assert.equal(await fixture.post("/api/maps/load", { name: "aggressive" }), 200);
		await active.filter({ hasText: "aggressive" }).waitFor();
		assert.equal(await fixture.post("/api/maps/load", { name: "Gravel road" }), 200);
		await active.filter({ hasText: "Gravel road" }).waitFor();
		assert.equal(await name.inputValue(), "");
	});

	it("undoes a curve across a save, too", async () => {
		const first = async () => (await fixture.json<{ points: { lock: number }[] }>("/api/curve/rpm")).points[0].lock;
		assert.equal(await fixture.post("/api/curve/rpm", { points: [{ x: 0, lock: 41 }] }), 200);
		assert.equal(await fixture.post("/api/curve/rpm", { points: [{ x: 0, lock: 42 }] }), 200);
		const { page } = await fixture.open("curves/rpm", PHONE);
		await page.locator("[data-point]").first().waitFor();
		await button(page, "Undo").tap();
		await saveBar(page).getByText("As it was before the last change").waitFor();
		await saveBar(page).getByRole("button", { name: "Apply" }).tap();
		await until(async () => (await first()) === 41, 30_000, "the curve before");
	});

	it("swaps two maps with one touch while the car drives, names the one that comes, and moves no button", async () => {
		assert.equal(await fixture.post("/api/maps/save", { name: "Asphalt" }), 200);
		const other = JSON.parse(fixture.map) as LockMap;
		for (const row of other.lockTable) row.fill(64);
		assert.equal(await fixture.post("/api/map", { ...other, try: true }), 200);
		const { page } = await fixture.open("drive", PHONE);
		await linkIs(page, "Live");
		const swap = page.locator('[data-mode="AB"]');
		await swap.getByText("Asphalt", { exact: true }).waitFor();
		const places = () =>
			page.locator(".mode").evaluateAll((all) => all.map((mode) => JSON.stringify(mode.getBoundingClientRect())));
		const before = await places();
		await swap.tap();
		await page.locator(".notice.good", { hasText: "Asphalt" }).waitFor();
		assert.equal(await current(), "/maps/Asphalt.json");
		await swap.getByText("Asphalt, changed", { exact: true }).waitFor();
		await swap.tap();
		await fixture.bench.untilStatus(({ telemetry }) => Math.round(telemetry["spec"]) === 64, 8000, "the lock of the other map");
		await swap.getByText("Asphalt", { exact: true }).waitFor();
		assert.deepEqual(await places(), before);
		await loadAxe(page);
		await whole(page, "swapped");
	});
});
