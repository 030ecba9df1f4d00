/**
 * The rows of frames that are rewritten or sent, and their encoding as the gateway's frame plan, format 2
 * (`modules/can-gateway/README.md`). None of it is in the firmware: a build step encodes the rows.
 * A row is eight tokens, one per byte, as in the tables of docs/control-and-can.md 3.5 to 3.8:
 *   `..` as received · `3F` constant · `aFE` scaled by the factor
 *   `iFE` FE minus the scaled value · `dFE-E8` FE minus scaled E8
 *   `u80+7E` 00 at factor 0, else 80 and scaled 7E · `r7F+37` 7F and scaled 37
 *   `cNAME` counter · `kNAME` scaled counter, `kNAME+CA` with an offset added first
 *   `+CA<FF` adds scaled CA to the 16-bit value that starts here, if that is below FF00
 *   `sNAME` 00, and the counter takes a step without its wrap
 */

import { COUPLING } from "../can/bus.js";
import { CRC_8, type DataIdOrder, dataIdsOf } from "../can/layouts/mqb.js";
import * as pq from "../can/layouts/pq.js";
import type { RawRow } from "../can/signal-layout.js";
import type { ModeNumber } from "../lock/modes.js";
import { UPPER_HEX } from "../text/characters.js";
import type { FrameProfile } from "./couplings/couplings.js";
import {
	CHECKSUM_BYTES,
	COUNTER_BYTES,
	DATA_ID_BYTES,
	HEADER,
	HEADER_BYTES,
	MARK_BYTES,
	markOf,
	OPERATION_BYTES,
	PLAN_FORMAT,
	RULE,
	RULE_BYTES,
	writeId,
} from "./plan-format.js";

/** `step` is added after use, modulo 256; above `wrapAbove` it goes on at `wrapTo`. All numbers are 0..255. */
export interface CounterRow {
	readonly name: string;
	readonly initial: number;
	readonly step: number;
	readonly wrapAbove: number;
	readonly wrapTo: number;
}

/** A checksum; only `crc8` needs DataIDs. */
export interface ChecksumRow {
	readonly kind: "crc8" | "xor" | "inverted-sum";
	/** The byte that gets it, 0..7. */
	readonly target: number;
	/** Bytes that count, bit n = byte n. */
	readonly mask: number;
	/** 16 values, each 0..0xFF, by counter nibble. */
	readonly dataIds?: readonly number[];
	readonly dataIdPosition?: "first" | "last";
	/** A received frame without this checksum is left alone. */
	readonly verify?: boolean;
}

/** One frame of a plan. */
export interface FrameRow {
	/** Its name in the network's description. */
	readonly message: string;
	/** 0..0x7FF. */
	readonly id: number;
	/** Eight tokens. */
	readonly bytes: string;
	readonly checksums?: readonly ChecksumRow[];
	/** Sent DLC; such a frame is rewritten at any DLC. Absent: as received. */
	readonly forcedDlc?: number;
	/** Gateway group 0..7; absent = 0. */
	readonly group?: number;
	/** Absent = the frame is rewritten, not generated. */
	readonly periodMs?: PeriodMs;
}

/** Period of a generated frame. */
export type PeriodMs = 10 | 20 | 25 | 50 | 100 | 200 | 1000;

/** All frames of one generation and profile. */
export interface PlanTable {
	/** Counters go on from a plan with the same number. */
	readonly counterSet: number;
	readonly counters: readonly CounterRow[];
	readonly frames: readonly FrameRow[];
	/** Standing, sections of docs/control-and-can.md, and what these have. */
	readonly source: string;
	/**
	 * Frames are generated, `..` is 00, and each row has a period, in rising order. Of the chassis only these
	 * identifiers reach the coupling.
	 */
	readonly passes?: readonly number[];
}

type PlanOfMode = (mode: ModeNumber) => PlanTable;

/** The frames of a coupling in both profiles. */
export interface CouplingPlans {
	/** Signals that the car can mark as invalid: such a frame is not rewritten. */
	readonly marked: readonly RawRow[];
	readonly inline: Readonly<Record<FrameProfile, PlanOfMode>>;
	/** Plans for a bus without a car. */
	readonly standalone: Readonly<Record<FrameProfile, PlanOfMode>>;
}

/** Received counters stay. */
export const NO_COUNTERS: readonly CounterRow[] = Object.freeze([]);

/** See `CounterRow`. */
export const counter = (name: string, initial: number, step: number, wrapAbove: number, wrapTo: number): CounterRow =>
	Object.freeze({ name, initial, step, wrapAbove, wrapTo });

/** A counter in the low nibble, below these bits of payload. */
export const low = (name: string, above = 0): CounterRow => counter(name, above, 1, above + 15, above);

/** A counter in the high nibble, above these bits of payload. */
export const high = (name: string, below = 0): CounterRow => counter(name, below, 0x10, 0xf0 + below, below);

/** Sets a period. */
export const every = (periodMs: PeriodMs, rows: readonly FrameRow[]): readonly FrameRow[] =>
	rows.map((row) => ({ ...row, periodMs }));

/** Rows of a table. @throws {RangeError} it has none */
export const rowsOf = (table: PlanTable, ...ids: readonly number[]): FrameRow[] =>
	ids.map((id) => {
		const found = table.frames.find((frame) => frame.id === id);
		if (found === undefined) throw new RangeError(`no frame ${id}`);
		return found;
	});

/** Generated rows with changes by identifier, in the order of their periods. */
export const but = (rows: readonly FrameRow[], others: readonly (readonly [number, Partial<FrameRow>])[]): readonly FrameRow[] =>
	rows
		.map((row) => ({ ...row, ...others.find(([id]) => id === row.id)?.[1] }))
		.sort((one, other) => (one.periodMs as number) - (other.periodMs as number));

/** XOR of all other bytes. @param target its byte, 0..7 */
export const xor = (target: number): readonly ChecksumRow[] =>
	Object.freeze([{ kind: "xor", target, mask: 0xff & ~(1 << target) }]);

/** Byte 0 of an MQB frame. `reference` feeds the DataID first, `autosar` last (E2E profile 2). */
export const mqbChecksum = (id: number, order: DataIdOrder): readonly ChecksumRow[] => {
	const dataIds = dataIdsOf(id, order) ?? [];
	const dataIdPosition = order === "reference" ? "first" : "last";
	return Object.freeze([{ kind: "crc8", target: 0, mask: 0xfe, dataIds, dataIdPosition }]);
};

/** The steering CRC ends with the low byte of the CAN id, whatever the counter. */
const STEERING_DATA_ID: readonly number[] = Object.freeze(new Array(16).fill(pq.LENKWINKEL_1));

/**
 * Byte 6 of Lenkwinkel_1 in the reference, the closed form of its table. Source: docs/control-and-can.md 3.4.
 */
export const STEERING_CRC: ChecksumRow = Object.freeze({
	kind: "crc8",
	target: 6,
	mask: 0x3f,
	dataIds: STEERING_DATA_ID,
	dataIdPosition: "last",
});

/** Byte 7 of Lenkwinkel_1 in cars. Source: docs/control-and-can.md 3.4. */
export const STEERING_SUM: ChecksumRow = Object.freeze({ kind: "inverted-sum", target: 7, mask: 0x2f });

/** Generations 1 and 2: faster front wheels. Source: docs/control-and-can.md 3.5, 3.6. */
export const BREMSE_3: FrameRow = Object.freeze({ message: "Bremse_3", id: pq.BREMSE_3, bytes: "aFE 0A aFE 0A 00 0A 00 0A" });

/** Units of a plan. Source: modules/can-gateway/README.md, "Plans that generate". */
const PERIOD_UNIT_MS = 5;
const PHASE_UNIT_MS = 0.5;
/**
 * Delay of a due frame by its period. Frames that fall together only now and then thus do not delay others: ten
 * of 10 and 20 ms take up to 2.7 ms, those of 25 ms come at 2.5 and 7.5 ms, those of 50 ms at 2.5 ms.
 * Assumed: a frame takes 0.27 ms at most, 135 bits.
 */
const PHASES_MS: Readonly<Record<PeriodMs, number>> = Object.freeze({
	10: 0,
	20: 0,
	25: 2.5,
	50: 2.5,
	100: 3.5,
	200: 3.5,
	1000: 3.5,
});
const FULL_DLC = 8;

const SET = 1;
const SCALE = 2;
const SCALE_DOWN = 3;
/** Operations by the first character of a token. */
const OF_COUNTER: Readonly<Record<string, number>> = Object.freeze({ c: 4, k: 5, s: 7 });
const OF_TWO_BYTES: Readonly<Record<string, number>> = Object.freeze({ d: SCALE_DOWN, "+": 6, u: 8, r: 9 });
const CHECKSUM_KINDS = Object.freeze(["", "crc8", "xor", "inverted-sum"]);
const VERIFY = 1;
const FULL_INVERSE = 0xfe;

/**
 * @param marked signals that the car can mark as invalid: a frame with a code in one that its row overwrites
 * is not rewritten
 * @throws {RangeError} frame and token of an invalid row, a fault of our tables
 */
export function encodePlan(table: PlanTable, marked: readonly RawRow[] = []): Uint8Array {
	const dataIds = distinctDataIds(table.frames);
	const { passes } = table;
	const rules = table.frames.length + (passes?.length ?? 0);
	const marks = passes === undefined ? table.frames.flatMap((frame, rule) => marksOf(frame, rule, marked)) : [];
	const rulesOffset = HEADER_BYTES + table.counters.length * COUNTER_BYTES + dataIds.length * DATA_ID_BYTES;
	const plan = new Uint8Array(rulesOffset + rules * RULE_BYTES + marks.length * MARK_BYTES);
	plan[HEADER.format] = PLAN_FORMAT;
	plan[HEADER.counterSet] = table.counterSet;
	plan[HEADER.crcPolynomial] = CRC_8.polynomial;
	plan[HEADER.crcInitial] = CRC_8.initial;
	plan[HEADER.crcFinalXor] = CRC_8.finalXor;
	plan[HEADER.counterCount] = table.counters.length;
	plan[HEADER.dataIdCount] = dataIds.length;
	plan[HEADER.ruleCount] = rules;
	plan[HEADER.generates] = passes === undefined ? 0 : 1;
	plan[HEADER.markCount] = marks.length;
	let offset = HEADER_BYTES;
	for (const counter of table.counters) {
		plan.set([counter.initial, counter.step, counter.wrapAbove, counter.wrapTo], offset);
		offset += COUNTER_BYTES;
	}
	for (const ids of dataIds) {
		plan.set(ids, offset);
		offset += DATA_ID_BYTES;
	}
	for (const frame of table.frames) {
		const rule = plan.subarray(offset, offset + RULE_BYTES);
		encodeRule(rule, frame, table.counters, dataIds);
		if (passes !== undefined) encodePeriod(rule, frame);
		offset += RULE_BYTES;
	}
	for (const id of passes ?? []) {
		writeId(plan, offset, id);
		offset += RULE_BYTES;
	}
	plan.set(marks.flat(), offset);
	return plan;
}

/** Codes and quality bits of the signals that a row overwrites. */
function marksOf(frame: FrameRow, rule: number, signals: readonly RawRow[]): number[][] {
	const tokens = frame.bytes.split(" ");
	// + writes two bytes
	const isWritten = tokens.map((token, i) => token !== ".." || (i > 0 && tokens[i - 1].startsWith("+")));
	const overwrites = (start: number, length: number): boolean =>
		isWritten.slice(start >> 3, (start + length + 7) >> 3).includes(true);
	const marks: number[][] = [];
	for (const signal of signals) {
		const { start, length, min = 0, max, qualityBit, qualityBits = 1 } = signal;
		if (signal.id !== frame.id || signal.extended === true) continue;
		const quality = qualityBit !== undefined && overwrites(qualityBit, qualityBits);
		if (!overwrites(start, length) && !quality) continue;
		if (max !== undefined) marks.push([rule, ...markOf(frame.message, signal, max + 1, min === 0 ? 2 ** length - 1 : min - 1)]);
		if (qualityBit !== undefined)
			marks.push([rule, ...markOf(frame.message, { start: qualityBit, length: qualityBits }, 1, 2 ** qualityBits - 1)]);
	}
	return marks;
}

function distinctDataIds(frames: readonly FrameRow[]): (readonly number[])[] {
	const found: (readonly number[])[] = [];
	for (const frame of frames)
		for (const checksum of frame.checksums ?? [])
			if (checksum.dataIds !== undefined && !found.includes(checksum.dataIds)) found.push(checksum.dataIds);
	return found;
}

function encodeRule(
	rule: Uint8Array,
	frame: FrameRow,
	counters: readonly CounterRow[],
	dataIds: readonly (readonly number[])[],
): void {
	const tokens = frame.bytes.split(" ");
	if (tokens.length !== 8) throw new RangeError(`${frame.message}: ${tokens.length} byte tokens, 8 expected`);
	let minDlc = 0;
	for (let i = 0; i < 8; i++) {
		const token = tokens[i] as string;
		if (token === "..") continue;
		encodeToken(rule, RULE.operations + OPERATION_BYTES * i, token, frame.message, counters);
		minDlc = token.startsWith("+") ? i + 2 : i + 1;
	}
	writeId(rule, 0, frame.id);
	rule[RULE.group] = frame.group ?? 0;
	rule[RULE.minDlc] = frame.forcedDlc === undefined ? minDlc : 0;
	rule[RULE.dlcOut] = frame.forcedDlc ?? 0;
	(frame.checksums ?? []).forEach((checksum, i) => {
		const position = checksum.dataIdPosition === "first" ? 1 : checksum.dataIdPosition === "last" ? 2 : 0;
		rule.set(
			[
				CHECKSUM_KINDS.indexOf(checksum.kind),
				checksum.target,
				checksum.mask,
				checksum.dataIds === undefined ? 0 : dataIds.indexOf(checksum.dataIds) + 1,
				position,
				checksum.verify === true ? VERIFY : 0,
			],
			RULE.checksums + i * CHECKSUM_BYTES,
		);
	});
}

/** In place of group and least DLC. */
function encodePeriod(rule: Uint8Array, frame: FrameRow): void {
	const { message, periodMs = 0, forcedDlc = FULL_DLC } = frame;
	const phase = Object.entries(PHASES_MS).find(([period]) => Number(period) === periodMs);
	if (phase === undefined) throw new RangeError(`${message}: period ${periodMs}, not one of ${Object.keys(PHASES_MS)} ms`);
	rule[RULE.bus] = COUPLING;
	rule[RULE.phase] = phase[1] / PHASE_UNIT_MS;
	rule[RULE.period] = periodMs / PERIOD_UNIT_MS;
	rule[RULE.dlcOut] = forcedDlc;
}

function encodeToken(rule: Uint8Array, at: number, token: string, message: string, counters: readonly CounterRow[]): void {
	const body = token.slice(1);
	const end = [...body].findIndex((character) => "-+<".includes(character));
	const first = end < 0 ? body : body.slice(0, end);
	const second = end < 0 ? undefined : body.slice(end + 1);
	const kind = token[0];
	let operation: readonly number[];
	if (kind in OF_TWO_BYTES) operation = [OF_TWO_BYTES[kind], hex(first, message), hex(second, message)];
	else if (kind in OF_COUNTER)
		operation = [OF_COUNTER[kind], counterIndex(first, message, counters), second === undefined ? 0 : hex(second, message)];
	else if (kind === "a") operation = [SCALE, hex(first, message)];
	else if (kind === "i") operation = [SCALE_DOWN, FULL_INVERSE, hex(first, message)];
	else operation = [SET, hex(token, message)];
	rule.set(operation, at);
}

function hex(text: string | undefined, message: string): number {
	if (text === undefined || text.length !== 2 || [...text].some((character) => !UPPER_HEX.includes(character)))
		throw new RangeError(`${message}: "${text}" is no byte of two hex digits`);
	return Number.parseInt(text, 16);
}

function counterIndex(name: string, message: string, counters: readonly CounterRow[]): number {
	const index = counters.findIndex((counter) => counter.name === name);
	if (index < 0) throw new RangeError(`${message}: no counter "${name}"`);
	return index;
}
