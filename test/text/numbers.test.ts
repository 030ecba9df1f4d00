/** Lists of whole numbers; that the C does the same is tested in test/modules/text. */
import assert from "node:assert/strict";
import { areWhole, ofWholeNumbers } from "../../src/text/numbers.js";

describe("text/numbers", () => {
	it("knows whole numbers within a range, and writes them with commas", () => {
		assert.deepEqual(
			[areWhole([0, 100], 100), areWhole([101], 100), areWhole([0.5], 1), areWhole(["1"], 1)],
			[true, false, false, false],
		);
		assert.deepEqual([ofWholeNumbers([0, 25, 100]), ofWholeNumbers([]), ofWholeNumbers([1, -1])], ["0,25,100", "", undefined]);
	});
});
