/**
 * Makes the private fields and methods of our classes ordinary ones, in what runs on XS: `this.#name` becomes
 * `this.$name`. TypeScript and Node have checked by then that nobody else uses them. On XS each method keeps
 * a slot for every private name that it uses, and each object one for every private method.
 */
import ts from "typescript";

/**
 * A class that extends one of ours must use none of its private names; a test looks at that.
 * @param {string} source TypeScript @param {string} path for messages
 * @returns {string} the same, as long @throws {Error} for `#name in object`, which would mean something else then
 */
export function withPlainFields(source, path) {
	if (!source.includes("#")) return source;
	const file = ts.createSourceFile(
		path,
		source,
		ts.ScriptTarget.ES2022,
		true,
		path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
	);
	/** @type {number[]} */
	const places = [];
	/** @param {ts.Node} node */
	const visit = (node) => {
		if (ts.isPrivateIdentifier(node)) {
			if (ts.isBinaryExpression(node.parent) && node.parent.left === node)
				throw new Error(`${path}: ${node.text} in ... is not supported`);
			places.push(node.getStart(file));
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	let text = "";
	let from = 0;
	for (const at of places) {
		text += `${source.slice(from, at)}$`;
		from = at + 1;
	}
	return text + source.slice(from);
}
