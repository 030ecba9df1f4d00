/**
 * The TXT form of a map: tab-separated lines, a header with the speeds and one line for each pedal position. Bytes, since the free
 * columns may hold text in any encoding. Stricter than the reference: a number that is none is refused, not read as 0.
 * Source: docs/http-api.md 3.12.
 */

import { type LockMap, MAP_COLUMNS, MAP_ROWS } from "../lock/tuning.js";
import { indexOfByte } from "../text/bytes.js";
import { encodeUtf8 } from "../text/utf8.js";
import { ascending, lockCell, MapProblem, pedalBin, speedBin } from "./lock-map.js";

/** Columns before the values: in the header two texts, in a line the pedal position and a text. */
const LEADING_COLUMNS = 2;
const COLUMNS_MIN = LEADING_COLUMNS + MAP_COLUMNS;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const PERCENT = 0x25;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const LETTER_S = 0x73;
const LETTER_T = 0x74;
const LOWER_CASE = 0x20;
/**
 * What is longer is no number; it is not looked through. Chosen: a double in full has 18 characters, `33.333333333333336`, and there may be blanks
 * around them. Half would refuse those, twice is looked through byte by byte for nothing.
 */
const NUMBER_BYTES_MAX = 32;
/**
 * Blanks at the end of a line that are forgiven. Chosen: with `LINES_MAX` half of the 8 KB that a body may have. Twice, a body of nothing but blanks
 * would be looked through as a whole, byte by byte; half would do for what editors leave.
 */
const BLANKS_MAX = 64;
/** Lines, empty ones included. Chosen: the eight of a map with seven empty ones between each two; see `BLANKS_MAX` for twice of it. */
const LINES_MAX = 64;
/**
 * No cell's text is shown longer. Chosen: a number has 7 characters at the most, `S65535%`, so half would just do; twice would show more of what
 * somebody else has written, and say no more about which cell it is.
 */
const SHOWN_MAX = 16;

/** The map in a TXT file. @throws {MapProblem} naming line or value */
export function parseMapText(bytes: Uint8Array): LockMap {
	const speedBinsKmh: number[] = [];
	const pedalBinsPercent: number[] = [];
	const cells: number[] = [];
	let line = 0;
	for (let start = 0; start < bytes.length && pedalBinsPercent.length < MAP_ROWS && line < LINES_MAX; ) {
		const feed = indexOfByte(bytes, LINE_FEED, start, bytes.length);
		const end = lineEnd(bytes, start, feed < 0 ? bytes.length : feed);
		line++;
		if (line === 1) {
			const at = columnsOf(bytes, start, end, line);
			for (let c = 0; c < MAP_COLUMNS; c++) speedBinsKmh.push(speedBin(valueAt(bytes, at, LEADING_COLUMNS + c), c));
		} else if (start < end) {
			const row = pedalBinsPercent.length;
			const at = columnsOf(bytes, start, end, line);
			pedalBinsPercent.push(pedalBin(valueAt(bytes, at, 0), row));
			for (let c = 0; c < MAP_COLUMNS; c++) cells.push(lockCell(valueAt(bytes, at, LEADING_COLUMNS + c), row * MAP_COLUMNS + c));
		}
		start = feed < 0 ? bytes.length : feed + 1;
	}
	const rows = pedalBinsPercent.length;
	if (rows < MAP_ROWS) throw new MapProblem("invalid map sizes", "lines", rows, `a header and ${MAP_ROWS} lines`);
	return ascending({ speedBinsKmh, pedalBinsPercent, cells });
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

/** Without blanks and a carriage return at the end; `start` if nothing else is in the line. */
function lineEnd(bytes: Uint8Array, start: number, end: number): number {
	const least = Math.max(start, end - BLANKS_MAX);
	while (end > least && (bytes[end - 1] === CARRIAGE_RETURN || bytes[end - 1] === SPACE)) end--;
	return end;
}

/** Where the columns begin that we read, and where the last of them ends, as if one more began there. */
function columnsOf(bytes: Uint8Array, start: number, end: number, line: number): number[] {
	const at = [start];
	while (at.length <= COLUMNS_MIN) {
		const tab = indexOfByte(bytes, TAB, at[at.length - 1], end);
		if (tab < 0) {
			at.push(end + 1);
			break;
		}
		at.push(tab + 1);
	}
	const found = at.length - 1;
	if (found >= COLUMNS_MIN) return at;
	throw new MapProblem("invalid map sizes", `line ${line}`, `${found} columns`, `${COLUMNS_MIN} columns, separated by tabs`);
}

/** The number in a column: an optional `S` or `T`, digits, an optional `%`. Its text if there is none. */
function valueAt(bytes: Uint8Array, at: readonly number[], column: number): number | string {
	const start = at[column];
	const end = at[column + 1] - 1;
	if (end - start > NUMBER_BYTES_MAX) return shown(bytes, start, end);
	let from = start;
	let to = end;
	while (from < to && bytes[from] === SPACE) from++;
	while (to > from && bytes[to - 1] === SPACE) to--;
	const letter = bytes[from] | LOWER_CASE;
	if (from < to && (letter === LETTER_S || letter === LETTER_T)) from++;
	if (to > from && bytes[to - 1] === PERCENT) to--;
	return decimal(bytes, from, to) ?? shown(bytes, start, end);
}

/** Value of `-12.5`; undefined for anything else. */
function decimal(bytes: Uint8Array, start: number, end: number): number | undefined {
	let value = 0;
	let scale = 0;
	const first = bytes[start] === MINUS ? start + 1 : start;
	for (let i = first; i < end; i++) {
		const digit = bytes[i] - ZERO;
		if (bytes[i] === POINT && scale === 0 && i > first && i < end - 1) scale = 1;
		else if (digit < 0 || digit > 9) return undefined;
		else if (scale === 0) value = value * 10 + digit;
		else {
			scale /= 10;
			value += digit * scale;
		}
	}
	if (first >= end) return undefined;
	return first > start ? -value : value;
}

function shown(bytes: Uint8Array, start: number, end: number): string {
	let text = "";
	for (let i = start; i < Math.min(end, start + SHOWN_MAX); i++) {
		const byte = bytes[i];
		text += byte >= SPACE && byte < 0x7f ? String.fromCharCode(byte) : "?";
	}
	return text;
}
