/**
 * Idioms that readers have to translate stay out of documents, comments and the page's texts; quotations are
 * left out.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const IDIOMS: readonly (readonly [idiom: RegExp, instead: string])[] = [
	[/\bin force\b/i, "active, in effect"],
	[/\bin Kraft\b/, "aktiv"],
	[/\b(gives?|gave) way\b/i, "yields, closes, evicts"],
	[/\b(giv(es?|en|ing)|gave) up\b/i, "drops, aborts, closes"],
	[/\bdear(er|est)\b/i, "slower, slowest"],
	[/\bChosen: /, "the reason alone"],
	[/\b(Half|Twice|[Ww]ith (half|twice)) (would|is|makes|the)\b/, "nothing, or why safety depends on the number"],
	[/\bfor so long\b(?! that)/i, "for this long, for N ms"],
	[/\b(comes?|came|coming) back\b/i, "returns, is restored"],
	[/\brefus(es?|ed|ing)\b/i, "rejects"],
	[/^[^a-z]*So (long|often) /, "how long, how often"],
];
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\t ;{}),])\/\/(?!\/).*$/gm;
/** What stands in the first argument of a test in TypeScript, and in the second of one in C. */
const TITLE = /^\s*(?:it|describe|(?:TEST|BEHAVIOUR)\(\w+, )\(?["`](.*)["`]/gm;
/** Code in backticks, and quoted texts. */
const QUOTED = /`[^`\n]*`|"[^"\n]*"/g;

const listed = (...paths: string[]): string[] =>
	execFileSync("git", ["ls-files", ...paths], { encoding: "utf8" })
		.trim()
		.split("\n");

/** Idioms in parts of a file, with what to write instead. */
const idiomsIn = (path: string, parts: readonly string[]): string[] =>
	parts.flatMap((part) =>
		IDIOMS.flatMap(([idiom, instead]) => {
			const line = part.split("\n").find((text) => idiom.test(text));
			return line === undefined ? [] : [`${path}: "${line.trim()}": write ${instead}`];
		}),
	);

describe("the words of this project", () => {
	it("are those of its field, in comments", () => {
		const files = listed("src", "hal", "modules", "tools").filter((path) => /\.(c|h|mjs|tsx?)$/.test(path));
		assert.ok(files.length > 300);
		const found = files.flatMap((path) =>
			idiomsIn(
				path,
				(readFileSync(path, "utf8").match(COMMENT) ?? []).map((comment) => comment.replace(QUOTED, "")),
			),
		);
		assert.deepEqual(found, []);
	});

	it("are those of its field, in the titles and comments of tests", () => {
		const files = listed("test").filter((path) => /\.(c|h|mjs|tsx?)$/.test(path));
		assert.ok(files.length > 200);
		const found = files.flatMap((path) => {
			const text = readFileSync(path, "utf8");
			const titles = [...text.matchAll(TITLE)].map(([, title = ""]) => title);
			const comments = (text.match(COMMENT) ?? []).map((comment) => comment.replace(QUOTED, ""));
			return idiomsIn(path, [...titles, ...comments]);
		});
		assert.deepEqual(found, []);
	});

	it("are those of its field, in documents and the page's texts", () => {
		const documents = listed("*.md").flatMap((path) => idiomsIn(path, [readFileSync(path, "utf8").replace(QUOTED, "")]));
		const texts = listed("src/page/texts").flatMap((path) =>
			// a text stands behind its name, and before that, in German, what the controller said
			idiomsIn(
				path,
				[...readFileSync(path, "utf8").matchAll(/: (?:\(.*?\) => )?["`](.*)["`],?$/gm)].map(([, text = ""]) => text),
			),
		);
		assert.deepEqual([...documents, ...texts], []);
	});
});
