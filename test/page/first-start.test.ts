/** From `npm start` on an empty flash to a map of one's own that the simulated car feels. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Locator } from "playwright-core";
import { until } from "../system/wait.js";
import { arrive, describeInBrowser, launch, leave } from "./browser.js";

const START = fileURLToPath(new URL("../../tools/start.mjs", import.meta.url));
const LOCK = 63;
const PATIENCE_MS = 60_000;
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
			PATIENCE_MS,
			() => `${line} in ${output.slice(-2000)}`,
		);
	const stored = () => JSON.parse(readFileSync(join(folder, "flash/settings.json"), "utf8")) as Record<string, unknown>;

	it("leads from an empty flash through coupling, inputs, frames and password to a map of one's own, felt by the car", async () => {
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
		const { page, problems } = await arrive(browser, url, {
			viewport: { width: 360, height: 740 },
			hasTouch: true,
			isMobile: true,
		});
		const button = (name: string) => page.getByRole("button", { name, exact: true });

		await page.getByText("Which coupling is in the car?").waitFor();
		await touch(page.getByText("Golf VI,"));
		await touch(button("Next"));
		await shown(/the car has a generation 4 coupling now/);
		await page.getByText("All three are there").waitFor();
		await touch(button("Next"));
		await page.getByText("nobody has seen a coupling close with it").waitFor();
		await touch(button("Next"));
		await touch(page.getByLabel("New password"), "a good one");
		await touch(button("Set the password"));
		await touch(page.getByRole("link", { name: "Start driving" }));
		await page.locator('[data-test="reason"]').waitFor();
		await touch(page.locator('[data-mode="MAP"]'));
		await page.locator('[data-test="reason"]', { hasText: "control is active" }).waitFor();

		await touch(page.locator('[data-look="map"]'));
		await touch(button("All"));
		await touch(page.getByLabel("Set to"), String(LOCK));
		await touch(button("Save"));
		await touch(page.getByLabel("Name", { exact: true }), "My own");
		await touch(button("Save as"));
		// where the event is late, the page takes it for another device's
		await page.locator(".notice", { hasText: '"My own"' }).waitFor();
		// it stands over the navigation
		await touch(button("Close"));
		await touch(page.getByRole("link", { name: "Drive" }));
		await page.locator(`.lock[aria-label*='requested ${LOCK} %']`).waitFor();
		// the simulated coupling closes for the frames that have reached it; how far, its gear and speed say,
		// too
		await shown(new RegExp(`MAP +lock +${LOCK} % {2}engaged +[1-9]\\d %`));

		assert.ok(touches <= TOUCHES_MAX, `${touches} touches`);
		await until(() => stored()["setupDone"] === true && stored()["generation"] === 4, 30_000, "the settings on flash");
		const { maps, currentName } = (await (await fetch(`${url}/api/maps`)).json()) as {
			maps: { name: string }[];
			currentName: string;
		};
		assert.ok(currentName === "My own" && maps.some(({ name }) => name === "My own"));
		assert.deepEqual(problems, []);

		const again = await arrive(browser, url);
		await again.page.locator('[data-test="reason"]').waitFor();
		await again.page.locator(`.lock[aria-label*='requested ${LOCK} %']`).waitFor();
		assert.equal(new URL(again.page.url()).hash, "", "whoever comes later is not led through it");
	});
});
