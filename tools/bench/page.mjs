// The page open on 4 clients at 10 Hz while both buses carry 2,000 frames a second: no frame lost, no control
// tick kept waiting for 5 ms. Pages in Chromium where it is installed, otherwise clients that take the event
// stream as a page does. First the same time without them. A tick's wait is counted in bytecodes: how fast
// the machine runs them, and what it does elsewhere, says nothing about the program. Usage: node
// tools/bench/page.mjs [SECONDS]. Prints one JSON line; exit code 1 when a limit is missed.
import { existsSync } from "node:fs";
import { get } from "node:http";
import { BenchController, besideLoad, TURN_BYTECODES } from "./bus-load.mjs";

const FRAMES_PER_SECOND = 2000;
/** What each of them looks at: the views that draw with each event, and the one that a drive begins with. */
const VIEWS = ["drive", "full", "map", "record"];
const CLIENTS = VIEWS.length;
const HZ = 10;
/** Of the events: what a busy machine takes from a client is not the controller's fault. */
const HZ_MIN = 8;
const SETTLE_MS = 3000;
const CHROMIUM = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
	(path) => path !== undefined && existsSync(path),
);
const FLAGS = [
	...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
	...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
const seconds = Number(process.argv[2] ?? 20);
/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A page on each view. @returns {Promise<{ kind: string, counts(): Promise<number[]>, close(): Promise<void> }>} counts: telemetry events so far
 * @param {number} port
 */
async function openPages(port) {
	const { chromium } = await import("playwright-core");
	const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
	/** @type {import("playwright-core").Page[]} */
	const pages = [];
	for (const view of VIEWS) {
		const page = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
		await page.addInitScript(() => {
			const counted = Object.assign(window, { telemetryEvents: 0 });
			window.EventSource = class extends window.EventSource {
				/** @param {string | URL} url */
				constructor(url) {
					super(url);
					this.addEventListener("telemetry", () => counted.telemetryEvents++);
				}
			};
		});
		await page.goto(`http://127.0.0.1:${port}/#${view}`);
		await page.locator('[data-test="link"]', { hasText: "Live" }).waitFor();
		pages.push(page);
	}
	const counts = () =>
		Promise.all(
			pages.map((page) => page.evaluate(() => /** @type {{ telemetryEvents?: number }} */ (window).telemetryEvents ?? 0)),
		);
	return { kind: "Chromium", counts, close: () => browser.close() };
}

/** Clients of the event stream. @param {number} port */
async function openStreams(port) {
	const streams = Array.from({ length: CLIENTS }, () => {
		const request = get({ host: "127.0.0.1", port, path: `/api/events?hz=${HZ}`, agent: false }, (response) => {
			response.on("data", (chunk) => {
				stream.events += String(chunk).split("event: telemetry").length - 1;
			});
			response.on("error", () => {});
		});
		const stream = { events: 0, request };
		request.on("error", () => {});
		return stream;
	});
	const close = async () => {
		for (const { request } of streams) request.destroy();
	};
	return { kind: "sockets", counts: async () => streams.map(({ events }) => events), close };
}

const controller = new BenchController();
const port = await controller.port();
const status = async () => (await fetch(`http://127.0.0.1:${port}/api/status`)).json();
const failures = [];
try {
	const { result, frames } = await besideLoad(controller.sockets, FRAMES_PER_SECOND, async () => {
		await sleep(SETTLE_MS);
		await controller.report();
		await sleep(seconds * 1000);
		const alone = await controller.report();
		const { loop: loopAlone } = await status();
		const clients = await (CHROMIUM ? openPages : openStreams)(port);
		try {
			await sleep(SETTLE_MS);
			await controller.report();
			const [from, before] = [performance.now(), await clients.counts()];
			await sleep(seconds * 1000);
			const [counts, tookMs] = [await clients.counts(), performance.now() - from];
			const beside = await controller.report();
			const { loop, controlActive } = await status();
			const eventsPerS = counts.map((count, i) => Math.round((count - before[i]) / (tookMs / 10_000)) / 10);
			return { kind: clients.kind, alone, loopAlone, beside, loop, controlActive, eventsPerS };
		} finally {
			await clients.close();
		}
	});
	const { kind, alone, loopAlone, beside, loop, controlActive, eventsPerS } = result;
	const figures = {
		bench: "page",
		clients: CLIENTS,
		kind,
		seconds,
		controlActive,
		eventsPerS,
		longestTurnBytecodes: beside.longestTurnBytecodes,
		longestTurnUs: beside.longestTurnUs,
		longestTurnUsAlone: alone.longestTurnUs,
		overruns: loop.overruns - loopAlone.overruns,
		overrunsAlone: loopAlone.overruns,
		lateMaxUs: loop.lateMaxUs,
		lateMaxUsAlone: loopAlone.lateMaxUs,
		slotsPeak: beside.heap.slotsPeak,
		chunksPeak: beside.heap.chunksPeak,
		framesSent: frames.sent,
		framesLost: frames.lost,
		framesWrong: frames.wrong,
	};
	console.log(JSON.stringify(figures));
	if (beside.longestTurnBytecodes > TURN_BYTECODES) failures.push("a control tick may have waited too long");
	if (frames.lost || frames.wrong) failures.push("frames were lost or changed");
	if (eventsPerS.some((rate) => rate < HZ_MIN)) failures.push("a client got too few events");
} finally {
	await controller.end();
}
for (const failure of failures) console.error(`page: ${failure}`);
if (failures.length > 0) process.exitCode = 1;
