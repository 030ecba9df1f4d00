/** On phones of all sizes, in both languages: what a driver must read is whole, and what they must touch is in sight. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { PHONE } from "./browser.js";
import { describePage } from "./page-fixture.js";

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
		await page.setViewportSize({ width, height });
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
					await page.locator(".reason:not(.good) ~ * .fault").nth(1).waitFor({ state: "attached" });
					assert.deepEqual(await onEach(page, modes), before);
					assert.deepEqual(await onEach(page, () => cutOff(page, ".reason", ".drive-state")), all(0));
				} finally {
					for (const row of silent) row.silent = false;
				}
			});
});
