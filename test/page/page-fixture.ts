/**
 * The suites of the page share one controller with a car that drives 40 km/h in MAP, and one browser.
 */
import assert from "node:assert/strict";
import type { Browser, Locator, Page } from "playwright-core";
import type { Sample } from "../../src/page/state/samples.js";
import { scanQr } from "../support/scan-qr.js";
import { Bench, type Status } from "../system/bench-car.js";
import { describeInBrowser, launch, leave, type Visit, type VisitOptions, visit } from "./browser.js";

interface Started {
	readonly bench: Bench;
	readonly browser: Browser;
	/** The map at the start, as JSON. */
	readonly map: string;
	/** The speed curve at the start, as JSON. */
	readonly speedCurve: string;
}

let started: Promise<Started> | undefined;

async function start(): Promise<Started> {
	const bench = await Bench.start({ paced: true, settings: { mode: "MAP", setupDone: true }, args: ["--analyzer", "0"] });
	const { speedBins, throttleBins, lockTable } = await bench.get("/api/map");
	const map = JSON.stringify({ speedBins, throttleBins, lockTable });
	const { points } = await bench.get("/api/curve/speed");
	return { bench, browser: await launch(), map, speedCurve: JSON.stringify({ points }) };
}

after(async () => {
	await (await started)?.bench.end();
});

class PageFixture {
	bench!: Bench;
	browser!: Browser;
	map!: string;
	speedCurve!: string;

	/** The visits of this test. */
	readonly visits: Visit[] = [];

	/** A fresh visitor who looks at `#hash`. */
	async open(hash: string, options: VisitOptions = {}): Promise<Visit> {
		const opened = await visit(this.browser, this.bench.port, hash, options);
		this.visits.push(opened);
		return opened;
	}

	/** Does something while no page is open: time need not wait for a browser. */
	async unseen(work: () => Promise<unknown>): Promise<void> {
		this.bench.isPaced = false;
		try {
			await work();
		} finally {
			this.bench.isPaced = true;
		}
	}

	/** The controller's answer. */
	get(path: string) {
		return this.bench.get(path);
	}

	/** The controller must accept it. */
	async post(path: string, body: object): Promise<void> {
		const { code, answer } = await this.bench.post(path, body);
		assert.equal(code, 200, `${path}: ${JSON.stringify(answer)}`);
	}

	set(settings: object): Promise<void> {
		return this.post("/api/settings", settings);
	}
}

/** Settings that decide about lock, which a test may have changed. */
const NO_GATES = { disengageUnderSpeed: { map: 0 }, disableThrottle: 0, disableSpeed: 0, lockEngageRatePctPerSec: 0 };

/** The revisions that each test finds, once all was reset. */
let found: Status["revisions"] | undefined;

/** Undoes the changes of earlier tests. */
async function reset(fixture: PageFixture): Promise<void> {
	fixture.bench.show(40, 40);
	const { revisions, mode, mapName, mapFrom, canviewCaptureMode } = await fixture.get("/api/status");
	if (canviewCaptureMode) await fixture.post("/api/canview/capture", { active: false });
	if (revisions.settings !== found?.settings) await fixture.set(NO_GATES);
	if (revisions.map !== found?.map || mapName + mapFrom !== "")
		await fixture.post("/api/map", { ...(JSON.parse(fixture.map) as object), try: true, from: "" });
	if (revisions.speedCurve !== found?.speedCurve) await fixture.bench.ask("POST", "/api/curve/speed", fixture.speedCurve);
	if (mode !== "MAP") await fixture.bench.mode("MAP");
	const ready = await fixture.bench.untilStatus(({ effectiveMode }) => effectiveMode === "MAP", 20_000, "the active map");
	found = ready.revisions;
}

/**
 * A suite on what all share: skipped without a browser; the car drives 40 km/h in MAP. After each test visitors leave,
 * and the page must have thrown nothing.
 */
export function describePage(title: string, tests: (fixture: PageFixture) => void): void {
	describeInBrowser(title, () => {
		const fixture = new PageFixture();
		before(async () => {
			started ??= start();
			Object.assign(fixture, await started);
			fixture.bench.freeze(false);
		});
		beforeEach(() => fixture.unseen(() => reset(fixture)));
		afterEach(async () => {
			const problems = fixture.visits.splice(0).flatMap((opened) => opened.problems);
			await leave();
			// the browser also reports answers that a test rejects or loses on purpose
			assert.deepEqual(
				problems.filter((text) => !/net::ERR_|status of \d{3}/.test(text)),
				[],
			);
		});
		tests(fixture);
		// what comes next may have a controller of its own; the hooks of `tests` have been run
		after(() => fixture.bench.freeze(true));
	});
}

export const saveBar = (page: Page): Locator => page.locator('[data-test="save-bar"]');
/** Positions and sizes of what is drawn. */
export const placesOf = (page: Page, selector: string): Promise<string[]> =>
	page.locator(selector).evaluateAll((all) =>
		all.map((element) => {
			const { x, y, width, height } = element.getBoundingClientRect();
			return [x, y, width, height].map(Math.round).join();
		}),
	);

/** Gives the page a file, as a driver who picks it. */
export async function openFile(page: Page, name: string, content: string | Buffer, input = 'input[type="file"]'): Promise<void> {
	const buffer = typeof content === "string" ? Buffer.from(content) : content;
	await page.locator(input).setInputFiles({ name, mimeType: "application/octet-stream", buffer });
}

/** A sample of the drive, at 2,000 rpm. */
export const at = (atMs: number, speedKmh: number, pedalPercent: number): Sample => ({
	atMs,
	speedKmh,
	pedalPercent,
	rpm: 2000,
	requestedPercent: 0,
	engagedPercent: 0,
});

export const applyButton = (page: Page): Locator => saveBar(page).getByRole("button", { name: "Apply" });

/** Applies the draft, and waits until the controller has it. */
export async function apply(page: Page): Promise<void> {
	await applyButton(page).click();
	await saveBar(page).getByText("As in the controller").waitFor();
}

export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });
/** Cell of the map. */
export const cell = (page: Page, row: number, column: number): Locator => page.locator(`[data-cell="${row * 9 + column}"]`);

interface Box {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** Where it is drawn; fails if it is not. */
export const box = async (what: Locator): Promise<Box> => (await what.boundingBox()) ?? assert.fail("it is not drawn");
export const middle = ({ x, y, width, height }: Box): [number, number] => [x + width / 2, y + height / 2];

/** Goes to another page by the address, as a link does. */
export async function turnTo(page: Page, hash: string): Promise<void> {
	await page.evaluate((next) => {
		location.hash = next;
	}, hash);
}

/** The same, until it is drawn. */
export async function showPage(page: Page, hash: string): Promise<void> {
	await turnTo(page, hash);
	await page.locator(".loading").waitFor({ state: "detached" });
	await page.locator("main .card, main a").first().waitFor();
}

/** The file behind a link. */
export async function downloaded(page: Page, link: Locator): Promise<{ name: string; text: string }> {
	const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
	const parts: Buffer[] = [];
	for await (const part of await download.createReadStream()) parts.push(part as Buffer);
	return { name: download.suggestedFilename(), text: Buffer.concat(parts).toString() };
}

/** A QR code on the page as a camera reads it. */
export async function scanned(page: Page, code: Locator): Promise<string | undefined> {
	await code.evaluate((element) => element.scrollIntoView({ block: "center" }));
	const png = (await code.screenshot()).toString("base64");
	// the page itself may fetch nothing from elsewhere
	const camera = await page.context().newPage();
	const { pixels, width, height } = await camera.evaluate(async (image) => {
		const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${image}`)).blob());
		const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d") as OffscreenCanvasRenderingContext2D;
		pen.drawImage(picture, 0, 0);
		const { data, width, height } = pen.getImageData(0, 0, picture.width, picture.height);
		// as text: a list of numbers takes a second of processor time
		return { pixels: btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join("")), width, height };
	}, png);
	await camera.close();
	return scanQr(new Uint8ClampedArray(Buffer.from(pixels, "base64")), width, height);
}
