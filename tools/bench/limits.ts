/**
 * What work may cost, in instructions of the JavaScript thread. A C6 executes 125 million of them a second.
 */
import type { Row, Slowest } from "./counted.js";

/** One turn of the event loop while lock is commanded, for which a control tick may wait: 30 ms of a C6. */
const TURN_INSTRUCTIONS = 3_600_000;
/** One turn in stock, where nothing waits for a control tick. */
const STOCK_TURN_INSTRUCTIONS = 12_000_000;
/** Any control tick, whatever has happened: 8 ms of a C6. */
export const TICK_INSTRUCTIONS = 1_000_000;

/** One turn in bytecodes, which any run of the program counts: a control tick may wait for it. */
export const TURN_BYTECODES = 250_000;

/** Limits of the rows that are counted, by how their names begin; the first that fits counts. */
const ROW_LIMITS: readonly (readonly [start: string, most: number])[] = [
	["nobody connected", 20_000_000], // a second: a sixth of a C6
	["tick that takes a frame plan", TICK_INSTRUCTIONS],
	["tick", 200_000],
	// settings, two maps and ten earlier ones may add 100 ms of a C6 to the 4.0 M that are counted without them
	["start, everything stored", 16_500_000],
	["start", 12_000_000],
	["event of a stream", 500_000],
	["collection of garbage", 500_000],
	["page", 8_000_000], // all of its files
	["dump row", 2_500],
	["CAN log row", 2_500],
	["upload", 500_000], // a window of a board's TCP
	["GET /api/status", 3_000_000],
	["GET /api/canview", 5_000_000], // grows with the frames that are asked for
	// the control unit takes its time, and ticks go on meanwhile
	["GET /api/uds/", 100_000_000],
	["POST /api/uds/", 100_000_000],
	["POST /api/diag/", 100_000_000],
	// a slow hash, in turns of its own
	["owner's password", 250_000_000],
	["POST /api/session", 250_000_000],
	["GET ", 800_000],
	// with the control ticks, lines of the log and writes that follow
	["POST ", 5_000_000],
	["", 3_000_000],
];

/** What a row of that name may cost. */
export const limitOf = (name: string): number => ROW_LIMITS.find(([start]) => name.startsWith(start))?.[1] ?? 0;

/** @returns what is too much, a line each */
export const tooMuch = (rows: readonly Row[]): string[] =>
	rows.flatMap(({ name, per, instructions, turnHeapBytes, collections }) => [
		...(instructions > limitOf(name) ? [`${name}: ${instructions} instructions, ${limitOf(name)} are allowed`] : []),
		...(per === "tick" && turnHeapBytes + collections > 0
			? [`${name}: ${turnHeapBytes} bytes of the heap, and ${collections} collections, none are allowed`]
			: []),
	]);

/** @returns as `tooMuch` */
export function tooLong(turns: readonly Slowest[]): string[] {
	return turns.flatMap(({ kind, instructions, during, inStock }) => {
		const most = kind === "timer10" ? TICK_INSTRUCTIONS : inStock ? STOCK_TURN_INSTRUCTIONS : TURN_INSTRUCTIONS;
		// a start has a row
		if (kind === "start" || instructions <= most) return [];
		return [`a turn of a ${kind}, ${during}: ${instructions} instructions, ${most} are allowed`];
	});
}
