/** What the mutation run makes of a source, and what it takes for explained. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { EQUIVALENT } from "../../tools/mutation/equivalent.mjs";
import { mutantsOf } from "../../tools/mutation/mutants.mjs";
import { mutation } from "../../tools/mutation.mjs";

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

	it("has no explanation of a mutant that does not exist", () => {
		const stale = Object.entries(EQUIVALENT).flatMap(([file, rows]) => {
			const made = new Set([...mutantsOf(file, readFileSync(file, "utf8"))].map(({ place, change }) => `${place}: ${change}`));
			const explained = rows.flatMap(([place, changes]) => changes.split(", ").map((change) => `${place}: ${change}`));
			return explained.filter((mutant) => !made.has(mutant)).map((mutant) => `${file} ${mutant}`);
		});
		assert.deepEqual(stale, []);
	});

	for (const [folder, every] of [
		["lock", 200],
		["can-gateway", 600],
	] as const)
		it(`finds that tests notice one in ${every} of the mutants of ${folder}, or says why they can't`, async () => {
			const { mutants, unexplained } = await mutation({ folders: [folder], every });
			assert.deepEqual(
				unexplained.map(({ file, line, is }) => `${file}:${line} ${is}`),
				[],
			);
			assert.ok(mutants >= 2, `${mutants} mutants`);
		});
});
