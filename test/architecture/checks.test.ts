/** Types, lint and rules of the code that no tool knows. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { MQB_SIGNALS } from "../../src/can/layouts/mqb.js";
import { PQ_SIGNALS } from "../../src/can/layouts/pq.js";
import { COUPLINGS } from "../../src/coupling/couplings/couplings.js";
import { VERSION } from "../../src/version.js";
import { CHECKS, complaints } from "../../tools/check.mjs";
import { nodesOf, sourcesIn, syntaxOf } from "../support/syntax.js";

describe("the tree", () => {
	for (const name of CHECKS.keys())
		it(`passes "npm run check": ${name}`, async function () {
			this.timeout(900_000); // a machine that has other things to do
			assert.equal(await complaints(name), "");
		});

	it("has checks that reject a platform's name, a clock and chance in src", () => {
		const folder = "build/test/fence";
		mkdirSync(`${folder}/src`, { recursive: true });
		writeFileSync(
			`${folder}/src/forbidden.ts`,
			'import Timer from "timer";\ntrace("x");\nprocess.exit(0);\nTimer.clear(undefined);\nDate.now();\nMath.random();\n',
		);
		const config = { extends: "../../../src/tsconfig.json", include: ["./src/forbidden.ts"] };
		writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config));
		const types = spawnSync("node_modules/typescript-7/bin/tsc", ["--noEmit", "-p", folder], { encoding: "utf8" });
		// lint takes the paths of its rules from where its configuration lies, and passes over what git
		// ignores, as it does this folder
		copyFileSync("biome.json", `${folder}/biome.json`);
		const options = ["lint", "--vcs-enabled=false", "--reporter=github", "src"];
		const lint = spawnSync(resolve("node_modules/.bin/biome"), options, { cwd: folder, encoding: "utf8" });
		rmSync(folder, { recursive: true });
		for (const name of ["timer", "trace", "process"]) assert.match(types.stdout, new RegExp(`'${name}'`));
		assert.match(lint.stdout, /noRestrictedGlobals,file=.*forbidden\.ts,line=5,.*Date/);
		assert.match(lint.stdout, /noJsRestrictedProperties,file=.*forbidden\.ts,line=6,.*random/);
	});

	it("says the same version in firmware and package", () => {
		assert.equal(VERSION, `v${JSON.parse(readFileSync("package.json", "utf8")).version}`);
	});
});

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
	it("are never made and left unused", () => {
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

/** What C says, without its comments. */
const withoutComments = (path: string): string => readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");

const FLAGS = COUPLINGS.flatMap(({ status }) => ("flags" in status ? status.flags.names.map(([, name]) => name) : []));
const FACTS = new Set([
	...[...Object.values(PQ_SIGNALS), ...Object.values(MQB_SIGNALS)].map(({ id }) => `0x${id.toString(16).padStart(3, "0")}`),
	...FLAGS.map((name) => `"${name.toLowerCase()}"`),
]);

/** Facts of cars in C: a generation that is compared with a number but 0, a frame's identifier, a flag's name. */
function factsOfCars(code: string): string[] {
	const generations =
		/\w*generation\)*\s*(==|!=|[<>]=?)\s*[1-9]\w*|\b[1-9]\w*\s*(==|!=|[<>]=?)\s*[\w.>-]*generation\b|switch \(.*generation\W.*/gi;
	const texts = (code.match(/\b0x[\da-f]{3}\b|"[^"\n]*"/gi) ?? []).filter((text) => FACTS.has(text.toLowerCase()));
	return [...(code.match(generations) ?? []), ...texts];
}

describe("the code around couplings", () => {
	it("compares no generation with a number", () => {
		const files = sourcesIn("src").filter((path) => !path.includes("generated/") && !path.startsWith("src/coupling/couplings/"));
		assert.ok(files.length > 100);
		const asking = files.flatMap((path) => [...nodesOf(syntaxOf(path))].filter(asks).map((node) => `${path}: ${node.getText()}`));
		assert.deepEqual(asking, []);
	});

	it("has no fact of a car in C that is not generated", () => {
		for (const code of [
			"report.generation == 5",
			"5 != view->generation",
			"switch (generation)",
			"id = 0x2C0;",
			'{8, "Coupling open"}',
		])
			assert.equal(factsOfCars(code).length, 1, code);
		const files = ["modules", "hal"]
			.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`))
			.filter((path) => /\.[ch]$/.test(path) && !path.includes("generated/"));
		assert.ok(files.length > 50, `${files.length}`);
		const found = files.flatMap((path) => factsOfCars(withoutComments(path)).map((fact) => `${path}: ${fact}`));
		assert.deepEqual(found, []);
	});
});
