/**
 * Makes the private fields and methods of our classes ordinary ones, in what runs on XS. TypeScript and Node
 * have checked by then that nobody else uses them. On XS each method keeps a slot for every private name that
 * it uses, and each object one for every private method.
 */
import ts from "typescript";

/**
 * Numbers private names in each file: `this.#name` becomes `this.$0`. In a file with a class that extends
 * another one it becomes `this.$name`, as the base class may have the numbers.
 * @param {string} source TypeScript
 * @param {string} path for messages
 * @param {{ readable?: boolean }} [options] readable: no numbers
 * @returns {string} the same on as many lines
 * @throws {Error} for `#name in object`, which would mean something else then
 */
export function withPlainFields(source, path, { readable = false } = {}) {
	if (!source.includes("#")) return source;
	const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
	const file = ts.createSourceFile(path, source, ts.ScriptTarget.ES2022, true, kind);
	/** @type {ts.PrivateIdentifier[]} */
	const places = [];
	let isNumbered = !readable;
	/** @param {ts.Node} node */
	const visit = (node) => {
		if (ts.isHeritageClause(node) && ts.isClassLike(node.parent) && node.token === ts.SyntaxKind.ExtendsKeyword)
			isNumbered = false;
		if (ts.isPrivateIdentifier(node)) {
			if (ts.isBinaryExpression(node.parent) && node.parent.left === node)
				throw new Error(`${path}: ${node.text} in ... is not supported`);
			places.push(node);
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	const names = [...new Set(places.map(({ text }) => text))];
	let plain = "";
	let from = 0;
	for (const node of places) {
		plain += `${source.slice(from, node.getStart(file))}$${isNumbered ? names.indexOf(node.text) : node.text.slice(1)}`;
		from = node.end;
	}
	return plain + source.slice(from);
}
