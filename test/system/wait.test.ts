/** The clock of tests with benches. */
import assert from "node:assert/strict";
import { join, now, sleep } from "./wait.js";

describe("system: the test's clock", () => {
	it("moves by steps only, also for a sleep that began before the bench, and is at the end of a step in it", async () => {
		const before = sleep(20);
		let steppedMs = 0;
		let steps = 0;
		const startMs = now();
		const leave = join({
			isAsked: false,
			isPaced: false,
			step: async (fromMs, ms) => {
				assert.equal(now(), fromMs + ms);
				steppedMs += ms;
				steps++;
			},
		});
		await before;
		await sleep(120);
		leave();
		assert.ok(steps > 1);
		assert.equal(now() - startMs, steppedMs);
	});
});
