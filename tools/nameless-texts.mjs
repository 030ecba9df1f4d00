/**
 * A translation of the page without the names of its texts, which take a fifth of its bytes: the English
 * texts, which every page has already, name them. For esbuild; the sources know nothing of it.
 */
import { build } from "esbuild";

/** @typedef {{ [name: string]: any }} Texts by name; any: a text, a function that makes one, a list, or texts again */

const TRANSLATION = /[/\\]texts[/\\]german\.ts$/;
const ENGLISH = "/english.ts";

/**
 * Runs in the page. Objects are lists where they have the members of the English ones, in their order.
 * @param {Texts} english
 * @param {any[]} values
 * @returns {Texts}
 */
function named(english, values) {
	const entries = Object.entries(english).map(([name, text], i) => [
		name,
		text?.constructor === Object && Array.isArray(values[i]) ? named(text, values[i]) : values[i],
	]);
	return Object.fromEntries(entries);
}

/** What a module exports. Texts are functions of their arguments alone, so their own text is all of them. @param {string} path */
async function exportsOf(path) {
	const { outputFiles } = await build({ entryPoints: [path], bundle: true, format: "esm", minify: true, write: false });
	return await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/**
 * @param {Texts} english
 * @param {any} texts
 * @returns {string}
 */
function nameless(english, texts) {
	if (typeof texts === "function") return String(texts);
	if (texts?.constructor !== Object) return JSON.stringify(texts);
	const names = Object.keys(texts);
	if (names.join() !== Object.keys(english).join()) return JSON.stringify(texts);
	return `[${names.map((name) => nameless(english[name], texts[name])).join()}]`;
}

/** @type {import("esbuild").Plugin} */
export const namelessTexts = {
	name: "nameless texts",
	setup(bundle) {
		bundle.onLoad({ filter: TRANSLATION }, async ({ path }) => {
			if (path.endsWith(ENGLISH)) return;
			const [english] = Object.values(await exportsOf(path.replace(/[/\\]\w+\.ts$/, ENGLISH)));
			const [[name, texts]] = Object.entries(await exportsOf(path));
			const contents = `import { ENGLISH } from ".${ENGLISH}"; ${named} export const ${name} = named(ENGLISH, ${nameless(english, texts)});`;
			return { contents, loader: "js" };
		});
	},
};
