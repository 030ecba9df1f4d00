/**
 * The safety case names files and tests that exist, and leaves no decision and no row of the control document
 * out.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { nodesOf, syntaxOf } from "../support/syntax.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const textOf = (path: string): string => readFileSync(ROOT + path, "utf8");
const CASE = textOf("SAFETY.md");
/** Decisions that avert no hazard. */
const WITHOUT_HAZARD = [
	31, // the log: it is read afterwards and changes nothing
	36, // what boards leave out: none of it takes part in control
	37, // terminals: exchanged wires pass frames and give no inputs
	40, // events: the page shows what the status says, which is H16
	45, // developer tools: not in the firmware
];

/** Text between two headings of a document. */
function section(text: string, heading: string): string {
	const from = text.indexOf(`\n${heading}\n`);
	assert.ok(from >= 0, heading);
	const level = heading.split(" ")[0] as string;
	const end = text.indexOf(`\n${level} `, from + heading.length);
	return text.slice(from, end < 0 ? undefined : end);
}

/** First cells of a table's rows, without head and rule. */
const conditions = (text: string): string[] =>
	[...text.matchAll(/^\| ([^|]+) \|/gm)].map((match) => (match[1] as string).trim()).filter((cell) => cell !== "condition");

/** Titles of a file's tests; what a template fills in is left out of them. */
function titlesOf(source: ts.SourceFile): string[] {
	return [...nodesOf(source)].flatMap((node) => {
		if (!ts.isCallExpression(node) || node.expression.getText() !== "it") return [];
		const [title] = node.arguments;
		if (title === undefined) return [];
		if (ts.isStringLiteralLike(title)) return [title.text];
		return ts.isTemplateExpression(title)
			? [title.head.text + title.templateSpans.map(({ literal }) => literal.text).join("")]
			: [];
	});
}

describe("SAFETY.md", () => {
	it("names files that exist", () => {
		const named = [...CASE.matchAll(/`([\w-]+\/[\w./-]+\.\w+|README\.md)`/g)].map((match) => match[1] as string);
		assert.ok(named.length > 50, `${named.length}`);
		assert.deepEqual(
			named.filter((path) => !existsSync(ROOT + path)),
			[],
		);
	});

	it("names tests that exist", () => {
		const named = [...CASE.matchAll(/`(test\/[\w./-]+)`: "([^"]+)"/g)];
		assert.ok(named.length >= 30, `${named.length}`);
		for (const [, path, title] of named) {
			assert.ok(
				titlesOf(syntaxOf(ROOT + path)).some((candidate) => candidate.includes(title as string)),
				`${path} has no test "${title}"`,
			);
		}
	});

	it("has a test for every hazard", () => {
		const hazards = section(CASE, "## Hazards")
			.split(/^- \*\*(?=H\d)/m)
			.slice(1);
		hazards.forEach((hazard, i) => {
			assert.ok(hazard.startsWith(`H${i + 1} `), `H${i + 1} comes next: ${hazard.slice(0, 20)}`);
			assert.match(hazard, /`test\/[\w./-]+`: "/, `H${i + 1} has a test`);
			assert.match(hazard, /`(src|modules|hal)\/[\w./-]+`/, `H${i + 1} has a file`);
		});
		for (const [, reference] of CASE.matchAll(/\bH(\d+)\b/g)) assert.ok(Number(reference) <= hazards.length, `H${reference}`);
	});

	it("cites every decision at a hazard, except those that avert none", () => {
		const cited = [...section(CASE, "## Hazards").matchAll(/\(((?:\d+(?:,\s+)?)+)\)/g)].flatMap((match) =>
			(match[1] as string).split(/,\s+/).map(Number),
		);
		const decided = [...textOf("docs/decisions.md").matchAll(/^### (\d+) /gm)].map((match) => Number(match[1]));
		assert.ok(decided.length >= 51, `${decided.length}`);
		assert.deepEqual(
			[...new Set([...cited, ...WITHOUT_HAZARD])].sort((a, b) => a - b),
			decided,
		);
		assert.deepEqual(
			WITHOUT_HAZARD.filter((number) => cited.includes(number)),
			[],
		);
	});

	it("repeats every row of section 8.1 of the control document, 'When to let go'", () => {
		const document = textOf("docs/control-and-can.md");
		const wanted = conditions(section(document, "### 8.1 When to let go"));
		assert.ok(wanted.length >= 10);
		assert.deepEqual(conditions(section(CASE, "## When to let go")), wanted);
	});
});
