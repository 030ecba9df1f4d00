/**
 * The map as clients and files write it: an object with `speedBins`, `throttleBins` and `lockTable`, or a TXT
 * file. Source: docs/api.md, "Maps and curves", "Map files"; docs/decisions.md 7 (axes strictly ascend) and
 * 12.
 */

import { FULL_LOCK_PERCENT } from "../lock/modes.js";
import { DEFAULT_MAP, type LockMap, MAP_COLUMNS, MAP_ROWS } from "../lock/tuning.js";
import type { DocumentForm } from "../storage/stored-document.js";
import { decodeUtf8, encodeUtf8, indexOfByte } from "../text/bytes.js";
import { decimalOf } from "../text/characters.js";

/** JSON takes up to 460 bytes, TXT with 32 columns about 1,200. */
export const MAP_FILE_BYTES_MAX = 4096;

/** Speeds are kept in 16 bits. Source: docs/control-and-can.md 1.2. */
const SPEED_KMH_MAX = 65_535;
const PEDAL_PERCENT_MAX = 100;

const WRONG_SIZES = "invalid map sizes";
const WRONG_TABLE = "invalid lock table";
const WRONG_ORDER = "bins must ascend";

/** Member names of a map in JSON. */
export const MAP_NAMES = Object.freeze(["speedBins", "throttleBins", "lockTable"]);

/** The message is that of the error catalogue (docs/api.md, "Errors"). */
export class MapProblem extends RangeError {
	/** Where it is: `lockTable[6][8]` or `line 3`. */
	readonly field: string;
	readonly value: unknown;
	readonly allowed: string;
	/** The line at fault. */
	readonly detail: string | undefined;

	constructor(message: string, field: string, value: unknown, allowed: string, detail?: string) {
		super(message);
		this.field = field;
		this.value = value;
		this.allowed = allowed;
		this.detail = detail;
	}
}

/**
 * Numbers are rounded and clamped: speeds to 0..65535 km/h, pedal and lock to 0..100 percent.
 * @param isStored of a file, which has no number that would be rounded or clamped
 * @throws {MapProblem}
 */
export function lockMapFrom(fields: Readonly<Record<string, unknown>>, isStored = false): LockMap {
	const numbers = (
		values: readonly unknown[],
		max: number,
		message: string,
		nameAt: (index: number) => string,
	): readonly number[] =>
		values.map((value, index) => {
			const number = rounded(value, max);
			if (number !== undefined && (!isStored || number === value)) return number;
			// JSON has no infinity, and would show it as null
			const shown = typeof value === "number" && !Number.isFinite(value) ? String(value) : (value ?? null);
			throw new MapProblem(message, nameAt(index), shown, `0..${max}, a ${isStored ? "whole" : "finite"} number`);
		});
	const speedBins = list(fields["speedBins"], MAP_COLUMNS, WRONG_SIZES, "speedBins");
	const throttleBins = list(fields["throttleBins"], MAP_ROWS, WRONG_SIZES, "throttleBins");
	const rows = list(fields["lockTable"], MAP_ROWS, WRONG_SIZES, "lockTable");
	const cells: unknown[] = [];
	for (let r = 0; r < MAP_ROWS; r++) cells.push(...list(rows[r], MAP_COLUMNS, WRONG_TABLE, `lockTable[${r}]`));
	const map = {
		speedBinsKmh: numbers(speedBins, SPEED_KMH_MAX, WRONG_SIZES, (column) => `speedBins[${column}]`),
		pedalBinsPercent: numbers(throttleBins, PEDAL_PERCENT_MAX, WRONG_SIZES, (row) => `throttleBins[${row}]`),
		cells: numbers(cells, FULL_LOCK_PERCENT, WRONG_TABLE, cellName),
	};
	checkAscending(map.speedBinsKmh, "speedBins");
	checkAscending(map.pedalBinsPercent, "throttleBins");
	return map;
}

function rounded(value: unknown, max: number): number | undefined {
	if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
	// not Math.round: on XS it leaves the smallest numbers, such as 1e-310, as they are
	return Math.min(Math.max(Math.floor(value + 0.5), 0), max);
}

/** The object in answers and files. */
export function lockMapToJson(map: LockMap): { speedBins: number[]; throttleBins: number[]; lockTable: number[][] } {
	const lockTable: number[][] = [];
	for (let row = 0; row < MAP_ROWS; row++) lockTable.push(map.cells.slice(row * MAP_COLUMNS, (row + 1) * MAP_COLUMNS));
	return { speedBins: [...map.speedBinsKmh], throttleBins: [...map.pedalBinsPercent], lockTable };
}

/** Why a map could not be used, in a line. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof MapProblem)) return (error as Error).message;
	return `${error.message}: ${error.field} is ${JSON.stringify(error.value)}; allowed: ${error.allowed}`;
}

function checkAscending(bins: readonly number[], name: string): void {
	for (let i = 1; i < bins.length; i++)
		if (bins[i] <= bins[i - 1]) throw new MapProblem(WRONG_ORDER, `${name}[${i}]`, bins[i], `above ${bins[i - 1]}`);
}

function list(value: unknown, length: number, message: string, field: string): unknown[] {
	if (Array.isArray(value) && value.length === length) return value;
	throw new MapProblem(message, field, Array.isArray(value) ? `${value.length} values` : (value ?? null), `${length} values`);
}

function cellName(cell: number): string {
	const column = cell % MAP_COLUMNS;
	return `lockTable[${(cell - column) / MAP_COLUMNS}][${column}]`;
}

/** @param path `/maps/<name>.json` */
export function mapDocument(path: string): DocumentForm<LockMap> {
	return {
		path: path.slice(1),
		maxBytes: MAP_FILE_BYTES_MAX,
		fallback: DEFAULT_MAP,
		read: (fields) => lockMapFrom(fields, true),
		write: lockMapToJson,
	};
}

/** Member names of a map in OpenHaldex-C6's answer to GET /api/settings, `lockArray[throttle][speed]`. */
export const C6_MAP_NAMES = Object.freeze(["speedArray", "throttleArray", "lockArray"]);
const C6_COLUMNS = 7;
/** Distance of the two added speeds; the lock is the same there. */
const ADDED_KMH = 10;

/** A map of OpenHaldex-C6, 7 by 7, gets two speeds with the lock of its last one. @throws {MapProblem} */
export function lockMapFromC6(fields: Readonly<Record<string, unknown>>): LockMap {
	// by name: a text would become a name of the engine at the first request
	const { speedArray, throttleArray, lockArray } = fields;
	const speedBins = [...list(speedArray, C6_COLUMNS, WRONG_SIZES, "speedArray")];
	const last = Number(speedBins[C6_COLUMNS - 1]);
	for (let added = 1; speedBins.length < MAP_COLUMNS; added++) speedBins.push(last + added * ADDED_KMH);
	const lockTable = list(lockArray, MAP_ROWS, WRONG_SIZES, "lockArray").map((cells, r) => {
		const row = [...list(cells, C6_COLUMNS, WRONG_TABLE, `lockArray[${r}]`)];
		while (row.length < MAP_COLUMNS) row.push(row[C6_COLUMNS - 1]);
		return row;
	});
	const throttleBins = list(throttleArray, MAP_ROWS, WRONG_SIZES, "throttleArray");
	return lockMapFrom({ speedBins, throttleBins, lockTable });
}

/** In the header two texts, in a line the pedal position and a text. */
const LEADING_COLUMNS = 2;
const COLUMNS = LEADING_COLUMNS + MAP_COLUMNS;
const LINE_FEED = 0x0a;
/** Characters that an error shows of a wrong column, and of a line. */
const SHOWN_MAX = 16;
const LINE_SHOWN_MAX = 100;
/** Empty ones included. */
const LINES_MAX = 48;
const LINE_BYTES_MAX = 240;
const WANTED = `${COLUMNS} columns, separated by tabs, semicolons, commas or blanks: ID Name S0 ... S140, then T10 10% 4 ... 0`;

/** Each line of the file may have a separator of its own. @throws {MapProblem} naming line or value */
export function parseMapText(bytes: Uint8Array): LockMap {
	/** The header, then the rows. */
	const lines: string[] = [];
	let speedBins: unknown[] = [];
	const throttleBins: unknown[] = [];
	const lockTable: unknown[][] = [];
	for (let start = 0, line = 1; start < bytes.length && lockTable.length < MAP_ROWS && line <= LINES_MAX; line++) {
		const feed = indexOfByte(bytes, LINE_FEED, start, bytes.length);
		const end = feed < 0 ? bytes.length : feed;
		if (end - start > LINE_BYTES_MAX) {
			const shown = shownOf(decodedText(bytes, start, start + LINE_BYTES_MAX));
			throw new MapProblem(WRONG_SIZES, `line ${line}`, `${end - start} bytes`, `at most ${LINE_BYTES_MAX} bytes`, shown);
		}
		const text = decodedText(bytes, start, end);
		start = end + 1;
		const columns = columnsOf(text);
		if (columns.length === 0) continue;
		if (columns.length !== COLUMNS) {
			const count = columns.length > COLUMNS ? `more than ${COLUMNS}` : columns.length;
			throw new MapProblem(WRONG_SIZES, `line ${line}`, `${count} columns`, WANTED, shownOf(text));
		}
		const values = columns.slice(LEADING_COLUMNS).map(numberOf);
		if (lines.length === 0) speedBins = values;
		else {
			throttleBins.push(numberOf(columns[0]));
			lockTable.push(values);
		}
		lines.push(text);
	}
	const rows = lockTable.length;
	if (rows < MAP_ROWS) throw new MapProblem(WRONG_SIZES, "lines", rows, `a header and ${MAP_ROWS} lines`, shownOf(lines[rows]));
	try {
		return lockMapFrom({ speedBins, throttleBins, lockTable });
	} catch (error) {
		if (!(error instanceof MapProblem)) throw error;
		const { message, field, value, allowed } = error;
		// throttleBins[2] and lockTable[2][3] are in the third row
		const line = field.startsWith("speedBins") ? 0 : Number(field.charAt(field.indexOf("[") + 1)) + 1;
		throw new MapProblem(message, field, value, allowed, shownOf(lines[line]));
	}
}

/** A line as an error shows it. */
function shownOf(line = ""): string {
	return line.trim().slice(0, LINE_SHOWN_MAX);
}

/** In another encoding than UTF-8 only ASCII can be read: it has all that counts in a map. */
function decodedText(bytes: Uint8Array, start: number, end: number): string {
	return decodeUtf8(bytes, start, end) ?? asciiOf(bytes.subarray(start, end));
}

/** Reads a text in another encoding: all that counts in a map is ASCII. */
function asciiOf(bytes: Uint8Array): string {
	return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : "?")).join("");
}

/**
 * The columns of a line. A blank line has none. Behind tabs and semicolons further columns are left out.
 * Blanks in a row are one separator. Where blanks and commas make as many columns as a map has, a comma
 * separates if no value then has a blank in it; else it is a decimal comma.
 */
function columnsOf(line: string): readonly string[] {
	const text = line.trim();
	if (text === "") return [];
	if (text.includes("\t")) return line.split("\t", COLUMNS);
	if (text.includes(";")) return text.split(";", COLUMNS);
	const byBlank: string[] = [];
	for (let rest = text; rest !== "" && byBlank.length <= COLUMNS; ) {
		const end = rest.indexOf(" ");
		byBlank.push(end < 0 ? rest : rest.slice(0, end));
		rest = end < 0 ? "" : rest.slice(end).trimStart();
	}
	if (!text.includes(",")) return byBlank;
	const byComma = text.split(",", COLUMNS + 1);
	// some programs write a comma behind the last column
	if (byComma.length > COLUMNS && byComma[COLUMNS] === "") byComma.length = COLUMNS;
	if (byBlank.length !== COLUMNS) return byComma;
	if (byComma.length !== COLUMNS) return byBlank;
	return byComma.slice(LEADING_COLUMNS).some((column) => column.trim().includes(" ")) ? byBlank : byComma;
}

/**
 * A number may have an S or T before it, a % behind it, a decimal comma, and quotes around it.
 * @returns a text for an error if it is not a number
 */
function numberOf(text: string): number | string {
	let number = text.trim();
	if (number.startsWith('"') && number.endsWith('"')) number = number.slice(1, -1);
	if (number !== "" && "SsTt".includes(number.charAt(0))) number = number.slice(1);
	if (number.endsWith("%")) number = number.slice(0, -1);
	const value = decimalOf(number.replace(",", "."));
	return Number.isNaN(value) ? text.trim().slice(0, SHOWN_MAX) : value;
}

/** `speeds pedals cells`, with commas between numbers: the same text is the same map. Pure. */
export function textOfMap({ speedBinsKmh, pedalBinsPercent, cells }: LockMap): string {
	return `${speedBinsKmh} ${pedalBinsPercent} ${cells}`;
}

/** The TXT file. */
export function mapText(map: LockMap): Uint8Array {
	let text = "ID\tName";
	for (const speedKmh of map.speedBinsKmh) text += `\tS${speedKmh}`;
	map.pedalBinsPercent.forEach((pedalPercent, row) => {
		const values = map.cells.slice(row * MAP_COLUMNS, (row + 1) * MAP_COLUMNS);
		text += `\nT${pedalPercent}\t${pedalPercent}%\t${values.join("\t")}`;
	});
	return encodeUtf8(`${text}\n`);
}
