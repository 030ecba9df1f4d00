// Small changes of a source, one at a time: a comparison, sign or connective becomes another, a number one more or less.
import { transformSync } from "esbuild";

/** @typedef {{ file: string, text: string, line: number, was: string, is: string }} Mutant file: from the root; text: the whole source */

/** Operators of TypeScript and of C, and what each becomes. @type {Record<string, string[]>} */
export const SWAPPED = {
	"<": ["<=", ">"],
	"<=": ["<", ">"],
	">": [">=", "<"],
	">=": [">", "<"],
	"===": ["!=="],
	"!==": ["==="],
	"==": ["!="],
	"!=": ["=="],
	"&&": ["||"],
	"||": ["&&"],
	"+": ["-"],
	"-": ["+"],
	"*": ["/"],
	"/": ["*"],
	">>": ["<<"],
};
// Comments and texts are skipped, binary operators stand between blanks (the formatter sees to it), so types are left alone.
const TOKENS =
	/\/\*[\s\S]*?\*\/|\/\/.*|"[^"]*"|(?<= )(?:===|!==|<=|>=|>>|&&|\|\||[<>+\-*/])(?= |\n)|(?<![\w.])\d[\d_]*(?:\.\d+)?(?!\w)/g;

/**
 * What runs of a source: a change of a type alone changes nothing. Undefined: it is no program any more, as with the star of an import.
 * @param {string} text
 */
function running(text) {
	try {
		return transformSync(text, { loader: "ts", target: "es2022", logLevel: "silent" }).code;
	} catch {
		return undefined;
	}
}

/** @param {string} file @param {string} source @returns {Generator<Mutant>} all mutants of a source */
export function* mutantsOf(file, source) {
	const original = running(source);
	for (const match of source.matchAll(TOKENS)) {
		const token = match[0];
		const value = Number(token.replaceAll("_", ""));
		const replacements = SWAPPED[token] ?? (/^\d/.test(token) ? [`${value + 1}`, `${value - 1}`] : []);
		for (const replacement of replacements) {
			const text = source.slice(0, match.index) + replacement + source.slice(match.index + token.length);
			const code = running(text);
			if (code === undefined || code === original) continue;
			const line = source.slice(0, match.index).split("\n").length;
			yield { file, text, line, was: source.split("\n")[line - 1].trim(), is: text.split("\n")[line - 1].trim() };
		}
	}
}
