/** The page in German, on the smallest phone: understood, chosen, remembered, and nothing cut off. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { PAGE_NAMES } from "../../src/page/state/page-names.js";
import { linkIs, PHONE, resize } from "./browser.js";
import { box, describePage, showPage, turnTo } from "./page-fixture.js";
import { cutTexts, loadAxe, misfitsOf, NO_PROBLEMS, problemsOf } from "./page-problems.js";

const PLACES = [...PAGE_NAMES, "start/2", "start/3", "start/4"];
const IN_GERMAN = { ...PHONE, locale: "de-DE" };

describePage("the page in German", (fixture) => {
	it("shows each page whole, with nothing cut off, also with letters of double the size", async () => {
		const { page, problems } = await fixture.open("drive", { ...IN_GERMAN, reducedMotion: "reduce" });
		await linkIs(page, "Live");
		assert.equal(await page.locator("html").getAttribute("lang"), "de");
		await page.locator('[data-test="reason"]', { hasText: "die Regelung ist aktiv" }).waitFor();
		const letters = (size: string) =>
			page.evaluate((wanted) => {
				document.documentElement.style.fontSize = wanted;
			}, size);
		const found: Record<string, object> = {};
		for (const name of PLACES) {
			await showPage(page, name);
			const problems = { cut: await cutTexts(page), ...(await misfitsOf(page)) };
			if (!isDeepStrictEqual(problems, { cut: [], ...NO_PROBLEMS })) found[name] = problems;
			await letters("200%");
			await resize(page, { width: 320, height: 640 });
			const [cut, { wide }] = [await cutTexts(page), await misfitsOf(page)];
			if (cut.length > 0 || wide > 0) found[`${name}, large`] = { cut, wide };
			if (name === "map") assert.ok((await box(page.locator(".heat-grid"))).height >= 300, "the largest thing on its page");
			await letters("");
			await resize(page, PHONE.viewport);
		}
		assert.deepEqual(found, {});
		assert.deepEqual(problems, []);
	});

	it("says why no lock is asked for, in both languages", async () => {
		const { page } = await fixture.open("drive", PHONE);
		const reason = page.locator('[data-test="reason"]');
		await reason.getByText("control is active").waitFor();
		assert.equal(await fixture.post("/api/settings", { disengageUnderSpeed: { map: 60 }, disableThrottle: 50 }), 200);
		await reason.getByText("gate: below 60 km/h").waitFor();
		assert.equal(await fixture.post("/api/settings", { disengageUnderSpeed: { map: 0 } }), 200);
		await reason.getByText("control is active").waitFor();
		fixture.bench.show(40, 0);
		await reason.getByText("input: Map asks for 0 % at 40 km/h, 0 % pedal").waitFor();
		await fixture.bench.mode("8020");
		await reason.getByText("gate: pedal below 50 %").waitFor();
		assert.equal(await fixture.post("/api/settings", { disableThrottle: 0, disableSpeed: 30 }), 200);
		fixture.bench.show(40, 40);
		await reason.getByText("gate: above 30 km/h").waitFor();
		await fixture.bench.mode("FWD");
		await reason.getByText("Front asks for no lock").waitFor();
		// so slow that the lock is still 0 % when one reads it
		assert.equal(await fixture.post("/api/settings", { disableSpeed: 0, lockEngageRatePctPerSec: 0.1 }), 200);
		await fixture.bench.mode("5050");
		await reason.getByText("ramp: it has only begun to rise").waitFor();
		assert.equal(await fixture.post("/api/settings", { disableThrottle: 50, lockEngageRatePctPerSec: 0 }), 200);
		await fixture.bench.mode("FWD");
		fixture.bench.show(40, 0);
		const german = await fixture.open("drive", IN_GERMAN);
		await german.page.locator('[data-test="reason"]').getByText("Front fordert keinen Sperrgrad").waitFor();
		await fixture.bench.mode("8020");
		await german.page.locator('[data-test="reason"]').getByText("Schwelle: Gaspedal unter 50 %").waitFor();
	});

	it("speaks English when the file with its words never comes: a driver needs his modes", async () => {
		const { page } = await fixture.open("drive", IN_GERMAN);
		await page.route("**/german-*.js", () => {});
		await page.reload();
		await page.locator('[data-test="reason"]', { hasText: "is active" }).waitFor();
	});

	it("says in German what the controller rejects, and why", async () => {
		const { page } = await fixture.open("update", IN_GERMAN);
		const safe = page.locator('[data-test="safe"]');
		await safe.getByText("die Regelung ist aktiv: wähle zuerst den Modus Serie").waitFor();
		await fixture.bench.mode("STOCK");
		await safe.getByText("das Auto fährt").waitFor();
		await turnTo(page, "library");
		await page.locator(".library li").first().waitFor();
		await fixture.post("/api/maps/import?name=Eis", JSON.parse(fixture.map) as object);
		await page.reload();
		await page.route("**/api/maps/delete", (route) => route.continue({ postData: '{"name":"gone"}' }));
		await page.locator(".library li", { hasText: "Eis" }).getByRole("button", { name: "Löschen" }).tap();
		await page.locator(".notice.bad", { hasText: "Nicht gelöscht: es gibt kein solches Kennfeld" }).waitFor();
		await fixture.post("/api/maps/delete", { name: "Eis" });
	});

	it("shows speeds in mph by choice, takes them so, and keeps km/h in the controller", async () => {
		const { page } = await fixture.open("display", PHONE);
		await Promise.all([page.waitForEvent("load"), page.getByLabel("Speeds in").selectOption("mph")]);
		await turnTo(page, "gates");
		const gate = page.getByLabel("Map: open below");
		await gate.waitFor();
		await gate.fill("25");
		await page.keyboard.press("Tab");
		await page.locator('[data-test="save-bar"]').getByRole("button", { name: "Apply" }).tap();
		await page.getByText("As in the controller").waitFor();
		const { disengageUnderSpeed } = await fixture.json<{ disengageUnderSpeed: { map: number } }>("/api/status");
		assert.equal(disengageUnderSpeed.map, 40);
		await turnTo(page, "drive");
		await page.locator('[data-value="speed"]', { hasText: "25mph" }).waitFor();
		await page.locator('[data-test="reason"]').getByText("control is active").waitFor();
		// by somebody else, while no settings are in sight
		assert.equal(await fixture.post("/api/settings", { disengageUnderSpeed: { map: 60 } }), 200);
		await page.locator('[data-test="reason"]').getByText("gate: below 37 mph").waitFor();
		assert.equal(await fixture.post("/api/settings", { disengageUnderSpeed: { map: 0 } }), 200);
		await turnTo(page, "map");
		const last = JSON.parse(fixture.map) as { speedBins: number[] };
		await page.getByRole("button", { name: `Change speed ${Math.round((last.speedBins[8] as number) / 1.609344)} mph` }).tap();
		await page.getByLabel("Speed, mph").fill("100");
		await page.getByRole("button", { name: "Set", exact: true }).tap();
		await page.locator('[data-test="save-bar"]').getByRole("button", { name: "Apply" }).tap();
		await page.locator(".notice.good", { hasText: "Active now" }).waitFor();
		assert.equal((await fixture.json<{ speedBins: number[] }>("/api/map")).speedBins[8], 161);
		await turnTo(page, "curves/speed");
		await page.getByText("Speed, mph", { exact: true }).waitFor();
		await page.getByLabel("Point 2, mph").fill("20");
		await page.keyboard.press("Tab");
		await page.locator('[data-test="save-bar"]').getByRole("button", { name: "Apply" }).tap();
		await page.locator(".notice.good").getByText("Active now", { exact: true }).waitFor();
		const { points } = await fixture.json<{ points: { x: number }[] }>("/api/curve/speed");
		assert.equal(points[1].x, 32);
		await turnTo(page, "record");
		await page.locator('[data-record="accent"]', { hasText: "25 mph" }).waitFor();
		await loadAxe(page);
		assert.deepEqual(await problemsOf(page), NO_PROBLEMS);
	});

	it("is English for everybody else, German by choice, and remembers it", async () => {
		const { page } = await fixture.open("start", { ...PHONE, locale: "fr-FR" });
		await page.getByText("Which coupling is in the car?").waitFor();
		await page.getByLabel("Language").selectOption("de");
		await page.getByText("Welche Haldex ist im Auto?").waitFor();
		await page.reload();
		await page.getByText("Welche Haldex ist im Auto?").waitFor();
		await turnTo(page, "display");
		await page.getByLabel("Sprache").selectOption("en");
		await page.getByRole("heading", { name: "Modes on the drive page" }).waitFor();
	});
});
