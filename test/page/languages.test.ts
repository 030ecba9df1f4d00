/** The page in German, on the smallest phone: understood, chosen, remembered, and nothing cut off. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { linkIs, PHONE } from "./browser.js";
import { flawsOf, loadAxe, NO_FLAWS } from "./flaws.js";
import { describePage, turnTo } from "./ground.js";

const PAGES = [
	...["drive", "full", "share", "map", "curves", "record", "can", "logs", "settings", "backup", "network", "about"],
	...["start", "start/2", "start/3", "more"],
];
const IN_GERMAN = { ...PHONE, locale: "de-DE" };

/** Texts that stand out of the box of what shows them, or out of the window, where nobody can scroll to them. */
const cutTexts = (page: Page): Promise<string[]> =>
	page.evaluate(() => {
		const cut: string[] = [];
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
			const range = document.createRange();
			range.selectNodeContents(node);
			const text = range.getBoundingClientRect();
			const parent = node.parentElement as HTMLElement;
			if (text.width === 0 || parent.closest(".skip, .visually-hidden, svg, option, noscript") !== null) continue;
			const frames = [parent.closest("button, a, label, .card, nav, header, main")];
			for (let at: Element | null = parent; at !== null; at = at.parentElement) {
				const { overflowX } = getComputedStyle(at);
				if (overflowX === "auto" || overflowX === "scroll") break;
				if (overflowX !== "visible") frames.push(at);
			}
			for (const frame of frames) {
				const box = frame?.getBoundingClientRect();
				if (box && (text.left < box.left - 1 || text.right > box.right + 1)) {
					cut.push(`${node.textContent} in ${frame?.tagName}.${frame?.className}`);
					break;
				}
			}
		}
		return cut;
	});

describePage("the page in German", (ground) => {
	for (const colorScheme of ["dark", "light"] as const)
		it(`shows each page whole, with nothing cut off, ${colorScheme}`, async () => {
			const { page, problems } = await ground.open("drive", { ...IN_GERMAN, colorScheme, reducedMotion: "reduce" });
			await linkIs(page, "Live");
			assert.equal(await page.locator("html").getAttribute("lang"), "de");
			await page.locator('[data-test="reason"]', { hasText: "die Regelung ist aktiv" }).waitFor();
			await loadAxe(page);
			const found: Record<string, object> = {};
			for (const name of PAGES) {
				await turnTo(page, name);
				await page.locator(".loading").waitFor({ state: "detached" });
				await page.locator("main .card, main a").first().waitFor();
				found[name] = { cut: await cutTexts(page), ...(await flawsOf(page)) };
			}
			assert.deepEqual(found, Object.fromEntries(PAGES.map((name) => [name, { cut: [], ...NO_FLAWS }])));
			assert.deepEqual(problems, []);
		});

	it("is English for everybody else, German by choice, and remembers it", async () => {
		const { page } = await ground.open("start", { ...PHONE, locale: "fr-FR" });
		await page.getByText("Which coupling is in the car?").waitFor();
		await page.getByLabel("Language").selectOption("de");
		await page.getByText("Welche Kupplung ist im Auto?").waitFor();
		await page.reload();
		await page.getByText("Welche Kupplung ist im Auto?").waitFor();
		await turnTo(page, "settings");
		await page.getByLabel("Sprache").selectOption("en");
		await page.getByRole("heading", { name: "Generation of the coupling" }).waitFor();
	});
});
