/** Reading JavaScript, for the transformations beside this file. */
import ts from "typescript";

/** @param {string} code JavaScript module */
export const parse = (code) => ts.createSourceFile("core.js", code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);

/** @param {ts.SyntaxKind} kind */
const isAssignment = (kind) => kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

/** @param {ts.Node} node @returns {node is ts.PostfixUnaryExpression | ts.PrefixUnaryExpression} */
const isStep = (node) =>
	ts.isPostfixUnaryExpression(node) ||
	(ts.isPrefixUnaryExpression(node) &&
		(node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken));

/** Names that anything is assigned to after their declaration, wherever they mean something else too. @param {ts.SourceFile} file */
export function assignedNames(file) {
	const names = new Set();
	/** @param {ts.Node} node */
	const targets = (node) => {
		if (ts.isIdentifier(node)) names.add(node.text);
		// a pattern may have any of its names assigned; what is before a dot or bracket is not
		else if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) ts.forEachChild(node, targets);
	};
	/** @param {ts.Node} node */
	const visit = (node) => {
		if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) targets(node.left);
		else if (isStep(node)) targets(node.operand);
		else if (ts.isForOfStatement(node) || ts.isForInStatement(node)) targets(node.initializer);
		ts.forEachChild(node, visit);
	};
	visit(file);
	return names;
}
