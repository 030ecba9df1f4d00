/**
 * What each mode asks for behind the gates, from `docs/control-and-can.md` 1.4 and 1.5; shares no code with
 * `src/`.
 */

export const PRESETS: Readonly<Record<string, number>> = { FWD: 0, "5050": 100, "6040": 40, "7030": 30, "8020": 20, "9010": 10 };
const SPEED_CURVE = [
	[0, 50],
	[20, 45],
	[40, 35],
	[80, 20],
	[140, 0],
] as const;
const THROTTLE_CURVE = [
	[0, 0],
	[10, 10],
	[25, 25],
	[50, 55],
	[80, 80],
] as const;
const RPM_CURVE = [
	[0, 0],
	[1000, 10],
	[2000, 30],
	[3500, 55],
	[5000, 80],
	[6500, 100],
] as const;
/** A curve: x and percent, ascending. */
export type Points = readonly (readonly [number, number])[];

const MAP_SPEEDS = [0, 5, 10, 20, 40, 60, 80, 100, 140];
const MAP_ROWS: readonly (readonly [number, readonly number[]])[] = [
	[0, [0, 0, 0, 0, 0, 0, 0, 0, 0]],
	[5, [0, 0, 0, 0, 0, 0, 0, 0, 0]],
	[10, [0, 0, 5, 5, 5, 5, 0, 0, 0]],
	[20, [0, 5, 10, 15, 15, 10, 5, 0, 0]],
	[40, [5, 10, 20, 25, 25, 20, 15, 10, 5]],
	[60, [10, 20, 30, 40, 40, 30, 25, 20, 15]],
	[80, [20, 30, 45, 60, 60, 50, 40, 30, 20]],
];

/** What the table modes look at. */
export interface Tables {
	readonly SPEED: Points;
	readonly THROTTLE: Points;
	readonly RPM: Points;
	/** Rows by pedal, a curve over the speed each. */
	readonly MAP: readonly (readonly [number, Points])[];
}

export const DEFAULT_TABLES: Tables = {
	SPEED: SPEED_CURVE,
	THROTTLE: THROTTLE_CURVE,
	RPM: RPM_CURVE,
	MAP: MAP_ROWS.map(([pedal, cells]) => [pedal, MAP_SPEEDS.map((kmh, i) => [kmh, cells[i]] as const)] as const),
};

/** Linear between points, constant outside. */
export function curve(points: Points, x: number): number {
	if (x <= points[0][0]) return points[0][1];
	for (let i = 1; i < points.length; i++) {
		const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
		if (x <= x1) return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
	}
	return points[points.length - 1][1];
}

export function map(rows: Tables["MAP"], pedal: number, speed: number): number {
	return curve(
		rows.map(([rowPedal, cells]) => [rowPedal, curve(cells, speed)] as const),
		pedal,
	);
}

/**
 * What a mode asks for behind its gates, without ramps.
 * @param limitKmh presets ask for lock up to this speed; 0: at any
 */
export function targetPercent(
	mode: string,
	tables: Tables,
	limitKmh: number,
	speedKmh: number,
	pedalPercent: number,
	rpm: number,
): number {
	if (mode in PRESETS) return limitKmh === 0 || speedKmh <= limitKmh ? PRESETS[mode] : 0;
	const pedal = Math.min(100, pedalPercent);
	if (mode === "SPEED") return curve(tables.SPEED, speedKmh);
	if (mode === "THROTTLE") return curve(tables.THROTTLE, pedal);
	if (mode === "RPM") return curve(tables.RPM, rpm);
	return map(tables.MAP, pedal, speedKmh);
}
