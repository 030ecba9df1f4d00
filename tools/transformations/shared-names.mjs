/**
 * Renames what is local to a bundle. Moddable's linker keeps each name that a program uses, with 22 bytes
 * beside its text, and names of properties must stay: so functions, constants and variables take those names
 * and the engine's, which are there anyway. What is private to a class is the exception: `$0`, `$1` and so
 * on, the same in each class.
 */
import { minify } from "terser";
import ts from "typescript";

/** These mean something wherever they stand. */
const TAKEN = new Set(["arguments", "eval", "undefined", "NaN", "Infinity", "globalThis", "native", "Native"]);

/**
 * Puts constants and the smallest functions where they are used: each place that uses a variable of the
 * module costs 16 bytes of flash and a look-up. Functions that are used once stay where they are: moved, they
 * would be made anew at each call, on the heap.
 */
const COMPRESS = Object.freeze({
	defaults: false,
	toplevel: true,
	evaluate: true,
	reduce_vars: true,
	reduce_funcs: false,
	inline: 3,
	unused: true,
	dead_code: true,
});

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
	visit(ts.createSourceFile("core.js", code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS));
	const used = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a));
	return [...new Set([...used, ...OF_ENGINE.filter(isName)])];
}

/** Class expressions and declarations by the name that others know them by. @param {ts.SourceFile} file */
function classesOf(file) {
	const classes = new Map();
	/** @param {ts.Node} node */
	const visit = (node) => {
		if (ts.isClassLike(node)) {
			const name = ts.isVariableDeclaration(node.parent) ? node.parent.name : node.name;
			classes.set(name?.getText(file) ?? node, node);
		} else ts.forEachChild(node, visit);
	};
	visit(file);
	return classes;
}

/**
 * Where a private name stands (`#x` in the sources, `$x` here), in the order of the text.
 * @param {ts.Node} node @param {ts.SourceFile} file
 */
function privatePlaces(node, file) {
	/** @type {number[]} */
	const places = [];
	/** @param {ts.Node} child */
	const visit = (child) => {
		const isMember = ts.isPropertyAccessExpression(child.parent) || ts.isClassElement(child.parent);
		if (ts.isIdentifier(child) && child.text.startsWith("$") && isMember && child.parent.name === child)
			places.push(child.getStart(file));
		ts.forEachChild(child, visit);
	};
	ts.forEachChild(node, visit);
	return places.sort((a, b) => a - b);
}

/**
 * Numbers what is private to each class. Only its own code knows these names, and each object has one class; those of a class that extends
 * another one here go on where that one's end.
 * @param {string} code
 */
function withNumberedPrivates(code) {
	const file = ts.createSourceFile("core.js", code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
	const classes = classesOf(file);
	const numbered = new Map();
	/** @param {ts.ClassLikeDeclaration | undefined} node @returns {number} how many names it has, with those of what it extends */
	const number = (node) => {
		if (node === undefined) return 0;
		if (numbered.has(node)) return numbered.get(node).end;
		const base = node.heritageClauses?.[0]?.types[0].expression.getText(file);
		const numbers = new Map();
		const first = number(classes.get(base));
		const places = privatePlaces(node, file).map((at) => {
			const name = /^[$\w]*/.exec(code.slice(at))?.[0] ?? "";
			if (!numbers.has(name)) numbers.set(name, first + numbers.size);
			return { at, name, number: numbers.get(name) };
		});
		numbered.set(node, { places, end: first + numbers.size });
		return first + numbers.size;
	};
	for (const node of classes.values()) number(node);
	const places = [...numbered.values()].flatMap((one) => one.places).sort((a, b) => a.at - b.at);
	if (places.length !== privatePlaces(file, file).length) throw new Error("a private name outside of any class");
	let text = "";
	let from = 0;
	for (const { at, name, number } of places) {
		text += `${code.slice(from, at)}$${number}`;
		from = at + name.length;
	}
	return text + code.slice(from);
}

/** @param {string} source JavaScript module @returns {Promise<string>} the same with other names for all that nobody else sees */
export async function withSharedNames(source) {
	const code = withNumberedPrivates(source);
	const names = propertyNames(code);
	const { code: renamed } = await minify(code, {
		module: true,
		compress: { ...COMPRESS },
		// a generator of names hands out any number of them; those that mean something else in a scope are
		// passed over
		mangle: { nth_identifier: { get: (n) => names[n] ?? `$${n}`, consider: () => 0, reset() {}, sort() {} } },
		format: { beautify: true },
	});
	return renamed ?? "";
}
