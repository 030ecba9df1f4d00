/**
 * Interpolation on a curve and on the map. Outside the axes the edge value holds, on both sides.
 * Every operation rounds to float32 because the reference computes so and truncates the result to bytes:
 * a double would differ by one in 1 of 150 frames. (The difference of a float32 and a smaller whole number needs no rounding.)
 * Source: docs/control-and-can.md 1.4, docs/decisions.md 7.
 */

import type { LockCurve, LockMap } from "./tuning.js";
import { MAP_COLUMNS, MAP_ROWS } from "./tuning.js";

const fround = Math.fround;

const LAST_ROW = MAP_ROWS - 1;
const LAST_COLUMN = MAP_COLUMNS - 1;
/** Bins from which the search starts on the upper half. */
const MIDDLE_ROW = MAP_ROWS >> 1;
const MIDDLE_COLUMN = MAP_COLUMNS >> 1;

/** Lock percentage of a curve at `x` (in the curve's unit); 0 for a curve without points. Never throws, allocates nothing. */
export function curveLockPercent(curve: LockCurve, x: number): number {
	const xs = curve.x;
	const ys = curve.lockPercent;
	const last = xs.length - 1;
	if (last < 0) return 0;
	if (x <= xs[0]) return ys[0];
	if (x > xs[last]) return ys[last];
	let i = 1;
	while (x > xs[i]) i++;
	const low = ys[i - 1];
	const start = xs[i - 1];
	return fround(low + fround((ys[i] - low) * fround((x - start) / (xs[i] - start))));
}

/** Lock percentage of the map at a pedal (percent) and speed (km/h). Never throws, allocates nothing. */
export function mapLockPercent(map: LockMap, pedalPercent: number, speedKmh: number): number {
	const rows = map.pedalBinsPercent;
	const columns = map.speedBinsKmh;
	const cells = map.cells;

	let row = LAST_ROW;
	let nextRow = row;
	let rowRatio = 0;
	if (pedalPercent <= rows[0]) nextRow = row = 0;
	else if (pedalPercent < rows[row]) {
		nextRow = pedalPercent > rows[MIDDLE_ROW] ? MIDDLE_ROW + 1 : 1;
		while (pedalPercent > rows[nextRow]) nextRow++;
		row = nextRow - 1;
		const start = rows[row];
		rowRatio = fround((pedalPercent - start) / (rows[nextRow] - start));
	}

	let column = LAST_COLUMN;
	let nextColumn = column;
	let columnRatio = 0;
	if (speedKmh <= columns[0]) nextColumn = column = 0;
	else if (speedKmh < columns[column]) {
		nextColumn = speedKmh > columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN + 1 : 1;
		while (speedKmh > columns[nextColumn]) nextColumn++;
		column = nextColumn - 1;
		const start = columns[column];
		columnRatio = fround((speedKmh - start) / (columns[nextColumn] - start));
	}

	row *= MAP_COLUMNS;
	nextRow *= MAP_COLUMNS;
	let low = cells[row + column];
	const top = fround(low + fround((cells[row + nextColumn] - low) * columnRatio));
	if (nextRow === row) return top;
	low = cells[nextRow + column];
	const bottom = fround(low + fround((cells[nextRow + nextColumn] - low) * columnRatio));
	return fround(top + fround(fround(bottom - top) * rowRatio));
}
