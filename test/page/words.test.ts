/** What the controller says of itself, in German: its own sentences, made by what goes wrong. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { assert as assertProperty, property, string } from "fast-check";
import { MUST_STAND } from "../../src/analyzer/permission.js";
import { pathForName } from "../../src/maps/map-path.js";
import { unitText } from "../../src/page/can/units.js";
import { conditionText, effectLabel, NEW_CONDITION } from "../../src/page/conditions/conditions.js";
import { faultKind, faultStatus, identityRows, nameOf } from "../../src/page/diagnosis/words.js";
import { modeLabel } from "../../src/page/drive/mode-names.js";
import { storedName } from "../../src/page/map/map-words.js";
import type { Condition, Fault, IdentityRecord } from "../../src/page/net/types.js";
import { inOurWords } from "../../src/page/said.js";
import { choiceLabel, valueLabel } from "../../src/page/settings/settings-words.js";
import { lookUp } from "../../src/page/texts.js";
import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";
import { StoredDocument } from "../../src/storage/stored-document.js";
import { ManualTime, MemoryFiles } from "../support/memory-files.js";

describe("the name of a stored map, as the page foretells it", () => {
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

	it("is that for any text", () => {
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

	it("tell in German what is wrong with the files, with their names", () => {
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

	it("keep what they name, and what is not known", () => {
		assert.equal(inOurWords("0x1a0 is an identifier of the controller's own"), "0x1a0 sendet das Steuergerät selbst");
		assert.equal(inOurWords("something new"), "something new");
		for (const [said, words] of [
			["sending is not allowed: the owner allows it on the page", "Senden ist nicht erlaubt: der Besitzer erlaubt es hier"],
			[MUST_STAND, "das Auto muss stehen: seine Geschwindigkeit muss bekannt sein, und 0"],
		] as const)
			assert.equal(inOurWords(said), words);
	});

	it("tell reasons by their value, with what belongs to them, and one that is not known in the controller's words", () => {
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
	it("has what stands in it, and nothing that every object has", () => {
		assert.equal(lookUp({ open: 1 }, "open"), 1);
		assert.equal(lookUp({ open: 1 }, "closed"), undefined);
		for (const name of INHERITED) assert.equal(lookUp({ open: 1 }, name), undefined, name);
	});

	for (const [what, text, expected] of SAID)
		it(`leaves a name that is none of its own as it is: ${what}`, () => {
			for (const name of INHERITED) assert.deepEqual(text(name), expected(name), name);
		});
});
