/** The page in German and in mph: chosen, remembered, nothing cut off, and all texts and words in both languages. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { build } from "esbuild";
import { assert as assertProperty, property, string } from "fast-check";
import type { Page } from "playwright-core";
import { MUST_STAND } from "../../src/analyzer/permission.js";
import { AWAKE_WORDS, inWords, UPDATE_WORDS } from "../../src/api/words.js";
import { CalibrationProblem } from "../../src/calibration/sweep.js";
import { Reason } from "../../src/controller/reason.js";
import { STATUS_WORDS } from "../../src/http/response.js";
import { DEFAULT_MAP } from "../../src/lock/tuning.js";
import {
	lockMapFrom,
	lockMapFromC6,
	lockMapToJson,
	MapProblem,
	mapText,
	parseMapText,
	reasonOf,
} from "../../src/maps/lock-map.js";
import { pathForName } from "../../src/maps/map-path.js";
import { unitText } from "../../src/page/can/units.js";
import { conditionText, NEW_CONDITION } from "../../src/page/conditions/conditions.js";
import { faultKind, identityRows, nameOf } from "../../src/page/diagnosis/words.js";
import { heldInWords } from "../../src/page/drive/reason.js";
import type { Condition, Fault, IdentityRecord, ModeState, Status, Telemetry } from "../../src/page/net/types.js";
import { valueLabel } from "../../src/page/settings/settings-draft.js";
import { storedName } from "../../src/page/state/map-name.js";
import { PAGE_NAMES } from "../../src/page/state/route.js";
import { ENGLISH, type Texts } from "../../src/page/texts/english.js";
import { GERMAN } from "../../src/page/texts/german.js";
import { inOurWords, speak, valueInOurWords, wrongValue } from "../../src/page/texts.js";
import { ALL_SETTING_GROUPS } from "../../src/settings/settings-table.js";
import { valueFromStored } from "../../src/settings/values.js";
import { namelessTexts } from "../../tools/nameless-texts.mjs";
import { IN_GERMAN, linkIs, PHONE, passTime, resize } from "./browser.js";
import { apply, applyButton, box, button, describePage, showPage, turnTo } from "./page-fixture.js";
import { assertAccessible, cutTexts, misfitsOf, NO_PROBLEMS } from "./page-problems.js";

const PLACES = [...PAGE_NAMES, "start/2", "start/3", "start/4"];

describePage("the page in another language or unit", (fixture) => {
	it("cuts nothing off in German, also on a folded phone and with letters of double size on a screen of 320 px", async () => {
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
			await resize(page, { width: 280, height: 653 });
			const folded = await misfitsOf(page);
			if (folded.wide > 0) found[`${name}, folded`] = folded;
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

	it("waits 5 s for the German file, then speaks English", async () => {
		const prepare = (page: Page) => page.route("**/german-*.js", () => {});
		const { page } = await fixture.open("drive", { ...IN_GERMAN, stopped: true, prepare });
		const drawn = page.locator("#app > *");
		await page.clock.runFor(4900);
		assert.equal(await drawn.count(), 0);
		await page.clock.runFor(200);
		assert.notEqual(await drawn.count(), 0);
		const reason = page.locator('[data-test="reason"]', { hasText: "is active" });
		await passTime(page, 0, () => reason.isVisible());
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
		const { disengageUnderSpeed } = await fixture.get("/api/status");
		assert.equal(disengageUnderSpeed.map, 40);
		await turnTo(page, "drive");
		await page.locator('[data-value="speed"]', { hasText: "25mph" }).waitFor();
		await page.locator('[data-test="reason"]').getByText("control is active").waitFor();
		// by another client, while no settings are in sight
		await fixture.set({ disengageUnderSpeed: { map: 60 } });
		await page.locator('[data-test="reason"]').getByText("gate: below 37 mph").waitFor();
		await fixture.set({ disengageUnderSpeed: { map: 0 } });
		await turnTo(page, "map");
		const last = JSON.parse(fixture.map) as { speedBins: number[] };
		await page.getByRole("button", { name: `Change speed ${Math.round((last.speedBins[8] as number) / 1.609344)} mph` }).tap();
		await page.getByLabel("Speed, mph").fill("100");
		await button(page, "Set").tap();
		await applyButton(page).tap();
		await page.locator(".notice.good", { hasText: "Active now" }).waitFor();
		assert.equal((await fixture.get("/api/map")).speedBins[8], 161);
		await turnTo(page, "curves/speed");
		await page.getByText("Speed, mph", { exact: true }).waitFor();
		await page.getByLabel("Point 2, mph").fill("20");
		await page.keyboard.press("Tab");
		await applyButton(page).tap();
		await page.locator(".notice.good").getByText("Active now", { exact: true }).waitFor();
		const { points } = await fixture.get("/api/curve/speed");
		assert.equal(points[1].x, 32);
		await turnTo(page, "record");
		await page.locator('[data-record="accent"]', { hasText: "25 mph" }).waitFor();
		await assertAccessible(page);
	});

	it("is shown in the language that the driver chooses, after a reload, too; a browser in French gets English", async () => {
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
	it("have the names of the English ones, also where a type does not tell them", () => {
		const names = (texts: Map<string, Leaf>): string[] => [...texts.keys()].filter((name) => !isSaid(name));
		assert.deepEqual(names(german), names(english));
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
		const names = ["Ice", " Ice ", "a  b", "Ice.JSON", "Ice.json.json", ".json", "Ice .json", "a/b", "..", "a\\b", "\tIce\n"];
		for (const name of [...names, "\u00a0Ice", "東", "🚗", "\ud83d", "__proto__", "100%", "a+b"]) agree(name);
		assertProperty(property(string({ unit: "binary", maxLength: 30 }), agree));
		assertProperty(property(string({ unit: "binary", maxLength: 12 }), (name) => agree(`${name}.json`)));
	});
});

describe("the controller's words on the page, in German", () => {
	before(() => speak(GERMAN));
	after(() => speak(ENGLISH));

	it("name files that are damaged, missing or can't be stored", () => {
		const rows = [
			[
				"settings.json can't be used (it is kept as settings.json.bad): not JSON",
				"settings.json ist nicht brauchbar (aufgehoben als settings.json.bad): kein JSON",
			],
			["settings.json can't be stored: no space", "settings.json lässt sich nicht speichern: der Speicher ist voll"],
			["maps/Ice.json, the active map, is missing", "maps/Ice.json, das aktive Kennfeld, fehlt"],
		] as const;
		for (const [said, words] of rows) assert.equal(inOurWords(said), words);
	});

	it("say why a parked controller stays awake, and why an update is rejected", () => {
		for (const words of [...Object.values(AWAKE_WORDS), ...Object.values(UPDATE_WORDS)])
			assert.ok(Object.hasOwn(GERMAN.said, words), words);
	});

	it("say what is wrong in a map that is imported, loaded or saved, and in a password", () => {
		const problemOf = (read: () => unknown): MapProblem => {
			try {
				read();
			} catch (error) {
				if (error instanceof MapProblem) return error;
			}
			throw new Error("it is accepted");
		};
		const lines = Buffer.from(mapText(DEFAULT_MAP)).toString().split("\n");
		const ofText = (...changed: string[]) => problemOf(() => parseMapText(new Uint8Array(Buffer.from(changed.join("\n")))));
		const ofJson = (changes: object, isStored = false) =>
			problemOf(() => lockMapFrom({ ...lockMapToJson(DEFAULT_MAP), ...changes }, isStored));
		const problems = [
			ofText(""),
			ofText("x"),
			ofText(`${lines[0]} 1 2 3`.replaceAll("\t", " ")),
			ofText("x".repeat(300)),
			ofText(...lines.map((line, i) => (i === 3 ? line.replace(/\d+$/, "x") : line))),
			ofText(...lines.map((line) => line.replace(/^T\d+/, "T0"))),
			ofJson({ speedBins: [1] }),
			ofJson({ speedBins: 1 }),
			ofJson({ lockTable: Array(7).fill(Array(9).fill(200)) }, true),
			problemOf(() => lockMapFromC6({})),
		];
		const counts = problems.map(({ value }) => String(value)).filter((value) => / (bytes|columns|values)$/.test(value));
		assert.ok(counts.length >= 4);
		for (const words of [...counts, ...problems.flatMap(({ message, allowed }) => [message, allowed])])
			assert.notEqual(inOurWords(words), words);
		assert.equal(wrongValue("lines", "0", "a header and 7 lines"), "Zahl der Zeilen ist 0, erlaubt: eine Kopfzeile und 7 Zeilen");
		const [, , tooMany] = problems;
		assert.match(
			inOurWords(reasonOf(tooMany)),
			/^Ein Kennfeld braucht .*: Zeile 1 ist mehr als 11 Spalten, erlaubt: 11 Spalten, getrennt durch .*: ID Name S0/,
		);
		for (const words of [STATUS_WORDS[413] ?? "", "invalid json", "64 maps are stored; allowed: 64", "invalid framesOff"])
			assert.notEqual(inOurWords(words), words);
		assert.equal(
			wrongValue("password", "", "8..64 bytes of text without control characters"),
			"password, erlaubt: 8..64 Bytes Text ohne Steuerzeichen",
		);
	});

	it("say in German what may stand in the list of frames that are off", () => {
		const [framesOff] = ALL_SETTING_GROUPS.flatMap(({ settings }) => settings["framesOff"] ?? []);
		assert.ok(framesOff !== undefined);
		assert.throws(
			() => valueFromStored(framesOff, "x", "framesOff"),
			({ message }: Error) => /erlaubt: höchstens 32 hexadezimale Identifier/.test(inOurWords(message)),
		);
	});

	it("keep names and unknown sentences", () => {
		assert.equal(inOurWords("0x1a0 is an identifier of the controller's own"), "0x1a0 sendet das Steuergerät selbst");
		assert.equal(inOurWords("something new"), "something new");
		assert.equal(wrongValue("name", "lines", "a name"), "Name ist lines, erlaubt: ein Name", "the driver's own word stays");
		for (const [said, words] of [
			["sending is not allowed: the owner allows it on the page", "Senden ist nicht erlaubt: der Besitzer erlaubt es hier"],
			["password required", "Dafür wird das Passwort des Besitzers gebraucht"],
			[MUST_STAND, "das Auto muss stehen: seine Geschwindigkeit muss bekannt sein, und 0"],
		] as const)
			assert.equal(inOurWords(said), words);
	});

	it("name reasons by their code, and unknown ones in the controller's words", () => {
		const said = (reasonCode: string, detail: string): string => valueInOurWords(reasonCode, "words", detail);
		assert.equal(said("noSpeed", ""), "keine gültige Geschwindigkeit");
		assert.match(said("mapUnreadable", "/maps/Ice.json"), / \(\/maps\/Ice\.json\)$/);
		const heard = "der eigenständige Betrieb wartet: jemand anders sendet seine Botschaften (0x280 vom Auto)";
		assert.equal(said("standaloneHeardCar", "0x280"), heard);
		assert.equal(said("ofNewerFirmware", "0x280"), "words");
	});

	it("say what holds the lock at 0 %, in both languages", () => {
		const settings = { disengageUnderSpeed: { map: 60 }, disableSpeed: 30, disableThrottle: 50 } as Status;
		const now = { speed: 40, throttle: 0, rpm: 2000 } as Telemetry;
		const rows: [texts: Texts, heldBy: string, effectiveMode: string, words: string][] = [
			[GERMAN, "underSpeed", "MAP", "Schwelle: unter 60 km/h"],
			[GERMAN, "overSpeed", "8020", "Schwelle: über 30 km/h"],
			[GERMAN, "pedal", "8020", "Schwelle: Gaspedal unter 50 %"],
			[ENGLISH, "mode", "FWD", "Front asks for no lock"],
			[ENGLISH, "ramp", "5050", "ramp: it has only begun to rise"],
			[ENGLISH, "table", "MAP", "input: Map asks for 0 % at 40 km/h, 0 % pedal"],
		];
		for (const [texts, heldBy, effectiveMode, words] of rows) {
			speak(texts);
			assert.equal(heldInWords({ heldBy, effectiveMode } as ModeState, now, settings), words);
		}
	});
});

const INHERITED = ["constructor", "toString", "__proto__"];
const withEffect = (effect: string) =>
	({ ...NEW_CONDITION, effect, operator: effect, signal: "chassis|0x1|x|" }) as unknown as Condition;

/** Texts of the page for each such name. */
const SAID: readonly (readonly [what: string, text: (name: string) => unknown, expected: (name: string) => unknown])[] = [
	["a list of modes", (name) => valueLabel("controls.favourites", `${name} ${name}`), (name) => `${name} > ${name}`],
	["a setting's value", (name) => valueLabel("frameProfile", name), (name) => name],
	["a condition", (name) => conditionText(withEffect(name)), (name) => `${name}: x ${name} 1`],
	["a unit", unitText, (name) => name],
	["a fault's kind", (name) => faultKind({ rawDtcHex: "C10100", odisFaultType: name } as Fault), (name) => name],
	["a field of the identity", (name) => identityRows([{ field: name, value: "1" } as IdentityRecord]), (name) => [[name, "1"]]],
	["a measured value", (name) => nameOf({ id: name, problem: "" }), (name) => `Group ${name}`],
	["words of the controller", inOurWords, (name) => name],
];

describe("a table of the page", () => {
	for (const [what, text, expected] of SAID)
		it(`shows an unknown name as it is: ${what}`, () => {
			for (const name of INHERITED) assert.deepEqual(text(name), expected(name), name);
		});
});
