/** Drive, the full screen, and what the driver feels of a mode. */
import assert from "node:assert/strict";
import { HeldBy, Reason } from "../../src/controller/reason.js";
import { feelModes } from "../../src/page/drive/modes.js";
import { shownFaults } from "../../src/page/drive/reason.js";
import type { ModeState } from "../../src/page/net/types.js";
import { Store } from "../../src/page/state/store.js";
import { arrive, linkIs, ON_ITS_SIDE, PHONE, PLAIN_HTTP_HOST, resize, visit } from "./browser.js";
import { apply, box, button, describePage, turnTo } from "./page-fixture.js";
import { assertAccessible, lowContrasts } from "./page-problems.js";

/**
 * 20 minutes of arc at 70 cm on a screen of 390 px that is 65 mm wide; capitals of the usual fonts are 0.7 of
 * their size high.
 */
const ARMS_LENGTH_PX = (700 * Math.tan((20 / 60) * (Math.PI / 180)) * (390 / 65)) / 0.7;

describePage("Drive", (fixture) => {
	it("shows the map with the car, the curve or the fixed lock, and modes legible at arm's length", async () => {
		await fixture.post("/api/maps/save", { name: "Gravel" });
		const { page } = await fixture.open("drive", { ...PHONE, reducedMotion: "reduce" });
		await linkIs(page, "Live");
		await page.locator('[data-test="shown"]', { hasText: "Gravel" }).waitFor();
		const map = await box(page.locator(".look"));
		assert.ok(map.y < 120 && map.y + map.height >= 664 / 2 - 10 && map.width > 270, JSON.stringify(map));
		// the fixture's map upright: at 40 km/h and 40 % the car is in the fifth line and the fifth row
		const { speedBins, throttleBins } = JSON.parse(fixture.map) as Record<string, number[]>;
		const point = await box(page.locator(".look .point"));
		const across = (point.x + point.width / 2 - map.x) / map.width;
		const down = (point.y + point.height / 2 - map.y) / map.height;
		assert.ok(Math.abs(across - (throttleBins!.indexOf(40) + 0.5) / 7) < 0.02, `across ${across}`);
		assert.ok(Math.abs(down - (speedBins!.indexOf(40) + 0.5) / 9) < 0.02, `down ${down}`);
		const bar = await box(page.locator(".lock-scale"));
		assert.ok(bar.x >= map.x + map.width && bar.width >= 48, "a thick bar beside it");
		const size = await page
			.locator(".mode b")
			.first()
			.evaluate((text) => Number.parseFloat(getComputedStyle(text).fontSize));
		assert.ok(size >= ARMS_LENGTH_PX, `${size} px, ${ARMS_LENGTH_PX} are needed`);
		await page.locator('[data-cause="check"]').waitFor();
		assert.equal(await page.locator(".closed-gate").count(), 0);

		await fixture.set({ disengageUnderSpeed: { map: 60, speed: 60 } });
		await page.locator('[data-cause="gate"]', { hasText: "gate: below 60 km/h" }).waitFor();
		const gate = await box(page.locator(".closed-gate"));
		assert.ok(gate.y + gate.height > point.y + point.height / 2, "the car is in what is hatched");
		await assertAccessible(page, "with a closed gate");

		await button(page, "All modes").tap();
		const sheet = page.getByRole("dialog", { name: "All modes" });
		await sheet.locator(".mode").nth(10).waitFor();
		await assertAccessible(page, "with all modes");
		await sheet.locator('[data-mode="SPEED"]').tap();
		await sheet.waitFor({ state: "detached" });
		await page.locator('.look[data-look="curves/speed"] .chart-curve').waitFor();
		await page.locator(".all-modes.selected").waitFor();
		await page.locator(".look .closed-gate").waitFor();
		await assertAccessible(page, "with a curve");

		await page.locator('[data-mode="8020"]').tap();
		await page.locator(".look.fixed", { hasText: "80:20" }).waitFor();
		await page.locator(".lock[aria-label*='requested 20 %']").waitFor();
		await assertAccessible(page, "with a fixed lock");
		await page.locator('[data-mode="STOCK"]').tap();
		await page.locator('[data-cause="hand"]').waitFor();

		await page.locator('[data-mode="MAP"]').tap();
		await page.locator('.look[data-look="map"]').tap();
		await page.locator(".heat-grid .closed-gate").waitFor();
		await assertAccessible(page, "the map's tools");
	});

	it("shows two to six favourites that the driver chooses", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await linkIs(page, "Live");
		await turnTo(page, "display");
		const toggle = async (mode: string, pressed: boolean) => {
			await page.locator(`[data-favourite="${mode}"]`).tap({ force: true });
			await page.locator(`[data-favourite="${mode}"][aria-pressed="${pressed}"]`).waitFor();
		};
		for (const mode of ["8020", "5050"]) await toggle(mode, false);
		await toggle("MAP", true);
		for (const mode of ["8020", "5050", "FWD", "7030"]) await toggle(mode, true);
		await toggle("9010", false);
		await apply(page);
		await turnTo(page, "drive");
		await page.locator('[data-mode="7030"]').waitFor();
		const shown = await page
			.locator(".drive-modes .mode")
			.evaluateAll((all) => all.map((mode) => (mode as HTMLElement).dataset["mode"]));
		assert.deepEqual(shown, ["STOCK", "MAP", "8020", "5050", "FWD", "7030"]);
		const { y, height } = await box(page.locator(".drive-modes"));
		assert.ok(y + height <= 608, "above the navigation");
		await fixture.set({ controls: { favourites: "STOCK MAP 8020 5050" } });
		await page.locator('[data-mode="7030"]').waitFor({ state: "detached" });
	});

	it("tells a parked car from one that has lost a bus", async () => {
		const { chassisRows, couplingRows } = fixture.bench;
		const { page } = await fixture.open("drive", PHONE);
		await linkIs(page, "Live");
		await fixture.bench.whileSilent(chassisRows, async () => {
			await page.locator(".drive-faults .fault", { hasText: "Nothing comes from the car" }).waitFor();
			await fixture.bench.whileSilent(couplingRows, async () => {
				await page.locator('[data-test="reason"]', { hasText: "The ignition is off" }).waitFor();
				assert.equal(await page.locator(".drive-faults .fault").count(), 0);
			});
		});
	});

	it("vibrates when a mode takes effect", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await page.locator('.mode.selected:not(.waiting)[data-mode="MAP"]').waitFor();
		const felt = await page.evaluateHandle(() => {
			const patterns: unknown[] = [];
			navigator.vibrate = (pattern) => patterns.push(pattern) > 0;
			return patterns;
		});
		await page.locator('[data-mode="8020"]').tap();
		await page.locator('.mode.selected:not(.waiting)[data-mode="8020"]').waitFor();
		assert.deepEqual(await felt.jsonValue(), [80]);
	});

	it("says that another device has applied a map", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await linkIs(page, "Live");
		await page.locator('[data-test="shown"]', { hasText: "unnamed map" }).waitFor();
		await fixture.post("/api/maps/load", { name: "fwd" });
		await page.locator(".notice", { hasText: 'Another device has made "fwd" active' }).waitFor();
		await page.locator('[data-test="shown"]', { hasText: "fwd" }).waitFor();
	});
});

describePage("the full screen", (fixture) => {
	it("fits the screen upright and on its side, has contrasts of 7 to 1, and covers no button with a notice", async () => {
		const { page } = await fixture.open("drive", PHONE);
		await linkIs(page, "Live");
		await page.route("**/api/mode", (route) => route.continue({ postData: '{"mode":"gone"}' }));
		for (const { width, height } of [PHONE.viewport, ON_ITS_SIDE.viewport]) {
			await resize(page, { width, height });
			await button(page, "Full screen").tap();
			await page.locator(".full .lock-requested", { hasText: /\d/ }).waitFor();
			assert.equal(await page.evaluate(() => document.fullscreenElement !== null), true, "the browser gives the whole screen");
			assert.equal(await page.locator(".top, .pages").count(), 0);
			for (const part of [".look", ".lock", ".reason", ".mode:last-child"]) {
				const at = await box(page.locator(part));
				assert.ok(at.y >= 0 && at.y + at.height <= height && at.x + at.width <= width, `${part}: ${JSON.stringify(at)}`);
			}
			await assertAccessible(page);
			assert.deepEqual(await lowContrasts(page), []);
			await page.locator('[data-mode="8020"]').tap();
			const notice = await box(page.locator(".notice.bad"));
			for (const control of await page.locator(".full a, .full button").all()) {
				const { x, y, width, height } = await box(control);
				const beside = x + width <= notice.x || x >= notice.x + notice.width;
				assert.ok(beside || y + height <= notice.y || y >= notice.y + notice.height, await control.innerHTML());
			}
			await page.getByLabel("Leave the full screen").tap();
			await page.locator(".top h1", { hasText: "Drive" }).waitFor();
			await page.waitForFunction(() => document.fullscreenElement === null);
		}
	});

	it("keeps the screen on by the browser's wake lock", async () => {
		const { page } = await visit(fixture.browser, fixture.bench.port, "drive", PHONE);
		// a browser without a window has no screen to keep on
		await page.evaluate(() => {
			navigator.wakeLock.request = async () => new EventTarget() as WakeLockSentinel;
		});
		await turnTo(page, "full");
		await page.locator('[data-awake="kept"]').waitFor();
		assert.equal(await page.locator(".awake-picture").count(), 0);
	});

	it("plays a video on plain http to keep the screen on, and says that this may fail", async () => {
		const { page, problems } = await arrive(fixture.browser, `http://${PLAIN_HTTP_HOST}:${fixture.bench.port}/#full`, PHONE);
		await linkIs(page, "Live");
		assert.equal(await page.evaluate(() => isSecureContext), false);
		await page.locator('[data-awake="tried"]', { hasText: "if not, see the phone's settings" }).waitFor();
		const video = page.locator("video.awake-picture");
		assert.equal(await video.evaluate((picture) => (picture as HTMLVideoElement).paused), false);
		await turnTo(page, "drive");
		await video.waitFor({ state: "detached" });
		assert.deepEqual(problems, []);
	});
});

const LOST = [60, 90, 60];

describe("faults on Drive", () => {
	it("are not shown where they follow from another one, or from a parked car", () => {
		const shown = (faults: string[], reasonCode: Reason = Reason.ACTIVE) => shownFaults(faults, { reasonCode });
		const invalid = ["speedInvalid", "throttleInvalid", "rpmInvalid"];
		assert.deepEqual(shown(["chassisSilent", ...invalid]), ["chassisSilent"]);
		assert.deepEqual(shown(["engagementInvalid", "speedInvalid"]), ["engagementInvalid", "speedInvalid"]);
		assert.deepEqual(shown(["chassisSilent", ...invalid, "engagementInvalid"]), []);
		assert.deepEqual(shown(["speedInvalid", "couplingOverheated"], Reason.IGNITION_OFF), ["couplingOverheated"]);
	});
});

describe("vibrations", () => {
	const own = Object.getOwnPropertyDescriptor(globalThis, "navigator");
	const userActivation = { hasBeenActive: true };
	const WHY = { reason: "", reasonCode: Reason.ACTIVE, reasonDetail: "", heldBy: HeldBy.NOTHING, conditionMap: "" } as const;
	let felt: unknown[] = [];
	let modes = new Store<ModeState | undefined>(undefined);

	const are = (mode: ModeState["mode"], effectiveMode: ModeState["effectiveMode"]): void =>
		modes.set({ mode, effectiveMode, ...WHY, controlActive: true, disableController: false, canviewCaptureMode: false });

	beforeEach(() => {
		felt = [];
		userActivation.hasBeenActive = true;
		const navigator = { userActivation, vibrate: (pattern: unknown) => felt.push(pattern) > 0 };
		Object.defineProperty(globalThis, "navigator", { configurable: true, value: navigator });
		modes = new Store<ModeState | undefined>(undefined);
		feelModes(modes);
	});

	after(() => {
		if (own === undefined) Reflect.deleteProperty(globalThis, "navigator");
		else Object.defineProperty(globalThis, "navigator", own);
	});

	it("come once for each mode that takes effect, not for one that is requested or repeated", () => {
		are("MAP", "MAP");
		are("8020", "MAP");
		assert.deepEqual(felt, []);
		are("8020", "8020");
		are("8020", "8020");
		assert.deepEqual(felt, [80]);
	});

	it("are two when a mode is lost, and one when it returns", () => {
		are("8020", "8020");
		are("8020", "STOCK");
		assert.deepEqual(felt, [LOST]);
		are("8020", "8020");
		assert.deepEqual(felt, [LOST, 80]);
	});

	it("do not come on a page that was never touched", () => {
		are("MAP", "MAP");
		userActivation.hasBeenActive = false;
		are("MAP", "STOCK");
		assert.deepEqual(felt, []);
	});
});
