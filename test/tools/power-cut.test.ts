/** The short form of `node tools/power-cut.mjs`: every scenario, each twelfth cut. */
import assert from "node:assert/strict";
import { campaign } from "../../tools/power-cut.mjs";

const TIMEOUT_MS = 240_000;

describe("a power cut after a storage operation", function () {
	this.timeout(TIMEOUT_MS);

	it("leaves every file old or new, whole, and the controller boots and answers", async () => {
		const results = await campaign({ every: 12 });
		assert.deepEqual(
			results.flatMap(({ name, wrong }) => wrong.map((text) => `${name}: ${text}`)),
			[],
		);
		assert.ok(results.length >= 8, "scenarios ran");
		for (const { name, operations, cuts, missed } of results) {
			assert.ok(operations > 0 && cuts > 0, `${name} was cut`);
			assert.ok(missed <= cuts, `${name}: ${missed} of ${cuts + missed} cuts came too late`);
		}
	});
});
