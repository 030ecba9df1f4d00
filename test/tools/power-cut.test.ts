/** The short form of `npm run power-cut`: every scenario, one cut in 8. */
import assert from "node:assert/strict";
import { powerCuts } from "../../tools/power-cut/power-cut.js";
import { PROGRAM } from "../hal/host/host-program.js";

describe("a power cut after a storage operation", () => {
	it("leaves every file old or new, whole, and the controller boots and answers", async () => {
		const results = await powerCuts(PROGRAM, { every: 8 });
		assert.deepEqual(
			results.flatMap(({ name, wrong }) => wrong.map((text) => `${name}: ${text}`)),
			[],
		);
		assert.ok(results.length >= 8, "scenarios ran");
		for (const { name, operations, cuts } of results) assert.ok(operations > 0 && cuts > 0, `${name} was cut`);
	});
});
