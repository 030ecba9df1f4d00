/**
 * Interpolation on a curve and on the map. Outside the axes the edge value holds. Every operation rounds to
 * float32, as the reference computes: a double would differ by one in 1 of 150 frames. (The difference of a
 * float32 and a smaller whole number needs no rounding.) Source: docs/control-and-can.md 1.4,
 * docs/decisions.md 7.
 */

import { type LockCurve, type LockMap, MAP_COLUMNS } from "./tuning.js";

const fround = Math.fround;

/**
 * Position on an axis: 0 = first bin, 1 = second, with fractions; never outside the axis.
 * @param bins at least one, strictly ascending
 * @param value in the unit of the bins; NaN is the last bin, so the caller checks that its inputs are valid
 */
export function placeOnAxis(bins: readonly number[], value: number): number {
	if (value <= bins[0]) return 0;
	const last = bins.length - 1;
	if (!(value < bins[last])) return last;
	let next = 1;
	while (value > bins[next]) next++;
	const start = bins[next - 1];
	return next - 1 + fround((value - start) / (bins[next] - start));
}

/** @param place from `placeOnAxis`, below the number of values */
function valueAt(values: readonly number[], place: number): number {
	const index = Math.floor(place);
	return index === place ? values[index] : between(values[index], values[index + 1], place - index);
}

/** @param ratio 0 = low, 1 = high */
function between(low: number, high: number, ratio: number): number {
	return fround(low + fround(fround(high - low) * ratio));
}

/**
 * Lock of a curve at `x`, 0..100 %: of the nearest point outside the points, 0 without points. Allocates
 * nothing.
 * @param x in the curve's unit: km/h, percent or 1/min; NaN is the last point
 */
export function curveLockPercent(curve: LockCurve, x: number): number {
	return curve.x.length === 0 ? 0 : valueAt(curve.lockPercent, placeOnAxis(curve.x, x));
}

/**
 * Lock of a map at a pedal position and a speed, 0..100 %: bilinear between four cells, that of the edge
 * outside the axes. Allocates nothing.
 * @param pedalPercent valid, unrounded; NaN is the last bin
 * @param speedKmh valid; NaN is the last bin
 */
export function mapLockPercent(map: LockMap, pedalPercent: number, speedKmh: number): number {
	const place = placeOnAxis(map.pedalBinsPercent, pedalPercent);
	const column = placeOnAxis(map.speedBinsKmh, speedKmh);
	const row = Math.floor(place);
	const above = valueAt(map.cells, row * MAP_COLUMNS + column);
	return row === place ? above : between(above, valueAt(map.cells, (row + 1) * MAP_COLUMNS + column), place - row);
}
