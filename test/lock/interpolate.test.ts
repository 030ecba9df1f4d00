import assert from "node:assert/strict";
import { curveLockPercent, mapLockPercent } from "../../src/lock/interpolate.js";
import type { LockCurve, LockMap } from "../../src/lock/tuning.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";

/** What float32 steps may differ from doubles. */
const TOLERANCE = 2e-5;

function near(actual: number, expected: number, where: string): void {
	assert.ok(Math.abs(actual - expected) <= TOLERANCE, `${where}: ${actual}, expected ${expected}`);
	assert.equal(actual, Math.fround(actual), `${where} is float32`);
}

/** Straight line through the neighbours, found the slow way, in doubles. */
function line(xs: readonly number[], ys: readonly number[], x: number): number {
	if (x <= xs[0]) return ys[0];
	for (let i = 1; i < xs.length; i++)
		if (x <= xs[i]) return ys[i - 1] + ((ys[i] - ys[i - 1]) * (x - xs[i - 1])) / (xs[i] - xs[i - 1]);
	return ys[ys.length - 1];
}

/** Every point, its neighbours at 1 and at a thousandth, and the middle to the next. */
function around(axis: readonly number[]): number[] {
	return axis.flatMap((x, i) => [x - 1, x - 0.001, x, x + 0.001, x + 1, (x + (axis[i + 1] ?? x + 100)) / 2]);
}

/** A map without two equal cells, with bins that do not start at 0 and unequal steps. */
const RUGGED: LockMap = {
	speedBinsKmh: [3, 4, 9, 20, 21, 50, 97, 160, 300],
	pedalBinsPercent: [2, 3, 11, 30, 33, 70, 99],
	cells: Array.from({ length: 63 }, (_, i) => (i * 37) % 101),
};

/**
 * Engine speeds at which one rounding at the end would give the next float32; from the float32 formula in
 * 1.4, step by step.
 */
const FLOAT32_ROWS: readonly (readonly [number, number])[] = [
	[1, 0.010000000707805157],
	[2, 0.020000001415610313],
	[3, 0.030000001192092896],
	[1053, 11.059999465942383],
	[1068, 11.360000610351562],
	[2064, 31.066665649414062],
	[2071, 31.183334350585938],
	[5146, 81.94667053222656],
	[5154, 82.05332946777344],
];

describe("lock/interpolate", () => {
	it("reads the default curves", () => {
		const { speedCurve, throttleCurve, rpmCurve } = DEFAULT_TUNING;
		const rows: readonly (readonly [LockCurve, number, number])[] = [
			[speedCurve, 0, 50],
			[speedCurve, 10, 47.5],
			[speedCurve, 20, 45],
			[speedCurve, 30, 40],
			[speedCurve, 60, 27.5],
			[speedCurve, 140, 0],
			[speedCurve, 141, 0],
			[throttleCurve, 5, 5],
			[throttleCurve, 30, 31],
			[throttleCurve, 65, 67.5],
			[throttleCurve, 80, 80],
			[throttleCurve, 100, 80],
			[rpmCurve, 500, 5],
			[rpmCurve, 1500, 20],
			[rpmCurve, 6500, 100],
			[rpmCurve, 8000, 100],
		];
		for (const [curve, x, lock] of rows) assert.equal(curveLockPercent(curve, x), lock, `at ${x}`);
	});

	it("holds a curve's edge values on both sides", () => {
		const curve = { x: [10, 20, 30], lockPercent: [60, 5, 90] };
		for (const [x, lock] of [
			[-1e9, 60],
			[0, 60],
			[9, 60],
			[10, 60],
			[30, 90],
			[31, 90],
			[1e9, 90],
		])
			assert.equal(curveLockPercent(curve, x), lock, `at ${x}`);
	});

	it("asks nothing of a curve without points and one value of a curve with one", () => {
		assert.equal(curveLockPercent({ x: [], lockPercent: [] }, 50), 0);
		for (const x of [0, 39, 40, 41, 300]) assert.equal(curveLockPercent({ x: [40], lockPercent: [70] }, x), 70);
	});

	it("goes straight from point to point of a curve with 2 to 12 points", () => {
		for (let points = 2; points <= 12; points++) {
			const x = Array.from({ length: points }, (_, i) => i * i * 7 + 5);
			const lockPercent = x.map((_, i) => (i * 61) % 101);
			for (const at of around(x))
				near(curveLockPercent({ x, lockPercent }, at), line(x, lockPercent, at), `${points} points at ${at}`);
		}
	});

	it("reads the default map at and between its bins", () => {
		for (const [pedal, speed, lock] of [
			[0, 0, 0],
			[80, 0, 20],
			[80, 140, 20],
			[100, 20, 60],
			[100, 30, 60],
			[60, 20, 40],
			[70, 20, 50],
			[40, 5, 10],
			[40, 7.5, 15],
			[50, 7.5, 20],
			[15, 30, 10],
			[7.5, 15, 2.5],
			[102, 200, 20],
			[-5, 0, 0],
		])
			assert.equal(mapLockPercent(DEFAULT_TUNING.map, pedal, speed), lock, `${pedal} % ${speed} km/h`);
	});

	it("has each cell of a map at its bins, and holds the edges outside", () => {
		RUGGED.pedalBinsPercent.forEach((pedal, row) => {
			RUGGED.speedBinsKmh.forEach((speed, column) => {
				const cell = RUGGED.cells[9 * row + column];
				assert.equal(mapLockPercent(RUGGED, pedal, speed), cell, `${pedal} % ${speed} km/h`);
				if (row === 0) assert.equal(mapLockPercent(RUGGED, 0, speed), cell);
				if (row === 6) assert.equal(mapLockPercent(RUGGED, 100, speed), cell);
				if (column === 0) assert.equal(mapLockPercent(RUGGED, pedal, 0), cell);
				if (column === 8) assert.equal(mapLockPercent(RUGGED, pedal, 65535), cell);
			});
		});
	});

	it("is bilinear between the bins of a map", () => {
		const { pedalBinsPercent, speedBinsKmh, cells } = RUGGED;
		for (const pedal of around(pedalBinsPercent))
			for (const speed of around(speedBinsKmh)) {
				const rows = pedalBinsPercent.map((_, row) => line(speedBinsKmh, cells.slice(9 * row, 9 * row + 9), speed));
				near(mapLockPercent(RUGGED, pedal, speed), line(pedalBinsPercent, rows, pedal), `${pedal} % ${speed} km/h`);
			}
	});

	it("rounds every step to float32, as the reference computes", () => {
		FLOAT32_ROWS.forEach(([x, lock]) => {
			assert.equal(curveLockPercent(DEFAULT_TUNING.rpmCurve, x), lock, `${x} 1/min`);
		});
	});
});
