/**
 * What differs with the coupling is in its tables: no other code of the firmware asks for a certain
 * generation.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { COUPLINGS } from "../../src/coupling/couplings/couplings.js";
import { nodesOf, syntaxOf } from "../support/syntax.js";

const GENERATIONS = COUPLINGS.map(({ generation }) => String(generation));
const COMPARISONS: readonly ts.SyntaxKind[] = [
	...[ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken],
	...[ts.SyntaxKind.LessThanToken, ts.SyntaxKind.LessThanEqualsToken],
	...[ts.SyntaxKind.GreaterThanToken, ts.SyntaxKind.GreaterThanEqualsToken],
];

const isGeneration = (node: ts.Expression): boolean =>
	(ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) && /generation$/i.test(node.getText());
const isNumber = (node: ts.Expression): boolean => ts.isNumericLiteral(node) && GENERATIONS.includes(node.text);

/** Whether a generation is compared with one of those that there are, by an operator or in a `switch`. */
function asks(node: ts.Node): boolean {
	if (ts.isBinaryExpression(node) && COMPARISONS.includes(node.operatorToken.kind))
		return (isGeneration(node.left) && isNumber(node.right)) || (isNumber(node.left) && isGeneration(node.right));
	return ts.isSwitchStatement(node) && isGeneration(node.expression);
}

/** The lines of a source that ask for a certain generation. */
function asking(path: string, text: string): string[] {
	return [...nodesOf(syntaxOf(path, text))].filter(asks).map((node) => `${path}: ${node.getText().split("\n")[0]}`);
}

describe("the code around couplings", () => {
	it("asks nowhere which generation there is", () => {
		const files = readdirSync("src", { recursive: true, encoding: "utf8" })
			.filter((path) => /\.tsx?$/.test(path) && !path.includes("generated/") && !path.startsWith("coupling/couplings/"))
			.map((path) => `src/${path}`);
		assert.ok(files.length > 100);
		assert.deepEqual(
			files.flatMap((path) => asking(path, readFileSync(path, "utf8"))),
			[],
		);
	});

	it("is found out where it asks", () => {
		for (const question of ["generation === 5", "2 !== settings.generation", "this.#generation < 4", "switch (a.generation) {}"])
			assert.equal(asking("a.ts", question).length, 1, question);
		for (const none of ["generation === 0", "generation === other.generation", "step === 5"])
			assert.deepEqual(asking("a.ts", none), []);
	});
});
