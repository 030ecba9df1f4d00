/** The first start: the coupling is found, inputs and frames are chosen, and the car feels a map of one's own. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Locator } from "playwright-core";
import { COUPLINGS } from "../../src/coupling/couplings/couplings.js";
import { contradictions, type Frame, hear } from "../../src/page/start/heard.js";
import { until } from "../system/wait.js";
import { arrive, describeInBrowser, IN_GERMAN, launch, leave, PHONE, untilNoticed } from "./browser.js";
import { button, describePage, placesOf, turnTo } from "./page-fixture.js";
import { assertAccessible } from "./page-problems.js";

const START = fileURLToPath(new URL("../../tools/start.mjs", import.meta.url));
const LOCK = 63;
const LINE_MS = 60_000;
/** How often one may have to touch the screen. */
const TOUCHES_MAX = 20;

describeInBrowser("the first start in a browser", () => {
	let folder: string;
	let car: ChildProcess;
	let output = "";
	let browser: Browser;

	before(async () => {
		browser = await launch();
		folder = mkdtempSync(join(tmpdir(), "oc-first-"));
	});
	after(async () => {
		await leave();
		if (car === undefined) return;
		car.kill("SIGTERM");
		await until(() => car.exitCode !== null || car.signalCode !== null, 30_000, "the end");
		rmSync(folder, { recursive: true, force: true });
	});

	/** Waits for a line of `npm start`. */
	const shown = (line: RegExp) =>
		until(
			() => line.exec(output) ?? undefined,
			LINE_MS,
			() => `${line} in ${output.slice(-2000)}`,
		);
	const stored = () => JSON.parse(readFileSync(join(folder, "flash/settings.json"), "utf8")) as Record<string, unknown>;

	it("leads from an empty flash to a map of one's own that the car follows", async () => {
		let touches = 0;
		const touch = async (what: Locator, text?: string) => {
			touches++;
			await what.click();
			if (text !== undefined) await what.fill(text);
		};
		car = spawn(process.execPath, [START, "--http", "0", "--flash", join(folder, "flash")], {
			env: { ...process.env, TMPDIR: folder },
		});
		for (const stream of [car.stdout, car.stderr]) stream?.on("data", (chunk) => (output += chunk));
		const [, url] = await shown(/^open (http:\S+)$/m);
		const { page, problems } = await arrive(browser, url, { ...PHONE, viewport: { width: 360, height: 740 } });

		await page.getByText("Which coupling is in the car?").waitFor();
		await touch(page.getByText("Golf VI,"));
		await touch(button(page, "Next"));
		await shown(/the car has a generation 4 coupling now/);
		await page.getByText("All three are there").waitFor();
		await touch(button(page, "Next"));
		await page.getByText("nobody has seen a coupling close with it").waitFor();
		await touch(button(page, "Next"));
		await touch(page.getByLabel("New password"), "a good one");
		await touch(button(page, "Set the password"));
		await touch(page.getByRole("link", { name: "Start driving" }));
		await page.locator('[data-test="reason"]').waitFor();
		await touch(page.locator('[data-mode="MAP"]'));
		await page.locator('[data-test="reason"]', { hasText: "control is active" }).waitFor();

		await touch(page.locator('[data-look="map"]'));
		await touch(button(page, "All"));
		await touch(page.getByLabel("Set to"), String(LOCK));
		await touch(button(page, "Save"));
		await touch(page.getByLabel("Name", { exact: true }), "My own");
		await touch(button(page, "Save as"));
		// where the event is late, the page takes it for another device's
		await untilNoticed(page, '"My own"');
		// it stands over the navigation
		await touch(button(page, "Close"));
		await touch(page.getByRole("link", { name: "Drive" }));
		await page.locator(`.lock[aria-label*='requested ${LOCK} %']`).waitFor();
		// the simulated coupling closes for the frames that have reached it; how far, its gear and speed say,
		// too
		await shown(new RegExp(`MAP +lock +${LOCK} % {2}engaged +[1-9]\\d %`));

		assert.ok(touches <= TOUCHES_MAX, `${touches} touches`);
		await until(() => stored()["setupDone"] === true && stored()["generation"] === 4, 30_000, "the settings on flash");
		const { currentName } = (await (await fetch(`${url}/api/maps`)).json()) as { currentName: string };
		assert.equal(currentName, "My own");
		assert.deepEqual(problems, []);

		const again = await arrive(browser, url);
		await again.page.locator('[data-test="reason"]').waitFor();
		await again.page.locator(`.lock[aria-label*='requested ${LOCK} %']`).waitFor();
		assert.equal(new URL(again.page.url()).hash, "", "later visitors are not led through it");
	});
});

const frames = (bus: string, ...ids: number[]): Frame[] => ids.map((id) => ({ bus, id, dlc: 8 }));
const report = (id: number, dlc: number, bus = "haldex"): Frame => ({ bus, id, dlc });
const PQ = frames("chassis", 0x280, 0x1a0, 0x320);
const MQB = frames("chassis", 0x0a7, 0x121);

describe("the coupling that the buses suggest", () => {
	it("is found by the car's frames, its report and the report's length, with those that look alike", () => {
		const rows: [what: string, heard: Frame[], fits: number[], alike: number[]][] = [
			["nothing", [], [], []],
			["frames that tell nothing", frames("chassis", 0x7ff), [], []],
			["a PQ car alone", PQ, [1, 2, 4, 51, 53], []],
			["an MQB car alone", MQB, [5], []],
			["four bytes", [...PQ, report(0x2c0, 4)], [2], [1, 4, 51]],
			["eight bytes", [...PQ, report(0x2c0, 8)], [1, 4, 51], [2]],
			["an unknown length", [...PQ, report(0x2c0, 6)], [1, 2, 4, 51], []],
			["a coupling without a car", [report(0x118, 4)], [5, 53], []],
			["a swap", [...PQ, report(0x118, 4)], [53], []],
			["two cars at once", [...PQ, ...MQB], [1, 2, 4, 5, 51, 53], []],
		];
		for (const [what, heard, fits, alike] of rows) {
			const told = hear(heard);
			assert.deepEqual([told.fits, told.alike], [fits, alike], what);
		}
	});

	it("shows a frame that comes from the wrong bus", () => {
		assert.equal(hear([...PQ, report(0x2c0, 4)]).swapped, undefined);
		assert.equal(hear([...PQ, report(0x2c0, 4, "chassis")]).swapped, 0x2c0, "the coupling on the car's bus");
		assert.equal(hear([...frames("haldex", 0x280), report(0x2c0, 4, "chassis")]).swapped, 0x280, "the car on the coupling's");
		assert.equal(hear([...PQ, ...frames("haldex", 0x280), report(0x2c0, 4)]).swapped, undefined);
	});

	it("contradicts a wrong choice by its report, the report's length or the car's frames", () => {
		const gen2 = hear([...PQ, report(0x2c0, 4)]);
		assert.deepEqual(
			[0, 1, 2, 4, 5, 99].map((generation) => contradictions(gen2, generation)),
			[[], ["length"], [], ["length"], ["report", "car"], []],
		);
		assert.deepEqual(contradictions(hear([]), 5), [], "silence contradicts nothing");
		for (const { generation, car, status } of COUPLINGS) {
			const own = car.readings.flatMap(({ signals }) => frames("chassis", ...signals.map(({ id }) => id)));
			const heard = hear([...own, report(status.engagement.id, status.bytes)]);
			assert.deepEqual(contradictions(heard, generation), []);
			assert.ok(heard.fits.includes(generation));
		}
	});
});

describePage("the first start on the page", (fixture) => {
	it("proposes the generation that is heard, and warns of a choice that contradicts it", async () => {
		const { page } = await fixture.open("start/1", PHONE);
		await page.getByText("From the car: 0x0").waitFor();
		await page.getByText("From the coupling: 0x118 with 4 bytes.").waitFor();
		await page.getByText("This fits generation 5.").waitFor();
		const marked = page.locator(".generation", { hasText: "fits what is heard" });
		assert.deepEqual(await marked.locator("b").allInnerTexts(), ["5"]);
		const shapes = await page.locator(".silhouette path[d]").evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
		assert.equal(new Set(shapes).size, 4, "each coupling has its picture");
		await assertAccessible(page, "with a proposal");
		const contradiction = page.locator('[data-test="contradiction"]');
		assert.equal(await contradiction.count(), 0);
		await page.locator(".generation", { hasText: "Unit 1K0" }).tap();
		await contradiction.getByText("Its coupling reports in 0x2C0, but 0x118 comes.").waitFor();
		await contradiction.getByText("Its car sends 0x1A0, 0x280, 0x4A0, but 0x0").waitFor();
		await assertAccessible(page, "with a contradiction");

		// in the draft only, which is left as it was
		await page.locator(".generation", { hasText: "MQB cars" }).tap();
		await contradiction.waitFor({ state: "detached" });
	});

	it("proposes it in German once the ignition is on; the page of the coupling shows the contradiction as well", async () => {
		const { page } = await fixture.open("about", IN_GERMAN);
		let heard: Frame[] = [];
		await page.route("**/api/canview*", (route) =>
			route.fulfill({ json: { decoded: [], raw: heard.map((row) => ({ ...row, dir: "RX", ageMs: 5, data: "", ts: 0 })) } }),
		);
		await turnTo(page, "start/1");
		await page.getByText("Noch nichts gehört: schalte die Zündung ein.").waitFor();
		heard = [...PQ, report(0x2c0, 4)];
		await page.getByText("Das passt zu Generation 2.").waitFor();
		await page.getByText("Dieselbe Botschaft, aber mit 8 Byte: Generation 1, 4, 0AY.").waitFor();
		await turnTo(page, "coupling");
		await page.locator('[data-test="contradiction"]', { hasText: "Das widerspricht Generation 5" }).waitFor();
		await assertAccessible(page, "on the page of the car");
	});

	it("moves nothing on the screen while the pedal moves or its values are missing", async () => {
		const { page } = await fixture.open("start/2", PHONE);
		const places = () => placesOf(page, "main button, main a");
		await page.locator(".signal b", { hasText: "40 %" }).waitFor();
		const before = await places();
		for (const pedal of [0, 9, 100]) {
			fixture.bench.show(40, pedal);
			await page
				.locator(".signal b", { hasText: `${pedal} %` })
				.first()
				.waitFor();
			assert.deepEqual(await places(), before, `${pedal} %`);
		}
		await fixture.bench.whileSilent(fixture.bench.chassisRows, async () => {
			await page.locator(".signal b", { hasText: "no valid value" }).first().waitFor();
			assert.deepEqual(await places(), before, "no values");
		});
	});

	it("asks for the frame profile, with reasons for each, and keeps the default", async () => {
		const profile = async () => (await fixture.get("/api/status")).frameProfile;
		const { page } = await fixture.open("start/3", PHONE);
		await page.getByText("its checksums verify in no car").waitFor();
		const next = async () => {
			await button(page, "Next").tap();
			await page.getByLabel("New password").waitFor();
		};
		await next();
		assert.equal(await profile(), "reference");
		await page.getByRole("link", { name: "Back" }).tap();
		await page.getByLabel("Frame profile").selectOption("corrected");
		await next();
		assert.equal(await profile(), "corrected");
		await fixture.set({ frameProfile: "reference" });
	});
});
