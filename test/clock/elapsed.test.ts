/** Time between two readings: across each wrap, and with a clock that steps back. */
import assert from "node:assert/strict";
import { elapsedMs } from "../../src/clock/elapsed.js";

const DAY_MS = 86_400_000;

describe("clock/elapsed", () => {
	it("counts across the end of 31 and of 32 bits, signed or not", () => {
		for (const [thenMs, nowMs, ms] of [
			[0, 0, 0],
			[5, 15, 10],
			[0x7ffffffb, 5, 10],
			[0xfffffffb, 5, 10],
			[-5, 5, 10],
			[0x7ffffffb, -0x80000000 + 5, 10],
			[0xfffffffb, 0xfffffffb + 10, 10],
			[1000, 1000 + 24 * DAY_MS, 24 * DAY_MS],
		] as const)
			assert.equal(elapsedMs(thenMs, nowMs), ms, `${thenMs} to ${nowMs}`);
	});

	it("returns 0 when the clock steps back by up to a minute", () => {
		for (const stepMs of [1, 10, 1000, 60_000])
			for (const thenMs of [100_000, 0x7fffffff, 500, 0, 0xffffffff, -1]) {
				assert.equal(elapsedMs(thenMs, thenMs - stepMs), 0, `${thenMs}, ${stepMs} back`);
				assert.equal(elapsedMs(thenMs, (thenMs - stepMs) & 0x7fffffff), 0, `${thenMs}, ${stepMs} back in 31 bits`);
				assert.equal(elapsedMs(thenMs, (thenMs - stepMs) >>> 0), 0, `${thenMs}, ${stepMs} back in 32 bits`);
			}
	});
});
