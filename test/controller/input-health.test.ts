import assert from "node:assert/strict";
import { InputHealth } from "../../src/controller/input-health.js";

/** Runs ticks until `ms` have passed. */
function run(input: InputHealth, ms: number, tickMs = 1): void {
	for (let passed = 0; passed < ms; passed += tickMs) input.update(true, tickMs);
}

/** Valid for the first time just now. */
function justValid(): InputHealth {
	const input = new InputHealth();
	input.update(true, 10);
	return input;
}

/** Ready once, then missing, then valid again just now. */
function validAgain(): InputHealth {
	const input = justValid();
	run(input, 1000, 10);
	input.update(false, 0);
	assert.deepEqual([input.valid, input.ready], [false, false]);
	input.update(true, 10);
	return input;
}

describe("controller/input-health", () => {
	it("is ready after 1 s, or 500 ms once it was ready, to the millisecond, and after every gap anew", () => {
		const gaps = justValid();
		for (let gap = 0; gap < 3; gap++) {
			run(gaps, 999);
			assert.equal(gaps.ready, false);
			gaps.update(false, 10);
			gaps.update(true, 10);
		}
		const restarted = validAgain();
		run(restarted, 499);
		restarted.restart();
		assert.deepEqual([restarted.valid, restarted.ready, restarted.starting], [false, false, true]);
		restarted.update(true, 10);
		for (const [input, ms] of [
			[gaps, 1000],
			[validAgain(), 500],
			[restarted, 1000],
		] as const) {
			run(input, ms - 1);
			assert.equal(input.ready, false);
			input.update(true, 1);
			assert.equal(input.ready, true);
		}
	});

	it("counts no time before the tick in which it became valid", () => {
		for (const input of [new InputHealth(), validAgain()]) {
			input.update(false, 10);
			input.update(true, 5000);
			assert.equal(input.ready, false);
		}
	});

	it("counts a tick as what it took, up to 20 ms: nothing was read in a stall", () => {
		for (const [tickMs, counted] of [
			[5, 5],
			[20, 20],
			[21, 20],
			[60_000, 20],
		] as const) {
			const input = justValid();
			for (let i = 1; i < 1000 / counted; i++) input.update(true, tickMs);
			assert.equal(input.ready, false, `${tickMs} ms`);
			input.update(true, tickMs);
			assert.equal(input.ready, true, `${tickMs} ms`);
		}
	});
});
