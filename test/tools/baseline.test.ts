import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type Baseline, compare, type Row, readBaseline, TURN_INSTRUCTIONS, toolsOf } from "../../tools/bench/baseline.mjs";
import { PROGRAM } from "../hal/host/host-program.js";

const row = (name: string, instructions: number, turnInstructions = 1000): Row => ({
	...{ name, per: "request", instructions, turnInstructions },
	...{ bytecodes: 0, turnHeapBytes: 0, collections: 0 },
});
const baseline: Baseline = { madeWith: {}, counts: { a: [100_000, 1000], b: [200_000, 2 * TURN_INSTRUCTIONS] } };
const judge = (rows: Row[], isWhole = false) => compare(rows, baseline, { isWhole });

describe("tools/bench/baseline.mjs", () => {
	it("lets counts move by 3 %", () => {
		for (const instructions of [97_000, 100_000, 103_000])
			assert.deepEqual(judge([row("a", instructions)]), { grown: [], fallen: [] });
	});

	it("tells what has grown by more, and what has fallen", () => {
		assert.deepEqual(judge([row("a", 103_001), row("b", 193_000, 2 * TURN_INSTRUCTIONS)]), {
			grown: ["a: 103001 instructions, +3.0 %"],
			fallen: ["b: 193000 instructions, -3.5 %"],
		});
	});

	it("knows each row that is counted, and has none that is not", () => {
		assert.deepEqual(judge([row("c", 1)]).grown, ["c: not in the baseline"]);
		assert.deepEqual(judge([row("a", 100_000)], true).grown, ["b: in the baseline, but not counted"]);
	});

	it("has turns stay within their budget, and longer ones of today not grow", () => {
		assert.deepEqual(judge([row("a", 100_000, TURN_INSTRUCTIONS)]).grown, []);
		assert.equal(judge([row("a", 100_000, TURN_INSTRUCTIONS + 1)]).grown.length, 1);
		assert.deepEqual(judge([row("b", 200_000, 2.2 * TURN_INSTRUCTIONS)]).grown, []);
		assert.match(
			judge([row("b", 200_000, 2.3 * TURN_INSTRUCTIONS)]).grown.join(),
			/^b: a turn of 2760000 instructions, \+15\.0 %$/,
		);
	});

	it("has a row for each endpoint of the description", () => {
		const rows = Object.keys(readBaseline().counts);
		const { paths } = JSON.parse(readFileSync("src/api/openapi.json", "utf8"));
		const otherwise = { "GET /api/events": "event", "GET /api/canview/dump": "dump", "POST /ota/update": "upload" };
		for (const [path, methods] of Object.entries(paths))
			for (const method of Object.keys(methods as object)) {
				const key = `${method.toUpperCase()} ${path}`;
				const start = otherwise[key as keyof typeof otherwise] ?? key;
				assert.ok(
					rows.some((row) => row === start || row.startsWith(`${start}?`) || row.startsWith(`${start} `)),
					key,
				);
			}
	});

	it("was made with named tools, as the host program is", () => {
		const { madeWith, counts } = readBaseline();
		const tools = toolsOf(readFileSync(PROGRAM));
		assert.deepEqual(Object.keys(madeWith), Object.keys(tools));
		assert.match(tools["compiler"] as string, /^(GCC: .*|clang version )\d/);
		assert.ok(Object.keys(counts).length > 100);
	});
});
