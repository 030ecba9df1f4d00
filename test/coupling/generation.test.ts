import assert from "node:assert/strict";
import { FRAME_PROFILES, GENERATIONS, isGeneration } from "../../src/coupling/generation.js";

describe("coupling/generation", () => {
	it("supports generations 1, 2, 4 and 5 and nothing else", () => {
		assert.deepEqual(GENERATIONS, [1, 2, 4, 5]);
		for (const value of [1, 2, 4, 5]) assert.equal(isGeneration(value), true, `${value}`);
		for (const value of [0, 3, 6, -1, 1.5, Number.NaN, "1", null, undefined, true, [1], {}])
			assert.equal(isGeneration(value), false, `${value}`);
	});

	it("has two frame profiles, the reference's first", () => {
		assert.deepEqual(FRAME_PROFILES, ["reference", "corrected"]);
	});
});
