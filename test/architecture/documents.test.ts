/**
 * What documents and comments say is so: files, commands and constants that they name are there, and figures
 * are those of the code.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { STATUS_FRAME } from "../../src/can/layouts/status.js";
import { BOOT_SETTLE_MS } from "../../src/controller/input-health.js";
import { COOL_DOWN_MS, INTERVENTION_HOLD_MS } from "../../src/controller/lock-command.js";
import { GENERATIONS } from "../../src/coupling/couplings/couplings.js";
import { MAP_COLUMNS, MAP_ROWS } from "../../src/lock/tuning.js";
import { STATES_MAX } from "../../src/maps/tuning-history.js";
import { HOLD_MS, PRESS_MS } from "../../src/network/boot-key.js";
import { CRASHES_MAX, LIVED_MS } from "../../src/runtime/start-guard.js";
import { FAVOURITES_MAX, FAVOURITES_MIN } from "../../src/settings/mode-names.js";
import { BOARDS } from "../../tools/device/boards.mjs";

/** Named beside the project that they are in. */
const OF_OTHERS = ["src/gvret_comm.cpp", "src/commbuffer.cpp", "hal/twai_ll.h"];
/** Constants of ESP-IDF, littlefs and lwIP, and of a coupling that docs/add-a-coupling.md adds. */
const CONSTANTS_OF_OTHERS = [
	"ESP_COREDUMP_ENABLE_TO_FLASH",
	"GENERATION_N",
	"LFS_NAME_MAX",
	"PLANS_N",
	"SPIRAM_XIP_FROM_PSRAM",
	"TCP_SND_BUF",
];
const COMMAND = /npm run ([a-z:-]+)/g;
/** Of a comment: a file's name, with folders or without. */
const SOURCE_NAME = /(?<![\w.*<{/$-])((?:[\w.-]+\/)*[\w-][\w.-]*\.(?:tsx?|mjs|[ch]))\b(?![\w(]|\.\w)/g;
/** Files of the SDKs, generated ones, and examples. */
const OUTSIDE =
	/(^|\/)(esp_|xs[A-Z.m]|mc\.xs|nvs_|(candump|log2asc|udp|lib|utils|cache_utils)\.c|(file|genN)\.ts)|^(driver|freertos|soc|lwip|hal\/(rmt_ll|twai_))|(^|\/)generated\/|^(assets|frame-plans|openapi-asset)\.ts|^catalogue_data\.c/;
const FILE = /`((?:dbc|docs|hal|modules|src|test|tools)\/[\w./-]+)`/g;
const CONSTANT = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\t ;{}),])\/\/(?!\/).*$/gm;

const listed = (...paths: string[]): string[] =>
	execFileSync("git", ["ls-files", ...paths], { encoding: "utf8" })
		.trim()
		.split("\n");
const documents = listed("*.md");
const sources = listed("src", "hal", "modules", "tools", "test").filter((path) => /\.(c|h|mjs|tsx?)$/.test(path));
const commentsIn = (path: string): string => (readFileSync(path, "utf8").match(COMMENT) ?? []).join("\n");

/** What a pattern finds in the documents. @returns pairs of document and name */
const namedIn = (pattern: RegExp): [document: string, name: string][] =>
	documents.flatMap((path) =>
		[...readFileSync(path, "utf8").matchAll(pattern)].map(([, name = ""]): [string, string] => [path, name]),
	);

describe("documents", () => {
	it("name commands of package.json", () => {
		const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
		const named = namedIn(COMMAND);
		assert.deepEqual(
			named.filter(([, name]) => !(name in scripts)),
			[],
		);
		assert.ok(named.length > 20, `${named.length} commands`);
	});

	it("name files that exist", () => {
		const named = namedIn(FILE).filter(([, name]) => !OF_OTHERS.includes(name));
		assert.deepEqual(
			named.filter(([document, name]) => !existsSync(name) && !existsSync(`${dirname(document)}/${name}`)),
			[],
		);
		assert.ok(named.length > 200, `${named.length} files`);
	});
});

/** A path, and each way to write it with fewer of its folders. */
function endingsOf(path: string): string[] {
	const parts = path.split("/");
	return parts.map((_, from) => parts.slice(from).join("/"));
}

describe("comments", () => {
	it("name source files that exist", () => {
		const known = new Set(sources.flatMap(endingsOf));
		const named = sources.flatMap((path) => [...commentsIn(path).matchAll(SOURCE_NAME)].map(([, name = ""]) => ({ path, name })));
		assert.ok(named.length > 300, `${named.length} names`);
		const gone = named.filter(
			({ path, name }) => !known.has(normalize(name)) && !OUTSIDE.test(name) && !existsSync(join(dirname(path), name)),
		);
		assert.deepEqual(
			gone.map(({ path, name }) => `${path}: ${name}`),
			[],
		);
	});

	it("of C, and documents, name constants that are in the code", () => {
		const code = sources.filter((path) => path !== "test/architecture/documents.test.ts");
		const known = new Set(code.flatMap((path) => readFileSync(path, "utf8").replace(COMMENT, "").match(CONSTANT) ?? []));
		const ofC = sources.filter((path) => /^(hal|modules)\/.*\.[ch]$/.test(path));
		const texts = [...documents.map((path) => readFileSync(path, "utf8")), ...ofC.map(commentsIn)];
		const named = new Set(texts.flatMap((text) => text.match(CONSTANT) ?? []));
		assert.ok(named.size > 80, `${named.size} names`);
		assert.deepEqual([...named].filter((name) => !known.has(name)).sort(), CONSTANTS_OF_OTHERS);
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
	it("has the figures of the code", () => {
		for (const [says, ...values] of FIGURES) assert.deepEqual(says.exec(README)?.slice(1), values.map(String), String(says));
	});

	it("names every board that can be bought, and no other", () => {
		const rows = [...README.matchAll(/\| ESP32-\w+, [^|]+ \| `(\w+)` \|/g)].map(([, name]) => name);
		assert.deepEqual(rows.sort(), BOARDS.filter((name) => name !== "emulator").sort());
	});
});
