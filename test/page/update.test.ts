/**
 * Updates of a controller that has its owner's key, as the owner sees them: what is taken, and why not. In
 * German, since each of its words is made of the controller's.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { ReleaseServer } from "../../tools/device/release-server.js";
import { anImage } from "../../tools/device/sample-image.js";
import { publicKeyOf, shortKey } from "../../tools/device/sign.mjs";
import { aSignedImage, OTHER_KEY, OWN_KEY } from "../support/update-bench.js";
import { Bench, crashInARow } from "../system/bench-car.js";
import { freePort, untilUpdate } from "../system/update-peers.js";
import { arrive, describeInBrowser, IN_GERMAN, launch, leave, linkIs, visit } from "./browser.js";
import { button, openFile, turnTo } from "./page-fixture.js";
import { assertWhole } from "./page-problems.js";

const RESTART_MS = 60_000;
/** A fifth of a second of a phone's Wi-Fi, so that there is something to see. */
const SEGMENTS = [600, 40, 60_000];
const CHANGED = aSignedImage();
CHANGED[CHANGED.length - 1] ^= 1;

describeInBrowser("the update page of a controller with its owner's key", () => {
	let bench: Bench;
	let browser: Browser;
	let releases: ReleaseServer;

	before(async () => {
		releases = await ReleaseServer.start();
		// a port that it keeps over a restart, and no car: an update may begin
		const args = ["--http", await freePort(), "--update-key", publicKeyOf(OWN_KEY), "--update-url", releases.url];
		bench = await Bench.start({ paced: true, settings: null, connected: false, args: [...args, "--wifi", "home:password1"] });
		browser = await launch();
		await bench.joinHome();
	});
	after(async () => {
		await bench?.end();
		releases?.close();
	});
	afterEach(leave);

	const send = (page: Page, image: Buffer) => openFile(page, "firmware.bin", image);
	const said = (page: Page, text: string) => page.getByText(text).waitFor();

	it("rejects firmware that the owner has not signed, says why, and installs what the owner has signed", async () => {
		const { page } = await visit(browser, bench.port, "update", IN_GERMAN);
		const safe = () =>
			page.locator('[data-test="safe"]', { hasText: "Ein Update darf jetzt beginnen" }).waitFor({ timeout: RESTART_MS });
		await said(page, `nur, was der Schlüssel ${shortKey(publicKeyOf(OWN_KEY))} unterschrieben hat`);
		for (const [image, text] of [
			[anImage(), "Abgelehnt: die Firmware ist nicht unterschrieben: unterschreibe sie"],
			[aSignedImage({}, OTHER_KEY), "Abgelehnt: die Firmware ist mit einem anderen Schlüssel unterschrieben"],
			[CHANGED, "Abgelehnt: die Unterschrift der Firmware stimmt nicht: hole sie noch einmal"],
		] as const) {
			await safe();
			await send(page, image);
			await said(page, text);
		}
		await safe();
		await send(page, aSignedImage({ version: "v0.2.0", segments: SEGMENTS }));
		await said(page, "Installiert. Das Steuergerät startet neu");
		await page.locator("dd", { hasText: "v0.2.0" }).first().waitFor({ timeout: RESTART_MS });
		await safe();
		await send(page, aSignedImage({ version: "v0.1.9" }));
		await said(page, "Abgelehnt: die Firmware ist älter als eine, die hier schon lief: drücke 2 s lang die Taste BOOT");
		assert.equal((await bench.get("/api/update")).newestKept, "v0.2.0");
	});

	it("ignores an announcement of another key or of an older version, and says why", async () => {
		const { page } = await visit(browser, bench.port, "update", IN_GERMAN);
		// the controller looks by itself as well, and what that has found may stand there already
		const look = async (text: string): Promise<void> => {
			const { lastCheckMs } = await untilUpdate(bench, (state) => state["checking"] === false, "the end of another look");
			await button(page, "Nach Update suchen").click();
			await untilUpdate(bench, (state) => state["lastCheckMs"] !== lastCheckMs && state["checking"] === false, "a look");
			await said(page, `Die letzte Suche nach einem Update schlug fehl: ${text}`);
		};
		releases.key = OTHER_KEY;
		await look("nicht mit dem Schlüssel dieses Steuergeräts unterschrieben");
		releases.key = OWN_KEY;
		releases.announces = { version: "v0.1.1" };
		await look("älter als das, was schon angekündigt war oder hier läuft: drücke 2 s lang die Taste BOOT");
	});
});

describeInBrowser("the page in a boot loop", () => {
	let flash: string;
	let bench: Bench;
	let browser: Browser;

	before(async () => {
		flash = mkdtempSync(join(tmpdir(), "oc-boot-loop-"));
		writeFileSync(join(flash, "settings.json"), '{"format":1,"generation":5,"mode":"STOCK","setupDone":true}');
		await crashInARow(flash, 3);
		bench = await Bench.start({ paced: true, settings: null, flash });
		bench.show(0, 0);
		browser = await launch();
	});
	after(async () => {
		await leave();
		await bench?.end();
		if (flash !== undefined) rmSync(flash, { recursive: true, force: true });
	});

	it("says on every page that the controller has crashed three times, and leads to the update", async () => {
		const { page, problems } = await arrive(browser, `http://127.0.0.1:${bench.port}/`, { reducedMotion: "reduce" });
		const streams: string[] = [];
		page.on("request", (request) => request.url().includes("/api/events") && streams.push(request.url()));
		const isWhole = async (): Promise<void> => {
			await page.locator(".boot-loop", { hasText: "The controller has crashed three times in a row" }).waitFor();
			await assertWhole(page, page.url());
		};
		await page.locator('[data-test="safe"]', { hasText: "An update may start now" }).waitFor();
		assert.equal(new URL(page.url()).hash, "#update");
		await linkIs(page, "Live");
		assert.equal(await button(page, "Set the password").count(), 0);
		await isWhole();
		await turnTo(page, "drive");
		await page.locator('[data-mode="5050"]').click();
		await page.locator(".notice.bad", { hasText: "boot loop: only update, status and logs" }).waitFor();
		await isWhole();
		await page.getByRole("link", { name: "Open the update" }).click();
		await page.getByRole("heading", { name: "Firmware" }).waitFor();
		assert.deepEqual(streams.slice(1), [], "events are asked for once at the most");
		const refused = problems.filter((text) => /status of 503/.test(text));
		assert.deepEqual([problems.length - refused.length, refused.length <= 2], [0, true], problems.join("\n"));
	});
});
