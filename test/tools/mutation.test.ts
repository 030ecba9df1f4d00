/** What the mutation run makes of a source, and what it takes for explained. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { EQUIVALENT, explains } from "../../tools/mutation/equivalent.mjs";
import { mutantsOf } from "../../tools/mutation/mutants.mjs";
import { mutation } from "../../tools/mutation.mjs";

/** "" where there is no git. */
function commit(): string {
	try {
		return execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8", stdio: "pipe" });
	} catch {
		return "";
	}
}

describe("tools/mutation", () => {
	it("makes mutants of what runs, not of types, texts and comments", () => {
		const source = 'import * as all from "./1.js";\nexport const f = (x: 1 | 2): number => x + 1; // 3\nall.g("4");\n';
		assert.deepEqual(
			[...mutantsOf("f.ts", source)].map(({ line, place, change, is }) => `${line} ${place}: ${change}: ${is}`),
			[
				"2 f: + becomes -: export const f = (x: 1 | 2): number => x - 1; // 3",
				"2 f: 1 becomes 2: export const f = (x: 1 | 2): number => x + 2; // 3",
				"2 f: 1 becomes 0: export const f = (x: 1 | 2): number => x + 0; // 3",
			],
		);
	});

	it("names the member of a class, and the function of C", () => {
		const source = "class C {\n\tconstructor() {\n\t\tthis.a = 1;\n\t}\n\t#b() {\n\t\treturn 1;\n\t}\n}\n";
		assert.deepEqual([...new Set([...mutantsOf("f.ts", source)].map(({ place }) => place))], ["constructor", "#b"]);
		const c = "static int f(int a)\n{\n\treturn a + 1;\n}\n\nstatic int x = 2;\n";
		assert.deepEqual([...new Set([...mutantsOf("f.c", c)].map(({ place }) => place))], ["f", ""]);
	});

	it("explains exactly one mutant with each change of a row", () => {
		const wrong = Object.entries(EQUIVALENT).flatMap(([file, rows]) => {
			const made = [...mutantsOf(file, readFileSync(file, "utf8"))];
			return rows.flatMap(([piece, changes, why]) =>
				changes
					.split(", ")
					.filter((change) => made.filter((mutant) => explains([piece, change, why], mutant)).length !== 1)
					.map((change) => `${file} ${piece}: ${change}`),
			);
		});
		assert.deepEqual(wrong, []);
	});

	// another sample with each commit
	const seed = Number.parseInt(createHash("sha256").update(commit()).digest("hex").slice(0, 8), 16);
	for (const [folder, every] of [
		["lock", 50],
		["can-gateway", 300],
	] as const)
		it(`finds that tests notice one in ${every} of the mutants of ${folder}, from number ${seed % every} on`, async () => {
			const { made, mutants, same, unexplained } = await mutation({ folders: [folder], every, first: seed });
			assert.deepEqual(
				unexplained.map(({ file, line, is }) => `${file}:${line} ${is}`),
				[],
			);
			assert.ok(mutants > 0 && mutants + same >= Math.floor(made / every), `${mutants} mutants, sample of ${made}`);
		});
});
