/**
 * Documents are read in terminals and in changes too: no line is longer than a page is wide, but for tables
 * and code. The commands and files that they name are there.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

const COLUMNS_MAX = 110;
/** Code within a line that can't be broken well, such as a JSON text. */
const LONG_CODE = /`[^`]{60,}`/g;

/** Named beside the project that they are in. */
const OF_OTHERS = ["src/gvret_comm.cpp", "src/commbuffer.cpp", "hal/twai_ll.h"];
const COMMAND = /npm run ([a-z:-]+)/g;
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

	it("are in each folder of modules/", () => {
		const folders = readdirSync("modules");
		assert.ok(folders.length >= 5);
		assert.deepEqual(
			folders.filter((folder) => !existsSync(`modules/${folder}/README.md`)),
			[],
		);
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
