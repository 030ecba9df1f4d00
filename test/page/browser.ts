// A real browser on the real controller. Chromium comes from the system: playwright-core brings none.
import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, type CDPSession, chromium, type Page } from "playwright-core";
import { until } from "../system/wait.js";

/** The first takes half of the processor time: it draws no window. */
const PLACES = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const EXECUTABLE = [process.env["CHROMIUM"], ...PLACES].find((path) => path !== undefined && existsSync(path));
/**
 * A name of the controller, for what browsers allow on plain http: an address of this computer counts as
 * safe.
 */
export const PLAIN_HTTP_HOST = "opencoupling.local";
const FLAGS = [
	`--host-resolver-rules=MAP ${PLAIN_HTTP_HOST} 127.0.0.1`,
	"--accept-lang=en-US,en", // as every browser of a driver says it; the headless shell would not
	...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
	...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
	"--in-process-gpu",
];
/** A loaded machine is slow to draw. */
const PATIENCE_MS = 60_000;

/** Where a test says nothing of the screen. */
const DESKTOP = { width: 1280, height: 720 };
/** The smallest phone that matters, held upright. */
export const PHONE = { viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true } as const;
export const ON_ITS_SIDE = { ...PHONE, viewport: { width: 844, height: 390 } } as const;
export const IN_GERMAN = { ...PHONE, locale: "de-DE" } as const;

const MISSING = "no Chromium is installed (Debian: apt-get install chromium-headless-shell; elsewhere: set CHROMIUM to its path)";
if (EXECUTABLE === undefined && process.env["CI"] !== undefined) throw new Error(MISSING);

/** `describe` for what needs a browser: without one its tests are skipped, and none of its hooks runs. */
export function describeInBrowser(title: string, define: (this: Mocha.Suite) => void): void {
	if (EXECUTABLE !== undefined) describe(title, define);
	else Object.assign(describe.skip(title, define) as object, { skipReason: MISSING });
}

let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

/** The browser that all suites share. Each ends with `leave`. */
export function launch(): Promise<Browser> {
	launched ??= launchOwn([]);
	return launched;
}

/** One for a suite that needs other flags: it closes it. */
export function launchOwn(flags: readonly string[]): Promise<Browser> {
	return chromium.launch({ executablePath: EXECUTABLE as string, args: [...FLAGS, ...flags] });
}

/**
 * A tab that outlives its visitor: a page that is loaded in it again costs half of one that is loaded in a new
 * one.
 */
interface Tab {
	readonly page: Page;
	readonly session: CDPSession;
	/** Its fixed options, as JSON. */
	readonly options: string;
	/** Address of the present visit; undefined = it is free. */
	origin?: string | undefined;
}

let tabs: Tab[] = [];

/** All visitors leave. */
export async function leave(): Promise<void> {
	for (const context of (await launched)?.contexts() ?? [])
		if (!tabs.some(({ page }) => page.context() === context)) await context.close();
	for (const tab of tabs.filter(({ origin }) => origin !== undefined)) await empty(tab);
	tabs = tabs.filter(({ page }) => !page.isClosed());
}

/** Nothing is left of a visit, or nothing of the tab where that cannot be. */
async function empty(tab: Tab): Promise<void> {
	const { page, origin } = tab;
	try {
		for (const event of ["request", "response", "pageerror", "console"] as const) page.removeAllListeners(event);
		await page.unrouteAll({ behavior: "ignoreErrors" });
		await page.context().setOffline(false);
		await page.goto("about:blank");
		await tab.session.send("Storage.clearDataForOrigin", { origin: origin as string, storageTypes: "local_storage" });
		tab.origin = undefined;
	} catch {
		await page.context().close();
	}
}

export interface Visit {
	readonly page: Page;
	/** Errors that the page threw or wrote to the console. */
	readonly problems: string[];
}

export interface VisitOptions extends BrowserContextOptions {
	/** The page's time is the test's: it passes only by `passTime`, and by `page.clock`. */
	readonly stopped?: true;
	/** Done with the tab before the page is loaded in it. */
	readonly prepare?: (page: Page) => Promise<unknown>;
}

/** Turns or resizes the screen. Its event comes with the next frame; what it changes is drawn with the one after. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
	await page.setViewportSize(size);
	await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** A fresh visitor who looks at `#hash`. */
export async function visit(browser: Browser, port: number, hash: string, options: VisitOptions = {}): Promise<Visit> {
	const origin = `http://127.0.0.1:${port}`;
	// these can change in a tab
	const { viewport = DESKTOP, colorScheme = "light", reducedMotion = "no-preference", prepare, ...fixed } = options;
	const key = JSON.stringify(fixed);
	let tab = tabs.find((other) => other.options === key && other.origin === undefined);
	if (tab === undefined) {
		const page = await open(browser, { ...fixed, viewport });
		tab = { page, session: await page.context().newCDPSession(page), options: key };
		// what a test adds to a page whose time it stops stays with the tab
		if (!options.stopped) tabs.push(tab);
	} else if (viewport !== null) await tab.page.setViewportSize(viewport);
	await tab.page.emulateMedia({ colorScheme, reducedMotion });
	tab.origin = origin;
	await prepare?.(tab.page);
	return look(tab.page, `${origin}/#${hash}`);
}

/** A fresh visitor at an address. */
export async function arrive(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
	return look(await open(browser, options), url);
}

/** A fresh tab. */
async function open(browser: Browser, { stopped, ...options }: Omit<VisitOptions, "prepare">): Promise<Page> {
	const context = await browser.newContext(options);
	context.setDefaultTimeout(PATIENCE_MS);
	const page = await context.newPage();
	await page.addInitScript(answerQuestions);
	await page.addInitScript(keepNotices);
	if (stopped) await stopTime(page);
	return page;
}

async function look(page: Page, url: string): Promise<Visit> {
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(error.message));
	page.on("console", (message) => {
		if (message.type() === "error") problems.push(message.text());
	});
	await page.goto(url);
	return { page, problems };
}

async function stopTime(page: Page): Promise<void> {
	const nowMs = Date.now();
	await page.clock.install({ time: nowMs - 3_600_000 });
	await page.clock.pauseAt(nowMs);
	await page.addInitScript(() => {
		const told = { events: 0 };
		Object.assign(window, { told });
		AbortSignal.timeout = (ms) => {
			const given = new AbortController();
			setTimeout(() => given.abort(), ms);
			return given.signal;
		};
		window.EventSource = class extends EventSource {
			constructor(url: string | URL) {
				super(url);
				this.addEventListener("telemetry", () => told.events++);
			}
		};
	});
}

/**
 * Runs in the page: a notice stays (`src/page/ui/notice.tsx`), so that a slow machine's test sees it before it
 * goes; the text of each is kept, for the next one replaces it.
 */
function keepNotices(): void {
	const NOTICE_MS: readonly unknown[] = [4000, 10_000];
	const SLOW_MS = 50_000;
	const inTime = window.setTimeout.bind(window);
	const slowed = (run: TimerHandler, ms?: number): number => inTime(run, NOTICE_MS.includes(ms) ? SLOW_MS : ms);
	const noticed: string[] = [];
	Object.assign(window, { setTimeout: slowed, noticed });
	new MutationObserver(() => {
		const text = document.querySelector(".notice")?.textContent ?? "";
		if (text !== "" && text !== noticed.at(-1)) noticed.push(text);
	}).observe(document, { childList: true, subtree: true, characterData: true });
}

function noticesOf(page: Page): Promise<readonly string[]> {
	return page.evaluate(() => (window as unknown as { noticed: string[] }).noticed);
}

/** Whether a notice has said this since the page was loaded. */
export async function hasNoticed(page: Page, text: string): Promise<boolean> {
	return (await noticesOf(page)).some((one) => one.includes(text));
}

/** Waits until a notice has said this since the page was loaded. */
export async function untilNoticed(page: Page, text: string): Promise<void> {
	await until(() => hasNoticed(page, text), 30_000, `a notice "${text}"`).catch(async (error: Error) => {
		throw new Error(`${error.message}: ${JSON.stringify(await noticesOf(page))}`);
	});
}

/** Runs in the page: says yes to each of its questions, unless told otherwise, and keeps what was asked. */
function answerQuestions(): void {
	const answers = { yes: true, asked: [] as string[] };
	Object.assign(window, { answers });
	let last: Element | null = null;
	new MutationObserver(() => {
		const question = document.querySelector('[data-test="question"]');
		if (question === last) return;
		last = question;
		if (question === null) return;
		answers.asked.push(question.previousElementSibling?.textContent ?? "");
		question.querySelector<HTMLElement>(answers.yes ? ".primary" : "button:not(.primary)")?.click();
	}).observe(document, { childList: true, subtree: true });
}

/** From now on its questions are answered so. */
export async function answerWith(page: Page, yes: boolean): Promise<void> {
	await page.evaluate((answer) => {
		(window as unknown as { answers: { yes: boolean } }).answers.yes = answer;
	}, yes);
}

/** Questions of the page since it was loaded. */
export function questionsOf(page: Page): Promise<readonly string[]> {
	return page.evaluate(() => (window as unknown as { answers: { asked: string[] } }).answers.asked);
}

/** Waits until the page has asked this. */
export async function untilAsked(page: Page, question: RegExp): Promise<void> {
	await until(async () => question.test((await questionsOf(page)).join("\n")), 30_000, "the question");
}

/** No event arrives, whatever the controller sends. */
export const withoutEvents = (page: Page): Promise<unknown> => page.route("**/api/events*", (route) => route.abort());

/** Paths that the page posts to from now on. */
export function postsOf(page: Page): readonly string[] {
	const posts: string[] = [];
	page.on("request", (request) => request.method() === "POST" && posts.push(new URL(request.url()).pathname));
	return posts;
}

/** `released` is fulfilled once `release` is called. */
export function gate(): { release: () => void; released: Promise<void> } {
	let release = (): void => {};
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	return { release, released };
}

/** Shorter than numbers take to become stale (src/page/net/live.ts). */
const STEP_MS = 500;

/** Time passes on a page whose time is `stopped`: no faster than events come, and until it is so. */
export async function passTime(page: Page, ms: number, isSo = async (): Promise<boolean> => true): Promise<void> {
	const told = () => page.evaluate(() => (window as unknown as { told: { events: number } }).told.events);
	for (let leftMs = ms; leftMs > 0 || !(await isSo()); leftMs -= STEP_MS) {
		const before = await told();
		await page.waitForFunction((count) => (window as unknown as { told: { events: number } }).told.events > count, before);
		await page.clock.runFor(STEP_MS);
	}
}

/** Waits until the link says so. */
export async function linkIs(page: Page, word: "Live" | "Reconnecting" | "Offline"): Promise<void> {
	await page.locator('[data-test="link"]', { hasText: word }).waitFor();
}
