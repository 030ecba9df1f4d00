import assert from "node:assert/strict";
import type { LockInputs } from "../../src/lock/gates.js";
import { gatedLockPercent, newLockState, resetLock, stepLock, targetLockPercent } from "../../src/lock/lock-core.js";
import { releaseLock } from "../../src/lock/ramp.js";
import type { Tuning } from "../../src/lock/tuning.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";

const SPEED = 7;
const THROTTLE = 8;
const MAP = 9;
const RPM = 10;

const at = (speedKmh: number, pedalPercent = 0, rpm = 0): LockInputs => ({ speedKmh, pedalPercent, rpm, pedalValid: true });
const tuned = (changes: Partial<Tuning>): Tuning => ({ ...DEFAULT_TUNING, ...changes });
/** Equal but for what float32 steps lose. */
function near(actual: number, expected: number, where = ""): void {
	assert.ok(Math.abs(actual - expected) < 1e-5, `${where} ${actual}, expected ${expected}`);
}

/** Modes 5050 at full lock, gate open below 60 km/h; release at once, so the request shows the gate. */
const GATED = tuned({ disableSpeedKmh: 60, releaseRatePercentPerS: 0 });

describe("lock/lock-core", () => {
	describe("target", () => {
		it("is the preset's share, whatever the inputs", () => {
			[0, 0, 100, 40, 30, 20, 10].forEach((lock, mode) => {
				assert.equal(targetLockPercent(mode, at(0), DEFAULT_TUNING), lock);
				assert.equal(targetLockPercent(mode, at(300, 100, 9000), DEFAULT_TUNING), lock);
			});
		});

		it("is read off the mode's own table", () => {
			const inputs = at(30, 30, 1500);
			assert.equal(targetLockPercent(SPEED, inputs, DEFAULT_TUNING), 40);
			assert.equal(targetLockPercent(THROTTLE, inputs, DEFAULT_TUNING), 31);
			assert.equal(targetLockPercent(MAP, inputs, DEFAULT_TUNING), 20);
			assert.equal(targetLockPercent(RPM, inputs, DEFAULT_TUNING), 20);
		});

		it("uses the pedal unrounded, limited to 0..100", () => {
			const throttleCurve = { x: [-50, 0, 50, 100, 150], lockPercent: [90, 0, 10, 50, 100] };
			const tuning = tuned({ throttleCurve });
			for (const [pedal, lock] of [
				[-20, 0],
				[-0.5, 0],
				[0, 0],
				[0.5, 0.1],
				[12.5, 2.5],
				[99.5, 49.6],
				[100, 50],
				[100.5, 50],
				[102, 50],
			])
				near(targetLockPercent(THROTTLE, at(0, pedal), tuning), lock, `${pedal} %`);
			const map = {
				speedBinsKmh: [0, 1, 2, 3, 4, 5, 6, 7, 8],
				pedalBinsPercent: [-50, 0, 20, 40, 60, 100, 150],
				cells: [90, 0, 10, 20, 30, 50, 100].flatMap((lock) => new Array(9).fill(lock)),
			};
			assert.equal(targetLockPercent(MAP, at(0, 102), tuned({ map })), 50);
			assert.equal(targetLockPercent(MAP, at(0, -3), tuned({ map })), 0);
		});

		it("is 0 behind a closed gate", () => {
			const tuning = tuned({ disableSpeedKmh: 60, disengageUnderKmh: { map: 0, speed: 20, throttle: 0, rpm: 0 } });
			assert.equal(gatedLockPercent(2, at(60), tuning), 100);
			assert.equal(gatedLockPercent(2, at(61), tuning), 0);
			assert.equal(gatedLockPercent(SPEED, at(20), tuning), 45);
			assert.equal(gatedLockPercent(SPEED, at(19), tuning), 0);
			assert.equal(gatedLockPercent(SPEED, at(0, 98.9), tuning), 0);
			assert.equal(gatedLockPercent(SPEED, at(0, 99), tuning), 50);
		});
	});

	describe("step", () => {
		it("follows a rise at once and a fall at the release rate", () => {
			const state = newLockState();
			assert.equal(stepLock(state, 2, at(0), DEFAULT_TUNING, 10), 100);
			assert.equal(stepLock(state, 3, at(0), DEFAULT_TUNING, 10), Math.fround(98.8));
			assert.equal(stepLock(state, 1, at(0), DEFAULT_TUNING, 100), Math.fround(Math.fround(98.8) - 12));
		});

		it("stays below the given limit, and falls and rises by the driver's rates", () => {
			const state = newLockState();
			assert.equal(stepLock(state, 2, at(0), DEFAULT_TUNING, 10, 30), 30);
			assert.equal(stepLock(state, 2, at(0), DEFAULT_TUNING, 10, 31), 31);
			assert.equal(stepLock(state, 6, at(0), DEFAULT_TUNING, 1000, 10), 10);
			assert.equal(stepLock(state, 2, at(0), DEFAULT_TUNING, 10, 100), 100);
			assert.equal(stepLock(state, 2, at(0), DEFAULT_TUNING, 10, 1), Math.fround(98.8));
		});

		it("asks for what the inputs say now, whichever of them has changed", () => {
			const state = newLockState();
			const atOnce = tuned({ releaseRatePercentPerS: 0 });
			const flat = tuned({ releaseRatePercentPerS: 0, speedCurve: { x: [0], lockPercent: [7] } });
			for (const [mode, inputs, tuning] of [
				[MAP, at(30, 30), atOnce],
				[MAP, at(30, 60), atOnce],
				[MAP, at(60, 60), atOnce],
				[SPEED, at(60, 60), atOnce],
				[SPEED, at(60, 60), flat],
				[RPM, at(60, 60), flat],
				[RPM, at(60, 60, 1500), flat],
				[RPM, at(60, 60, 1500), flat],
				[RPM, at(60, 60, 3000), flat],
			] as const)
				assert.equal(stepLock(state, mode, inputs, tuning, 10), Math.fround(targetLockPercent(mode, inputs, tuning)));
		});

		it("closes a gate 3 km/h past its threshold and opens it exactly at the threshold", () => {
			const state = newLockState();
			for (const [speed, lock] of [
				[60, 100],
				[61, 100],
				[63, 100],
				[64, 0],
				[63, 0],
				[61, 0],
				[60, 100],
				[63, 100],
			]) {
				assert.equal(stepLock(state, 2, at(speed), GATED, 10), lock, `${speed} km/h`);
				for (let ms = 0; ms < 310; ms += 10) stepLock(state, 2, at(speed), GATED, 10);
				assert.equal(state.lockPercent, lock, `${speed} km/h held`);
			}
		});

		it("closes a pedal gate 3 % past its threshold", () => {
			const tuning = tuned({ disableThrottlePercent: 20, releaseRatePercentPerS: 0, dwellMs: 0 });
			const state = newLockState();
			for (const [pedal, lock] of [
				[19, 0],
				[20, 100],
				[19, 100],
				[17, 100],
				[16.9, 0],
				[19.9, 0],
				[20, 100],
			])
				assert.equal(stepLock(state, 2, at(0, pedal), tuning, 10), lock, `${pedal} %`);
		});

		it("holds a gate that changed for 300 ms, and no tick longer than it must", () => {
			for (const tickMs of [1, 10, 50, 299, 300]) {
				const state = newLockState();
				stepLock(state, 2, at(0), GATED, tickMs);
				assert.equal(stepLock(state, 2, at(100), GATED, tickMs), 0);
				let ms = 0;
				do ms += tickMs;
				while (stepLock(state, 2, at(0), GATED, tickMs) === 0);
				assert.equal(ms, Math.ceil(300 / tickMs) * tickMs + tickMs, `tick ${tickMs}`);
			}
		});

		it("starts a mode with the gate as its inputs say, not as the last mode left it", () => {
			const state = newLockState();
			assert.equal(stepLock(state, 2, at(62), GATED, 10), 0);
			assert.equal(stepLock(state, 3, at(60), GATED, 10), 40);
			assert.equal(stepLock(state, 3, at(63), GATED, 10), 40);
			assert.equal(stepLock(state, 2, at(63), GATED, 10), 0);
			assert.equal(stepLock(state, 2, at(60), GATED, 10), 100);
		});

		it("applies the gate exactly at its thresholds when a mode starts", () => {
			const tuning = tuned({ disableSpeedKmh: 60, disableThrottlePercent: 20, releaseRatePercentPerS: 0 });
			for (const [speed, pedal, lock] of [
				[60, 20, 100],
				[61, 20, 0],
				[60, 19.9, 0],
				[59, 21, 100],
			])
				assert.equal(stepLock(newLockState(), 2, at(speed, pedal), tuning, 10), lock, `${speed} km/h, ${pedal} %`);
		});

		it("may change a fresh gate at the next step already", () => {
			const state = newLockState();
			stepLock(state, 2, at(0), GATED, 10);
			assert.equal(stepLock(state, 2, at(64), GATED, 10), 0);
		});

		it("ramps down through a closing gate", () => {
			const state = newLockState();
			const tuning = tuned({ disableSpeedKmh: 60 });
			stepLock(state, 2, at(0), tuning, 10);
			assert.equal(stepLock(state, 2, at(100), tuning, 10), Math.fround(98.8));
		});
	});

	describe("reset and release", () => {
		it("forgets request and gate on reset", () => {
			const state = newLockState();
			stepLock(state, 2, at(0), GATED, 10);
			stepLock(state, 2, at(63), GATED, 10);
			resetLock(state);
			assert.equal(state.lockPercent, 0);
			assert.equal(stepLock(state, 2, at(63), GATED, 10), 0);
			assert.equal(stepLock(state, 2, at(60), GATED, 10), 100);
		});

		it("starts the gate anew after a release", () => {
			const state = newLockState();
			stepLock(state, 2, at(0), GATED, 10);
			stepLock(state, 2, at(63), GATED, 10);
			releaseLock(state, GATED, 10, 500);
			assert.equal(stepLock(state, 2, at(63), GATED, 10), 0);
		});
	});
});
