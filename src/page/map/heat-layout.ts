/** How the table lies on the screen, and where the arrow keys lead on it. Pure. */

import { MAP_COLUMNS, MAP_ROWS } from "../../lock/tuning.js";
import { type Axis, cellAt, columnOf, rowOf } from "./edit";

/** How the table lies. A cell is numbered as in `edit.ts`, however it lies. */
export interface Layout {
	readonly upright: boolean;
	readonly lines: number;
	/** Cells in a line. */
	readonly perLine: number;
	/** Axis whose values stand above the lines. */
	readonly above: Axis;
	/** Axis whose values stand beside the lines. */
	readonly beside: Axis;
	/** Lines count downwards, places to the right, both from 0. */
	readonly cellOf: (line: number, place: number) => number;
	readonly lineOf: (cell: number) => number;
	readonly placeOf: (cell: number) => number;
}

/** A line for each pedal. */
export const LYING: Layout = {
	...{ upright: false, lines: MAP_ROWS, perLine: MAP_COLUMNS },
	...{ above: "speedBins", beside: "throttleBins" },
	...{ cellOf: cellAt, lineOf: rowOf, placeOf: columnOf },
};

/** A line for each speed. */
export const UPRIGHT: Layout = {
	...{ upright: true, lines: MAP_COLUMNS, perLine: MAP_ROWS },
	...{ above: "throttleBins", beside: "speedBins" },
	...{ cellOf: (line, place) => cellAt(place, line), lineOf: columnOf, placeOf: rowOf },
};

/** Where something stands in the grid. Line -1 has the values of the axis above, place -1 those of the axis beside. */
export type Spot = readonly [line: number, place: number];

const ARROWS: ReadonlyMap<string, Spot> = new Map([
	["ArrowUp", [-1, 0]],
	["ArrowDown", [1, 0]],
	["ArrowLeft", [0, -1]],
	["ArrowRight", [0, 1]],
]);

/**
 * Where a key leads from a spot; at an edge it stays.
 * @param least 0 if it is to stay among cells, -1 if it may go on to an axis @returns undefined if it is no arrow key
 */
export function arrowFrom([line, place]: Spot, key: string, { lines, perLine }: Layout, least: 0 | -1): Spot | undefined {
	const arrow = ARROWS.get(key);
	if (arrow === undefined) return undefined;
	const held = (value: number, most: number): number => Math.min(most, Math.max(least, value));
	const [down, right] = [held(line + arrow[0], lines - 1), held(place + arrow[1], perLine - 1)];
	// there is nothing in the corner
	return down + right === -2 ? [line, place] : [down, right];
}
