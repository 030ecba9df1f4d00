// Mutants that no test can tell from the original. The mutation run checks that each of these still survives.

// Why nobody can notice.
const AT_A_POINT = "at a point both neighbouring pieces give the point's value";
const SEARCH_START = "only where the search starts: it goes on to the same place, or starts at the low end";
const SAME_CELL = "not used, or times a difference of 0, where both neighbours are the same bin";
const NO_MODE = "any number that is no mode in force will do, STOCK included";
const EQUAL = "equal numbers give the same result";
const OTHER_NUMBER = "any number that no other table of the same firmware has will do";
const REFUSED = "such a token is refused either way";
const ONE_DATA_ID = "byte 1 of the frame is 00, so that only the first is looked at";
const NEVER_ABOVE = "F0 and 10 more is 00: it is never above, so that this is never looked at";

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
	"src/coupling/command-factor.ts": [
		["if (lockPercent > 100 && table === null) return FULL_FACTOR;", "the curve ends at the full factor"],
		["let i = 0;", SEARCH_START],
		["while (lockPercent >= GUESS_LOCK_PERCENT[i]) i++;", AT_A_POINT],
		["for (let factor = 0; factor <= 100; factor++) {", "what factor 0 reaches was reached before"],
		["if (engagement > lockPercent) {", "the next round finds that it was reached, and returns the same"],
		["if (reached > lockPercent) return best;", AT_A_POINT],
	],
	"src/coupling/plan-encoder.ts": [
		[
			'const position = checksum.dataIdPosition === "first" ? 1 : checksum.dataIdPosition === "last" ? 2 : 1;',
			"not looked at without a DataID",
		],
		["const first = end <= 0 ? body : body.slice(0, end);", REFUSED],
		["const first = end < 1 ? body : body.slice(0, end);", REFUSED],
		["const second = end <= 0 ? undefined : body.slice(end + 1);", REFUSED],
		["const second = end < 1 ? undefined : body.slice(end + 1);", REFUSED],
	],
	"src/coupling/profiles/corrected.ts": [
		["counterSet: 10,", OTHER_NUMBER],
		["counterSet: 13,", OTHER_NUMBER],
		["counterSet: 16,", OTHER_NUMBER],
	],
	"src/coupling/profiles/reference.ts": [
		["return { counterSet: 0, counters: NO_COUNTERS, frames: [motor1, ...GEN1_OTHER_FRAMES] };", OTHER_NUMBER],
		["counterSet: 3,", OTHER_NUMBER],
		["counterSet: 6,", OTHER_NUMBER],
		["const STEERING_DATA_ID: readonly number[] = Object.freeze(new Array(17).fill(0xc2));", ONE_DATA_ID],
		["const STEERING_DATA_ID: readonly number[] = Object.freeze(new Array(15).fill(0xc2));", ONE_DATA_ID],
		['{ name: "LW1", initial: 0, step: 0x10, wrapAbove: 0xf0, wrapTo: -1 },', NEVER_ABOVE],
		['{ name: "LW1", initial: 0, step: 0x10, wrapAbove: 0xf0, wrapTo: 1 },', NEVER_ABOVE],
		['{ name: "BRAKES4", initial: 0, step: 0x10, wrapAbove: 0xf0, wrapTo: -1 },', NEVER_ABOVE],
		['{ name: "BRAKES4", initial: 0, step: 0x10, wrapAbove: 0xf0, wrapTo: 1 },', NEVER_ABOVE],
	],
	"src/coupling/status-broadcast.ts": [
		["into[4] = speedKmh >= 255 ? 255 : speedKmh;", EQUAL],
		["into[4] = speedKmh > 254 ? 255 : speedKmh;", "speeds are whole numbers"],
		["into[7] = pedalPercent >= 255 ? 255 : pedalPercent;", EQUAL],
	],
};
