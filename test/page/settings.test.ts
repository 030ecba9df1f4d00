/** Settings: changed on several pages, applied at once, by two phones, and signals that are picked for them. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { CanView, Status } from "../../src/page/net/types.js";
import { ROWS, requestOf, SECTIONS, SETTING_NAMES, settingsIn, settingsOf } from "../../src/page/settings/settings.js";
import { distanceOf, isProtection } from "../../src/page/settings/synonyms.js";
import { ENGLISH as T } from "../../src/page/texts/english.js";
import { until } from "../system/wait.js";
import { answerWith, PHONE, postsOf, questionsOf, untilAsked, withoutEvents } from "./browser.js";
import { apply, applyButton, button, cell, describePage, saveBar, turnTo } from "./page-fixture.js";
import { assertAccessible } from "./page-problems.js";

describePage("the page of settings", (fixture) => {
	it("applies changes from several pages together, finds settings by a word, and discards a draft", async () => {
		const { page } = await fixture.open("gates");
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
		await apply(page);
		assert.deepEqual(Object.keys((await sent).postDataJSON() as object).sort(), [
			...["dashMappings", "disableSpeed", "lockEngageRatePctPerSec", "logSerialEnabled", "pwm", "revision"],
		]);
		const now = await fixture.get("/api/status");
		const { pwm, logging, dashMappings } = now as Record<string, Record<string, unknown>>;
		assert.deepEqual([now["lockEngageRatePctPerSec"], now["disableSpeed"]], [300, 180]);
		assert.deepEqual(pwm, { frequencyHz: 20_000, inverted: true }, "held within its range");
		assert.deepEqual([logging["serialEnabled"], /engagement/.test(String(dashMappings["dash_8"]))], [true, true]);
		await turnTo(page, "gates");
		await change("Lock rises by at most", "1");
		await saveBar(page).getByRole("button", { name: "Discard" }).click();
		assert.equal(await page.getByLabel("Lock rises by at most").inputValue(), "300");
		await fixture.set({
			lockEngageRatePctPerSec: 0,
			disableSpeed: 0,
			pwm: { frequencyHz: 1000, inverted: false },
			logSerialEnabled: false,
			dashMappings: { dash_8: "" },
		});
	});

	it("says that the controller made something else of a value, and not why: it may be a limit, a name or a rounded number", async () => {
		const { page } = await fixture.open("coupling");
		await page.getByLabel(/^PWM frequency/).fill("1234.5");
		await apply(page);
		await page
			.locator(".notices")
			.getByText("Active now. The page shows what the controller made of it", { exact: true })
			.waitFor();
		assert.equal(await page.getByLabel(/^PWM frequency/).inputValue(), "1234");
		await fixture.set({ pwm: { frequencyHz: 1000 } });
	});

	it("asks before ABS, ESP or a missing report are ignored, and shows on Drive that they are", async () => {
		const { page } = await fixture.open("gates", PHONE);
		await answerWith(page, false);
		const field = page.getByLabel(/^Lock rises by at most/);
		await field.focus();
		await page.keyboard.press("Control+A");
		await page.keyboard.type("250");
		const save = applyButton(page);
		await saveBar(page).locator('button.primary[aria-disabled="false"]').waitFor();
		await save.tap();
		await page.getByText("As in the controller").waitFor();
		assert.equal((await fixture.get("/api/status")).lockEngageRatePctPerSec, 250);
		await turnTo(page, "coupling");
		await page.getByLabel("Open while ABS or ESP intervene").uncheck();
		await save.tap();
		const respected = async () => (await fixture.get("/api/status")).respectInterventions;
		await untilAsked(page, /^Ignore ABS and ESP/);
		assert.equal(await respected(), true, "not agreed");
		await answerWith(page, true);
		await page.getByLabel("Control a coupling that does not report").check();
		await save.tap();
		await page.getByText("As in the controller").waitFor();
		assert.equal((await questionsOf(page)).length, 3);
		await turnTo(page, "drive");
		await page.locator(".drive-faults .fault", { hasText: "ABS and ESP are ignored" }).waitFor();
		await page.locator(".drive-faults .fault", { hasText: "Control without feedback" }).waitFor();
		await fixture.set({ respectInterventions: true, controlWithoutFeedback: false });
	});

	it("offers no checksum as an input", async () => {
		const { page } = await fixture.open("inputs", PHONE);
		await page.getByRole("button", { name: /^Pedal .*%/ }).tap();
		await page.getByRole("searchbox").fill("crc");
		await page.getByText(T.settings.found(0), { exact: true }).waitFor();
	});

	it("switches steering on with its angles, and says what remains without a valid angle", async () => {
		const { page } = await fixture.open("steering", PHONE);
		await page.getByLabel("Less lock while I steer").check();
		await page.getByLabel("Least from this angle on").fill("300");
		await page.getByLabel("What remains if the angle is lost").fill("70");
		await page.keyboard.press("Tab");
		await apply(page);
		const { steeringGain } = await fixture.get("/api/status");
		assert.deepEqual([steeringGain["enabled"], steeringGain["fullDeg"], steeringGain["lostPercent"]], [true, 300, 70]);
		await page.getByText("no valid angle: 70 % remains").waitFor();
	});

	it("keeps the chosen colours across a reload", async () => {
		const { page } = await fixture.open("drive", { colorScheme: "dark" });
		const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
		await page.getByRole("button", { name: "Switch to light colours" }).click();
		await page.reload();
		assert.equal(await theme(), "light");
		await page.getByRole("button", { name: "Switch to dark colours" }).click();
		assert.equal(await theme(), "dark");
	});

	it("learns of another device's change by a rejection, compares both in words, and can keep its own", async () => {
		const below = async () => (await fixture.get("/api/status")).disengageUnderSpeed.map;
		const { page } = await fixture.open("gates", { ...PHONE, prepare: withoutEvents });
		await page.getByLabel("Map: open below").fill("12");
		await page.keyboard.press("Tab");
		await fixture.set({ disengageUnderSpeed: { map: 20 }, frameProfile: "corrected" });
		await applyButton(page).tap();
		const dialog = page.getByRole("dialog");
		await dialog.getByRole("button", { name: "Compare" }).tap();
		const facts = await dialog.locator("dl").innerText();
		for (const words of [/Map: open below\s+yours 12 km\/h, theirs 20 km\/h/, /yours Reference, theirs Corrected/])
			assert.match(facts, words);
		assert.doesNotMatch(facts, /[a-z][A-Z]/, "a name of the interface");
		assert.equal(await below(), 20, "theirs is active until one decides");
		await dialog.getByRole("button", { name: "Keep mine" }).tap();
		await until(async () => (await below()) === 12, 30_000, "mine");
		await fixture.set({ frameProfile: "reference" });
	});

	it("asks the second of two phones that edit one map, shows what differs, and lets it decide", async () => {
		const lock = async (row: number, column: number) => (await fixture.get("/api/map")).lockTable[row][column];
		const [a, b] = [(await fixture.open("map", PHONE)).page, (await fixture.open("map", PHONE)).page];
		const save = (page: Page) => applyButton(page).tap();
		const raise = async (page: Page, row: number, column: number) => {
			await cell(page, row, column).tap();
			await button(page, "Add 10").tap();
		};
		const before = await lock(1, 1);
		await raise(a, 1, 1);
		await raise(b, 5, 5);
		await save(a);
		await a.locator(".notice.good").waitFor();
		await saveBar(b).getByText("Changed by another device").waitFor();
		const posts = postsOf(b);
		await save(b);
		const dialog = b.getByRole("dialog");
		await button(b, "Compare").last().waitFor();
		await dialog.getByRole("button", { name: "Compare" }).tap();
		await dialog.getByText("2 cells differ").waitFor();
		await assertAccessible(b, "with the choice");
		assert.deepEqual(posts, [], "nothing is written before the choice");
		await dialog.getByRole("button", { name: "Take theirs" }).tap();
		await saveBar(b).getByText("As in the controller").waitFor();
		assert.equal(Number(await cell(b, 1, 1).textContent()), before + 10, "theirs");
		await b.getByRole("button", { name: "Undo" }).tap();
		await save(b);
		await until(async () => (await lock(5, 5)) === Number(await cell(b, 5, 5).textContent()), 30_000, "mine, on purpose now");
		await cell(a, 5, 5)
			.filter({ hasText: String(await lock(5, 5)) })
			.waitFor();
	});
});

const PEDAL = 45;

describePage("a signal that was just picked", (fixture) => {
	beforeEach(() => fixture.bench.show(40, PEDAL));
	afterEach(async () => {
		await fixture.set({ inputMappings: { throttle: "" } });
	});

	/** A signal of the car that is 0 now, in the words of the page. */
	async function zero(): Promise<string> {
		const { decoded } = await fixture.get("/api/canview?decoded=2000&raw=0&bus=chassis");
		const zeros = (decoded as CanView["decoded"]).filter(({ dir, value }) => dir === "RX" && value === 0);
		const { name } = zeros.find((one) => /accel|pedal|fahr/i.test(one.name)) ?? zeros[0] ?? assert.fail("no signal is 0");
		return name.replaceAll("_", " ");
	}

	const pedal = (page: Page) => page.locator("button.signal", { has: page.locator("b") }).nth(1);

	/** Picks it, and keeps all that the button shows from then on. */
	async function pick(page: Page, name: string): Promise<() => Promise<string[]>> {
		await pedal(page)
			.locator("b", { hasText: `${PEDAL} %` })
			.waitFor();
		await pedal(page).evaluate((element) => {
			const shown: string[] = [];
			Object.assign(globalThis, { shown });
			new MutationObserver(() => shown.push(element.textContent ?? "")).observe(element, {
				subtree: true,
				childList: true,
				characterData: true,
			});
		});
		await pedal(page).click();
		await page.getByRole("searchbox").fill(name);
		await page.locator(".picks button", { hasText: name }).first().click();
		await pedal(page).locator("span", { hasText: name }).waitFor();
		return () => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
	}

	for (const hash of ["start/2", "inputs"])
		it(`shows its own value, and is active only once it is applied: ${hash}`, async () => {
			const name = await zero();
			const { page } = await fixture.open(hash, PHONE);
			const shown = await pick(page, name);
			await pedal(page)
				.locator("b.muted", { hasText: /^0( |$)/ })
				.waitFor();
			if (hash === "inputs") {
				await apply(page);
			} else {
				assert.equal(await page.getByText("All three are there").count(), 0, "said of other signals");
				await button(page, "Next").click();
				await page.getByLabel("Frame profile").waitFor();
				await page.getByRole("link", { name: "Back" }).click();
			}
			await pedal(page).locator("b.good", { hasText: "0 %" }).waitFor();
			const wrong = (await shown()).filter((text) => text.includes(name) && text.includes(`${PEDAL} %`));
			assert.deepEqual(wrong, []);
		});
});

const sorted = (names: readonly string[]) => [...names].sort();
const refuse = (name: string): never => {
	throw new Error(name);
};

describe("the settings of the page", () => {
	it("are each on one page, and have a name", () => {
		assert.deepEqual(sorted(Object.values(SECTIONS).flat()), sorted(SETTING_NAMES));
		assert.deepEqual(sorted(Object.keys(T.settings.sections)), sorted(Object.keys(SECTIONS)));
		const named = SETTING_NAMES.filter((name) => !name.startsWith("dashMappings."));
		assert.deepEqual(sorted(Object.keys(T.settings.names)), sorted(named));
	});

	it("have a word for each choice, and a range for each number", () => {
		for (const [name, { kind, min = 0, max, choices = [] }] of Object.entries(ROWS)) {
			for (const choice of choices) assert.ok(T.settings.choices[choice], `${name}: ${choice}`);
			if (kind === "number") assert.ok(max !== undefined && min < max, name);
		}
	});

	it("are read from the status, and sent in the form of a request", () => {
		const status = { disableSpeed: 80, logging: { enabled: true }, pwm: { frequencyHz: 500, inverted: true } };
		const groups = {
			inputMappings: {},
			disengageUnderSpeed: { map: 7 },
			steeringGain: {},
			dashMappings: {},
			controls: {},
			power: {},
		};
		const now = settingsOf({ ...status, ...groups } as unknown as Status);
		assert.deepEqual([now.disableSpeed, now.logToFileEnabled, now["pwm.inverted"]], [80, true, true]);
		const { disableSpeed, logToFileEnabled, "pwm.frequencyHz": hz, "pwm.inverted": inverted } = now;
		assert.deepEqual(requestOf({ disableSpeed, logToFileEnabled, "pwm.frequencyHz": hz, "pwm.inverted": inverted }), {
			disableSpeed: 80,
			logToFileEnabled: true,
			pwm: { frequencyHz: 500, inverted: true },
		});
	});

	it("are read from a request without unknown ones, and rejected by name if of another type", () => {
		const request = { disableSpeed: 80, pwm: { frequencyHz: 500, colour: "red" }, constructor: 1, wheels: 4 };
		assert.deepEqual(settingsIn(request, refuse), { disableSpeed: 80, "pwm.frequencyHz": 500 });
		assert.throws(() => settingsIn({ pwm: [1] }, refuse), /^Error: pwm$/);
		assert.throws(() => settingsIn({ pwm: null }, refuse), /^Error: pwm$/);
		assert.throws(() => settingsIn({ pwm: { inverted: 1 } }, refuse), /^Error: pwm.inverted$/);
		assert.throws(() => settingsIn({ frameProfile: null }, refuse), /^Error: frameProfile$/);
	});
});

describe("signals of the car", () => {
	const distance = (name: string, words: string) => distanceOf(name.toLowerCase(), words.split(" "));

	it("are found by English words", () => {
		const rows: [words: string, name: string, finds: boolean][] = [
			["01", "MO Drehzahl 01", true],
			["speed", "ESP v Signal", true],
			["engine speed", "MO Drehzahl 01", true],
			["thr", "MO Fahrpedalrohwert 01", true],
			["th", "MO Fahrpedalrohwert 01", false],
			["brake", "MO Fahrpedalrohwert 01", false],
		];
		for (const [words, name, finds] of rows) assert.equal(distance(name, words) < Number.POSITIVE_INFINITY, finds, words);
		assert.ok(distance("MO Fahrpedalrohwert 01", "pedal") < distance("ESP Fahrer bremst", "pedal"), "what one means comes first");
	});

	it("are not offered as inputs if they are checksums or counters", () => {
		const names = ["ESP 21 CRC", "ESP 21 BZ", "Checksumme Motor", "MO Fahrpedalrohwert 01"];
		assert.deepEqual(names.map(isProtection), [true, true, true, false]);
	});
});
