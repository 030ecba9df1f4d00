/**
 * Interpolation on a curve and on the map. Outside the axes the edge value holds. Every operation rounds to
 * float32, as the reference computes: a double would differ by one in 1 of 150 frames. (The difference of a
 * float32 and a smaller whole number needs no rounding.) Source: docs/control-and-can.md 1.4,
 * docs/decisions.md 7.
 */

import { type LockCurve, type LockMap, MAP_COLUMNS } from "./tuning.js";

const fround = Math.fround;

/** Position on an axis: 0 = first bin, 1 = second, with fractions. @param bins at least one, ascending */
export function placeOnAxis(bins: readonly number[], value: number): number {
	if (value <= bins[0]) return 0;
	const last = bins.length - 1;
	if (!(value < bins[last])) return last;
	let next = 1;
	while (value > bins[next]) next++;
	const start = bins[next - 1];
	return next - 1 + fround((value - start) / (bins[next] - start));
}

function valueAt(values: readonly number[], place: number): number {
	const index = Math.floor(place);
	return index === place ? values[index] : between(values[index], values[index + 1], place - index);
}

function between(low: number, high: number, ratio: number): number {
	return fround(low + fround(fround(high - low) * ratio));
}

/** 0 for a curve without points. Allocates nothing. */
export function curveLockPercent(curve: LockCurve, x: number): number {
	return curve.x.length === 0 ? 0 : valueAt(curve.lockPercent, placeOnAxis(curve.x, x));
}

/** Allocates nothing. */
export function mapLockPercent(map: LockMap, pedalPercent: number, speedKmh: number): number {
	const place = placeOnAxis(map.pedalBinsPercent, pedalPercent);
	const column = placeOnAxis(map.speedBinsKmh, speedKmh);
	const row = Math.floor(place);
	const above = valueAt(map.cells, row * MAP_COLUMNS + column);
	return row === place ? above : between(above, valueAt(map.cells, (row + 1) * MAP_COLUMNS + column), place - row);
}
