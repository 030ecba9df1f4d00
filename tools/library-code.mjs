/**
 * Rewrites a bundle so that it takes less room when it is linked into flash, without changing what it does: the same for the boards
 * and for this computer, so that what the tests run is what is flashed.
 */
import { transform } from "esbuild";
import ts from "typescript";
import { withSharedNames } from "./shared-names.mjs";

/**
 * esbuild's options for a library. Fields are assigned in the constructor, which saves a function with its prototype per class.
 * `minifySyntax` would save 4 KB, and make a control tick take 70 bytecodes more.
 */
export const LIBRARY_OPTIONS = Object.freeze({
	bundle: true,
	format: "esm",
	platform: "neutral",
	target: "es2022",
	tsconfigRaw: { compilerOptions: { useDefineForClassFields: false, verbatimModuleSyntax: true } },
	legalComments: "none",
	charset: "utf8",
	logLevel: "warning",
});

/** Drops what nothing uses. */
const SHAKE = Object.freeze({ target: "es2022", format: "esm", treeShaking: true, charset: "utf8" });

/**
 * @param {string} code JavaScript module as esbuild bundles it with LIBRARY_OPTIONS
 * @param {{ readable?: boolean }} [options] readable: names stay as they are in the sources, and so does what is not used
 * @returns {Promise<string>} the same module, smaller in flash
 */
export async function asLibrary(code, { readable = false } = {}) {
	const compact = withArrows(withConstants(withoutOrigins(code)));
	return readable ? compact : withSharedNames((await transform(compact, SHAKE)).code);
}

const parse = (code) => ts.createSourceFile("core.js", code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);

/** Texts in rows of tables that say where a row comes from, for whoever reads the sources. */
const ORIGINS = new Set(["source", "dbc"]);

/** Leaves the origins of rows out. @throws {Error} something reads one */
function withoutOrigins(code) {
	const file = parse(code);
	const isOrigin = (name) => name !== undefined && ts.isIdentifier(name) && ORIGINS.has(name.text);
	let text = "";
	let from = 0;
	const visit = (node) => {
		if (ts.isPropertyAssignment(node) && isOrigin(node.name) && ts.isStringLiteral(node.initializer)) {
			const { properties } = node.parent;
			const next = properties[properties.indexOf(node) + 1];
			text += code.slice(from, node.getStart(file));
			from = next?.getStart(file) ?? node.end;
		} else if ((ts.isPropertyAccessExpression(node) || ts.isBindingElement(node)) && isOrigin(node.propertyName ?? node.name))
			throw new Error(`${node.getText(file)}: "${[...ORIGINS].join('" and "')}" are left out of what is built`);
		else ts.forEachChild(node, visit);
	};
	visit(file);
	return text + code.slice(from);
}

const isAssignment = (kind) => kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

const isStep = (node) =>
	ts.isPostfixUnaryExpression(node) ||
	(ts.isPrefixUnaryExpression(node) &&
		(node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken));

/** Names that anything is assigned to after their declaration, wherever they mean something else too. */
function assignedNames(file) {
	const names = new Set();
	const targets = (node) => {
		if (ts.isIdentifier(node)) names.add(node.text);
		// a pattern may have any of its names assigned; what is before a dot or bracket is not
		else if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) ts.forEachChild(node, targets);
	};
	const visit = (node) => {
		if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) targets(node.left);
		else if (isStep(node)) targets(node.operand);
		else if (ts.isForOfStatement(node) || ts.isForInStatement(node)) targets(node.initializer);
		ts.forEachChild(node, visit);
	};
	visit(file);
	return names;
}

/**
 * esbuild makes every constant of a module a `var`. For Moddable's linker a variable is something that may change: it keeps a place in RAM
 * for it, and warns. This makes those constants again that nothing is assigned to.
 */
function withConstants(code) {
	const file = parse(code);
	const assigned = assignedNames(file);
	let text = "";
	let from = 0;
	for (const statement of file.statements) {
		if (!ts.isVariableStatement(statement)) continue;
		text += code.slice(from, statement.getStart(file));
		from = statement.end;
		for (const declaration of statement.declarationList.declarations) {
			const kind = declaration.initializer === undefined || assigned.has(declaration.name.getText(file)) ? "let" : "const";
			text += `${kind} ${declaration.getText(file)};\n`;
		}
	}
	return text + code.slice(from);
}

/** True if an arrow can't take the place of the function declaration. */
function mustStay(declaration, assigned) {
	let needed =
		declaration.asteriskToken !== undefined || declaration.modifiers !== undefined || assigned.has(declaration.name.text);
	const visit = (node) => {
		if (
			node.kind === ts.SyntaxKind.ThisKeyword ||
			ts.isMetaProperty(node) ||
			(ts.isIdentifier(node) && node.text === "arguments")
		)
			needed = true;
		else ts.forEachChild(node, visit);
	};
	ts.forEachChild(declaration, visit);
	return needed;
}

/**
 * Function declarations become arrows, in front of all else since they are known from the start: a function has a prototype object
 * (64 bytes) for the case that it is called with `new`, which TypeScript does not let anybody do.
 */
function withArrows(code) {
	const file = parse(code);
	const assigned = assignedNames(file);
	let arrows = "";
	let others = "";
	let from = 0;
	for (const statement of file.statements) {
		if (!ts.isFunctionDeclaration(statement) || mustStay(statement, assigned)) continue;
		others += code.slice(from, statement.getStart(file));
		from = statement.end;
		const parameters = code.slice(statement.parameters.pos, statement.parameters.end);
		arrows += `const ${statement.name.text} = (${parameters}) => ${statement.body.getText(file)};\n`;
	}
	return arrows + others + code.slice(from);
}
