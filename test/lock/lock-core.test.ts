import assert from "node:assert/strict";
import type { LockInputs } from "../../src/lock/gates.js";
import {
	fadeGain,
	gatedLockPercent,
	newLockState,
	resetLock,
	type SteeringGain,
	setGain,
	steeringGainPercent,
	stepLock,
	targetLockPercent,
} from "../../src/lock/lock-core.js";
import { releaseLock } from "../../src/lock/ramp.js";
import type { Tuning } from "../../src/lock/tuning.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";

const FULL = 2;
const SPEED = 7;
const THROTTLE = 8;
const MAP = 9;
const RPM = 10;

const at = (speedKmh: number, pedalPercent = 0, rpm = 0): LockInputs => ({ speedKmh, pedalPercent, rpm, pedalValid: true });
const tuned = (changes: Partial<Tuning>): Tuning => ({ ...DEFAULT_TUNING, ...changes });

/** Gate open up to 60 km/h; release at once, so the request shows the gate. */
const GATED = tuned({ disableSpeedKmh: 60, releaseRatePercentPerS: 0 });

/** Steps of 10 ms: mode, inputs, request. @param heldMs time that each request must last */
function steps(tuning: Tuning, rows: readonly (readonly [number, LockInputs, number])[], heldMs = 0): void {
	const state = newLockState();
	for (const [mode, inputs, lock] of rows)
		for (let ms = 0; ms <= heldMs; ms += 10)
			assert.equal(stepLock(state, mode, inputs, tuning, 10), lock, `${mode} ${inputs.speedKmh} km/h, ${inputs.pedalPercent} %`);
}

describe("lock/lock-core", () => {
	describe("target", () => {
		it("is the preset's share, or read off the mode's own table", () => {
			[0, 0, 100, 40, 30, 20, 10].forEach((lock, mode) => {
				for (const inputs of [at(0), at(300, 100, 9000)]) assert.equal(targetLockPercent(mode, inputs, DEFAULT_TUNING), lock);
			});
			const inputs = at(30, 30, 1500);
			const targets = [SPEED, THROTTLE, MAP, RPM].map((mode) => targetLockPercent(mode, inputs, DEFAULT_TUNING));
			assert.deepEqual(targets, [40, 31, 20, 20]);
		});

		it("uses the pedal unrounded, limited to 0..100", () => {
			const throttleCurve = { x: [-50, 0, 50, 100, 150], lockPercent: [90, 0, 10, 50, 100] };
			const map = {
				speedBinsKmh: [0, 1, 2, 3, 4, 5, 6, 7, 8],
				pedalBinsPercent: [-50, 0, 50, 100, 150, 160, 170],
				cells: [90, 0, 10, 50, 100, 100, 100].flatMap((lock) => new Array(9).fill(lock)),
			};
			for (const [pedal, lock] of [
				[-20, 0],
				[-0.5, 0],
				[0, 0],
				[0.5, 0.1],
				[99.5, 49.6],
				[100, 50],
				[100.5, 50],
				[102, 50],
			])
				for (const mode of [THROTTLE, MAP]) {
					const target = targetLockPercent(mode, at(0, pedal), tuned({ throttleCurve, map }));
					assert.ok(Math.abs(target - lock) < 1e-5, `${pedal} %: ${target}`);
				}
		});

		it("is 0 behind a closed gate", () => {
			const tuning = tuned({ disableSpeedKmh: 60, disengageUnderKmh: { map: 0, speed: 20, throttle: 0, rpm: 0 } });
			for (const [mode, inputs, lock] of [
				[FULL, at(60), 100],
				[FULL, at(61), 0],
				[SPEED, at(20), 45],
				[SPEED, at(19), 0],
				[SPEED, at(0, 98.9), 0],
				[SPEED, at(0, 99), 50],
			] as const)
				assert.equal(gatedLockPercent(mode, inputs, tuning), lock);
		});
	});

	describe("step", () => {
		it("follows a rise at once and a fall at the release rate, also through a closing gate", () => {
			steps(tuned({ disableSpeedKmh: 60 }), [
				[FULL, at(0), 100],
				[3, at(0), Math.fround(98.8)],
				[FULL, at(0), 100],
				[FULL, at(100), Math.fround(98.8)],
			]);
		});

		it("rises from 0 at the engage rate after the start", () => {
			steps(tuned({ engageRatePercentPerS: 100 }), [
				[FULL, at(0), 1],
				[FULL, at(0), 2],
			]);
		});

		it("stays below the given limit, and falls and rises by the driver's rates", () => {
			const state = newLockState();
			for (const [mode, elapsedMs, limit, lock] of [
				[FULL, 10, 30, 30],
				[FULL, 10, 31, 31],
				[6, 1000, 10, 10],
				[FULL, 10, 100, 100],
				[FULL, 10, 1, Math.fround(98.8)],
			])
				assert.equal(stepLock(state, mode, at(0), DEFAULT_TUNING, elapsedMs, limit), lock);
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

		it("closes a gate 3 km/h or 3 % past its threshold and opens it exactly at the threshold", () => {
			const speeds = [
				[60, 100],
				[63, 100],
				[64, 0],
				[61, 0],
				[60, 100],
				[63, 100],
			];
			const speedRows = speeds.map(([speed, lock]) => [FULL, at(speed), lock] as const);
			steps(GATED, speedRows, 310);
			const pedals = [
				[19, 0],
				[20, 100],
				[17, 100],
				[16.9, 0],
				[19.9, 0],
				[20, 100],
			];
			const pedalRows = pedals.map(([pedal, lock]) => [FULL, at(0, pedal), lock] as const);
			steps(tuned({ disableThrottlePercent: 20, releaseRatePercentPerS: 0, dwellMs: 0 }), pedalRows);
		});

		it("holds a gate that changed for 300 ms, and no tick longer than it must", () => {
			for (const tickMs of [1, 10, 50, 299, 300]) {
				const state = newLockState();
				stepLock(state, FULL, at(0), GATED, tickMs);
				assert.equal(stepLock(state, FULL, at(100), GATED, tickMs), 0);
				let ms = 0;
				do ms += tickMs;
				while (stepLock(state, FULL, at(0), GATED, tickMs) === 0);
				assert.equal(ms, Math.ceil(300 / tickMs) * tickMs + tickMs, `tick ${tickMs}`);
			}
		});

		it("starts a mode with the gate exactly at its thresholds, not as the last mode left it; it may change at once", () => {
			steps(GATED, [
				[FULL, at(62), 0],
				[3, at(60), 40],
				[3, at(63), 40],
				[FULL, at(63), 0],
				[FULL, at(60), 100],
			]);
			steps(GATED, [
				[FULL, at(0), 100],
				[FULL, at(64), 0],
			]);
			const tuning = tuned({ disableSpeedKmh: 60, disableThrottlePercent: 20, releaseRatePercentPerS: 0 });
			for (const [speed, pedal, lock] of [
				[60, 20, 100],
				[61, 20, 0],
				[60, 19.9, 0],
			])
				steps(tuning, [[FULL, at(speed, pedal), lock]]);
		});

		it("forgets the gate on reset and release, and the request on reset", () => {
			for (const end of ["reset", "release"]) {
				const state = newLockState();
				stepLock(state, FULL, at(0), GATED, 10);
				stepLock(state, FULL, at(63), GATED, 10);
				if (end === "reset") resetLock(state);
				else releaseLock(state, GATED, 10, 500);
				assert.equal(state.lockPercent, 0);
				assert.equal(stepLock(state, FULL, at(63), GATED, 10), 0, end);
				assert.equal(stepLock(state, FULL, at(60), GATED, 10), 100);
			}
		});
	});

	describe("steering gain", () => {
		const GAIN: SteeringGain = { startDeg: 90, fullDeg: 290, leastPercent: 20, lostPercent: 60 };

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
			setGain(state, 40);
			assert.equal(steps(FULL), 40);
			assert.equal(steps(FULL, 30), 30, "the least of both counts");
			assert.equal(steps(FULL, 41), 40);
			assert.equal(steps(MAP), 8, "40 % of 20 %");
			setGain(state, 0);
			assert.deepEqual([steps(FULL), state.targetPercent, state.gateOpen], [0, 0, true]);
			setGain(state, 100);
			assert.equal(steps(FULL), 100);
		});
	});
});
