/** Documents are read in terminals and in changes too: no line is longer than a page is wide, but for tables and code. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const COLUMNS_MAX = 110;
/** Code within a line that can't be broken well, such as a JSON text. */
const LONG_CODE = /`[^`]{60,}`/g;

describe("documents", () => {
	it(`have lines of at most ${COLUMNS_MAX} columns`, () => {
		const long: string[] = [];
		let lines = 0;
		for (const path of execFileSync("git", ["ls-files", "*.md"], { encoding: "utf8" }).trim().split("\n")) {
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
