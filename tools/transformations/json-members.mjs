/** Puts names and values of objects apart that are made to be sent as JSON. */
import ts from "typescript";
import { parse } from "./syntax.mjs";

/** Of src/json/write.ts. */
const MAKER = "asJson";
/** @typedef {ts.CallExpression & { expression: ts.Identifier }} CallOfName */

const NAME = /^[A-Za-z0-9_]+$/;
/** What stands for a member's value that is marked so. */
const MARKS = Object.freeze({
	part: (/** @type {string} */ value) => value,
	partList: (/** @type {string} */ value) => `\`[\${(${value}).join()}]\``,
	enginePart: (/** @type {string} */ value) => `JSON.stringify(${value})`,
});

/**
 * `asJson({ a: x, b: part(y), ...z })` becomes `asJson("a b: *", x, y, z)`: XS makes no object, and no name of its own for each member.
 * @param {string} code JavaScript module @returns {string} @throws {Error} something else than a plain literal in it
 */
export function withJsonMembers(code) {
	const file = parse(code);
	/** @param {ts.Node} node @returns {never} */
	const refuse = (node) => {
		throw new Error(`${node.getText(file).slice(0, 80)}: no member of a literal in ${MAKER}`);
	};
	/** @returns {node is CallOfName} @param {ts.Node} node @param {string} name */
	const isCallOf = (node, name) => ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name;

	/** @returns {[name: string, value: string]} @param {ts.ObjectLiteralElementLike} property */
	const member = (property) => {
		if (ts.isSpreadAssignment(property)) return ["*", rewritten(property.expression)];
		const name = property.name;
		if (name === undefined || !ts.isIdentifier(name) || !NAME.test(name.text)) return refuse(property);
		if (ts.isShorthandPropertyAssignment(property)) return [name.text, name.text];
		if (!ts.isPropertyAssignment(property)) return refuse(property);
		const value = property.initializer;
		for (const [mark, instead] of Object.entries(MARKS))
			if (isCallOf(value, mark)) return [`${name.text}:`, instead(rewritten(value.arguments[0]))];
		return [name.text, rewritten(value)];
	};

	/** @param {CallOfName} node */
	const call = (node) => {
		const [literal] = node.arguments;
		if (!ts.isObjectLiteralExpression(literal)) return refuse(literal);
		const members = literal.properties.map(member);
		const names = JSON.stringify(members.map(([name]) => name).join(" "));
		return `${node.expression.text}(${[names, ...members.map(([, value]) => value)].join(", ")})`;
	};

	/** The text of a node, with the literals in it rewritten. @param {ts.Node} node @returns {string} */
	const rewritten = (node) => {
		let text = "";
		let from = node.getStart(file);
		/** @param {ts.Node} child @returns {void} */
		const visit = (child) => {
			if (!isCallOf(child, MAKER)) return ts.forEachChild(child, visit);
			text += code.slice(from, child.getStart(file)) + call(child);
			from = child.end;
		};
		visit(node);
		return text + code.slice(from, node.end);
	};
	return rewritten(file);
}
