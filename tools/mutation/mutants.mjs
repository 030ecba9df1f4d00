// Small changes of a source, one at a time: a comparison, sign or connective becomes another, a number one
// more or less.
import { transformSync } from "esbuild";
import ts from "typescript";

/**
 * file: from the root; text: the whole source; place: the function, method or constant that is changed; change: as in `< becomes <=`.
 * @typedef {{ file: string, text: string, line: number, place: string, change: string, was: string, is: string }} Mutant
 */

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
// Comments and texts are skipped, binary operators stand between blanks (the formatter sees to it), so types
// are left alone.
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

/** What a place in a source belongs to: a function or a constant of the file, or a member of a class. @param {string} source */
function placesOf(source) {
	/** @type {{ end: number, name: string }[]} */
	const places = [];
	for (const statement of ts.createSourceFile("", source, ts.ScriptTarget.ES2022, true).statements) {
		/** @type {readonly ts.Node[]} */
		const parts = ts.isClassDeclaration(statement)
			? statement.members
			: ts.isVariableStatement(statement)
				? statement.declarationList.declarations
				: [statement];
		for (const part of parts) {
			const { name } = /** @type {{ name?: ts.Node }} */ (/** @type {unknown} */ (part));
			places.push({ end: part.end, name: name?.getText() ?? (ts.isConstructorDeclaration(part) ? "constructor" : "") });
		}
	}
	/** @param {number} at */
	return (at) => places.find(({ end }) => at < end)?.name ?? "";
}

/** @param {string} file @param {string} source @returns {Generator<Mutant>} all mutants of a source */
export function* mutantsOf(file, source) {
	const placeAt = placesOf(source);
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
			const [place, change] = [placeAt(match.index), `${token} becomes ${replacement}`];
			yield { file, text, line, place, change, was: source.split("\n")[line - 1].trim(), is: text.split("\n")[line - 1].trim() };
		}
	}
}
