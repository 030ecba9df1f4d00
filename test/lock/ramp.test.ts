import assert from "node:assert/strict";
import { NO_MODE } from "../../src/lock/modes.js";
import { type RampState, rampLock, releaseLock } from "../../src/lock/ramp.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";

const stateAt = (lockPercent: number): RampState => ({ lockPercent, mode: 2 });

describe("lock/ramp", () => {
	it("follows the target by the driver's rates, at once after a pause of more than 5 s", () => {
		for (const [from, target, elapsedMs, engagePercentPerS, releasePercentPerS, request] of [
			[80, 20, 10, 0, 120, 78.8], // docs/control-and-can.md 1.5
			[80, 20, 600, 0, 120, 20],
			[80, 20, 0, 0, 120, 80], // no 0.1 % floor: docs/decisions.md 6
			[80, 20, 499, 0, 120, 20.12],
			[80, 20, 500, 0, 120, 20],
			[80, 20, 10, 0, 0, 20],
			[80, 20, 10, 120, 0, 20],
			[20, 80, 10, 0, 120, 80],
			[20, 80, 10, 120, 0, 21.2],
			[20, 80, 499, 120, 0, 79.88],
			[20, 80, 500, 120, 0, 80],
			[50, 50, 10, 1, 1, 50],
			[0, 100, 10, 1, 1, 0.01],
			[100, 0, 5000, 1, 1, 95],
			[100, 0, 5001, 1, 1, 0],
			[0, 100, 5000, 1, 1, 5],
			[0, 100, 5001, 1, 1, 100],
			[100, 0, 1, 1000, 1000, 99],
		]) {
			const state = stateAt(from);
			const result = rampLock(state, target, elapsedMs, engagePercentPerS, releasePercentPerS);
			// but for what single precision loses
			assert.ok(Math.abs(result - request) < 1e-5, `${from} to ${target} in ${elapsedMs} ms: ${result}`);
			assert.equal(state.lockPercent, result);
		}
	});

	it("takes the configured time at any tick length", () => {
		for (const tickMs of [1, 3, 10, 40]) {
			const state = stateAt(100);
			let ms = 0;
			for (; state.lockPercent > 0; ms += tickMs) rampLock(state, 0, tickMs, 0, 10);
			assert.ok(Math.abs(ms - 10_000) <= 2 * tickMs, `${ms} ms with ticks of ${tickMs}`);
		}
	});

	it("releases full lock within the time given, and forgets the mode, so that its gate begins anew", () => {
		for (const [withinMs, tickMs, ticks] of [
			[500, 10, 50],
			[100, 20, 5],
			[500, 500, 1],
		]) {
			const state = stateAt(100);
			for (let tick = 1; tick < ticks; tick++)
				assert.ok(releaseLock(state, DEFAULT_TUNING, tickMs, withinMs) > 0, `${tick} of ${ticks}`);
			assert.equal(releaseLock(state, DEFAULT_TUNING, tickMs, withinMs), 0);
			assert.equal(state.mode, NO_MODE);
		}
	});

	it("releases faster if the driver's own rate is faster", () => {
		for (const [releaseRatePercentPerS, request] of [
			[0, 0],
			[0.5, 98],
			[1, 98],
			[199, 98],
			[201, 97.99],
			[1000, 90],
		]) {
			const tuning = { ...DEFAULT_TUNING, releaseRatePercentPerS };
			assert.equal(releaseLock(stateAt(100), tuning, 10, 500), Math.fround(request), `${releaseRatePercentPerS} %/s`);
		}
	});
});
