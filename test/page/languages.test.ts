/** The page in German, on the smallest phone: understood, chosen, remembered, and nothing cut off. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
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
			const frames = [parent.closest("button, a, label, nav, header")];
			for (let at: Element | null = parent; at !== null; at = at.parentElement) {
				const { overflowX, overflowY } = getComputedStyle(at);
				if ([overflowX, overflowY].some((overflow) => overflow === "auto" || overflow === "scroll")) break;
				if (overflowX !== "visible") frames.push(at);
			}
			for (const frame of frames) {
				const box = frame?.getBoundingClientRect();
				if (box && (text.left < box.left - 1 || text.right > box.right + 1 || text.bottom > box.bottom + 1)) {
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
				const flaws = { cut: await cutTexts(page), ...(await flawsOf(page)) };
				if (!isDeepStrictEqual(flaws, { cut: [], ...NO_FLAWS })) found[name] = flaws;
			}
			assert.deepEqual(found, {});
			assert.deepEqual(problems, []);
		});

	it("says why no lock is asked for, in both languages", async () => {
		const { page } = await ground.open("drive", PHONE);
		const reason = page.locator('[data-test="reason"]');
		await reason.getByText("control is active").waitFor();
		try {
			assert.equal(await ground.post("/api/settings", { disengageUnderSpeed: { map: 60 }, disableThrottle: 50 }), 200);
			await page.reload();
			await reason.getByText("gate: below 60 km/h").waitFor();
			assert.equal(await ground.post("/api/settings", { disengageUnderSpeed: { map: 0 } }), 200);
			await reason.getByText("control is active").waitFor();
			ground.bench.show(40, 0);
			await reason.getByText("input: Map asks for 0 % at 40 km/h, 0 % pedal").waitFor();
			await ground.bench.mode("8020");
			await reason.getByText("gate: pedal below 50 %").waitFor();
			await ground.bench.mode("FWD");
			await reason.getByText("Front asks for no lock").waitFor();
			const german = await ground.open("drive", IN_GERMAN);
			await german.page.locator('[data-test="reason"]').getByText("Front fordert keinen Sperrgrad").waitFor();
			await ground.bench.mode("8020");
			await german.page.locator('[data-test="reason"]').getByText("Schwelle: Gaspedal unter 50 %").waitFor();
		} finally {
			await ground.post("/api/settings", { disengageUnderSpeed: { map: 0 }, disableThrottle: 0 });
		}
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
