/**
 * What documents say is so: files and commands that they name are there, figures are those of the code, words
 * are those of the field. No line is longer than a page is wide, but for tables and code.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { STATUS_FRAME } from "../../src/can/layouts/status.js";
import { BOOT_SETTLE_MS } from "../../src/controller/arbiter.js";
import { COOL_DOWN_MS, INTERVENTION_HOLD_MS } from "../../src/controller/lock-command.js";
import { GENERATIONS } from "../../src/coupling/couplings/couplings.js";
import { MAP_COLUMNS, MAP_ROWS } from "../../src/lock/tuning.js";
import { STATES_MAX } from "../../src/maps/tuning-history.js";
import { HOLD_MS, PRESS_MS } from "../../src/network/boot-key.js";
import { CRASHES_MAX, LIVED_MS } from "../../src/runtime/start-guard.js";
import { FAVOURITES_MAX, FAVOURITES_MIN } from "../../src/settings/mode-names.js";
import { BOARDS } from "../../tools/device/boards.mjs";

const COLUMNS_MAX = 110;
/** Code within a line that can't be broken well, such as a JSON text. */
const LONG_CODE = /`[^`]{60,}`/g;

/** Named beside the project that they are in. */
const OF_OTHERS = ["src/gvret_comm.cpp", "src/commbuffer.cpp", "hal/twai_ll.h"];
const COMMAND = /npm run ([a-z:-]+)/g;
/** Of a comment: a file's name, with folders or without. */
const SOURCE_NAME = /(?<![\w.*<{/$-])((?:[\w.-]+\/)*[\w-][\w.-]*\.(?:tsx?|mjs|[ch]))\b(?![\w(]|\.\w)/g;
/** Files of the SDKs, generated ones, and examples. */
const OUTSIDE =
	/(^|\/)(esp_|xs[A-Z.m]|mc\.xs|nvs_|(candump|log2asc|udp|lib|utils|cache_utils)\.c|(file|genN)\.ts)|^(driver|freertos|soc|lwip|hal\/(rmt_ll|twai_))|(^|\/)generated\/|^(assets|frame-plans|openapi-asset)\.ts|^catalogue_data\.c/;
const FILE = /`((?:dbc|docs|hal|modules|src|test|tools)\/[\w./-]+)`/g;

const documents = execFileSync("git", ["ls-files", "*.md"], { encoding: "utf8" }).trim().split("\n");

/** What a pattern finds in the documents. @returns pairs of document and name */
const namedIn = (pattern: RegExp): [document: string, name: string][] =>
	documents.flatMap((path) =>
		[...readFileSync(path, "utf8").matchAll(pattern)].map(([, name = ""]): [string, string] => [path, name]),
	);

describe("documents", () => {
	it("name commands that there are", () => {
		const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
		const named = namedIn(COMMAND);
		assert.deepEqual(
			named.filter(([, name]) => !(name in scripts)),
			[],
		);
		assert.ok(named.length > 20, `${named.length} commands`);
	});

	it("name files that are there", () => {
		const named = namedIn(FILE).filter(([, name]) => !OF_OTHERS.includes(name));
		assert.deepEqual(
			named.filter(([document, name]) => !existsSync(name) && !existsSync(`${dirname(document)}/${name}`)),
			[],
		);
		assert.ok(named.length > 200, `${named.length} files`);
	});

	it(`have lines of at most ${COLUMNS_MAX} columns`, () => {
		const long: string[] = [];
		let lines = 0;
		for (const path of documents) {
			let isCode = false;
			readFileSync(path, "utf8")
				.split("\n")
				.forEach((line, index) => {
					lines++;
					if (line.startsWith("```")) isCode = !isCode;
					else if (!isCode && !line.startsWith("|") && line.replace(LONG_CODE, "`…`").length > COLUMNS_MAX)
						long.push(`${path}:${index + 1}`);
				});
		}
		assert.deepEqual(long, []);
		assert.ok(lines > 2000, `${lines} lines were read`);
	});
});

const README = readFileSync("README.md", "utf8").replaceAll(/\s+/g, " ");
/** Others are variants of these. */
const PLAIN = GENERATIONS.filter((generation) => generation < 10);
const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };

const FIGURES: readonly (readonly [says: RegExp, ...values: (number | string)[]])[] = [
	[/Node\.js ([\d.]+) or later/, engines.node.replace(">=", "")],
	[/coupling \(Haldex generations ([\d, and]+)\)/, `${PLAIN.slice(0, -1).join(", ")} and ${PLAIN.at(-1)}`],
	[/your (\d+) x (\d+) throttle\/speed map/, MAP_ROWS, MAP_COLUMNS],
	[/once its inputs have been valid for (\d+) s/, BOOT_SETTLE_MS / 1000],
	[/while ABS or ESP intervene and for (\d+) s after/, INTERVENTION_HOLD_MS / 1000],
	[/when it reports heat or faults, until (\d+) s after/, COOL_DOWN_MS / 1000],
	[/goes back by up to (\w+) states/, WORDS[STATES_MAX]],
	[/the lock and (\w+) to (\w+) favourite modes, large/, WORDS[FAVOURITES_MIN], WORDS[FAVOURITES_MAX]],
	[
		/frame (0x\w+) tells the status on the chassis bus every (\d+) ms/,
		`0x${STATUS_FRAME.id.toString(16).toUpperCase()}`,
		STATUS_FRAME.periodMs,
	],
	[/Hold BOOT for (\d+) s while the car stands/, HOLD_MS / 1000],
	[/only after you have pressed BOOT for (\d+) s/, PRESS_MS / 1000],
	[/After (\w+) crashes in a row, the last two within (\d+) s of their start/, WORDS[CRASHES_MAX], LIVED_MS / 1000],
];

describe("README.md", () => {
	it("has the figures that the code has", () => {
		for (const [says, ...values] of FIGURES) assert.deepEqual(says.exec(README)?.slice(1), values.map(String), String(says));
	});

	it("names every board that can be bought, and no other", () => {
		const rows = [...README.matchAll(/\| ESP32-\w+, [^|]+ \| `(\w+)` \|/g)].map(([, name]) => name);
		assert.deepEqual(rows.sort(), BOARDS.filter((name) => name !== "emulator").sort());
	});
});

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
const isSource = (path: string): boolean => /\.(c|h|mjs|tsx?)$/.test(path);
const commentsIn = (text: string): string[] => text.match(COMMENT) ?? [];
const unquoted = (texts: readonly string[]): string[] => texts.map((text) => text.replace(QUOTED, ""));

/** Idioms in parts of each file, with what to write instead. */
const idiomsIn = (paths: readonly string[], partsOf: (text: string) => readonly string[]): string[] => {
	assert.ok(paths.length > 5, `${paths.length} files`);
	return paths.flatMap((path) =>
		partsOf(readFileSync(path, "utf8")).flatMap((part) =>
			IDIOMS.flatMap(([idiom, instead]) => {
				const line = part.split("\n").find((text) => idiom.test(text));
				return line === undefined ? [] : [`${path}: "${line.trim()}": write ${instead}`];
			}),
		),
	);
};

describe("the words of this project", () => {
	it("are those of its field, in comments, titles of tests, documents and the page's texts", () => {
		const titles = (text: string): string[] => [...text.matchAll(TITLE)].map(([, title = ""]) => title);
		// a text stands behind its name, and before that, in German, what the controller said
		const shown = (text: string): string[] =>
			[...text.matchAll(/: (?:\(.*?\) => )?["`](.*)["`],?$/gm)].map(([, words = ""]) => words);
		const found = [
			...idiomsIn(listed("src", "hal", "modules", "tools", "test").filter(isSource), (text) => unquoted(commentsIn(text))),
			...idiomsIn(listed("test").filter(isSource), titles),
			...idiomsIn(listed("*.md"), (text) => unquoted([text])),
			...idiomsIn(listed("src/page/texts"), shown),
		];
		assert.deepEqual(found, []);
	});

	it("name no source file that is gone, in comments", () => {
		const files = listed("src", "hal", "modules", "tools", "test").filter(isSource);
		const known = new Set(files.flatMap(endingsOf));
		const named = files.flatMap((path) =>
			[...commentsIn(readFileSync(path, "utf8")).join("\n").matchAll(SOURCE_NAME)].map(([, name = ""]) => ({ path, name })),
		);
		assert.ok(named.length > 300, `${named.length} names`);
		const gone = named.filter(
			({ path, name }) => !known.has(normalize(name)) && !OUTSIDE.test(name) && !existsSync(join(dirname(path), name)),
		);
		assert.deepEqual(
			gone.map(({ path, name }) => `${path}: ${name}`),
			[],
		);
	});
});

/** A path, and each way to write it with fewer of its folders. */
function endingsOf(path: string): string[] {
	const parts = path.split("/");
	return parts.map((_, from) => parts.slice(from).join("/"));
}
