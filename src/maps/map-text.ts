/**
 * The TXT form of a map: tab-separated lines, a header with the speeds and one line for each pedal position. Bytes, since the free
 * columns may hold text in any encoding. Stricter than the reference: a number that is none is refused, not read as 0.
 * Source: docs/http-api.md 3.12.
 */

import { type LockMap, MAP_COLUMNS, MAP_ROWS } from "../lock/tuning.js";
import { indexOfByte } from "../text/bytes.js";
import { decimalOf } from "../text/numbers.js";
import { decodeUtf8, encodeUtf8 } from "../text/utf8.js";
import { lockMapFrom, MapProblem } from "./lock-map.js";

/** Columns before the values: in the header two texts, in a line the pedal position and a text. */
const LEADING_COLUMNS = 2;
const COLUMNS = LEADING_COLUMNS + MAP_COLUMNS;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
/** Characters that an error shows of a column that is not a number. */
const SHOWN_MAX = 16;
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
		const columns = columnsOf(bytes, start, end);
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

/** The first `COLUMNS` columns of the line `bytes[start, end)`: numbers, or texts that an error may show. An empty line has none. */
function columnsOf(bytes: Uint8Array, start: number, end: number): (number | string)[] {
	const columns: (number | string)[] = [];
	let lineEnd = end;
	while (lineEnd > start && (bytes[lineEnd - 1] === BLANK || bytes[lineEnd - 1] === CARRIAGE_RETURN)) lineEnd--;
	if (lineEnd === start) return columns;
	for (let at = start; at <= lineEnd && columns.length < COLUMNS; ) {
		const tab = indexOfByte(bytes, TAB, at, lineEnd);
		const columnEnd = tab < 0 ? lineEnd : tab;
		columns.push(columnOf(decodeUtf8(bytes, at, columnEnd) ?? "?"));
		at = columnEnd + 1;
	}
	return columns;
}

/** A number may have an S or T before it, and a % behind it. */
function columnOf(text: string): number | string {
	const number = text.trim();
	const from = number !== "" && "SsTt".includes(number.charAt(0)) ? 1 : 0;
	const value = decimalOf(number.endsWith("%") ? number.slice(from, -1) : number.slice(from));
	return Number.isNaN(value) ? text.slice(0, SHOWN_MAX) : value;
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
