/**
 * The TXT form of a map: tab-separated lines, a header with the speeds and one line for each pedal position. Bytes, since the free
 * columns may hold text in any encoding. Stricter than the reference: a number that is none is refused, not read as 0.
 * Source: docs/http-api.md 3.12.
 */

import { type LockMap, MAP_COLUMNS, MAP_ROWS } from "../lock/tuning.js";
import { indexOfByte } from "../text/bytes.js";
import { columnsOf } from "../text/numbers.js";
import { encodeUtf8 } from "../text/utf8.js";
import { lockMapFrom, MapProblem } from "./lock-map.js";

/** Columns before the values: in the header two texts, in a line the pedal position and a text. */
const LEADING_COLUMNS = 2;
const COLUMNS = LEADING_COLUMNS + MAP_COLUMNS;
const LINE_FEED = 0x0a;
/** Lines, empty ones included. Chosen: the eight of a map with seven empty ones between each two. Twice would be read for nothing. */
const LINES_MAX = 64;

/** The map in a TXT file. @throws {MapProblem} naming line or value */
export function parseMapText(bytes: Uint8Array): LockMap {
	let speedBins: unknown[] = [];
	const throttleBins: unknown[] = [];
	const lockTable: unknown[][] = [];
	for (let start = 0, line = 1; start < bytes.length && lockTable.length < MAP_ROWS && line <= LINES_MAX; line++) {
		const feed = indexOfByte(bytes, LINE_FEED, start, bytes.length);
		const end = feed < 0 ? bytes.length : feed;
		const columns = columnsOf(bytes, start, end, COLUMNS);
		start = end + 1;
		if (line > 1 && columns.length === 0) continue;
		if (columns.length < COLUMNS)
			throw new MapProblem(
				"invalid map sizes",
				`line ${line}`,
				`${columns.length} columns`,
				`${COLUMNS} columns, separated by tabs`,
			);
		const values = columns.slice(LEADING_COLUMNS);
		if (line === 1) speedBins = values;
		else {
			throttleBins.push(columns[0]);
			lockTable.push(values);
		}
	}
	const rows = lockTable.length;
	if (rows < MAP_ROWS) throw new MapProblem("invalid map sizes", "lines", rows, `a header and ${MAP_ROWS} lines`);
	return lockMapFrom({ speedBins, throttleBins, lockTable });
}

/** A map as a TXT file. Pure. */
export function mapText(map: LockMap): Uint8Array {
	let text = "ID\tName";
	for (const speedKmh of map.speedBinsKmh) text += `\tS${speedKmh}`;
	map.pedalBinsPercent.forEach((pedalPercent, row) => {
		const values = map.cells.slice(row * MAP_COLUMNS, (row + 1) * MAP_COLUMNS);
		text += `\nT${pedalPercent}\t${pedalPercent}%\t${values.join("\t")}`;
	});
	return encodeUtf8(`${text}\n`);
}
