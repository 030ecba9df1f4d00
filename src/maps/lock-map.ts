/**
 * The map as clients and files write it: an object with `speedBins`, `throttleBins` and `lockTable`. Reading checks all of it before
 * anything is used. Source: docs/http-api.md 3.4, 3.5 and 3.12; docs/decisions.md 7 (axes strictly ascend) and 12.
 */

import { FULL_LOCK_PERCENT } from "../lock/modes.js";
import { DEFAULT_MAP, type LockMap, MAP_COLUMNS, MAP_ROWS } from "../lock/tuning.js";
import type { DocumentForm } from "../storage/stored-document.js";
import { areWhole } from "../text/numbers.js";

/**
 * No file of ours is longer: JSON takes up to 460 bytes, TXT with 32 columns about 1,200. Chosen: a block of flash, which a file takes anyhow. Half
 * would do; twice would let a file of two blocks be read for a map.
 */
export const MAP_FILE_BYTES_MAX = 4096;

/** Of a bin: speeds are kept in 16 bits. Source: docs/control-and-can.md 1.2. */
const SPEED_KMH_MAX = 65_535;
const PEDAL_PERCENT_MAX = 100;

const WRONG_SIZES = "invalid map sizes";
const WRONG_TABLE = "invalid lock table";
const WRONG_ORDER = "bins must ascend";

/** All member names of a map in JSON. */
export const MAP_NAMES = Object.freeze(["speedBins", "throttleBins", "lockTable"]);

/** What is wrong with a map. The message is that of the error catalogue (docs/http-api.md 11). */
export class MapProblem extends RangeError {
	/** Where, such as `lockTable[6][8]` or `line 3`. */
	readonly field: string;
	readonly value: unknown;
	/** What would have been accepted. */
	readonly allowed: string;

	constructor(message: string, field: string, value: unknown, allowed: string) {
		super(message);
		this.field = field;
		this.value = value;
		this.allowed = allowed;
	}
}

/**
 * The map that the members of an object describe; other members are ignored. Numbers are rounded and clamped: speeds to 0..65535 km/h, pedal
 * and lock to 0..100 percent.
 * @throws {MapProblem} `invalid map sizes`, `invalid lock table`, `bins must ascend`
 */
export function lockMapFrom(fields: Readonly<Record<string, unknown>>): LockMap {
	const speedBins = list(fields["speedBins"], MAP_COLUMNS, WRONG_SIZES, "speedBins");
	const throttleBins = list(fields["throttleBins"], MAP_ROWS, WRONG_SIZES, "throttleBins");
	const rows = list(fields["lockTable"], MAP_ROWS, WRONG_SIZES, "lockTable");
	const cells: unknown[] = [];
	for (let r = 0; r < MAP_ROWS; r++) append(cells, list(rows[r], MAP_COLUMNS, WRONG_TABLE, `lockTable[${r}]`));
	return ascending({
		speedBinsKmh: numbers(speedBins, SPEED_KMH_MAX, speedBin),
		pedalBinsPercent: numbers(throttleBins, PEDAL_PERCENT_MAX, pedalBin),
		cells: numbers(cells, FULL_LOCK_PERCENT, lockCell),
	});
}

/** `push` itself: with a spread the engine asks an iterator for each value. */
function append(to: unknown[], values: readonly unknown[]): void {
	to.push.apply(to, values as unknown[]);
}

/** What `read` makes of each; as all clients write it, in whole numbers within their range, 80 of them need not go through three functions each. */
function numbers(values: readonly unknown[], max: number, read: (value: unknown, index: number) => number): readonly number[] {
	return areWhole(values, max) ? (values as number[]) : values.map(read);
}

/** The object that stands for a map in answers and files; `lockMapFrom` reads it back. Pure. */
export function lockMapToJson(map: LockMap): { speedBins: number[]; throttleBins: number[]; lockTable: number[][] } {
	const lockTable: number[][] = [];
	for (let row = 0; row < MAP_ROWS; row++) lockTable.push(map.cells.slice(row * MAP_COLUMNS, (row + 1) * MAP_COLUMNS));
	return { speedBins: [...map.speedBinsKmh], throttleBins: [...map.pedalBinsPercent], lockTable };
}

/** Speed of a column, km/h: rounded, clamped to 0..65535. @param column 0..8, for the error's words @throws {MapProblem} no finite number */
function speedBin(value: unknown, column: number): number {
	return rounded(value, SPEED_KMH_MAX) ?? refuse(WRONG_SIZES, `speedBins[${column}]`, value, SPEED_KMH_MAX);
}

/**
 * Pedal of a row, percent: rounded, clamped to 0..100. @param value any @param row 0..6, for the error's words @throws {MapProblem} no finite number
 */
function pedalBin(value: unknown, row: number): number {
	return rounded(value, PEDAL_PERCENT_MAX) ?? refuse(WRONG_SIZES, `throttleBins[${row}]`, value, PEDAL_PERCENT_MAX);
}

/** Lock of a cell, percent: rounded, clamped to 0..100. @param cell 0..62, row by row, likewise @throws {MapProblem} no finite number */
function lockCell(value: unknown, cell: number): number {
	return rounded(value, FULL_LOCK_PERCENT) ?? refuse(WRONG_TABLE, cellName(cell), value, FULL_LOCK_PERCENT);
}

/** The map itself. @throws {MapProblem} `bins must ascend`: a bin that is not above its neighbour */
function ascending(map: LockMap): LockMap {
	check(map.speedBinsKmh, "speedBins");
	check(map.pedalBinsPercent, "throttleBins");
	return map;
}

/** Why a map could not be used, as one line. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof MapProblem)) return (error as Error).message;
	return `${error.message}: ${error.field} is ${JSON.stringify(error.value)}; allowed: ${error.allowed}`;
}

function check(bins: readonly number[], name: string): void {
	for (let i = 1; i < bins.length; i++)
		if (bins[i] <= bins[i - 1]) throw new MapProblem(WRONG_ORDER, `${name}[${i}]`, bins[i], `above ${bins[i - 1]}`);
}

function list(value: unknown, length: number, message: string, field: string): readonly unknown[] {
	if (Array.isArray(value) && value.length === length) return value;
	throw new MapProblem(message, field, Array.isArray(value) ? `${value.length} values` : (value ?? null), `${length} values`);
}

function cellName(cell: number): string {
	const column = cell % MAP_COLUMNS;
	return `lockTable[${(cell - column) / MAP_COLUMNS}][${column}]`;
}

/** Rounded and clamped to 0..max; undefined if it is no finite number. */
function rounded(value: unknown, max: number): number | undefined {
	if (typeof value !== "number") return undefined;
	// not Math.round: of XS it leaves denormal numbers as they are, and a cell of 1e-310 would ask for lock
	return Number.isFinite(value) ? Math.min(Math.max(Math.floor(value + 0.5), 0), max) : undefined;
}

function refuse(message: string, field: string, value: unknown, max: number): never {
	// JSON has no infinity, and would show it as null
	throw new MapProblem(message, field, typeof value === "number" ? String(value) : (value ?? null), `0..${max}, a finite number`);
}

/** A map as a document of the storage. @param path `/maps/<name>.json` */
export function mapDocument(path: string): DocumentForm<LockMap> {
	return {
		path: path.slice(1),
		maxBytes: MAP_FILE_BYTES_MAX,
		fallback: DEFAULT_MAP,
		read: lockMapFrom,
		write: lockMapToJson,
	};
}
