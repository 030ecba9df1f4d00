import assert from "node:assert/strict";
import { curveLockPercent, mapLockPercent } from "../../src/lock/interpolate.js";
import type { LockMap } from "../../src/lock/tuning.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";

/** Equal but for what float32 steps lose. */
function near(actual: number, expected: number, where: string): void {
	assert.ok(Math.abs(actual - expected) <= 2e-5, `${where}: ${actual}, expected ${expected}`);
	assert.equal(actual, Math.fround(actual), `${where} is float32`);
}

/** Straight line through the neighbours, found the slow way, in doubles. */
function line(xs: readonly number[], ys: readonly number[], x: number): number {
	if (x <= xs[0]) return ys[0];
	for (let i = 1; i < xs.length; i++)
		if (x <= xs[i]) return ys[i - 1] + ((ys[i] - ys[i - 1]) * (x - xs[i - 1])) / (xs[i] - xs[i - 1]);
	return ys[ys.length - 1];
}

/** Far outside, every point, its neighbours at 1 and at a thousandth, and the middle to the next. */
function around(axis: readonly number[]): number[] {
	return [-1e9, ...axis.flatMap((x, i) => [x - 1, x - 0.001, x, x + 0.001, x + 1, (x + (axis[i + 1] ?? x + 100)) / 2]), 1e9];
}

/** A map without two equal cells, with bins that do not start at 0 and unequal steps. */
const RUGGED: LockMap = {
	speedBinsKmh: [3, 4, 9, 20, 21, 50, 97, 160, 300],
	pedalBinsPercent: [2, 3, 11, 30, 33, 70, 99],
	cells: Array.from({ length: 63 }, (_, i) => (i * 37) % 101),
};

describe("lock/interpolate", () => {
	it("goes straight from point to point of a curve with 1 to 12 points, and holds its edges", () => {
		for (let points = 1; points <= 12; points++) {
			const x = Array.from({ length: points }, (_, i) => i * i * 7 + 5);
			const lockPercent = x.map((_, i) => (i * 61 + 3) % 101);
			for (const at of around(x))
				near(curveLockPercent({ x, lockPercent }, at), line(x, lockPercent, at), `${points} points at ${at}`);
			x.forEach((at, i) => {
				assert.equal(curveLockPercent({ x, lockPercent }, at), lockPercent[i]);
			});
		}
		assert.equal(curveLockPercent({ x: [], lockPercent: [] }, 50), 0);
	});

	it("has each cell of a map at its bins, is bilinear between them, and holds its edges", () => {
		const { pedalBinsPercent, speedBinsKmh, cells } = RUGGED;
		for (const pedal of around(pedalBinsPercent))
			for (const speed of around(speedBinsKmh)) {
				const rows = pedalBinsPercent.map((_, row) => line(speedBinsKmh, cells.slice(9 * row, 9 * row + 9), speed));
				near(mapLockPercent(RUGGED, pedal, speed), line(pedalBinsPercent, rows, pedal), `${pedal} % ${speed} km/h`);
			}
		cells.forEach((cell, i) => {
			assert.equal(mapLockPercent(RUGGED, pedalBinsPercent[Math.floor(i / 9)], speedBinsKmh[i % 9]), cell, `${i}`);
		});
	});

	it("rounds every step to float32, as the reference computes", () => {
		// engine speeds at which one rounding at the end would give the next float32; from the formula in 1.4
		for (const [rpm, lock] of [
			[1, 0.010000000707805157],
			[3, 0.030000001192092896],
			[1053, 11.059999465942383],
			[2071, 31.183334350585938],
			[5146, 81.94667053222656],
			[5154, 82.05332946777344],
		])
			assert.equal(curveLockPercent(DEFAULT_TUNING.rpmCurve, rpm), lock, `${rpm} 1/min`);
	});
});
