// Mutants that no test can tell from the original. The mutation run checks that each of these still survives.

// Why nobody can notice.
const AT_A_POINT = "at a point both neighbouring pieces give the point's value";
const SEARCH_START = "only where the search starts: it goes on to the same place, or starts at the low end";
const SAME_CELL = "not used, or times a difference of 0, where both neighbours are the same bin";
const NO_MODE = "any number that is no mode in force will do, STOCK included";
const EQUAL = "equal numbers give the same result";
/** Mutants that behave like the original, by file: the changed line, and why. @type {Record<string, [line: string, why: string][]>} */
export const EQUIVALENT = {
	"src/lock/interpolate.ts": [
		["const MIDDLE_ROW = MAP_ROWS << 1;", SEARCH_START],
		["const MIDDLE_ROW = MAP_ROWS >> 2;", SEARCH_START],
		["const MIDDLE_ROW = MAP_ROWS >> 0;", SEARCH_START],
		["const MIDDLE_COLUMN = MAP_COLUMNS << 1;", SEARCH_START],
		["const MIDDLE_COLUMN = MAP_COLUMNS >> 2;", SEARCH_START],
		["const MIDDLE_COLUMN = MAP_COLUMNS >> 0;", SEARCH_START],
		["if (x >= xs[last]) return ys[last];", AT_A_POINT],
		["let i = 0;", SEARCH_START],
		["let rowRatio = 1;", SAME_CELL],
		["let rowRatio = -1;", SAME_CELL],
		["if (pedalPercent < rows[0]) nextRow = row = 0;", AT_A_POINT],
		["else if (pedalPercent <= rows[row]) {", AT_A_POINT],
		["nextRow = pedalPercent >= rows[MIDDLE_ROW] ? MIDDLE_ROW + 1 : 1;", AT_A_POINT],
		["nextRow = pedalPercent > rows[MIDDLE_ROW] ? MIDDLE_ROW - 1 : 1;", SEARCH_START],
		["nextRow = pedalPercent > rows[MIDDLE_ROW] ? MIDDLE_ROW + 0 : 1;", SEARCH_START],
		["nextRow = pedalPercent > rows[MIDDLE_ROW] ? MIDDLE_ROW + 1 : 0;", SEARCH_START],
		["while (pedalPercent >= rows[nextRow]) nextRow++;", AT_A_POINT],
		["let columnRatio = 1;", SAME_CELL],
		["let columnRatio = -1;", SAME_CELL],
		["if (speedKmh < columns[0]) nextColumn = column = 0;", AT_A_POINT],
		["else if (speedKmh <= columns[column]) {", AT_A_POINT],
		["nextColumn = speedKmh >= columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN + 1 : 1;", AT_A_POINT],
		["nextColumn = speedKmh > columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN - 1 : 1;", SEARCH_START],
		["nextColumn = speedKmh > columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN + 0 : 1;", SEARCH_START],
		["nextColumn = speedKmh > columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN + 1 : 0;", SEARCH_START],
		["while (speedKmh >= columns[nextColumn]) nextColumn++;", AT_A_POINT],
	],
	"src/lock/lock-core.ts": [
		["state.mode = -2;", NO_MODE],
		["state.mode = -0;", NO_MODE],
		["const pedalPercent = pedal <= 0 ? 0 : pedal > 100 ? 100 : pedal;", EQUAL],
		["const pedalPercent = pedal < 0 ? 0 : pedal >= 100 ? 100 : pedal;", EQUAL],
		["const rate = target >= last ? engageRate : releaseRate;", "equal numbers returned before"],
		["if (target >= last + step) next = fround(last + step);", EQUAL],
		["else if (target <= last - step) next = fround(last - step);", EQUAL],
		["state.gateHeldMs = 1;", "the dwell is a minimum, and the tick at its end adds more than this"],
		["return rampLock(state, 0, elapsedMs, 1, ownRate === 0 || ownRate > rate ? ownRate : rate);", "nothing rises towards 0"],
		["return rampLock(state, 0, elapsedMs, -1, ownRate === 0 || ownRate > rate ? ownRate : rate);", "nothing rises towards 0"],
		["return rampLock(state, 0, elapsedMs, 0, ownRate === 0 || ownRate >= rate ? ownRate : rate);", EQUAL],
	],
};
