// A real browser on the real controller. Chromium comes from the system: playwright-core brings none.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { giveWay } from "../../tools/priority.mjs";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const EXECUTABLE = [process.env["CHROMIUM"], ...PLACES].find((path) => path !== undefined && existsSync(path));
/** A name of the controller, for what browsers allow on plain http: an address of this computer counts as safe. */
export const PLAIN_HTTP_HOST = "opencoupling.local";
const FLAGS = [
	`--host-resolver-rules=MAP ${PLAIN_HTTP_HOST} 127.0.0.1`,
	...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
	...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
/** A loaded machine is slow to draw. */
const PATIENCE_MS = 20_000;

/** The smallest phone that matters, held upright. */
export const PHONE = { viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true } as const;

/** Skips the suite, with a line that says why, where no browser is installed. */
export function needBrowser(suite: Mocha.Context): void {
	if (EXECUTABLE !== undefined) return;
	console.log("      skipped: no Chromium is installed (Debian: apt-get install chromium; elsewhere: set CHROMIUM to its path)");
	suite.skip();
}

let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

/** The browser that all suites share. Each ends with `leave`. */
export function launch(): Promise<Browser> {
	launched ??= launchOwn([]);
	return launched;
}

/** One for a suite that needs other flags: it closes it. */
export async function launchOwn(flags: readonly string[]): Promise<Browser> {
	const browser = await chromium.launch({ executablePath: EXECUTABLE as string, args: [...FLAGS, ...flags] });
	for (const pid of children()) if (sessionOf(pid) !== sessionOf("self")) await giveWay(pid, getPriority());
	return browser;
}

/** What we have started, where the kernel tells: playwright starts a browser in a session of its own, and does not say which. */
function children(): number[] {
	const TASKS = "/proc/self/task";
	if (!existsSync(TASKS)) return [];
	const lists = readdirSync(TASKS).map((task) => readFileSync(`${TASKS}/${task}/children`, "utf8"));
	return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

/** Of a process: its sixth value (`man 5 proc`). */
const sessionOf = (pid: number | "self"): string => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")[3]!;

/** All visitors leave. */
export async function leave(): Promise<void> {
	for (const context of (await launched)?.contexts() ?? []) await context.close();
}

export interface Visit {
	readonly page: Page;
	/** Errors that the page threw or wrote to the console. */
	readonly problems: string[];
}

/** A fresh visitor who looks at `#hash`. */
export function visit(browser: Browser, port: number, hash: string, options: BrowserContextOptions = {}): Promise<Visit> {
	return arrive(browser, `http://127.0.0.1:${port}/#${hash}`, options);
}

/** A fresh visitor at an address. */
export async function arrive(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
	const context = await browser.newContext(options);
	context.setDefaultTimeout(PATIENCE_MS);
	const page = await context.newPage();
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(error.message));
	page.on("console", (message) => {
		if (message.type() === "error") problems.push(message.text());
	});
	page.on("dialog", (dialog) => void dialog.accept());
	await page.goto(url);
	return { page, problems };
}

/** Waits until the link says so. */
export async function linkIs(page: Page, word: "Live" | "Reconnecting" | "Offline"): Promise<void> {
	await page.locator('[data-test="link"]', { hasText: word }).waitFor();
}
