/**
 * On phones of all sizes, in German, whose words are the longer ones: what a driver must read is whole, and
 * what they must touch is in sight.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { PLACES } from "../../src/page/state/page-names.js";
import { PHONE, resize } from "./browser.js";
import { box, describePage, saveBar, turnTo } from "./page-fixture.js";

const IN_GERMAN = { ...PHONE, locale: "de-DE" };
const SIZES = [
	[320, 568],
	[360, 640],
	[390, 664],
	[844, 390],
] as const;

/** What `look` finds on each size, by its width. */
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

const modes = (page: Page): Promise<string[]> =>
	page.locator(".mode").evaluateAll((found) => {
		const boxes = found.map((mode) => mode.getBoundingClientRect());
		return boxes.map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join());
	});

describePage("what must be read on a phone", (fixture) => {
	it("is the whole reason with two faults, and the modes stay where they are", async () => {
		const { page } = await fixture.open("drive", IN_GERMAN);
		const { chassisRows, couplingRows } = fixture.bench;
		const silent = [...chassisRows.filter(({ id }) => id === 0x121), ...couplingRows];
		for (const view of ["drive", "full"]) {
			await turnTo(page, view);
			await page.locator(view === "full" ? ".full .reason.good" : ".drive .reason.good").waitFor();
			const before = await onEach(page, modes);
			for (const row of silent) row.silent = true;
			try {
				await page.locator(".drive-look:has(.reason:not(.good)) .fault").nth(1).waitFor({ state: "attached" });
				assert.deepEqual(await onEach(page, modes), before, view);
				assert.deepEqual(await onEach(page, () => cutOff(page, ".reason", ".drive-state")), all(0), view);
			} finally {
				for (const row of silent) row.silent = false;
			}
		}
	});

	it("is the way to all pages in the side bar of a phone on its side, in the order of the tabs", async () => {
		const { page } = await fixture.open("drive", { ...PHONE, viewport: { width: 844, height: 390 } });
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

	it("is that the numbers are old while the controller is silent: whole, covered by nothing, and nothing else moves", async () => {
		const { page } = await fixture.open("drive", IN_GERMAN);
		await page.locator(".link.live").waitFor();
		await page.locator(".reason.good").waitFor();
		const before = await modes(page);
		fixture.bench.freeze(true);
		try {
			await page.locator(".values.stale").waitFor();
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
		await page.locator(".notice").waitFor({ state: "detached" });
	});

	it("is the whole message of the save bar", async () => {
		const { page } = await fixture.open("gates", IN_GERMAN);
		await page.locator("input[type=number]").first().fill("23");
		await page.keyboard.press("Tab");
		await page.route("**/api/settings", (route) => route.abort());
		await saveBar(page).locator(".primary").tap();
		await page.locator(".save-bar .bad").waitFor();
		assert.deepEqual(await onEach(page, () => cutOff(page, ".save-bar p", ".save-bar")), all(0));
	});

	it("is what saves the map, above the navigation", async () => {
		const { page } = await fixture.open("map", IN_GERMAN);
		await page.locator("[data-cell]").first().waitFor();
		const isAbove = () =>
			page.evaluate(() => {
				const end = document.querySelector(".save-bar")!.getBoundingClientRect().bottom;
				return end <= (innerWidth < 700 ? document.querySelector(".pages")!.getBoundingClientRect().top : innerHeight);
			});
		assert.deepEqual(await onEach(page, isAbove), all(true));
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
