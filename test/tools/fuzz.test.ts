/** The short form of `npm run fuzz`: a few inputs to each target. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, buildSeeded, runSeeded, TARGETS } from "../../tools/fuzz.mjs";

const RUNS = 500;
const SEED = 1;

describe("tools/fuzz", () => {
	it("has a target for each file beside its driver", () => {
		const files = readdirSync("tools/fuzz").filter((name) => name.endsWith(".c") && name !== "driver.c");
		assert.deepEqual(files.map((name) => name.slice(0, -2)).sort(), [...TARGETS].sort());
	});

	for (const name of TARGETS)
		it(`${name}: finds nothing in some inputs`, () => {
			assert.deepEqual(runSeeded(buildSeeded(name), RUNS, SEED), { status: 0, output: `${RUNS} inputs\n` });
		});

	it("finds a byte too far and what must not be, with the input that shows it, the same each time", () => {
		const folder = mkdtempSync(join(tmpdir(), "oc-fuzz-"));
		const target = (body: string) => `#include "fuzz.h"
			const char *const fuzz_seeds[] = { "abcdef", NULL };
			int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { ${body} return 0; }`;
		try {
			for (const [name, body, told] of [
				["overflow", "volatile uint8_t sum = 0; for (size_t i = 0; i <= size; i++) sum += data[i];", /heap-buffer-overflow/],
				[
					"promise",
					"MUST(size < 6 || memcmp(data, data + 3, 3) != 0);",
					/does not hold: size < 6[\s\S]*the input is in crash-1-\d+/,
				],
			] as const) {
				const source = join(folder, `${name}.c`);
				writeFileSync(source, target(body));
				const program = join(folder, name);
				build(source, [], program);
				const first = runSeeded(program, 100_000, SEED);
				assert.match(first.output, told);
				assert.notEqual(first.status, 0);
				const crash = /the input is in (\S+)/.exec(first.output)?.[1];
				if (crash !== undefined) {
					const input = readFileSync(join("build/fuzz", crash));
					assert.deepEqual(input.subarray(0, 3), input.subarray(3, 6));
					assert.equal(runSeeded(program, 100_000, SEED).output, first.output);
					rmSync(join("build/fuzz", crash));
				}
			}
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
