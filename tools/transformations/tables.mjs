/** Makes constants of the members of tables. */
import ts from "typescript";
import { parse } from "./syntax.mjs";

/** A number or a text. @param {ts.Expression} value */
function isPlain(value) {
	const number = ts.isPrefixUnaryExpression(value) ? value.operand : value;
	return ts.isNumericLiteral(number) || ts.isStringLiteral(value);
}

/**
 * The members of `Object.freeze({ A: 0, B: "b" })`, as they stand there; undefined if it is something else.
 * @param {ts.Expression | undefined} initializer
 * @param {ts.SourceFile} file
 */
function membersOf(initializer, file) {
	if (initializer === undefined || !ts.isCallExpression(initializer)) return undefined;
	const [table] = initializer.arguments;
	if (initializer.expression.getText(file) !== "Object.freeze" || table === undefined || !ts.isObjectLiteralExpression(table))
		return undefined;
	const members = new Map();
	for (const member of table.properties) {
		if (!ts.isPropertyAssignment(member) || !ts.isIdentifier(member.name) || !isPlain(member.initializer)) return undefined;
		members.set(member.name.text, member.initializer.getText(file));
	}
	return members;
}

/** Whether an identifier is no more than the name of a member. @param {ts.Node} node */
function isMemberName(node) {
	const { parent } = node;
	const isNamed = ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isClassElement(parent);
	return isNamed && parent.name === node;
}

/**
 * A table such as the phases of a connection is an object: each of its names takes 40 bytes of flash, each function that reads one 16 more.
 * Where nobody needs it as a whole its members become constants, which are put where they are used.
 * @param {string} code JavaScript module @returns {string}
 */
export function withoutTables(code) {
	const file = parse(code);
	/** @type {Map<string, { members: Map<string, string>, statement: ts.Statement, places: ts.PropertyAccessExpression[] }>} */
	const tables = new Map();
	for (const statement of file.statements) {
		if (!ts.isVariableStatement(statement) || statement.declarationList.declarations.length !== 1) continue;
		const [{ name, initializer }] = statement.declarationList.declarations;
		const members = membersOf(initializer, file);
		if (members !== undefined) tables.set(name.getText(file), { members, statement, places: [] });
	}
	/** @param {ts.Node} node */
	const visit = (node) => {
		const name = ts.isIdentifier(node) && !isMemberName(node) ? node.text : "";
		const table = tables.get(name);
		if (table !== undefined && node.parent.parent.parent !== table.statement) {
			const access = node.parent;
			if (ts.isPropertyAccessExpression(access) && table.members.has(access.name.text)) table.places.push(access);
			// needed as a whole, or something else has that name
			else tables.delete(name);
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	const changes = [];
	for (const [name, { members, statement, places }] of tables) {
		const constants = [...members].map(([member, value]) => `const ${name}_${member} = ${value};`);
		changes.push({ node: statement, text: constants.join("\n") });
		for (const node of places) changes.push({ node, text: `${name}_${node.name.text}` });
	}
	let text = "";
	let from = 0;
	for (const { node, text: instead } of changes.sort((a, b) => a.node.pos - b.node.pos)) {
		text += code.slice(from, node.getStart(file)) + instead;
		from = node.end;
	}
	return text + code.slice(from);
}
