/**
 * On phones of all sizes, in German, whose words are the longer ones: what a driver must read is whole, and
 * what they must touch is in sight.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { backupText } from "../../src/page/backup/backup.js";
import { PAGE_NAMES, PLACES } from "../../src/page/state/route.js";
import { IN_GERMAN, linkIs, ON_ITS_SIDE, PHONE, postsOf, resize } from "./browser.js";
import { box, button, cell, describePage, openFile, placesOf, saveBar, showPage, turnTo } from "./page-fixture.js";
import { assertWhole, misfitsOf } from "./page-problems.js";

describePage("the page in a browser", (fixture) => {
	it("is accessible, whole and without errors in both colours at all sizes", async () => {
		const { page, problems } = await fixture.open("drive", { reducedMotion: "reduce" });
		await linkIs(page, "Live");
		for (const name of PAGE_NAMES) {
			await showPage(page, name);
			// of 300 rows of frames, one is as good as any other
			if (name === "can") await page.getByLabel("Filter").fill("0x118");
			await assertWhole(page, name);
		}
		assert.deepEqual(problems, []);
	});

	it("shows graph with values, chart with points, and coupling with buttons on one screen", async () => {
		const SIDE = ON_ITS_SIDE.viewport;
		const LARGE = { width: 1280, height: 800 };
		const { page } = await fixture.open("about", IN_GERMAN);
		for (const [hash, sizes, ...parts] of [
			["record", [PHONE.viewport, SIDE, LARGE], ".record-graph canvas", ".record-values", ".record-place .point"],
			["curves/speed", [SIDE], ".chart", ".points td", ".choice"],
			["start", [PHONE.viewport], ".heard .good", ".tools .primary"],
		] as const) {
			await showPage(page, hash);
			for (const size of sizes) {
				await resize(page, size);
				const bars = page.locator(".pages, .save-bar");
				for (const part of parts) {
					await page.locator(part).first().waitFor();
					const { x, y, width, height } = await box(page.locator(part).first());
					let bottom: number = size.height;
					for (const bar of await bars.all()) {
						const at = await box(bar);
						if (at.height < size.height / 2) bottom = Math.min(bottom, at.y);
					}
					const where = `${hash}, ${size.width} px: ${part} at ${[x, y, width, height]}, the end at ${bottom}`;
					assert.ok(y >= 0 && y + height <= bottom && x + width <= size.width, where);
				}
			}
		}
	});

	it("shows a notice over the navigation, on its page only, and says why a button does nothing", async () => {
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

	it("names a frame that the car marks as invalid, and reports a status frame of another device", async () => {
		const { page } = await fixture.open("about", PHONE);
		const invalid = page.locator("dt", { hasText: "marks it as invalid" });
		const foreign = page.locator("dd", { hasText: "another device sends it" });
		await page.getByText("Up for").waitFor();
		assert.equal(await invalid.or(foreign).count(), 0);
		const json = { ...(await fixture.get("/api/status")), invalidFrame: "0x4A0", statusFrameElsewhere: true };
		await page.route("**/api/status", (route) => route.fulfill({ json }));
		await invalid.locator("+ dd", { hasText: "0x4A0" }).waitFor();
		await foreign.waitFor();
	});
});

const SIZES = [
	[320, 568],
	[390, 664],
	[844, 390],
] as const;

/** Results of `look` on each size, by its width. */
async function onEach<T>(page: Page, look: (page: Page) => Promise<T>): Promise<Record<string, T>> {
	const found: Record<string, T> = {};
	for (const [width, height] of SIZES) {
		await resize(page, { width, height });
		found[width] = await look(page);
	}
	return found;
}

/** The same on each. */
const all = <T>(value: T): Record<string, T> => Object.fromEntries(SIZES.map(([width]) => [width, value]));

/** Pixels by which the element's text stands out of it, or it out of what it stands in. */
const cutOff = (page: Page, selector: string, frame: string): Promise<number> =>
	page.locator(selector).evaluate((element, around) => {
		const range = document.createRange();
		range.selectNodeContents(element);
		const [text, own, outer] = [range, element, element.closest(around) as Element].map((it) => it.getBoundingClientRect());
		const beyond = [text!, own!].flatMap((inner, i) => {
			const box = [own!, outer!][i]!;
			return [box.top - inner.top, inner.bottom - box.bottom, box.left - inner.left, inner.right - box.right];
		});
		return Math.round(Math.max(0, ...beyond));
	}, frame);

/** Whether all of them are on the screen, above the navigation of an upright one. */
const areInSight = (page: Page, selector: string): Promise<boolean> =>
	page.locator(selector).evaluateAll((found) => {
		const navigation = document.querySelector(".pages")?.getBoundingClientRect();
		const end = navigation !== undefined && innerWidth < 700 ? navigation.top : innerHeight;
		return found.every((one) => one.getBoundingClientRect().bottom <= end);
	});

const modes = (page: Page): Promise<string[]> => placesOf(page, ".mode");

describePage("the page on phones of all sizes, in German", (fixture) => {
	it("shows the whole reason beside two faults, and the modes stay where they are", async () => {
		const { page } = await fixture.open("drive", IN_GERMAN);
		const { chassisRows, couplingRows } = fixture.bench;
		const silent = [...chassisRows.filter(({ id }) => id === 0x121), ...couplingRows];
		for (const view of ["drive", "full"]) {
			await turnTo(page, view);
			await page.locator(view === "full" ? ".full .reason.good" : ".drive .reason.good").waitFor();
			const before = await onEach(page, modes);
			const { 390: upright, 844: lying } = await onEach(page, () => areInSight(page, ".mode"));
			assert.deepEqual([upright, lying], [true, true], view);
			await fixture.bench.whileSilent(silent, async () => {
				await page.locator(".drive-look:has(.reason:not(.good)) .fault").nth(1).waitFor({ state: "attached" });
				assert.deepEqual(await onEach(page, modes), before, view);
				assert.deepEqual(await onEach(page, () => cutOff(page, ".reason", ".drive-state")), all(0), view);
			});
		}
	});

	it("leads to all pages from the side bar of a phone on its side, in the order of the tabs", async () => {
		const { page } = await fixture.open("drive", ON_ITS_SIDE);
		const seen: string[] = [];
		for (const place of await page.locator(".pages a").all()) {
			const { x, y, height } = await box(place);
			assert.ok(x === 0 && y >= 0 && y + height <= 390, `${y}`);
			await place.tap();
			await page.locator('.pages [aria-current="page"]', { hasText: await place.innerText() }).waitFor();
			const links = await page.locator(".contents a").evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).hash));
			seen.push(...(links.length > 0 ? links : [await page.evaluate(() => location.hash)]));
		}
		assert.deepEqual(
			seen.map((hash) => hash.slice(1)),
			Object.values(PLACES).flat(),
		);
	});

	it("says that the numbers are old while the controller is silent, covers nothing, shows nothing green and sends no mode", async () => {
		const { page } = await fixture.open("drive", { ...IN_GERMAN, stopped: true });
		await page.clock.resume();
		await page.locator(".link.live").waitFor();
		await page.locator(".reason.good").waitFor();
		const before = await modes(page);
		const posts = postsOf(page);
		fixture.bench.freeze(true);
		try {
			await page.locator(".values.stale").waitFor();
			await page.locator(".reason.stale").waitFor();
			assert.equal(await page.locator(".reason.good").count(), 0);
			await page.clock.fastForward(9000);
			await page.locator(".link.offline").waitFor();
			assert.deepEqual(await modes(page), before);
			const hint = page.locator(".old-numbers");
			const [{ y, height }, drive] = [await box(hint), await box(page.locator(".drive"))];
			assert.ok(y + height <= drive.y, "it covers no content");
			await page.locator('[data-mode="5050"]').tap();
			await page.locator(".notice.bad", { hasText: "Modus nicht gesendet" }).waitFor();
			assert.deepEqual(await onEach(page, () => cutOff(page, ".old-numbers", "body")), all(0));
			const apart = () =>
				page.evaluate(() => {
					const [hint, notice] = [".old-numbers", ".notice"].map((it) => document.querySelector(it)!.getBoundingClientRect());
					return hint!.top >= notice!.bottom - 1 || hint!.bottom <= notice!.top;
				});
			assert.deepEqual(await onEach(page, apart), all(true));
		} finally {
			fixture.bench.freeze(false);
		}
		await page.locator(".link.live").waitFor();
		await page.locator(".values:not(.stale)").waitFor();
		await page.locator(".reason.good").waitFor();
		await page.locator(".notice").waitFor({ state: "detached" });
		assert.deepEqual(posts, []);
	});

	it("shows the whole message of the save bar", async () => {
		const { page } = await fixture.open("gates", IN_GERMAN);
		await page.locator("input[type=number]").first().fill("23");
		await page.keyboard.press("Tab");
		await page.route("**/api/settings", (route) => route.abort());
		await saveBar(page).locator(".primary").tap();
		await page.locator(".save-bar .bad").waitFor();
		assert.deepEqual(await onEach(page, () => cutOff(page, ".save-bar p", ".save-bar")), all(0));
	});

	it("shows the map's save bar above the navigation, also with large letters", async () => {
		const { page } = await fixture.open("map", IN_GERMAN);
		await page.locator("[data-cell]").first().waitFor();
		assert.deepEqual(await onEach(page, () => areInSight(page, ".save-bar")), all(true));
		const lines = () =>
			page.evaluate(() =>
				[...document.querySelectorAll(".heat-corner span")].map((part) =>
					Math.round(part.clientHeight / Number.parseFloat(getComputedStyle(part).lineHeight)),
				),
			);
		assert.deepEqual(await onEach(page, lines), all([1, 1]), "each thing in the corner is one line");
		const beyond = () => page.locator(".pages").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
		for (const size of ["150%", "200%"]) {
			await page.evaluate((wanted) => {
				document.documentElement.style.fontSize = wanted;
			}, size);
			assert.deepEqual(await onEach(page, beyond), all(0), `the way to all pages, with letters of ${size}`);
		}
	});
});

/** The narrowest phone there is. */
const NARROW = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true } as const;
const LONG = "W".repeat(140);

describePage("the map's heat scale", (fixture) => {
	it("can be read without colours: each of its 11 steps has another lightness, in dark and in light", async () => {
		const { page } = await fixture.open("map");
		await cell(page, 0, 0).waitFor();
		for (const [colorScheme, sign] of [
			["dark", 1],
			["light", -1],
		] as const) {
			await page.emulateMedia({ colorScheme });
			await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
			const colours = await page.evaluate(() => {
				const probe = document.body.appendChild(document.createElement("i"));
				return Array.from({ length: 11 }, (_, i) => {
					probe.style.color = `var(--heat-${i})`;
					return getComputedStyle(probe).color;
				});
			});
			const lightness = colours.map((colour) => {
				const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((part) => linear(Number(part) / 255));
				return Math.cbrt(0.2126 * red + 0.7152 * green + 0.0722 * blue);
			});
			for (let i = 1; i < 11; i++)
				assert.ok(sign * (lightness[i]! - lightness[i - 1]!) > 0.005, `${colorScheme}: ${colours[i - 1]} and ${colours[i]}`);
			assert.ok(sign * (lightness[10]! - lightness[0]!) > 0.6, colorScheme);
		}
	});

	/** Light of a part of a colour; both 0..1. */
	function linear(part: number): number {
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	}
});

describePage("a long name without a blank", (fixture) => {
	it("makes no page wider than the screen", async () => {
		const signal = `chassis|0x1|${LONG}|`;
		await fixture.set({ dashMappings: { dash_1: signal }, conditions: [{ enabled: false, effect: "open", signal }] });
		const { page } = await fixture.open("drive", NARROW);
		for (const hash of ["display", "conditions"]) {
			await turnTo(page, hash);
			await page.locator(".signal", { hasText: LONG }).first().waitFor();
			assert.equal((await misfitsOf(page)).wide, 0, hash);
		}
		await fixture.set({ dashMappings: { dash_1: "" }, conditions: [] });
		const map = await fixture.get("/api/map");
		const text = backupText({ settings: {}, curves: {}, map, maps: { ["W".repeat(58)]: map } }, "", new Date());
		await turnTo(page, "backup");
		await openFile(page, "mine.json", text);
		await page.locator(".check", { hasText: "WWW" }).waitFor();
		// its pictures stood 2 px past the edge of the wider one
		for (const size of [{ width: 360, height: 640 }, NARROW.viewport]) {
			await resize(page, size);
			assert.equal((await misfitsOf(page)).wide, 0, `backup, ${size.width} px`);
		}
	});
});
