/**
 * What a bundle goes through before it is linked into flash, so that it takes less flash without doing
 * anything else: the same for the boards and for this computer, so that what the tests run is what is
 * flashed. README.md beside this says what each saves and costs.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { minify } from "terser";
import ts from "typescript";
import { replaceFile } from "../generated.mjs";

/**
 * What the firmware says it was built from: the commit, with a `+` where sources differ from it; "" where
 * there is no git.
 */
function commit() {
	/** @param {string[]} words */
	const git = (...words) => execFileSync("git", words, { cwd: import.meta.dirname, encoding: "utf8", stdio: "pipe" }).trim();
	try {
		const isChanged = git("status", "--porcelain", "--", ":/src", ":/hal", ":/modules") !== "";
		return `${git("rev-parse", "--short=8", "HEAD")}${isChanged ? "+" : ""}`;
	} catch {
		return "";
	}
}

/**
 * esbuild's options for a library. Fields are assigned in the constructor, which saves a function with its
 * prototype per class. `minifySyntax` would save 4 KB, and make a control tick take 70 bytecodes more.
 */
export const LIBRARY_OPTIONS = Object.freeze(
	/** @type {const} */ ({
		bundle: true,
		format: "esm",
		platform: "neutral",
		target: "es2022",
		tsconfigRaw: { compilerOptions: { useDefineForClassFields: false, verbatimModuleSyntax: true } },
		legalComments: "none",
		charset: "utf8",
		define: { COMMIT: JSON.stringify(commit()) },
		logLevel: "warning",
	}),
);

/**
 * Values where they are used, by terser's compression: each variable takes 16 bytes of flash, each function
 * that reads one 16 more. Functions stay where they are: moved into another one, they would be made anew at
 * each call, on the heap. What would make more bytecode of fewer characters is off.
 */
const COMPRESSION = Object.freeze({
	passes: 3,
	unsafe_arrows: true,
	reduce_funcs: false,
	booleans: false,
	conditionals: false,
	if_return: false,
	join_vars: false,
	sequences: false,
});

/** True if an arrow can't take the place of the function declaration. @param {ts.FunctionDeclaration} declaration */
function mustStay(declaration) {
	/**
	 * @param {ts.Node} node
	 * @returns {boolean | undefined}
	 */
	const visit = (node) =>
		node.kind === ts.SyntaxKind.ThisKeyword ||
		ts.isMetaProperty(node) ||
		(ts.isIdentifier(node) && node.text === "arguments") ||
		ts.forEachChild(node, visit);
	return declaration.asteriskToken !== undefined || declaration.modifiers !== undefined || ts.forEachChild(declaration, visit);
}

/**
 * Function declarations become arrows, in front of all else since they are known from the start: a function
 * has a prototype object (64 bytes) for the case that it is called with `new`, which TypeScript does not let
 * anybody do, nor assign to it.
 * @param {string} code JavaScript module
 */
function withArrows(code) {
	const file = ts.createSourceFile("core.js", code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
	let arrows = "";
	let others = "";
	let from = 0;
	for (const statement of file.statements) {
		if (!ts.isFunctionDeclaration(statement) || !statement.name || !statement.body || mustStay(statement)) continue;
		others += code.slice(from, statement.getStart(file));
		from = statement.end;
		const parameters = code.slice(statement.parameters.pos, statement.parameters.end);
		arrows += `const ${statement.name.text} = (${parameters}) => ${statement.body.getText(file)};\n`;
	}
	return arrows + others + code.slice(from);
}

/** These mean something wherever they stand. */
const TAKEN = new Set(["arguments", "eval", "undefined", "NaN", "Infinity", "globalThis", "native", "Native"]);

/** Names that the engine has anyway, whether a program uses them or not. */
const OF_ENGINE = Object.freeze(
	[Math, Date.prototype, DataView.prototype, Atomics, Reflect, Object, Number, Array.prototype, Promise, Symbol].flatMap(
		(owner) => Object.getOwnPropertyNames(owner),
	),
);

/**
 * Moddable's linker keeps each name that a program uses, with 22 bytes beside its text, and names of
 * properties must stay. So what is local takes those, then the engine's.
 * @param {string} code JavaScript module
 */
function sharedNames(code) {
	const properties = code.match(/(?<=[^.]\.)[A-Za-z]\w*|(?<=^\s+)[A-Za-z]\w*(?=:)/gm) ?? [];
	return [...new Set([...properties, ...OF_ENGINE])].filter((name) => !name.startsWith("__") && !TAKEN.has(name));
}

/**
 * @param {string} code JavaScript module as esbuild bundles it with LIBRARY_OPTIONS
 * @param {{ readable?: boolean }} [options] readable: names stay as they are in the sources
 * @returns {Promise<string>} the same module, smaller in flash
 */
export async function asLibrary(code, { readable = false } = {}) {
	const options = { module: true, format: { beautify: true } };
	const { code: compressed = "" } = await minify(code, { ...options, compress: { ...COMPRESSION }, mangle: false });
	// arrows stand in front of the values that they read, which terser would keep then
	const smaller = withArrows(compressed);
	if (readable) return smaller;
	const names = sharedNames(smaller);
	// a generator of names hands out any number of them; terser passes over those that mean something else in a scope
	const generator = { get: (/** @type {number} */ n) => names[n] ?? `$${n}`, consider: () => 0, reset() {}, sort() {} };
	const { code: renamed = "" } = await minify(smaller, { ...options, compress: false, mangle: { nth_identifier: generator } });
	return renamed;
}

/** Changes with the transformations and with the packages that they use. */
function digestOfTransformations() {
	const sources = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".mjs"));
	const paths = [...sources, "../../package-lock.json"].map((name) => join(import.meta.dirname, name));
	return paths.reduce((hash, path) => hash.update(readFileSync(path)), createHash("sha256")).digest("hex");
}

/**
 * `asLibrary`, which takes seconds, unless the code is the same as the last time.
 * @param {string} path file that keeps the last result
 * @param {string} code
 * @param {{ readable?: boolean }} [options] of `asLibrary`
 */
export async function keptLibrary(path, code, options = {}) {
	const how = JSON.stringify([digestOfTransformations(), options]);
	const origin = `${createHash("sha256").update(how).update(code).digest("hex")}\n`;
	const kept = existsSync(path) ? readFileSync(path, "utf8") : "";
	if (kept.startsWith(origin)) return kept.slice(origin.length);
	const library = await asLibrary(code, options);
	replaceFile(path, origin + library);
	return library;
}
