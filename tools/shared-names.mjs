/**
 * Renames what is local to a bundle. Moddable's linker keeps each name that a program uses, with 20 bytes beside its text, and names of
 * properties must stay: so functions, constants and variables take those names, which are there anyway.
 */
import { minify } from "terser";
import ts from "typescript";

/** These mean something wherever they stand. */
const TAKEN = new Set(["arguments", "eval", "undefined", "NaN", "Infinity", "globalThis", "native", "Native"]);

const isName = (text) => /^[A-Za-z$_][\w$]*$/.test(text) && !text.startsWith("__") && !TAKEN.has(text);

/** Names of properties in the code, the most frequent first. */
function propertyNames(code) {
	const counts = new Map();
	const count = ({ text }) => {
		if (text !== undefined && isName(text)) counts.set(text, (counts.get(text) ?? 0) + 1);
	};
	const visit = (node) => {
		if (ts.isPropertyAccessExpression(node) || ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)) count(node.name);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile("core.js", code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS));
	return [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a));
}

/** @param {string} code JavaScript module @returns {Promise<string>} the same with other names for all that nobody else sees */
export async function withSharedNames(code) {
	const names = propertyNames(code);
	const { code: renamed } = await minify(code, {
		module: true,
		compress: false,
		// a generator of names hands out any number of them; those that mean something else in a scope are passed over
		mangle: { nth_identifier: { get: (n) => names[n] ?? `$${n}`, consider() {}, reset() {}, sort() {} } },
		format: { beautify: true },
	});
	return renamed;
}
