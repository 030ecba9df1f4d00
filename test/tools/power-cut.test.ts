/** The short form of `node tools/power-cut.mjs`: every scenario, one cut in 150. */
import assert from "node:assert/strict";
import { campaign } from "../../tools/power-cut.mjs";

describe("a power cut after a storage operation", () => {
	it("leaves every file old or new, whole, and the controller boots and answers", async () => {
		const results = await campaign({ every: 150 });
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
