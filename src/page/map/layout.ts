/**
 * How the table lies on the screen, how its cells are numbered, and how their values are shown. A cell's number
 * is `row * 9 + column`; row = pedal, column = speed.
 */

import { useEffect, useState } from "preact/hooks";
import { MAP_COLUMNS, MAP_ROWS } from "../../lock/tuning.js";
import { shownSpeed, speedText } from "../state/speed";
import { T } from "../texts";

/** Speeds in km/h, pedals in percent; both ascend. */
export type Axis = "speedBins" | "throttleBins";

/** Row 0..6 of a cell, column 0..8 of a cell, and the cell 0..62 of both. Nothing is checked. */
export const rowOf = (cell: number): number => Math.floor(cell / MAP_COLUMNS);
export const columnOf = (cell: number): number => cell % MAP_COLUMNS;
export const cellAt = (row: number, column: number): number => row * MAP_COLUMNS + column;

/** How the table lies. A cell has the same number however it lies. */
export interface Layout {
	readonly upright: boolean;
	readonly lines: number;
	/** Cells in a line. */
	readonly perLine: number;
	readonly above: Axis;
	readonly beside: Axis;
	/** Lines count downwards, places to the right, both from 0. */
	readonly cellOf: (line: number, place: number) => number;
	readonly lineOf: (cell: number) => number;
	readonly placeOf: (cell: number) => number;
}

/** A line for each pedal. */
export const LYING: Layout = {
	upright: false,
	lines: MAP_ROWS,
	perLine: MAP_COLUMNS,
	above: "speedBins",
	beside: "throttleBins",
	cellOf: cellAt,
	lineOf: rowOf,
	placeOf: columnOf,
};

/** A line for each speed. */
export const UPRIGHT: Layout = {
	upright: true,
	lines: MAP_COLUMNS,
	perLine: MAP_ROWS,
	above: "throttleBins",
	beside: "speedBins",
	cellOf: (line, place) => cellAt(place, line),
	lineOf: columnOf,
	placeOf: rowOf,
};

const NARROW = globalThis.matchMedia?.("(max-width: 560px)");

/** On a phone the table stands upright, so that each cell is 44 px wide. */
export function useLayout(): Layout {
	const [narrow, setNarrow] = useState(NARROW.matches);
	useEffect(() => {
		const changed = (): void => setNarrow(NARROW.matches);
		NARROW.addEventListener("change", changed);
		return () => NARROW.removeEventListener("change", changed);
	}, []);
	return narrow ? UPRIGHT : LYING;
}

/** A difference, with its sign. */
export function signed(by: number): string {
	return `${by > 0 ? "+" : "−"}${Math.abs(by)}`;
}

/** A value of an axis in the driver's unit. */
export function shownBin(axis: Axis, bin: number): number {
	return axis === "speedBins" ? shownSpeed(bin) : bin;
}

/** The same with its unit. */
export function binText(axis: Axis, bin: number): string {
	return axis === "speedBins" ? speedText(bin) : `${bin} ${T.units.percent}`;
}

/** Name of a lock percentage's colour among the CSS variables: eleven steps. @param lockPercent 0..100 */
export function heat(lockPercent: number): string {
	return `heat-${Math.min(10, Math.round(lockPercent / 10))}`;
}
