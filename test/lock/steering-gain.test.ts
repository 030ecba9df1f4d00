import assert from "node:assert/strict";
import { newLockState, stepLock, takeGain } from "../../src/lock/lock-core.js";
import { fadeGain, type SteeringGain, steeringGainPercent } from "../../src/lock/steering-gain.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";

const GAIN: SteeringGain = { startDeg: 90, fullDeg: 290, leastPercent: 20, lostPercent: 60 };
const FULL = 2;
const MAP = 9;

describe("lock/steering-gain", () => {
	it("falls evenly between both angles and stays as it is outside of them", () => {
		for (const [angle, percent] of [
			[0, 100],
			[90, 100],
			[90.5, 99.8],
			[190, 60],
			[289.75, 20.1],
			[290, 20],
			[1500, 20],
		])
			assert.equal(steeringGainPercent(GAIN, angle), Math.fround(percent), `${angle} degrees`);
	});

	it("falls at once where the second angle is not above the first", () => {
		for (const fullDeg of [90, 89, 0])
			assert.deepEqual(
				[0, 89.9, 90, 90.1].map((angle) => steeringGainPercent({ ...GAIN, fullDeg }, angle)),
				[100, 100, 100, 20],
			);
	});

	it("moves by at most its whole range in 500 ms, up and down, and does not overshoot", () => {
		assert.deepEqual([fadeGain(100, 0, 10), fadeGain(0, 100, 10)], [98, 2]);
		assert.deepEqual([fadeGain(50, 51, 10), fadeGain(50, 49, 10), fadeGain(50, 52, 10)], [51, 49, 52]);
		assert.deepEqual([fadeGain(50, 0, 0), fadeGain(50, 50, 10), fadeGain(100, 0, 500)], [50, 50, 0]);
	});

	it("leaves a part of each target, from the next step on, though nothing else changes", () => {
		const inputs = { speedKmh: 30, pedalPercent: 30, rpm: 0, pedalValid: true };
		const tuning = { ...DEFAULT_TUNING, releaseRatePercentPerS: 0 };
		const state = newLockState();
		const steps = (mode: number, limit?: number): number => stepLock(state, mode, inputs, tuning, 10, limit);
		assert.equal(steps(FULL), 100);
		takeGain(state, 40);
		assert.equal(steps(FULL), 40);
		assert.equal(steps(FULL, 30), 30, "the least of both counts");
		assert.equal(steps(FULL, 41), 40);
		assert.equal(steps(MAP), 8, "40 % of 20 %");
		takeGain(state, 0);
		assert.deepEqual([steps(FULL), state.targetPercent, state.gateOpen], [0, 0, true]);
		takeGain(state, 100);
		assert.equal(steps(FULL), 100);
	});
});
