/** What the mutation run makes of a source, and what it takes for explained. */
import assert from "node:assert/strict";
import { EQUIVALENT } from "../../tools/mutation/equivalent.mjs";
import { mutantsOf } from "../../tools/mutation/mutants.mjs";
import { mutantsOfFile, mutation } from "../../tools/mutation.mjs";

describe("tools/mutation", () => {
	it("makes mutants of what runs, not of types, texts and comments", () => {
		const source = 'import * as all from "./1.js";\nexport const f = (x: 1 | 2): number => x + 1; // 3\nall.g("4");\n';
		assert.deepEqual(
			[...mutantsOf("f.ts", source)].map(({ line, is }) => `${line} ${is}`),
			[
				"2 export const f = (x: 1 | 2): number => x - 1; // 3",
				"2 export const f = (x: 1 | 2): number => x + 2; // 3",
				"2 export const f = (x: 1 | 2): number => x + 0; // 3",
			],
		);
	});

	for (const [folders, every, least] of [
		[["lock"], 1, 500],
		[["controller", "coupling"], 192, 5],
		[["http", "storage", "update"], 192, 5],
		[["can-gateway"], 192, 5],
	] as const)
		it(`finds that tests notice ${every === 1 ? "each" : `one in ${every}`} of the mutants of ${folders.join(", ")}, or says why they can't`, async function () {
			this.timeout(900_000); // on a machine that does other things
			const { mutants, unexplained } = await mutation({ folders: [...folders], every });
			assert.deepEqual(
				unexplained.map(({ file, line, is }) => `${file}:${line} ${is}`),
				[],
			);
			assert.ok(mutants >= least, `${mutants} mutants`);
		});

	it("explains only mutants that there are", () => {
		for (const [file, lines] of Object.entries(EQUIVALENT)) {
			const made = new Set([...mutantsOfFile(file)].map(({ is }) => is));
			for (const [line] of lines) assert.ok(made.has(line), `${file}: ${line}`);
		}
	});
});
