/** Lists of numbers; that the C does the same is tested in test/modules/text. */
import assert from "node:assert/strict";
import { ofWholeNumbers, roundWithin } from "../../src/text/numbers.js";

describe("text/numbers", () => {
	it("rounds and clamps up to what is no finite number, and writes whole ones with commas", () => {
		const values = [-5, -0.5, 0.5, 99.49, 1e9, 7, 5e-324];
		assert.equal(roundWithin(values, 100), -1);
		assert.deepEqual(values, [0, 0, 1, 99, 100, 7, 0]);
		for (const wrong of ["1", null, undefined, Number.NaN, Number.POSITIVE_INFINITY, {}])
			assert.equal(roundWithin([0, wrong], 1), 1);
		assert.deepEqual([ofWholeNumbers([0, 25, 100]), ofWholeNumbers([]), ofWholeNumbers([1, -1])], ["0,25,100", "", undefined]);
	});
});
