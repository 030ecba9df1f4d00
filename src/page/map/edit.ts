/**
 * Changes to a map by cells, which `layout.ts` numbers, and what it asks at a place: computed by the lock core.
 */

import { gatesOpen } from "../../lock/gates.js";
import { mapLockPercent, placeOnAxis } from "../../lock/interpolate.js";
import { MAP } from "../../lock/modes.js";
import { MAP_COLUMNS, MAP_ROWS, SPEED_KMH_MAX } from "../../lock/tuning.js";
import type { LockMap, Status } from "../net/types";
import { GAP_MS, type Sample, samples } from "../state/samples";
import { useBeat } from "../state/store";
import { type Axis, cellAt, columnOf, rowOf } from "./layout";

/** Numbers of cells. */
export type Cells = ReadonlySet<number>;

/** The value rounded, and held within 0..100. */
export function percent(value: number): number {
	return Math.min(100, Math.max(0, Math.round(value)));
}

/** All cells between two corners. */
export function rectangle(a: number, b: number): Set<number> {
	const cells = new Set<number>();
	for (let row = Math.min(rowOf(a), rowOf(b)); row <= Math.max(rowOf(a), rowOf(b)); row++)
		for (let column = Math.min(columnOf(a), columnOf(b)); column <= Math.max(columnOf(a), columnOf(b)); column++)
			cells.add(cellAt(row, column));
	return cells;
}

/** Each selected cell becomes what `value` makes of it. */
export function change(map: LockMap, cells: Cells, value: (now: number, cell: number) => number): LockMap {
	const lockTable = map.lockTable.map((line, row) =>
		line.map((now, column) => {
			const cell = cellAt(row, column);
			return cells.has(cell) ? percent(value(now, cell)) : now;
		}),
	);
	return { ...map, lockTable };
}

function box(cells: Cells) {
	const rows = [...cells].map(rowOf);
	const columns = [...cells].map(columnOf);
	return { top: Math.min(...rows), bottom: Math.max(...rows), left: Math.min(...columns), right: Math.max(...columns) };
}

/** A straight transition between the corners of the selection, by the values of the axes. */
export function interpolate(map: LockMap, cells: Cells): LockMap {
	const { top, bottom, left, right } = box(cells);
	const at = (row: number, column: number): number => map.lockTable[row]![column]!;
	const share = (bins: readonly number[], from: number, to: number, i: number): number =>
		from === to ? 0 : (bins[i]! - bins[from]!) / (bins[to]! - bins[from]!);
	return change(map, cells, (_, cell) => {
		const x = share(map.speedBins, left, right, columnOf(cell));
		const y = share(map.throttleBins, top, bottom, rowOf(cell));
		const above = at(top, left) * (1 - x) + at(top, right) * x;
		const below = at(bottom, left) * (1 - x) + at(bottom, right) * x;
		return above * (1 - y) + below * y;
	});
}

/** Each selected cell moves half-way to the mean of its neighbours. */
export function smooth(map: LockMap, cells: Cells): LockMap {
	return change(map, cells, (now, cell) => {
		let sum = 0;
		let count = 0;
		for (const [down, right] of [
			[-1, 0],
			[1, 0],
			[0, -1],
			[0, 1],
		] as const) {
			const row = rowOf(cell) + down;
			const column = columnOf(cell) + right;
			if (row < 0 || row >= MAP_ROWS || column < 0 || column >= MAP_COLUMNS) continue;
			sum += map.lockTable[row]![column]!;
			count++;
		}
		return (now + sum / count) / 2;
	});
}

/** @returns undefined if the axis would not ascend any more or leaves its range */
export function withBin(map: LockMap, axis: Axis, index: number, value: number): LockMap | undefined {
	const bins = map[axis].map((bin, i) => (i === index ? Math.round(value) : bin));
	const largest = axis === "speedBins" ? SPEED_KMH_MAX : 100;
	const fits = bins.every((bin, i) => bin >= 0 && bin <= largest && (i === 0 || bin > bins[i - 1]!));
	return fits ? { ...map, [axis]: bins } : undefined;
}

/** How much more `map` asks for than `other` where each of its cells lies, rounded; by row and column. */
export function differences(map: LockMap, other: LockMap): number[][] {
	return map.lockTable.map((line, row) =>
		line.map((lock, column) => Math.round(lock - lockAt(other, map.speedBins[column]!, map.throttleBins[row]!))),
	);
}

/** True if cells of both lie at the same speeds and pedals. */
export function sameAxes(map: LockMap, other: LockMap): boolean {
	return [...map.speedBins, ...map.throttleBins].join() === [...other.speedBins, ...other.throttleBins].join();
}

/** Seconds are shown whole. */
const PERIOD_MS = 1000;

/** Lock that the map asks for, percent, before gates and ramps: as `GET /api/preview` computes it. */
export function lockAt(map: LockMap, speedKmh: number, pedalPercent: number): number {
	const { speedBins, throttleBins, lockTable } = map;
	const core = { speedBinsKmh: speedBins, pedalBinsPercent: throttleBins, cells: lockTable.flat() };
	return mapLockPercent(core, pedalPercent, speedKmh);
}

/** The settings of gates. */
type Gates = Pick<Status, "disengageUnderSpeed" | "disableSpeed" | "disableThrottle">;

/** The same behind the gate of the map at its threshold. @param gates undefined = unknown yet */
export function gatedLockAt(map: LockMap, gates: Gates | undefined, speedKmh: number, pedalPercent: number): number {
	const lockPercent = lockAt(map, speedKmh, pedalPercent);
	if (gates === undefined) return lockPercent;
	const limits = {
		disengageUnderKmh: gates.disengageUnderSpeed,
		disableSpeedKmh: gates.disableSpeed,
		disableThrottlePercent: gates.disableThrottle,
	};
	const inputs = { speedKmh, pedalPercent, rpm: Number.NaN, pedalValid: true };
	return gatesOpen(MAP, inputs, limits, 0, 0) ? lockPercent : 0;
}

/**
 * Seconds of the drive nearest to each cell, row after row.
 * @param longestMs a longer pause between two samples is not counted
 */
export function secondsPerCell(map: LockMap, drive: readonly Sample[], longestMs: number): number[] {
	const columns = map.speedBins.length;
	const seconds = new Array<number>(columns * map.throttleBins.length).fill(0);
	drive.forEach(({ atMs, speedKmh, pedalPercent }, i) => {
		const forMs = (drive[i + 1]?.atMs ?? atMs) - atMs;
		if (Number.isNaN(speedKmh) || Number.isNaN(pedalPercent) || forMs > longestMs) return;
		const row = Math.round(placeOnAxis(map.throttleBins, pedalPercent));
		seconds[row * columns + Math.round(placeOnAxis(map.speedBins, speedKmh))]! += forMs / 1000;
	});
	return seconds;
}

/** The same of the drive that the page remembers, each second. @returns undefined while it is not wanted */
export function useSecondsPerCell(map: LockMap, wanted: boolean): readonly number[] | undefined {
	useBeat(PERIOD_MS, wanted);
	return wanted ? secondsPerCell(map, samples, GAP_MS) : undefined;
}
