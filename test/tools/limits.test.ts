/** The limits that `npm run bench` judges by. */
import assert from "node:assert/strict";
import { limitOf, tooMuch } from "../../tools/bench/limits.mjs";

const row = (name: string, instructions: number) => ({
	...{ name, per: "request", instructions, turnInstructions: 1000 },
	...{ bytecodes: 0, turnHeapBytes: 0, collections: 0 },
});

describe("tools/bench/limits.mjs", () => {
	it("gives each row the limit of its kind", () => {
		assert.deepEqual(
			["tick, generation 5, MAP", "tick that takes a frame plan, generation 5", "GET /api/status", "GET /api/map"].map(limitOf),
			[265_000, 1_000_000, 3_000_000, 800_000],
		);
	});

	it("complains of what costs more, and of nothing else", () => {
		assert.deepEqual(tooMuch([row("GET /api/map", 800_000), row("tick", 265_001)]), [
			"tick: 265001 instructions, 265000 are allowed",
		]);
	});
});
