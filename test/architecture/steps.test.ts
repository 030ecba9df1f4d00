/**
 * What writes to flash is a generator: a call whose steps nobody takes would write nothing, without a word.
 */
import assert from "node:assert/strict";
import ts from "typescript";
import { nodesOf, sourcesIn, syntaxOf } from "../support/syntax.js";

/** The name by which steps are made: of a generator, or of a member that is one. "" = it makes none. */
function makerOfSteps(node: ts.Node): string {
	if (ts.isPropertyDeclaration(node) || ts.isPropertySignature(node))
		return node.type !== undefined && ts.isFunctionTypeNode(node.type) && makesSteps(node.type) ? node.name.getText() : "";
	return (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) &&
		(node.asteriskToken !== undefined || makesSteps(node))
		? (node.name?.getText() ?? "")
		: "";
}

const makesSteps = ({ type }: ts.SignatureDeclaration): boolean => /^(Steps\b|Generator<)/.test(type?.getText() ?? "");

/** A call that is a statement of its own leaves the steps that it makes lying. */
function calledAlone(node: ts.Node): string {
	if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return "";
	const { expression: called } = node.expression;
	return (ts.isPropertyAccessExpression(called) ? called.name : called).getText();
}

describe("steps of writing to flash", () => {
	it("are taken wherever they are made", () => {
		const files = sourcesIn("src")
			.filter((path) => !path.startsWith("src/page/"))
			.map((path) => [...nodesOf(syntaxOf(path))]);
		const isSeenElsewhere = (node: ts.Node) => !ts.isFunctionDeclaration(node) || /^export /.test(node.getText());
		const makers = files.map((nodes) => nodes.filter((node) => makerOfSteps(node) !== ""));
		const everywhere = new Set(makers.flat().filter(isSeenElsewhere).map(makerOfSteps));
		assert.ok(everywhere.size >= 25, `${everywhere.size}`);
		const forgotten = files.flatMap((nodes, i) => {
			const names = new Set([...everywhere, ...makers[i].map(makerOfSteps)]);
			return nodes.filter((node) => names.has(calledAlone(node))).map((node) => node.getText());
		});
		assert.deepEqual(forgotten, []);
	});
});
