/**
 * Renames what is local to a bundle. Moddable's linker keeps each name that a program uses, with 22 bytes
 * beside its text, and names of properties must stay: so functions, constants and variables take those names
 * and the engine's, which are there anyway.
 */
import { minify } from "terser";
import ts from "typescript";
import { parse } from "./syntax.mjs";

/** These mean something wherever they stand. */
const TAKEN = new Set(["arguments", "eval", "undefined", "NaN", "Infinity", "globalThis", "native", "Native"]);

/** Names that the engine has anyway, whether a program uses them or not. */
const OF_ENGINE = Object.freeze(
	[Math, Date.prototype, DataView.prototype, Atomics, Reflect, Object, Number, Array.prototype, Promise, Symbol].flatMap(
		(owner) => Object.getOwnPropertyNames(owner),
	),
);

/** @param {string} text */
const isName = (text) => /^[A-Za-z$_][\w$]*$/.test(text) && !text.startsWith("__") && !TAKEN.has(text);

/** Names of properties in the code, the most frequent first, then the engine's. @param {string} code */
function propertyNames(code) {
	const counts = new Map();
	/** @param {ts.PropertyName | ts.MemberName} name */
	const count = (name) => {
		const text = "text" in name ? name.text : "";
		if (isName(text)) counts.set(text, (counts.get(text) ?? 0) + 1);
	};
	/** @param {ts.Node} node */
	const visit = (node) => {
		if (ts.isPropertyAccessExpression(node) || ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)) count(node.name);
		ts.forEachChild(node, visit);
	};
	visit(parse(code));
	const used = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a));
	return [...new Set([...used, ...OF_ENGINE.filter(isName)])];
}

/**
 * Numbers what is private, `$0`, `$1` and so on, the same in each file. A file with a class that extends
 * another one, but for errors, keeps its names: both would have the same.
 * @param {string} code as esbuild bundles it: a comment names each file
 */
export function withNumberedPrivates(code) {
	const files = code.split(/^(?=\/\/ )/m).map((file) => {
		if (/ extends (?!\w*Error\b)/.test(file)) return file;
		const names = [...new Set(file.match(/\$[A-Za-z]\w*/g))];
		return file.replace(/\$[A-Za-z]\w*/g, (name) => `$${names.indexOf(name)}`);
	});
	return files.join("");
}

/** @param {string} code JavaScript module @returns {Promise<string>} the same with other names for all that nobody else sees */
export async function withSharedNames(code) {
	const names = propertyNames(code);
	const { code: renamed } = await minify(code, {
		module: true,
		compress: false,
		// a generator of names hands out any number of them; those that mean something else in a scope are
		// passed over
		mangle: { nth_identifier: { get: (n) => names[n] ?? `$${n}`, consider: () => 0, reset() {}, sort() {} } },
		format: { beautify: true },
	});
	return renamed ?? "";
}
