import assert from "node:assert/strict";
import { InputHealth } from "../../src/controller/arbiter.js";

/** Runs ticks of 10 ms until `at` ms. */
function run(health: InputHealth, valid: boolean, ms: number, tickMs = 10): void {
	for (let elapsed = 0; elapsed < ms; elapsed += tickMs) health.update(valid, tickMs);
}

/** Valid for the first time just now. */
function justValid(): InputHealth {
	const health = new InputHealth();
	health.update(true, 10);
	return health;
}

/** Ready once, then missing, then valid again just now. */
function validAgain(): InputHealth {
	const health = justValid();
	run(health, true, 1000);
	health.update(false, 10);
	health.update(true, 10);
	return health;
}

describe("InputHealth", () => {
	it("forgets everything on a restart", () => {
		const health = validAgain();
		run(health, true, 490);
		health.restart();
		assert.deepEqual([health.valid, health.ready, health.starting], [false, false, true]);
		health.update(true, 10);
		run(health, true, 999, 1);
		assert.equal(health.ready, false);
		health.update(true, 1);
		assert.equal(health.ready, true);
	});

	it("counts the 500 ms after a gap to the millisecond", () => {
		const health = validAgain();
		run(health, true, 499, 1);
		assert.equal(health.ready, false);
		health.update(true, 1);
		assert.equal(health.ready, true);
	});

	it("is not ready from the first invalid tick on", () => {
		const health = justValid();
		run(health, true, 1000);
		health.update(false, 0);
		assert.deepEqual([health.valid, health.ready], [false, false]);
	});

	it("starts counting anew after every gap, and needs 1 s until it was ready once", () => {
		const health = justValid();
		for (let gap = 0; gap < 3; gap++) {
			run(health, true, 990);
			assert.equal(health.ready, false);
			health.update(false, 10);
			health.update(true, 10);
		}
		run(health, true, 990);
		assert.equal(health.ready, false);
		health.update(true, 10);
		assert.equal(health.ready, true);
	});

	it("does not count time before the tick in which it became valid", () => {
		for (const health of [new InputHealth(), validAgain()]) {
			health.update(false, 10);
			health.update(true, 5000);
			assert.equal(health.ready, false);
		}
	});

	it("is ready after the same time with ticks of 1 to 20 ms", () => {
		for (const tickMs of [1, 5, 10, 20]) {
			const health = justValid();
			run(health, true, 1000 - tickMs, tickMs);
			assert.equal(health.ready, false, `${tickMs} ms`);
			health.update(true, tickMs);
			assert.equal(health.ready, true, `${tickMs} ms`);
		}
	});

	it("counts at most 20 ms a tick: nothing was read in a stall", () => {
		for (const lateMs of [21, 100, 700, 60_000]) {
			const back = validAgain();
			back.update(true, lateMs);
			run(back, true, 479, 1);
			assert.equal(back.ready, false, `${lateMs} ms`);
			back.update(true, 1);
			assert.equal(back.ready, true, `${lateMs} ms`);

			const booted = justValid();
			for (let late = 0; late < 49; late++) booted.update(true, lateMs);
			assert.equal(booted.ready, false, `${lateMs} ms`);
			booted.update(true, lateMs);
			assert.equal(booted.ready, true, `${lateMs} ms`);
		}
	});
});
