/** Where a drive lies on a map, and what the map asks there: computed by the controller's own lock core. */

import { gatesOpen } from "../../lock/gates.js";
import { mapLockPercent, placeOnAxis } from "../../lock/interpolate.js";
import { MAP } from "../../lock/modes.js";
import type { LockMap, Status } from "../net/types";
import { GAP_MS, type Sample, samples } from "../state/samples";
import { useBeat } from "../state/store";

/** What is shown is in whole seconds. */
const PERIOD_MS = 1000;

/** Lock that the map asks for, percent, before gates and ramps: as `GET /api/preview` computes it. */
export function lockAt(map: LockMap, speedKmh: number, pedalPercent: number): number {
	const { speedBins, throttleBins, lockTable } = map;
	const core = { speedBinsKmh: speedBins, pedalBinsPercent: throttleBins, cells: lockTable.flat() };
	return mapLockPercent(core, pedalPercent, speedKmh);
}

/** What the driver sets of gates. */
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
 * How long the drive has been in each cell, in seconds: at the bins that are nearest, by the axes of the map.
 * @param longestMs after which nothing is counted until the next moment
 * @returns as `lockTable`, row after row
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

/**
 * The same of the drive that the page remembers, counted anew each second.
 * @returns undefined while it is not wanted
 */
export function useSecondsPerCell(map: LockMap, wanted: boolean): readonly number[] | undefined {
	useBeat(PERIOD_MS, wanted);
	return wanted ? secondsPerCell(map, samples, GAP_MS) : undefined;
}
