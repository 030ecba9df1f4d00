/** The page in German and in mph: chosen, remembered, nothing cut off, and all texts and words in both languages. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { build } from "esbuild";
import { assert as assertProperty, property, string } from "fast-check";
import { MUST_STAND } from "../../src/analyzer/permission.js";
import { inWords } from "../../src/api/words.js";
import { CalibrationProblem } from "../../src/calibration/sweep.js";
import { Reason } from "../../src/controller/reason.js";
import { pathForName } from "../../src/maps/map-path.js";
import { unitText } from "../../src/page/can/units.js";
import { conditionText, effectLabel, NEW_CONDITION } from "../../src/page/conditions/conditions.js";
import { faultKind, faultStatus, identityRows, nameOf } from "../../src/page/diagnosis/words.js";
import { modeLabel } from "../../src/page/drive/mode-names.js";
import { storedName } from "../../src/page/map/map-words.js";
import type { Condition, Fault, IdentityRecord } from "../../src/page/net/types.js";
import { inOurWords } from "../../src/page/said.js";
import { choiceLabel, valueLabel } from "../../src/page/settings/settings-words.js";
import { PAGE_NAMES } from "../../src/page/state/page-names.js";
import { ENGLISH, type Texts } from "../../src/page/texts/english.js";
import { GERMAN } from "../../src/page/texts/german.js";
import { lookUp } from "../../src/page/texts.js";
import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";
import { StoredDocument } from "../../src/storage/stored-document.js";
import { namelessTexts } from "../../tools/nameless-texts.mjs";
import { ManualTime, MemoryFiles } from "../support/memory-files.js";
import { IN_GERMAN, linkIs, PHONE, resize } from "./browser.js";
import { apply, box, describePage, saveBar, showPage, turnTo } from "./page-fixture.js";
import { assertAccessible, cutTexts, misfitsOf, NO_PROBLEMS } from "./page-problems.js";

const PLACES = [...PAGE_NAMES, "start/2", "start/3", "start/4"];

describePage("the page in German", (fixture) => {
	it("cuts nothing off on any page, also with letters of double size", async () => {
		const { page, problems } = await fixture.open("drive", { ...IN_GERMAN, reducedMotion: "reduce" });
		await linkIs(page, "Live");
		assert.equal(await page.locator("html").getAttribute("lang"), "de");
		await page.locator('[data-test="reason"]', { hasText: "die Regelung ist aktiv" }).waitFor();
		const letters = (size: string) =>
			page.evaluate((wanted) => {
				document.documentElement.style.fontSize = wanted;
			}, size);
		const found: Record<string, object> = {};
		for (const name of PLACES) {
			await showPage(page, name);
			const problems = { cut: await cutTexts(page), ...(await misfitsOf(page)) };
			if (!isDeepStrictEqual(problems, { cut: [], ...NO_PROBLEMS })) found[name] = problems;
			await letters("200%");
			await resize(page, { width: 320, height: 640 });
			const [cut, { wide }] = [await cutTexts(page), await misfitsOf(page)];
			if (cut.length > 0 || wide > 0) found[`${name}, large`] = { cut, wide };
			if (name === "map") assert.ok((await box(page.locator(".heat-grid"))).height >= 300, "the largest thing on its page");
			await letters("");
			await resize(page, PHONE.viewport);
		}
		assert.deepEqual(found, {});
		assert.deepEqual(problems, []);
	});

	it("says why no lock is asked for, in both languages", async () => {
		const { page } = await fixture.open("drive", PHONE);
		const reason = page.locator('[data-test="reason"]');
		await reason.getByText("control is active").waitFor();
		assert.equal(await fixture.post("/api/settings", { disengageUnderSpeed: { map: 60 }, disableThrottle: 50 }), 200);
		await reason.getByText("gate: below 60 km/h").waitFor();
		assert.equal(await fixture.post("/api/settings", { disengageUnderSpeed: { map: 0 } }), 200);
		await reason.getByText("control is active").waitFor();
		fixture.bench.show(40, 0);
		await reason.getByText("input: Map asks for 0 % at 40 km/h, 0 % pedal").waitFor();
		await fixture.bench.mode("8020");
		await reason.getByText("gate: pedal below 50 %").waitFor();
		assert.equal(await fixture.post("/api/settings", { disableThrottle: 0, disableSpeed: 30 }), 200);
		fixture.bench.show(40, 40);
		await reason.getByText("gate: above 30 km/h").waitFor();
		await fixture.bench.mode("FWD");
		await reason.getByText("Front asks for no lock").waitFor();
		// so slow that the lock is still 0 % when one reads it
		assert.equal(await fixture.post("/api/settings", { disableSpeed: 0, lockEngageRatePctPerSec: 0.1 }), 200);
		await fixture.bench.mode("5050");
		await reason.getByText("ramp: it has only begun to rise").waitFor();
		assert.equal(await fixture.post("/api/settings", { disableThrottle: 50, lockEngageRatePctPerSec: 0 }), 200);
		await fixture.bench.mode("FWD");
		fixture.bench.show(40, 0);
		const german = await fixture.open("drive", IN_GERMAN);
		await german.page.locator('[data-test="reason"]').getByText("Front fordert keinen Sperrgrad").waitFor();
		await fixture.bench.mode("8020");
		await german.page.locator('[data-test="reason"]').getByText("Schwelle: Gaspedal unter 50 %").waitFor();
	});

	it("speaks English if the German file never arrives", async () => {
		const { page } = await fixture.open("drive", IN_GERMAN);
		await page.route("**/german-*.js", () => {});
		await page.reload();
		await page.locator('[data-test="reason"]', { hasText: "is active" }).waitFor();
	});

	it("shows and takes speeds in mph, and keeps km/h in the controller", async () => {
		const { page } = await fixture.open("display", PHONE);
		await Promise.all([page.waitForEvent("load"), page.getByLabel("Speeds in").selectOption("mph")]);
		await turnTo(page, "gates");
		const gate = page.getByLabel("Map: open below");
		await gate.waitFor();
		await gate.fill("25");
		await page.keyboard.press("Tab");
		await apply(page);
		const { disengageUnderSpeed } = await fixture.json<{ disengageUnderSpeed: { map: number } }>("/api/status");
		assert.equal(disengageUnderSpeed.map, 40);
		await turnTo(page, "drive");
		await page.locator('[data-value="speed"]', { hasText: "25mph" }).waitFor();
		await page.locator('[data-test="reason"]').getByText("control is active").waitFor();
		// by somebody else, while no settings are in sight
		assert.equal(await fixture.post("/api/settings", { disengageUnderSpeed: { map: 60 } }), 200);
		await page.locator('[data-test="reason"]').getByText("gate: below 37 mph").waitFor();
		assert.equal(await fixture.post("/api/settings", { disengageUnderSpeed: { map: 0 } }), 200);
		await turnTo(page, "map");
		const last = JSON.parse(fixture.map) as { speedBins: number[] };
		await page.getByRole("button", { name: `Change speed ${Math.round((last.speedBins[8] as number) / 1.609344)} mph` }).tap();
		await page.getByLabel("Speed, mph").fill("100");
		await page.getByRole("button", { name: "Set", exact: true }).tap();
		await saveBar(page).getByRole("button", { name: "Apply" }).tap();
		await page.locator(".notice.good", { hasText: "Active now" }).waitFor();
		assert.equal((await fixture.json<{ speedBins: number[] }>("/api/map")).speedBins[8], 161);
		await turnTo(page, "curves/speed");
		await page.getByText("Speed, mph", { exact: true }).waitFor();
		await page.getByLabel("Point 2, mph").fill("20");
		await page.keyboard.press("Tab");
		await saveBar(page).getByRole("button", { name: "Apply" }).tap();
		await page.locator(".notice.good").getByText("Active now", { exact: true }).waitFor();
		const { points } = await fixture.json<{ points: { x: number }[] }>("/api/curve/speed");
		assert.equal(points[1].x, 32);
		await turnTo(page, "record");
		await page.locator('[data-record="accent"]', { hasText: "25 mph" }).waitFor();
		await assertAccessible(page);
	});

	it("is English for others, German by choice, and remembers the choice", async () => {
		const { page } = await fixture.open("start", { ...PHONE, locale: "fr-FR" });
		await page.getByText("Which coupling is in the car?").waitFor();
		await page.getByLabel("Language").selectOption("de");
		await page.getByText("Welche Haldex ist im Auto?").waitFor();
		await page.reload();
		await page.getByText("Welche Haldex ist im Auto?").waitFor();
		await turnTo(page, "display");
		await page.getByLabel("Sprache").selectOption("en");
		await page.getByRole("heading", { name: "Modes on the drive page" }).waitFor();
	});
});

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

type Leaf = string | ((...values: unknown[]) => unknown);

/** Names of all texts, "map.cell" for example, with the texts. */
function leaves(texts: unknown, name = ""): [name: string, text: Leaf][] {
	if (typeof texts === "string" || typeof texts === "function") return [[name.slice(1), texts as Leaf]];
	assert.ok(typeof texts === "object" && texts !== null, name);
	return Object.entries(texts).flatMap(([key, part]) => leaves(part, `${name}.${key}`));
}

/** Which values a text tells, given 0, 1 and many. */
function told(text: Leaf): number[][] {
	if (typeof text === "string") return [];
	return [0, 1, 7].map((first) => {
		const values = Array.from({ length: text.length }, (_, i) => first + 100 * i);
		const words = String(text(...values));
		assert.ok(words.length > 0 && !words.includes("undefined"), words);
		return values.filter((value) => new RegExp(`\\b${value}\\b`).test(words));
	});
}

const english = new Map(leaves(ENGLISH));
const german = new Map(leaves(GERMAN));
/** A function by what it says. */
const comparable = ([name, text]: [string, Leaf]) => [name, typeof text === "string" ? text : text(1, 2, 3, 4)];
/** Words of the controller are English already. */
const isSaid = (name: string): boolean => name.startsWith("said.");

describe("the page's texts in German", () => {
	it("are all there, and no others", () => {
		const names = (texts: Map<string, Leaf>): string[] => [...texts.keys()].filter((name) => !isSaid(name));
		assert.deepEqual(names(german), names(english));
		assert.ok(german.size > 300);
		for (const [name, text] of german) assert.notEqual(text, "", name);
		for (const name of [...english.keys()].filter(isSaid)) assert.ok(german.has(name), name);
	});

	it("tell the values that the English ones tell", () => {
		for (const [name, text] of english) {
			if (isSaid(name)) continue;
			assert.equal(typeof german.get(name), typeof text, name);
			assert.deepEqual(told(german.get(name) as Leaf), told(text), name);
		}
	});

	it("are bundled without their names, and are complete", async () => {
		const entry = { contents: 'export { GERMAN } from "./src/page/texts/german.js"', resolveDir: ROOT };
		const { outputFiles } = await build({ stdin: entry, bundle: true, format: "esm", write: false, plugins: [namelessTexts] });
		const code = outputFiles[0].text;
		assert.ok(code.includes(GERMAN.map.nameRule) && !/selectFirst: "Zellen/.test(code));
		const { GERMAN: arrived } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { GERMAN: Texts };
		assert.deepEqual(leaves(arrived).map(comparable), [...german].map(comparable));
	});

	it("have words for each reason of the controller, and those of the interface in English", () => {
		const values = [...Object.values(Reason), ...Object.values(CalibrationProblem)].sort();
		for (const texts of [ENGLISH, GERMAN]) assert.deepEqual(Object.keys(texts.reasons).sort(), values);
		for (const value of values) assert.equal(ENGLISH.reasons[value], inWords(value), value);
	});
});

describe("the name that the page predicts for a stored map", () => {
	const agree = (name: string): void => {
		const path = pathForName(name);
		if (path !== undefined) assert.equal(`/maps/${storedName(name)}.json`, path, JSON.stringify(name));
	};

	it("is the one that the controller gives it", () => {
		assert.equal(storedName(" Küche.json "), "K__che");
		const plain = [
			"Ice",
			"Ice ",
			" Ice",
			"a  b",
			"Ice.json",
			"Ice.JSON",
			"Ice.json.json",
			".json",
			".json.json",
			"Ice .json",
			"Ice.txt",
		];
		const odd = [
			"a/b",
			"..",
			"a\\b",
			"a\tb",
			"\tIce",
			"Ice\n",
			"\u00a0Ice",
			"Kü",
			"東",
			"🚗",
			"\ud83d",
			"\udc00x",
			"__proto__",
			"100%",
			"a+b",
		];
		for (const name of [...plain, ...odd]) agree(name);
	});

	it("is right for any text", () => {
		assertProperty(property(string({ unit: "binary", maxLength: 30 }), agree));
		assertProperty(property(string({ unit: "binary", maxLength: 12 }), (name) => agree(`${name}.json`)));
	});
});

const PAGE = fileURLToPath(new URL("../../src/page/", import.meta.url));
/** The page's modules find each other as esbuild looks for them. */
const CODE = `import { GERMAN } from "./texts/german"; import { speak } from "./texts";
	export { inOurWords, reasonInOurWords } from "./said"; speak(GERMAN);`;

describe("the controller's words on the page", () => {
	let inOurWords: (said: string) => string;
	let reasonInOurWords: (state: { reason: string; reasonCode: string; reasonDetail: string }) => string;
	before(async () => {
		const entry = { contents: CODE, resolveDir: PAGE };
		const { outputFiles } = await build({ stdin: entry, bundle: true, format: "esm", write: false });
		({ inOurWords, reasonInOurWords } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`));
	});

	it("name damaged files in German", () => {
		const reports: string[] = [];
		const time = new ManualTime();
		const files = new MemoryFiles({ "settings.json": "{" });
		const report = (_path: string, problem: string) => void reports.push(problem);
		const document = new StoredDocument(SETTINGS_DOCUMENT, { files, writes: time.writes, clock: time, report });
		const settings = document.load();
		files.capacity = 0;
		document.save({ ...settings, setupDone: true });
		time.pass(5000);
		assert.deepEqual(
			reports.map((said) => inOurWords(said)),
			[
				"settings.json ist nicht brauchbar (aufgehoben als settings.json.bad): kein JSON",
				"settings.json lässt sich nicht speichern: der Speicher ist voll",
			],
		);
		const missing = "maps/Ice.json, the active map, is missing";
		assert.equal(inOurWords(missing), "maps/Ice.json, das aktive Kennfeld, fehlt");
	});

	it("keep names and unknown sentences", () => {
		assert.equal(inOurWords("0x1a0 is an identifier of the controller's own"), "0x1a0 sendet das Steuergerät selbst");
		assert.equal(inOurWords("something new"), "something new");
		for (const [said, words] of [
			["sending is not allowed: the owner allows it on the page", "Senden ist nicht erlaubt: der Besitzer erlaubt es hier"],
			["password required", "Dafür wird das Passwort des Besitzers gebraucht"],
			[MUST_STAND, "das Auto muss stehen: seine Geschwindigkeit muss bekannt sein, und 0"],
		] as const)
			assert.equal(inOurWords(said), words);
	});

	it("name reasons by their code, and unknown ones in the controller's words", () => {
		const said = (reasonCode: string, reasonDetail: string): string =>
			reasonInOurWords({ reason: "words", reasonCode, reasonDetail });
		assert.equal(said("noSpeed", ""), "keine gültige Geschwindigkeit");
		assert.match(said("mapUnreadable", "/maps/Ice.json"), / \(\/maps\/Ice\.json\)$/);
		const heard = "der eigenständige Betrieb wartet: jemand anders sendet seine Botschaften (0x280 vom Auto)";
		assert.equal(said("standaloneHeardCar", "0x280"), heard);
		assert.equal(said("ofNewerFirmware", "0x280"), "words");
	});
});

const INHERITED = ["constructor", "toString", "__proto__", "hasOwnProperty"];

/** What the page says of each such name. */
const SAID: readonly (readonly [what: string, text: (name: string) => unknown, expected: (name: string) => unknown])[] = [
	["a mode", modeLabel, (name) => name],
	["a choice of a setting", choiceLabel, (name) => name],
	["a setting's value", (name) => valueLabel("frameProfile", name), (name) => name],
	["a list of modes", (name) => valueLabel("controls.favourites", `${name} ${name}`), (name) => `${name} > ${name}`],
	["a condition's effect", effectLabel, (name) => name],
	[
		"a condition",
		(name) => conditionText({ ...NEW_CONDITION, effect: name, operator: name, signal: "chassis|0x1|x|" } as unknown as Condition),
		(name) => `${name}: x ${name} 1`,
	],
	[
		"a condition's mode",
		(mode) => conditionText({ ...NEW_CONDITION, effect: "mode", mode } as unknown as Condition),
		(mode) => `Selects a mode ${mode}:  at least 1`,
	],
	["a unit", unitText, (name) => name],
	["a fault's kind", (name) => faultKind({ rawDtcHex: "C10100", odisFaultType: name } as Fault), (name) => name],
	[
		"a fault's state",
		(name) =>
			faultStatus({ rawDtcHex: "C10100", rawDtcSpaced: "C1 01 00", statusLabels: [name], statusHex: "09" } as unknown as Fault),
		(name) => `${name}, raw C1 01 00, status 09`,
	],
	["a field of the identity", (name) => identityRows([{ field: name, value: "1" } as IdentityRecord]), (name) => [[name, "1"]]],
	["a measured value", (name) => nameOf({ id: name, problem: "" }), (name) => `Group ${name}`],
	["a value of a block", (name) => nameOf({ id: "01.1", label: name, problem: "" }), () => "Group 01.1"],
	["words of the controller", inOurWords, (name) => name],
];

describe("a table of the page", () => {
	it("has only its own entries", () => {
		assert.equal(lookUp({ open: 1 }, "open"), 1);
		assert.equal(lookUp({ open: 1 }, "closed"), undefined);
		for (const name of INHERITED) assert.equal(lookUp({ open: 1 }, name), undefined, name);
	});

	for (const [what, text, expected] of SAID)
		it(`shows an unknown name as it is: ${what}`, () => {
			for (const name of INHERITED) assert.deepEqual(text(name), expected(name), name);
		});
});
