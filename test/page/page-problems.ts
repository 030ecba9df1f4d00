/**
 * Faults of a page: accessibility, targets that are too small, content that is
 * too wide.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { resize } from "./browser.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TARGET_PX = 44;
/** Cells of the map may be lower: all of it and its tools are in one look on a small phone. */
const CELL_HEIGHT_PX = 32;

/** Findings of axe depend on colours and content, hardly on the size: one size in each of the colours. */
const LOOKS = [
	{ width: 360, height: 740, colorScheme: "dark" },
	{ width: 844, height: 390, colorScheme: "light" },
] as const;
/** Another size, which axe does not look at. */
const DESKTOP = { width: 1280, height: 800 };

interface PageProblems {
	readonly violations: string[];
	readonly small: string[];
	/** Pixels beyond the window. */
	readonly wide: number;
	/** Buttons for the main thing, where there are several in one look. */
	readonly primary: string[];
}

export const NO_PROBLEMS: PageProblems = { violations: [], small: [], wide: 0, primary: [] };

/** Fails for what is wrong with the page as it is drawn now. */
export async function assertAccessible(page: Page, state?: string): Promise<void> {
	assert.deepEqual({ ...(await misfitsOf(page)), violations: await violationsOf(page) }, NO_PROBLEMS, state);
}

/** @param rules of axe; absent: those that it has by default */
async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
	if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
	return page.evaluate(async (runOnly) => {
		const { axe } = window as unknown as {
			axe: { run(of: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
		};
		return (await axe.run({ resultTypes: ["violations"], ...(runOnly && { runOnly }) })).violations.map(
			({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`,
		);
	}, rules);
}

/** Fails for what is wrong in one of the colours or at one of the sizes. */
export async function assertWhole(page: Page, name: string): Promise<void> {
	for (const [i, { colorScheme, ...size }] of LOOKS.entries()) {
		await page.emulateMedia({ colorScheme });
		await resize(page, size);
		// nothing but contrasts hangs on the colours
		const violations = await violationsOf(page, i === 0 ? undefined : ["color-contrast"]);
		assert.deepEqual({ ...(await misfitsOf(page)), violations }, NO_PROBLEMS, `${name}, ${colorScheme}`);
	}
	await resize(page, DESKTOP);
	assert.deepEqual(await misfitsOf(page), NO_PROBLEMS, `${name} on a desktop`);
}

/** Texts with a contrast of less than 7 to 1. Of a disabled one nothing is asked. */
export const lowContrasts = (page: Page): Promise<string[]> => violationsOf(page, ["color-contrast-enhanced"]);

/** PageProblems but those that axe finds. */
export function misfitsOf(page: Page): Promise<PageProblems> {
	const limits = { least: TARGET_PX, cell: CELL_HEIGHT_PX };
	return page.evaluate(({ least, cell }) => {
		const targets = [...document.querySelectorAll<HTMLElement>("button, a[href], select, input, [role=gridcell]")];
		const small = targets.filter((element) => {
			const box = (element.closest("label") ?? element).getBoundingClientRect();
			const inText = element.matches("p:not(.fault) a");
			const height = element.matches("[role=gridcell], [role=grid] button") ? cell : least;
			return box.width > 1 && !inText && !element.matches(".skip") && (box.width < least || box.height < height);
		});
		const primary = [...document.querySelectorAll("main :not(dialog *).primary")].map(({ textContent }) => textContent);
		return {
			violations: [],
			primary: primary.length > 1 ? primary : [],
			small: small.map((element) => element.outerHTML.slice(0, 100)),
			wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
		};
	}, limits);
}

/**
 * Texts that stand out of the box of what shows them, or out of the window, without a way to scroll to them.
 */
export const cutTexts = (page: Page): Promise<string[]> =>
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
