/** Puts numbers and short texts where they are used. */
import ts from "typescript";
import { parse } from "./syntax.mjs";

/** A longer text costs more where it is used than a variable. */
const SHORT_TEXT = 32;

/** @type {Readonly<Record<number, (a: number, b: number) => number>>} */
const OPERATIONS = Object.freeze({
	[ts.SyntaxKind.PlusToken]: (a, b) => a + b,
	[ts.SyntaxKind.MinusToken]: (a, b) => a - b,
	[ts.SyntaxKind.AsteriskToken]: (a, b) => a * b,
	[ts.SyntaxKind.SlashToken]: (a, b) => a / b,
	[ts.SyntaxKind.AsteriskAsteriskToken]: (a, b) => a ** b,
	[ts.SyntaxKind.LessThanLessThanToken]: (a, b) => a << b,
	[ts.SyntaxKind.BarToken]: (a, b) => a | b,
});

/** @param {ts.Expression | undefined} node @param {ReadonlyMap<string, number | string>} known @returns {number | string | undefined} */
function constantOf(node, known) {
	if (node === undefined) return undefined;
	if (ts.isNumericLiteral(node)) return Number(node.text);
	if (ts.isStringLiteral(node)) return node.text;
	if (ts.isIdentifier(node)) return known.get(node.text);
	if (ts.isParenthesizedExpression(node)) return constantOf(node.expression, known);
	if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
		const value = constantOf(node.operand, known);
		return typeof value === "number" ? -value : undefined;
	}
	if (!ts.isBinaryExpression(node)) return undefined;
	const [a, b] = [constantOf(node.left, known), constantOf(node.right, known)];
	const operation = OPERATIONS[node.operatorToken.kind];
	return typeof a === "number" && typeof b === "number" ? operation?.(a, b) : undefined;
}

/** @param {number | string} value */
function isWorthIt(value) {
	return typeof value === "number" ? Number.isFinite(value) && !Object.is(value, -0) : value.length <= SHORT_TEXT;
}

/** Whether an identifier is no more than the name of a member. @param {ts.Node} node */
function isMemberName(node) {
	const { parent } = node;
	if (ts.isBindingElement(parent)) return parent.propertyName === node;
	const isNamed = ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isClassElement(parent);
	return isNamed && parent.name === node;
}

/** @param {ts.ExportDeclaration} declaration @returns {string[]} variables that others see */
function namesIn({ exportClause }) {
	if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
	return exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

/**
 * Each variable takes 16 bytes of flash, each function that reads one 16 more. terser leaves a number that is used often where it is: it
 * counts characters. No name of the module has another meaning in a function: esbuild has seen to that.
 * @param {string} code JavaScript module, its constants as `const` @returns {string}
 */
export function withValues(code) {
	const file = parse(code);
	const exported = new Set(file.statements.filter(ts.isExportDeclaration).flatMap(namesIn));
	/** @type {Map<string, number | string>} */
	const known = new Map();
	const changes = [];
	/** @param {ts.Node} node */
	const visit = (node) => {
		const name = ts.isIdentifier(node) && !isMemberName(node) ? node.text : "";
		const value = known.get(name);
		if (value === undefined) ts.forEachChild(node, visit);
		else {
			const text = typeof value === "string" ? JSON.stringify(value) : `(${value})`;
			changes.push({ node, text: ts.isShorthandPropertyAssignment(node.parent) ? `${name}: ${text}` : text });
		}
	};
	const others = [];
	for (const statement of file.statements) {
		const declaration = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : undefined;
		const isConstant = declaration !== undefined && (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
		const name = declaration?.name.getText(file) ?? "";
		const value = isConstant && !exported.has(name) ? constantOf(declaration.initializer, known) : undefined;
		if (value === undefined || !isWorthIt(value)) others.push(statement);
		else {
			known.set(name, value);
			changes.push({ node: statement, text: "" });
		}
	}
	for (const statement of others) visit(statement);
	let text = "";
	let from = 0;
	for (const { node, text: instead } of changes.sort((a, b) => a.node.pos - b.node.pos)) {
		text += code.slice(from, node.getStart(file)) + instead;
		from = node.end;
	}
	return text + code.slice(from);
}
