/**
 * Maps that come with the firmware, read-only, in ROM: those of the reference, to the value.
 * Source: docs/control-and-can.md 1.4, docs/api.md, "Stored maps".
 */

import type { LockMap } from "../lock/tuning.js";
import type { Settings } from "../settings/settings.js";
import { UNNAMED_MAP } from "../settings/settings-table.js";

const SPEEDS_KMH = Object.freeze([0, 10, 20, 40, 60, 80, 110, 140, 160]);
const PEDALS_PERCENT = Object.freeze([0, 10, 25, 40, 60, 80, 100]);

function preset(cells: readonly number[]): LockMap {
	return Object.freeze({ speedBinsKmh: SPEEDS_KMH, pedalBinsPercent: PEDALS_PERCENT, cells: Object.freeze(cells) });
}

/** Much lock with much pedal, most at 40 to 60 km/h, fading out above. */
// biome-ignore format: the tables read like the driver's map
const AGGRESSIVE = preset([
	0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 5, 5, 10, 5, 0, 0, 0, 0,
	10, 20, 30, 35, 30, 20, 10, 5, 0,
	20, 35, 50, 60, 50, 35, 20, 10, 5,
	35, 55, 70, 80, 70, 55, 35, 20, 10,
	50, 70, 85, 95, 90, 70, 50, 35, 20,
	60, 80, 95, 100, 100, 85, 65, 45, 30,
]);

/** The shape of the map above with less lock: little of it at part throttle or above 80 km/h. */
// biome-ignore format: the tables read like the driver's map
const CONSERVATIVE = preset([
	0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 5, 5, 5, 0, 0, 0, 0, 0,
	5, 15, 20, 20, 15, 10, 5, 0, 0,
	10, 25, 35, 40, 30, 20, 10, 5, 0,
	20, 40, 55, 60, 50, 35, 20, 10, 5,
	30, 55, 70, 75, 65, 45, 30, 20, 10,
	40, 65, 85, 90, 80, 60, 45, 30, 20,
]);

/** Little lock when pulling away, nearly rigid at speed. On grip it strains coupling and shafts. */
// biome-ignore format: the tables read like the driver's map
const DANGER = preset([
	0, 0, 5, 10, 15, 20, 25, 30, 35,
	0, 5, 15, 30, 45, 55, 60, 65, 70,
	0, 10, 35, 60, 75, 85, 90, 95, 95,
	5, 15, 50, 75, 85, 92, 95, 98, 98,
	5, 20, 60, 85, 95, 98, 100, 100, 100,
	10, 25, 70, 90, 98, 100, 100, 100, 100,
	10, 25, 75, 95, 100, 100, 100, 100, 100,
]);

/** Front-wheel drive: no lock anywhere. */
const FWD = preset(new Array(SPEEDS_KMH.length * PEDALS_PERCENT.length).fill(0));

/** File names of the presets, in byte order. */
export const PRESET_FILES: readonly string[] = Object.freeze(["aggressive.txt", "conservative.txt", "danger.txt", "fwd.txt"]);
const MAPS = Object.freeze([AGGRESSIVE, CONSERVATIVE, DANGER, FWD]);

/** @param path `/maps/<name>.txt` */
export function presetAt(path: string): LockMap | undefined {
	const preset = PRESET_FILES.findIndex((file) => path === `/maps/${file}`);
	return preset < 0 ? undefined : MAPS[preset];
}

/** False if the active map was changed since it was taken from the stored map `mapFrom`. */
export function isAsStored({
	currentMap,
	mapFrom,
	tuning: { map },
}: Pick<Settings, "currentMap" | "mapFrom" | "tuning">): boolean {
	if (currentMap !== UNNAMED_MAP) return true;
	const preset = presetAt(mapFrom);
	return (
		preset?.cells.every((lockPercent, i) => lockPercent === map.cells[i]) === true &&
		SPEEDS_KMH.every((speedKmh, i) => speedKmh === map.speedBinsKmh[i]) &&
		PEDALS_PERCENT.every((pedalPercent, i) => pedalPercent === map.pedalBinsPercent[i])
	);
}
