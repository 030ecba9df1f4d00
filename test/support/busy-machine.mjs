// A test that fails in the first run of a suite, for the test of what `npm test` does then. No file of this name is run by itself.
import assert from "node:assert/strict";

describe("busy machine", () => {
	it("passes (alone)", () => assert.match(process.env.OPENCOUPLING_TEST_RESULTS ?? "", /again\.json$/));
	it("never passes", () => assert.fail("never"));
	it("is not asked for", () => assert.fail("asked"));
});
