/**
 * What runs in Node, and mostly on the host, but not on a board, found in a bundle's text: features that
 * Moddable's XS lacks or strips, calls that its compiler crashes on, and objects that lie in ROM and are
 * written to.
 */
import { readFileSync } from "node:fs";
import ts from "typescript";

/** Globals that XS has not, or that our manifest strips. */
const MISSING_GLOBALS = new Set([
	"BigInt",
	"RegExp",
	"setTimeout",
	"setInterval",
	"clearTimeout",
	"clearInterval",
	"setImmediate",
	"queueMicrotask",
	"console",
	"structuredClone",
	"TextEncoder",
	"TextDecoder",
	"URL",
	"URLSearchParams",
	"fetch",
	"Intl",
	"performance",
	"crypto",
	"AbortController",
	"btoa",
	"atob",
	"process",
	"Buffer",
	"require",
	// there is no parser on a board
	"eval",
	"Function",
]);
/** Not built in, or not as elsewhere; a letter's case would bring 11 KB of tables along. */
const MISSING_METHODS = new Set([
	...["normalize", "localeCompare", "toLocaleString", "toLocaleUpperCase", "toLocaleLowerCase"],
	...["toLowerCase", "toUpperCase"],
]);
/** Static functions of built-in classes that our manifest strips, such as "Array.of". @type {Set<string>} */
const STRIPPED = new Set(JSON.parse(readFileSync(new URL("../../manifest.json", import.meta.url), "utf8")).strip);
const READ_ONLY_IN_ROM = new Set(["Map", "Set", "WeakMap", "WeakSet", "Date", "ArrayBuffer", "DataView"]);
const WRITERS = new Set(["set", "add", "delete", "clear", "fill", "copyWithin", "sort", "reverse"]);
/** @param {string} name */
const isTypedArray = (name) => /^(Ui|I)nt(8|16|32)(Clamped)?Array$|^Float(32|64)Array$|^Big(Ui|I)nt64Array$/.test(name);

/** Names of the top level: values that can't be written to in ROM, and tables. @param {ts.SourceFile} file */
function romNames(file) {
	const constants = new Set();
	const tables = new Set();
	for (const statement of file.statements) {
		if (!ts.isVariableStatement(statement)) continue;
		for (const { name, initializer } of statement.declarationList.declarations) {
			if (!ts.isIdentifier(name) || !initializer) continue;
			const value = ts.isCallExpression(initializer) ? initializer.arguments[0] : initializer;
			if (value && (ts.isObjectLiteralExpression(value) || ts.isArrayLiteralExpression(value))) tables.add(name.text);
			if (!ts.isNewExpression(initializer) || !ts.isIdentifier(initializer.expression)) continue;
			const made = initializer.expression.text;
			if (READ_ONLY_IN_ROM.has(made) || isTypedArray(made)) constants.add(name.text);
		}
	}
	return { constants, tables };
}

/** Names that the module gives to things of its own, anywhere. @param {ts.SourceFile} file */
function ownNames(file) {
	const names = new Set();
	/** @param {ts.Node} node */
	const visit = (node) => {
		if (
			ts.isIdentifier(node) &&
			"name" in node.parent &&
			node.parent.name === node &&
			!ts.isPropertyAccessExpression(node.parent)
		)
			names.add(node.text);
		ts.forEachChild(node, visit);
	};
	visit(file);
	return names;
}

/** @param {ts.Node} node */
const isName = (node) => ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;

/**
 * @param {string} code a module
 * @returns {string[]} one line for each find: what, and the line of code
 */
export function romTraps(code) {
	const file = ts.createSourceFile("bundle.js", code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
	const { constants, tables } = romNames(file);
	const own = ownNames(file);
	/** @type {string[]} */
	const finds = [];
	/**
	 * @param {ts.Node} node
	 * @param {string} what
	 */
	const find = (node, what) => finds.push(`${what}: ${node.getText(file).replace(/\s+/g, " ").slice(0, 100)}`);

	/** @param {ts.CallExpression} node */
	const visitCall = (node) => {
		const callee = node.expression;
		if (ts.isIdentifier(callee) && (callee.text === "native" || callee.text === "Native")) {
			if (node.arguments.length !== 1 || !ts.isStringLiteral(node.arguments[0])) find(node, "xsc wants a literal here");
			for (let up = node.parent; up && !ts.isFunctionLike(up); up = up.parent)
				if (ts.isParameter(up)) find(node, "xsc crashes on a native call in a default value");
			return;
		}
		if (!ts.isPropertyAccessExpression(callee)) return;
		const owner = callee.expression.getText(file);
		if (MISSING_METHODS.has(callee.name.text)) find(node, "not built in");
		if (constants.has(owner) && WRITERS.has(callee.name.text)) find(node, "read-only in ROM");
		if (owner === "JSON" && callee.name.text === "stringify" && tables.has(node.arguments[0]?.getText(file)))
			find(node, "JSON.stringify throws on objects in ROM");
	};

	/** @param {ts.BinaryExpression} node */
	const visitAssignment = (node) => {
		const operator = node.operatorToken.kind;
		if (operator < ts.SyntaxKind.FirstAssignment || operator > ts.SyntaxKind.LastAssignment) return;
		const { left } = node;
		if (ts.isElementAccessExpression(left) && constants.has(left.expression.getText(file))) find(node, "read-only in ROM");
		// what errors inherit is frozen, and fields are assigned (transformations/library.mjs)
		if (!/^this\.(name|message|stack|cause|constructor|toString)$/.test(left.getText(file))) return;
		for (let up = node.parent; up; up = up.parent)
			if (ts.isClassLike(up)) {
				if (up.heritageClauses !== undefined) find(node, "can't be assigned if an error is extended");
				return;
			}
	};

	/** @param {ts.Node} node */
	const visit = (node) => {
		if (ts.isCallExpression(node)) visitCall(node);
		else if (ts.isBinaryExpression(node)) {
			if (node.operatorToken.kind === ts.SyntaxKind.InKeyword && ts.isPrivateIdentifier(node.left))
				find(node, "stripped unless `in` is used elsewhere");
			visitAssignment(node);
		} else if (ts.isRegularExpressionLiteral(node)) find(node, "regular expressions take 34 KB of flash");
		else if (ts.isBigIntLiteral(node)) find(node, "big integers take 10 KB of flash");
		else if (ts.isPropertyDeclaration(node)) {
			const modifiers = node.modifiers?.map(({ kind }) => kind) ?? [];
			if (modifiers.includes(ts.SyntaxKind.StaticKeyword)) find(node, "static fields are read-only in ROM");
		} else if (ts.isPropertyAccessExpression(node) && STRIPPED.has(node.getText(file))) find(node, "stripped");
		else if (ts.isMetaProperty(node) && node.name.text === "meta") find(node, "not built in");
		else if (
			ts.isPropertyAccessExpression(node) &&
			node.name.text === "name" &&
			/\bconstructor$/.test(node.expression.getText(file))
		)
			find(node, "functions have no names once they are stripped");
		else if (ts.isIdentifier(node) && MISSING_GLOBALS.has(node.text) && !isName(node) && !own.has(node.text))
			find(node.parent, "XS has no such global");
		ts.forEachChild(node, visit);
	};
	visit(file);
	return finds;
}
