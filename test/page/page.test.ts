import assert from "node:assert/strict";
import { PAGE_NAMES } from "../../src/page/state/page-names.js";
import { until } from "../system/wait.js";
import { linkIs, passTime } from "./browser.js";
import { cell, describePage, saveBar, showPage, turnTo } from "./page-fixture.js";
import { assertWhole, loadAxe } from "./page-problems.js";

interface LockMap {
	readonly lockTable: number[][];
}

describePage("the page in a browser", (fixture) => {
	const open = fixture.open.bind(fixture);
	const map = () => fixture.json<LockMap>("/api/map");

	it("is whole, accessible and without errors in both colours and at all sizes, also when one turns the screen", async () => {
		const { page, problems } = await open("drive", { reducedMotion: "reduce" });
		await linkIs(page, "Live");
		await loadAxe(page);
		for (const name of PAGE_NAMES) {
			await showPage(page, name);
			await assertWhole(page, name);
		}
		assert.deepEqual(problems, []);
	});

	it("shows what the car does, and shows a mode as active when the controller says so", async () => {
		const { page } = await open("drive");
		await page.locator('[data-value="speed"]', { hasText: "40" }).waitFor();
		await page.locator('[data-value="pedal"]', { hasText: "40" }).waitFor();
		await page.locator('[data-test="reason"]', { hasText: "control is active" }).waitFor();
		await page.locator('[data-mode="8020"]').click();
		await page.locator('[data-mode="8020"][aria-pressed="true"]').waitFor();
		assert.equal((await fixture.bench.status()).mode, "8020");
		await page.locator(".lock[aria-label*='requested 20 %']").waitFor();
		await page.locator('[data-mode="MAP"]').click();
		await fixture.bench.untilStatus(({ mode }) => mode === "MAP", 5000, "the map again");
	});

	it("saves a cell that was typed, shows the controller's answer, and the car feels it", async () => {
		const { page } = await open("map");
		await cell(page, 4, 4).click();
		await page.keyboard.type("77");
		await saveBar(page).getByText("Not applied yet").waitFor();
		await page.getByRole("button", { name: "Undo" }).click();
		await saveBar(page).locator('button.primary[aria-disabled="true"]').waitFor();
		await page.getByRole("button", { name: "Redo" }).click();
		await saveBar(page).getByRole("button", { name: "Apply" }).click();
		await page.getByText("As in the controller").waitFor();
		assert.equal((await map()).lockTable[4][4], 77);
		// 40 km/h and 40 %, where the sliders are, is that cell
		await page.locator('[data-test="preview"]', { hasText: "77 %" }).waitFor();
		await fixture.bench.untilStatus(({ telemetry }) => Math.round(telemetry["spec"]) === 77, 8000, "the lock of the cell");
	});

	it("selects areas, interpolates, changes an axis and stores the map under a name", async () => {
		const { page } = await open("map");
		await cell(page, 0, 0).click();
		await cell(page, 0, 8).click({ modifiers: ["Shift"] });
		await page.getByText("9 cells selected").waitFor();
		await cell(page, 0, 0).click();
		await page.keyboard.type("90");
		await cell(page, 0, 8).click({ modifiers: ["Shift"] });
		await page.getByRole("button", { name: "Interpolate" }).click();
		await page.getByRole("button", { name: "Change speed 140 km/h" }).click();
		await page.getByLabel("Speed, km/h").fill("150");
		await page.getByRole("button", { name: "Set", exact: true }).click();
		await page.getByRole("button", { name: "Save", exact: true }).click();
		await page.locator(".sheet input:focus").waitFor();
		await page.getByLabel("Name", { exact: true }).fill("Winter");
		await page.getByRole("button", { name: "Save as" }).click();
		await page.getByText('Stored as "Winter"').waitFor();
		const saved = await fixture.json<LockMap & { speedBins: number[] }>("/api/map");
		assert.equal(saved.speedBins[8], 150);
		assert.deepEqual([saved.lockTable[0][0], saved.lockTable[0][8]], [90, 0]);
		assert.ok(saved.lockTable[0][4] > 40 && saved.lockTable[0][4] < 90);
		assert.equal((await fixture.json<{ currentName: string }>("/api/maps")).currentName, "Winter");
	});

	it("saves a curve whose points were typed and moved by key", async () => {
		const { page } = await open("curves/throttle", { stopped: true });
		await passTime(page, 0, () => page.getByLabel("Point 2, Lock, %").isVisible());
		await page.getByLabel("Point 2, Lock, %").fill("33");
		// some drawings later it is still what was typed
		await passTime(page, 2000);
		await page.clock.resume();
		await page.keyboard.press("Tab");
		await page.locator('[data-point="2"]').focus();
		await page.keyboard.press("ArrowUp");
		await saveBar(page).getByRole("button", { name: "Apply" }).click();
		await page.getByText("As in the controller").waitFor();
		const { points } = await fixture.json<{ points: { lock: number }[] }>("/api/curve/throttle");
		assert.deepEqual([points[1].lock, points[2].lock], [33, 26]);
	});

	it("drags a point of a curve, adds one and removes one", async () => {
		const { page } = await open("curves/speed");
		const points = page.locator("[data-point]");
		await points.first().waitFor();
		const count = await points.count();
		const before = Number(await page.getByLabel("Point 2, Lock, %").inputValue());
		const { x, y, width, height } = (await points.nth(1).locator(".chart-dot").boundingBox()) ?? assert.fail();
		await page.mouse.move(x + width / 2, y + height / 2);
		await page.mouse.down();
		await page.mouse.move(x + width / 2 + 4, y + 60, { steps: 4 });
		await page.mouse.up();
		await saveBar(page).getByText("Not applied yet").waitFor();
		const lock = Number(await page.getByLabel("Point 2, Lock, %").inputValue());
		await page.getByRole("button", { name: "Add a point" }).click();
		assert.equal(await points.count(), count + 1);
		await page.getByRole("button", { name: "Remove point 1", exact: true }).click();
		await saveBar(page).getByRole("button", { name: "Apply" }).click();
		await page.getByText("As in the controller").waitFor();
		const curve = await fixture.json<{ points: { lock: number }[] }>("/api/curve/speed");
		assert.equal(curve.points.length, count);
		assert.equal(curve.points[0].lock, lock, "the dragged point is the first now");
		assert.ok(lock < before, `${lock} %, not lower than ${before}`);
	});

	it("applies settings of several pages at once, only what was changed, finds one by a word, and discards the rest", async () => {
		const { page } = await open("gates");
		const change = async (label: string, value: string) => {
			await page.getByLabel(new RegExp(`^${label}`)).fill(value);
			await page.keyboard.press("Tab");
		};
		await change("Lock rises by at most", "300");
		await change("Fixed ratios: lock only up to this speed", "180");
		await turnTo(page, "coupling");
		await change("PWM frequency", "99999");
		await page.getByLabel("PWM inverted").check();
		await turnTo(page, "display");
		await page.getByRole("button", { name: /^Signal 8/ }).click();
		await page.getByRole("searchbox").fill("engagement");
		await page.locator(".picks button").first().click();
		await turnTo(page, "settings");
		await page.getByRole("searchbox").fill("password");
		await page.getByRole("link", { name: "Network" }).first().waitFor();
		await page.getByRole("searchbox").fill("no page has this");
		await page.getByText("Nothing found").waitFor();
		await page.getByRole("searchbox").fill("serial");
		await page.getByLabel("Serial port").check();
		const sent = page.waitForRequest((request) => request.method() === "POST");
		await saveBar(page).getByRole("button", { name: "Apply" }).click();
		await page.getByText("As in the controller").waitFor();
		assert.deepEqual(Object.keys((await sent).postDataJSON() as object).sort(), [
			...["dashMappings", "disableSpeed", "lockEngageRatePctPerSec", "logSerialEnabled", "pwm", "revision"],
		]);
		const now = await fixture.json<Record<string, never>>("/api/status");
		const { pwm, logging, dashMappings } = now as Record<string, Record<string, unknown>>;
		assert.deepEqual([now["lockEngageRatePctPerSec"], now["disableSpeed"]], [300, 180]);
		assert.deepEqual(pwm, { frequencyHz: 20_000, inverted: true }, "held within its range");
		assert.deepEqual([logging["serialEnabled"], /engagement/.test(String(dashMappings["dash_8"]))], [true, true]);
		await turnTo(page, "gates");
		await change("Lock rises by at most", "1");
		await saveBar(page).getByRole("button", { name: "Discard" }).click();
		assert.equal(await page.getByLabel("Lock rises by at most").inputValue(), "300");
		await fixture.post("/api/settings", {
			lockEngageRatePctPerSec: 0,
			disableSpeed: 0,
			pwm: { frequencyHz: 1000, inverted: false },
			logSerialEnabled: false,
			dashMappings: { dash_8: "" },
		});
	});

	it("keeps the colours that were chosen, beyond a reload", async () => {
		const { page } = await open("drive", { colorScheme: "dark" });
		const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
		await page.getByRole("button", { name: "Switch to light colours" }).click();
		await page.reload();
		assert.equal(await theme(), "light");
		await page.getByRole("button", { name: "Switch to dark colours" }).click();
		assert.equal(await theme(), "dark");
	});

	it("picks an input from the signals seen on the bus, with their values", async () => {
		const { page } = await open("inputs");
		await page.getByRole("button", { name: /^Vehicle speed/ }).click();
		await page.getByRole("searchbox").fill("esp v signal");
		await page.locator(".picks button", { hasText: "ESP v Signal" }).first().click();
		await page.getByRole("dialog").waitFor({ state: "detached" });
	});

	it("captures, and shows frames decoded and raw", async () => {
		const { page } = await open("can");
		await page.locator("tbody tr").first().waitFor();
		await page.getByRole("button", { name: "Raw" }).click();
		await page
			.locator("td.code", { hasText: /^[0-9a-f]{2} / })
			.first()
			.waitFor();
		await page.getByRole("button", { name: "Start the capture" }).click();
		await page.getByRole("button", { name: "End the capture" }).waitFor();
		assert.equal((await fixture.json<{ active: boolean }>("/api/canview/capture")).active, true);
		await page.getByRole("button", { name: "End the capture" }).click();
		await page.getByRole("button", { name: "Start the capture" }).waitFor();
	});

	it("asks for nothing while it is hidden", async () => {
		const { page } = await open("drive", { stopped: true });
		await passTime(page, 1000, () => page.locator('[data-test="link"]', { hasText: "Live" }).isVisible());
		await page.evaluate(() => {
			Object.defineProperty(document, "hidden", { value: true, configurable: true });
			document.dispatchEvent(new Event("visibilitychange"));
		});
		const asked: string[] = [];
		page.on("request", (request) => asked.push(request.url()));
		// longer than any period in which it asks otherwise
		await page.clock.runFor(10_000);
		assert.deepEqual(asked, []);
		await page.evaluate(() => {
			Object.defineProperty(document, "hidden", { value: false, configurable: true });
			document.dispatchEvent(new Event("visibilitychange"));
		});
		await linkIs(page, "Live");
	});

	it("keeps a draft when the connection is lost in a save, also across a reload, and sends nothing twice", async () => {
		const { page } = await open("map");
		const before = (await map()).lockTable[6][6];
		let posts = 0;
		await page.route("**/api/map", (route) => {
			if (route.request().method() !== "POST") return route.continue();
			posts++;
			return route.abort();
		});
		await cell(page, 6, 6).click();
		await page.keyboard.type("99");
		await saveBar(page).getByRole("button", { name: "Apply" }).click();
		await page.getByText("did not get your changes").waitFor();
		await page.reload();
		await saveBar(page).getByText("Not applied yet").waitFor();
		assert.equal(await cell(page, 6, 6).textContent(), "99");
		assert.deepEqual([posts, (await map()).lockTable[6][6]], [1, before]);
		await page.unroute("**/api/map");
		await saveBar(page).getByRole("button", { name: "Apply" }).click();
		await page.getByText("As in the controller").waitFor();
		assert.equal((await map()).lockTable[6][6], 99);
	});

	it("finds out that a save had arrived when only its answer was lost", async () => {
		const { page } = await open("map");
		let posts = 0;
		await page.route("**/api/map", async (route) => {
			if (route.request().method() !== "POST") return route.continue();
			posts++;
			await route.fetch();
			return route.abort();
		});
		await cell(page, 5, 6).click();
		await page.keyboard.type("55");
		await saveBar(page).getByRole("button", { name: "Apply" }).click();
		await page.getByText("has your changes after all").waitFor();
		await page.getByText("As in the controller").waitFor();
		assert.deepEqual([posts, (await map()).lockTable[5][6]], [1, 55]);
	});

	it("shows in one browser what is set in the other, and tells of a draft that it has overtaken", async () => {
		const [first, second] = [await open("drive"), await open("map")];
		await cell(second.page, 3, 3).click();
		await second.page.keyboard.type("44");
		await first.page.locator('[data-mode="8020"]').click();
		await fixture.bench.untilStatus(({ mode }) => mode === "8020", 5000, "the mode of the first");
		await turnTo(second.page, "drive");
		await second.page.locator('[data-mode="8020"][aria-pressed="true"]').waitFor();
		const other = await map();
		other.lockTable[0][0] = 12;
		assert.equal((await fixture.bench.ask("POST", "/api/map", JSON.stringify(other))).code, 200);
		await turnTo(second.page, "map");
		await saveBar(second.page).getByText("Changed by another device").waitFor();
		await until(async () => (await fixture.bench.mode("MAP")).code === 200, 30_000, "the map again");
	});
});
