/** A translation says all that the English texts say, with all values that stand in them. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { inWords } from "../../src/api/words.js";
import { CalibrationProblem } from "../../src/calibration/sweep.js";
import { Reason } from "../../src/controller/reason.js";
import { ENGLISH, type Texts } from "../../src/page/texts/english.js";
import { GERMAN } from "../../src/page/texts/german.js";
import { namelessTexts } from "../../tools/nameless-texts.mjs";

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

	it("travel without their names, and arrive whole", async () => {
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
