/** Leaves texts out that say where rows of tables come from. */
import ts from "typescript";
import { parse } from "./syntax.mjs";

/** Texts in rows of tables that say where a row comes from, for whoever reads the sources. */
const ORIGINS = new Set(["source", "dbc", "reserved"]);

/** @param {string} code JavaScript module @returns {string} the same without them @throws {Error} something reads one */
export function withoutOrigins(code) {
	const file = parse(code);
	/** @param {ts.Node | undefined} name */
	const isOrigin = (name) => name !== undefined && ts.isIdentifier(name) && ORIGINS.has(name.text);
	let text = "";
	let from = 0;
	/** @param {ts.Node} node */
	const visit = (node) => {
		if (ts.isPropertyAssignment(node) && isOrigin(node.name) && ts.isStringLiteral(node.initializer)) {
			const { properties } = node.parent;
			const next = properties[properties.indexOf(node) + 1];
			text += code.slice(from, node.getStart(file));
			from = next?.getStart(file) ?? node.end;
		} else if (
			(ts.isPropertyAccessExpression(node) || ts.isBindingElement(node)) &&
			isOrigin(("propertyName" in node && node.propertyName) || node.name)
		)
			throw new Error(`${node.getText(file)}: "${[...ORIGINS].join('" and "')}" are left out of what is built`);
		else ts.forEachChild(node, visit);
	};
	visit(file);
	return text + code.slice(from);
}
