/**
 * Maps that come with the firmware, read-only, in ROM. Bins and names are those of the reference (http-api.md 3.8); the values are ours.
 */

import type { LockMap } from "../lock/tuning.js";

const SPEEDS_KMH = Object.freeze([0, 10, 20, 40, 60, 80, 110, 140, 160]);
const PEDALS_PERCENT = Object.freeze([0, 10, 25, 40, 60, 80, 100]);

function preset(cells: readonly number[]): LockMap {
	return Object.freeze({ speedBinsKmh: SPEEDS_KMH, pedalBinsPercent: PEDALS_PERCENT, cells: Object.freeze(cells) });
}

/** Traction at every speed: much lock with much pedal, less the faster the car is, none while it rolls. */
// biome-ignore format: the tables read like the driver's map
const AGGRESSIVE = preset([
	0, 0, 0, 0, 0, 0, 0, 0, 0,
	15, 15, 15, 12, 10, 10, 5, 5, 0,
	40, 38, 35, 30, 25, 20, 15, 10, 5,
	60, 58, 55, 48, 40, 35, 25, 20, 15,
	80, 78, 75, 68, 60, 50, 40, 30, 25,
	95, 92, 90, 82, 75, 65, 55, 45, 35,
	100, 100, 95, 90, 85, 75, 65, 55, 45,
]);

/** Help when pulling away, front-wheel drive on the road: lock fades out with speed. */
// biome-ignore format: the tables read like the driver's map
const CONSERVATIVE = preset([
	0, 0, 0, 0, 0, 0, 0, 0, 0,
	5, 5, 5, 0, 0, 0, 0, 0, 0,
	15, 12, 10, 5, 0, 0, 0, 0, 0,
	25, 22, 18, 10, 5, 0, 0, 0, 0,
	35, 30, 25, 18, 10, 5, 0, 0, 0,
	45, 40, 35, 25, 18, 10, 5, 0, 0,
	50, 45, 40, 30, 22, 15, 10, 5, 0,
]);

/** For loose ground: nearly rigid as soon as the pedal is touched. On grip it strains coupling and shafts. */
// biome-ignore format: the tables read like the driver's map
const DANGER = preset([
	0, 0, 10, 15, 15, 15, 10, 10, 5,
	40, 45, 50, 50, 50, 45, 40, 35, 30,
	80, 85, 85, 85, 80, 75, 70, 60, 50,
	100, 100, 100, 100, 100, 95, 90, 80, 70,
	100, 100, 100, 100, 100, 100, 100, 90, 80,
	100, 100, 100, 100, 100, 100, 100, 100, 90,
	100, 100, 100, 100, 100, 100, 100, 100, 100,
]);

/** Front-wheel drive: no lock anywhere. */
// biome-ignore format: the tables read like the driver's map
const FWD = preset([
	0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0,
]);

/** File names of the presets, in byte order. */
export const PRESET_FILES: readonly string[] = Object.freeze(["aggressive.txt", "conservative.txt", "danger.txt", "fwd.txt"]);
const MAPS = Object.freeze([AGGRESSIVE, CONSERVATIVE, DANGER, FWD]);

/** The preset of that path, `/maps/<name>.txt`; undefined if there is none. */
export function presetAt(path: string): LockMap | undefined {
	return MAPS[PRESET_FILES.findIndex((file) => path === `/maps/${file}`)];
}
