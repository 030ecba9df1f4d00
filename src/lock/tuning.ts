/** Map, curves, gates and ramps, as the driver has tuned them. A change makes a new tuning. */

import { MAP, type ModeNumber, RPM, SPEED, THROTTLE } from "./modes.js";

/** Pedal positions and speeds of a map. Source: docs/control-and-can.md 1.4. */
export const MAP_ROWS = 7;
export const MAP_COLUMNS = 9;
/** Points of a curve, at most. Source: docs/control-and-can.md 1.4. */
export const CURVE_POINTS_MAX = 12;
/** Highest speed of a gate, a curve, and a map's axis that is typed. Source: docs/api.md, "Maps and curves". */
export const SPEED_KMH_MAX = 300;
/** Largest x of each curve. Source: docs/api.md, "Maps and curves". */
export const CURVE_X_MAX = Object.freeze({ speed: SPEED_KMH_MAX, throttle: 100, rpm: 10_000 });

/** Lock over pedal (rows) and speed (columns); both axes strictly ascend. */
export interface LockMap {
	/** 9 values, km/h, 0..65535. */
	readonly speedBinsKmh: readonly number[];
	/** 7 values, percent, 0..100. */
	readonly pedalBinsPercent: readonly number[];
	/** 7 x 9 lock percentages 0..100, row by row. */
	readonly cells: readonly number[];
}

/** A map on flash. */
export interface StoredMap {
	/** `/maps/` and a name, as GET /api/maps lists it. */
	readonly path: string;
	/** UNREADABLE_MAP if the file can't be used. */
	readonly map: LockMap;
}

/** 0..12 points, as many of either. */
export interface LockCurve {
	/** Strictly ascending from 0 to `CURVE_X_MAX`: km/h, percent or 1/min. */
	readonly x: readonly number[];
	/** 0..100 each. */
	readonly lockPercent: readonly number[];
}

/** All that decides how much lock a mode asks for. A threshold of 0 is off, a rate of 0 means at once. */
export interface Tuning {
	readonly map: LockMap;
	readonly speedCurve: LockCurve;
	readonly throttleCurve: LockCurve;
	readonly rpmCurve: LockCurve;
	/** Presets ask for lock from this pedal position on; 0..100, whole, 0 = off. */
	readonly disableThrottlePercent: number;
	/** Presets ask for lock up to this speed; 0..300, whole, 0 = off. */
	readonly disableSpeedKmh: number;
	/** Dynamic modes ask for lock from this speed on, or at full throttle; 0..300, whole, 0 = off. */
	readonly disengageUnderKmh: { readonly map: number; readonly speed: number; readonly throttle: number; readonly rpm: number };
	/** How fast the request falls; 0..1000, 0 = at once. */
	readonly releaseRatePercentPerS: number;
	/** How fast the request rises; 0..1000, 0 = at once. */
	readonly engageRatePercentPerS: number;
	/** A gate of speed closes again this far past its threshold: `GATE_HOLD`. */
	readonly hysteresisKmh: number;
	/** A gate of the pedal closes again this far past its threshold: `GATE_HOLD`. */
	readonly hysteresisPercent: number;
	/** A gate that changed stays so for at least this long: `GATE_HOLD`. */
	readonly dwellMs: number;
}

/** The under-speed gate of a dynamic mode, km/h; 0 = off. */
export function disengageUnderKmh(tuning: Pick<Tuning, "disengageUnderKmh">, mode: ModeNumber): number {
	const limits = tuning.disengageUnderKmh;
	if (mode === MAP) return limits.map;
	if (mode === SPEED) return limits.speed;
	if (mode === THROTTLE) return limits.throttle;
	return mode === RPM ? limits.rpm : 0;
}

/** The reference's. Source: docs/control-and-can.md 1.4. */
export const DEFAULT_MAP: LockMap = Object.freeze({
	speedBinsKmh: Object.freeze([0, 5, 10, 20, 40, 60, 80, 100, 140]),
	pedalBinsPercent: Object.freeze([0, 5, 10, 20, 40, 60, 80]),
	// biome-ignore format: the table reads like the driver's map
	cells: Object.freeze([
		0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 5, 5, 5, 5, 0, 0, 0,
		0, 5, 10, 15, 15, 10, 5, 0, 0,
		5, 10, 20, 25, 25, 20, 15, 10, 5,
		10, 20, 30, 40, 40, 30, 25, 20, 15,
		20, 30, 45, 60, 60, 50, 40, 30, 20,
	]),
});

/** Stands for a map that could not be read: it is never stored, and no mode that needs a map is active. */
export const UNREADABLE_MAP: LockMap = Object.freeze({
	...DEFAULT_MAP,
	cells: Object.freeze(new Array(DEFAULT_MAP.cells.length).fill(0)),
});

/** Map and curves as delivered. Source: docs/control-and-can.md 1.4. */
export const DEFAULT_TABLES = Object.freeze({
	map: DEFAULT_MAP,
	speedCurve: Object.freeze({ x: Object.freeze([0, 20, 40, 80, 140]), lockPercent: Object.freeze([50, 45, 35, 20, 0]) }),
	throttleCurve: Object.freeze({ x: Object.freeze([0, 10, 25, 50, 80]), lockPercent: Object.freeze([0, 10, 25, 55, 80]) }),
	rpmCurve: Object.freeze({
		x: Object.freeze([0, 1000, 2000, 3500, 5000, 6500]),
		lockPercent: Object.freeze([0, 10, 30, 55, 80, 100]),
	}),
});

/** How long and how far a gate holds. Source: docs/decisions.md 6 (assumed). */
export const GATE_HOLD = Object.freeze({ hysteresisKmh: 3, hysteresisPercent: 3, dwellMs: 300 });
