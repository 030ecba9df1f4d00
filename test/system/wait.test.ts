/** The clock of tests with benches. */
import assert from "node:assert/strict";
import { join, now, sleep } from "./wait.js";

describe("system: the test's clock", () => {
	it("is at the end of a step while the step is under way", async () => {
		const steps: number[][] = [];
		const leave = join({
			isAsked: false,
			isPaced: false,
			step: async (fromMs, ms) => void steps.push([fromMs + ms, now()]),
		});
		await sleep(120);
		leave();
		assert.ok(steps.length > 1);
		for (const [endMs, toldMs] of steps) assert.equal(toldMs, endMs);
	});

	it("moves by steps only, also for a sleep that began before the bench", async () => {
		const before = sleep(20);
		let steppedMs = 0;
		const startMs = now();
		const leave = join({
			isAsked: false,
			isPaced: false,
			step: async (_fromMs, ms) => {
				steppedMs += ms;
			},
		});
		await before;
		await sleep(5);
		leave();
		assert.equal(now() - startMs, steppedMs);
	});
});
