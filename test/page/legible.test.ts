/**
 * On phones of all sizes, in both languages: what a driver must read is whole, and what they must touch is in
 * sight.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { PAGE_NAMES, PLACES } from "../../src/page/state/page-names.js";
import { linkIs, PHONE, resize } from "./browser.js";
import { describePage, saveBar, turnTo } from "./page-fixture.js";
import { cutTexts, misfitsOf } from "./page-problems.js";

const LANGUAGES = ["de-DE", "en-US"] as const;
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
	for (const locale of LANGUAGES)
		for (const view of ["drive", "full"])
			it(`is the whole reason on #${view} with two faults, and the modes stay where they are: ${locale}`, async () => {
				const { page } = await fixture.open(view, { ...PHONE, locale });
				await page.locator(".reason.good").waitFor();
				const before = await onEach(page, modes);
				const { chassisRows, couplingRows } = fixture.bench;
				const silent = [...chassisRows.filter(({ id }) => id === 0x121), ...couplingRows];
				for (const row of silent) row.silent = true;
				try {
					await page.locator(".drive-look:has(.reason:not(.good)) .fault").nth(1).waitFor({ state: "attached" });
					assert.deepEqual(await onEach(page, modes), before);
					assert.deepEqual(await onEach(page, () => cutOff(page, ".reason", ".drive-state")), all(0));
				} finally {
					for (const row of silent) row.silent = false;
				}
			});

	it("is all of each page at 320 x 640 with letters of double the size, and the map is the largest thing on its page", async () => {
		const { page } = await fixture.open("drive", { ...PHONE, viewport: { width: 320, height: 640 }, locale: "de-DE" });
		await linkIs(page, "Live");
		await page.evaluate(() => {
			document.documentElement.style.fontSize = "200%";
		});
		const found: Record<string, object> = {};
		for (const name of PAGE_NAMES) {
			await turnTo(page, name);
			await page.locator(".loading").waitFor({ state: "detached" });
			await page.locator("main .card, main a").first().waitFor();
			const [cut, { wide }] = [await cutTexts(page), await misfitsOf(page)];
			if (cut.length > 0 || wide > 0) found[name] = { cut, wide };
		}
		assert.deepEqual(found, {});
		await turnTo(page, "map");
		const { height } = (await page.locator(".heat-grid").boundingBox()) ?? assert.fail("no map");
		assert.ok(height >= 300, `the map is ${height} px high`);
	});

	it("is the way to all pages in the side bar of a phone on its side, in the order of the tabs", async () => {
		const { page } = await fixture.open("drive", { ...PHONE, viewport: { width: 844, height: 390 } });
		const places = page.locator(".pages a");
		await linkIs(page, "Live");
		const seen: string[] = [];
		for (const place of await places.all()) {
			const { x, y, height } = (await place.boundingBox()) ?? assert.fail();
			assert.ok(x === 0 && y >= 0 && y + height <= 390, `${y}`);
			await place.tap();
			await page.locator('.pages [aria-current="page"]', { hasText: await place.innerText() }).waitFor();
			const links = page.locator(".contents a");
			for (const link of await links.all()) {
				await link.tap();
				await page.locator('.contents [aria-current="page"]', { hasText: await link.innerText() }).waitFor();
				seen.push((await page.evaluate(() => location.hash)).slice(1));
			}
			if ((await links.count()) === 0) seen.push((await page.evaluate(() => location.hash)).slice(1));
		}
		assert.deepEqual(seen, Object.values(PLACES).flat());
	});

	for (const locale of LANGUAGES) {
		it(`is the whole hint that the numbers are old, which no message covers: ${locale}`, async () => {
			const { page } = await fixture.open("drive", { ...PHONE, locale });
			await page.locator(".reason.good").waitFor();
			fixture.bench.freeze(true);
			try {
				await page.locator(".old-numbers").waitFor();
				await page.locator('[data-mode="5050"]').tap();
				await page.locator(".notice.bad").waitFor();
				assert.deepEqual(await onEach(page, () => cutOff(page, ".old-numbers", "body")), all(0));
				const below = () =>
					page.evaluate(() => {
						const [hint, notice] = [".old-numbers", ".notice"].map((it) => document.querySelector(it)!.getBoundingClientRect());
						return hint!.top >= notice!.bottom - 1 || hint!.bottom <= notice!.top;
					});
				assert.deepEqual(await onEach(page, below), all(true));
			} finally {
				fixture.bench.freeze(false);
			}
		});

		it(`is the whole message of the save bar: ${locale}`, async () => {
			const { page } = await fixture.open("gates", { ...PHONE, locale });
			await page.locator("input[type=number]").first().fill("23");
			await page.keyboard.press("Tab");
			await page.route("**/api/settings", (route) => route.abort());
			await saveBar(page).locator(".primary").tap();
			await page.locator(".save-bar .bad").waitFor();
			assert.deepEqual(await onEach(page, () => cutOff(page, ".save-bar p", ".save-bar")), all(0));
		});

		it(`is what saves the map, above the navigation: ${locale}`, async () => {
			const { page } = await fixture.open("map", { ...PHONE, locale });
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
		});

		it(`is the way to all pages, with letters of up to double the size: ${locale}`, async () => {
			const { page } = await fixture.open("drive", { ...PHONE, locale });
			await page.locator(".pages").waitFor();
			for (const size of ["150%", "200%"]) {
				await page.evaluate((wanted) => {
					document.documentElement.style.fontSize = wanted;
				}, size);
				const beyond = () => page.locator(".pages").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
				assert.deepEqual(await onEach(page, beyond), all(0), size);
			}
		});
	}
});
