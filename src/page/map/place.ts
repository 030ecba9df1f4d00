/** Where a drive lies on a map, and what the map asks there. */

import type { LockMap } from "../net/types";

/** What a place on the map depends on. NaN = unknown. */
interface Moment {
	readonly atMs: number;
	readonly speedKmh: number;
	readonly pedalPercent: number;
}

/** Where a value lies on an axis: 0 = first bin, 1 = second, with fractions; held at the ends. */
export function place(bins: readonly number[], value: number): number {
	if (value <= bins[0]!) return 0;
	for (let i = 1; i < bins.length; i++) if (value <= bins[i]!) return i - 1 + (value - bins[i - 1]!) / (bins[i]! - bins[i - 1]!);
	return bins.length - 1;
}

/** Lock that the map asks for, percent, before gates and ramps: as `GET /api/preview` computes it. */
export function lockAt(map: LockMap, speedKmh: number, pedalPercent: number): number {
	const [x, y] = [place(map.speedBins, speedKmh), place(map.throttleBins, pedalPercent)];
	const [column, row] = [Math.floor(x), Math.floor(y)];
	const across = (line: readonly number[]): number => {
		const here = line[column]!;
		return here + ((line[column + 1] ?? here) - here) * (x - column);
	};
	const above = across(map.lockTable[row]!);
	return above + (across(map.lockTable[row + 1] ?? map.lockTable[row]!) - above) * (y - row);
}

/**
 * How long the drive has been in each cell, in seconds: at the bins that are nearest, by the axes of the map.
 * @param longestMs after which nothing is counted until the next moment @returns as `lockTable`, row after row
 */
export function secondsPerCell(map: LockMap, drive: readonly Moment[], longestMs: number): number[] {
	const columns = map.speedBins.length;
	const seconds = new Array<number>(columns * map.throttleBins.length).fill(0);
	drive.forEach(({ atMs, speedKmh, pedalPercent }, i) => {
		const forMs = (drive[i + 1]?.atMs ?? atMs) - atMs;
		if (Number.isNaN(speedKmh) || Number.isNaN(pedalPercent) || forMs > longestMs) return;
		const cell = Math.round(place(map.throttleBins, pedalPercent)) * columns + Math.round(place(map.speedBins, speedKmh));
		seconds[cell]! += forMs / 1000;
	});
	return seconds;
}

/** From this pedal on the gate of the map is open at any speed. Source: src/lock/gates.ts. */
const FULL_THROTTLE_PERCENT = 99;

/** The same behind the gate of the map at its threshold. @param underKmh the gate's, 0 = none */
export function gatedLockAt(map: LockMap, underKmh: number, speedKmh: number, pedalPercent: number): number {
	const open = underKmh === 0 || speedKmh >= Math.max(1, underKmh) || pedalPercent >= FULL_THROTTLE_PERCENT;
	return open ? lockAt(map, speedKmh, pedalPercent) : 0;
}
