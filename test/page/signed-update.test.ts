/**
 * Updates of a controller that has its owner's key, as the owner sees them, in both languages: what is taken,
 * and why not.
 */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { publicKeyOf, shortKey } from "../../tools/device/sign.mjs";
import { anImage, aSignedImage, OTHER_KEY, OWN_KEY } from "../support/update-bench.js";
import { Bench } from "../system/bench-car.js";
import { ReleaseServer } from "../system/release-server.js";
import { freePort, untilUpdate } from "../system/update-client.js";
import { until } from "../system/wait.js";
import { describeInBrowser, launch, leave, linkIs, PHONE, visit } from "./browser.js";
import { button } from "./page-fixture.js";

const RESTART_MS = 60_000;
/** A fifth of a second of a phone's Wi-Fi, so that there is something to see. */
const SEGMENTS = [600, 40, 60_000];
const CHANGED = aSignedImage();
CHANGED[CHANGED.length - 1] ^= 1;

const LANGUAGES = [
	{
		locale: "en-GB",
		version: "v0.2.0",
		takes: "only what key * has signed",
		safe: "An update may start now",
		unsigned: "Rejected: image is not signed: sign it with this controller's key (npm run release), or flash it by USB",
		other: "Rejected: image is signed with another key: sign it with this controller's (npm run release), or flash it by USB",
		changed: "Rejected: image's signature is wrong: it was changed after it was signed, get it again",
		older:
			"Rejected: image is older than one that was kept here: press BOOT at the board for 2 s, and send it again within 10 minutes",
		look: "Check for an update",
		notSigned: "The last check for an update failed: not signed with this controller's key",
		replayed:
			"The last check for an update failed: older than what was announced or runs here: press BOOT at the board for 2 s, and look again within 10 minutes",
		installed: "Installed. The controller restarts",
	},
	{
		locale: "de-DE",
		version: "v0.3.0",
		takes: "nur, was der Schlüssel * unterschrieben hat",
		safe: "Ein Update darf jetzt beginnen",
		unsigned:
			"Abgelehnt: die Firmware ist nicht unterschrieben: unterschreibe sie mit dem Schlüssel dieses Steuergeräts (npm run release), oder spiele sie über USB auf",
		other:
			"Abgelehnt: die Firmware ist mit einem anderen Schlüssel unterschrieben: nimm den dieses Steuergeräts (npm run release), oder spiele sie über USB auf",
		changed: "Abgelehnt: die Unterschrift der Firmware stimmt nicht: hole sie noch einmal",
		older:
			"Abgelehnt: die Firmware ist älter als eine, die hier schon lief: drücke 2 s lang die Taste BOOT der Platine und schicke sie binnen 10 Minuten noch einmal",
		look: "Nach Update suchen",
		notSigned: "Die letzte Suche nach einem Update schlug fehl: nicht mit dem Schlüssel dieses Steuergeräts unterschrieben",
		replayed:
			"Die letzte Suche nach einem Update schlug fehl: älter als das, was schon angekündigt war oder hier läuft: drücke 2 s lang die Taste BOOT der Platine und suche binnen 10 Minuten noch einmal",
		installed: "Installiert. Das Steuergerät startet neu",
	},
] as const;

describeInBrowser("signed updates in a browser", () => {
	let bench: Bench;
	let browser: Browser;
	let releases: ReleaseServer;

	before(async () => {
		releases = await ReleaseServer.start();
		// a port that it keeps over a restart, and no car: an update may begin
		const args = ["--http", await freePort(), "--update-key", publicKeyOf(OWN_KEY), "--update-url", releases.url];
		bench = await Bench.start({ paced: true, settings: null, connected: false, args: [...args, "--wifi", "home:password1"] });
		browser = await launch();
		await bench.ask("POST", "/api/wifi", '{"ssid":"home","password":"password1"}');
		const isOnline = async () => JSON.parse((await bench.ask("GET", "/api/network")).text).staConnected === true;
		await until(isOnline, 60_000, "the network");
	});
	after(async () => {
		await bench?.end();
		releases?.close();
	});
	afterEach(leave);

	const send = (page: Page, buffer: Buffer) =>
		page
			.locator('input[type="file"][accept=".bin"]')
			.setInputFiles({ name: "firmware.bin", mimeType: "application/octet-stream", buffer });
	const said = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

	for (const words of LANGUAGES)
		it(`says why it takes nothing that is not its owner's, then installs what is (${words.locale})`, async () => {
			const { page } = await visit(browser, bench.port, "update", { ...PHONE, locale: words.locale });
			const safe = () => page.locator('[data-test="safe"]', { hasText: words.safe }).waitFor({ timeout: RESTART_MS });
			await said(page, words.takes.replace("*", shortKey(publicKeyOf(OWN_KEY))));
			for (const [image, text] of [
				[anImage(), words.unsigned],
				[aSignedImage({}, OTHER_KEY), words.other],
				[CHANGED, words.changed],
			] as const) {
				await safe();
				await send(page, image);
				await said(page, text);
			}
			await safe();
			await send(page, aSignedImage({ version: words.version, segments: SEGMENTS }));
			await said(page, words.installed);
			await page.locator("dd", { hasText: words.version }).first().waitFor({ timeout: RESTART_MS });
			await linkIs(page, "Live");
			await safe();
			await send(page, aSignedImage({ version: "v0.1.9" }));
			await said(page, words.older);
			assert.equal(JSON.parse((await bench.ask("GET", "/api/update")).text).newestKept, words.version);
		});

	for (const words of LANGUAGES)
		it(`says why it believes no announcement that is not its owner's, or that was sent again (${words.locale})`, async () => {
			const { page } = await visit(browser, bench.port, "update", { ...PHONE, locale: words.locale });
			// the controller looks by itself as well, and what that has found may stand there already
			const look = async (text: string): Promise<void> => {
				const { lastCheckMs } = await untilUpdate(bench, (state) => state["checking"] === false, "the end of another look");
				await button(page, words.look).click();
				await untilUpdate(bench, (state) => state["lastCheckMs"] !== lastCheckMs && state["checking"] === false, "a look");
				await said(page, text);
			};
			releases.key = OTHER_KEY;
			await look(words.notSigned);
			releases.key = OWN_KEY;
			releases.announces = { version: "v0.1.1" };
			await look(words.replayed);
		});
});
