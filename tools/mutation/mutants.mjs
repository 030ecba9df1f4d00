// Small changes of a source, one at a time: a comparison, sign or connective becomes another, a number one
// more or less.
import { transformSync } from "esbuild";
import ts from "typescript";

/**
 * file: from the root; text: the whole source; place: the function, method or constant that is changed; change: as in `< becomes <=`.
 * @typedef {{ file: string, text: string, line: number, place: string, change: string, was: string, is: string }} Mutant
 */

/** Operators, and what each becomes. @type {Record<string, string[]>} */
const SWAPPED = {
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
/** Those of bits are counted in C only, where they make bytes of frames. @type {Record<string, string[]>} */
const SWAPPED_IN_C = { ...SWAPPED, "&": ["|"], "|": ["&"], "^": ["&"], "<<": [">>"] };
// Comments and texts are skipped, binary operators stand between blanks (the formatter sees to it), so types
// are left alone.
const TOKENS =
	/\/\*[\s\S]*?\*\/|\/\/.*|"[^"]*"|(?<= )(?:===|!==|<=|>=|>>|&&|\|\||[<>+\-*/])(?= |\n)|(?<![\w.])\d[\d_]*(?:\.\d+)?(?!\w)/g;
const TOKENS_OF_C =
	/\/\*[\s\S]*?\*\/|\/\/.*|#include.*|"(?:[^"\\]|\\.)*"|(?<= )(?:==|!=|<=|>=|>>|<<|&&|\|\||[<>+\-*/&|^])(?= |\n)|(?<![\w.])(?:0x[\da-fA-F]+|\d+)[uU]?(?!\w)/g;

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

/** The function, constant or member of a class at a place in a source. @param {string} source */
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

/** The function that a place in a source of C belongs to, "" = none. @param {string} before the source up to there */
function functionBefore(before) {
	let name = "";
	for (const line of before.split("\n"))
		if (line.startsWith("}")) name = "";
		else name = /^[a-z][^;=]*?(\w+)\(/i.exec(line)?.[1] ?? name;
	return name;
}

/**
 * All mutants of a source. Of TypeScript only those that are another program; of C also those that no compiler takes, or that mean the same.
 * @param {string} file
 * @param {string} source
 * @returns {Generator<Mutant>}
 */
export function* mutantsOf(file, source) {
	const isC = file.endsWith(".c");
	const placeAt = isC ? (/** @type {number} */ at) => functionBefore(source.slice(0, at)) : placesOf(source);
	const original = isC ? "" : running(source);
	for (const { 0: token, index } of source.matchAll(isC ? TOKENS_OF_C : TOKENS)) {
		const [, digits, suffix] = /^(\d.*?)(u?)$/i.exec(token) ?? [];
		const value = Number(digits?.replaceAll("_", ""));
		const steps = digits === undefined ? [] : [`${value + 1}${suffix}`, `${value - 1}${suffix}`];
		for (const replacement of (isC ? SWAPPED_IN_C : SWAPPED)[token] ?? steps) {
			const text = source.slice(0, index) + replacement + source.slice(index + token.length);
			const code = isC ? text : running(text);
			if (code === undefined || code === original) continue;
			const line = source.slice(0, index).split("\n").length;
			const [was, is] = [source, text].map((whole) => whole.split("\n")[line - 1].trim());
			yield { file, text, line, place: placeAt(index), change: `${token} becomes ${replacement}`, was, is };
		}
	}
}
