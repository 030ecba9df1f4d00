/**
 * Standalone operation in the `reference` profile: what the coupling gets where no car sends it, bit for bit, odd counters included.
 * Token notation: `plan-encoder.ts`. Source: docs/control-and-can.md 3.3, 3.8 and 3.9; proven by the golden vectors.
 */

import { dataIdsOf } from "../../can/data-ids.js";
import { isDynamic, type ModeNumber } from "../../lock/modes.js";
import type { ChecksumRow, CounterRow, FrameRow, PeriodMs, PlanTable } from "../plan-encoder.js";
import * as reference from "./reference.js";

/** Requests of diagnosis that reach the coupling. Source: docs/control-and-can.md 4.1. */
export const DIAGNOSIS_IDS: readonly number[] = Object.freeze([0x764, 0x200, 0x710, 0x71d, 0x70f]);

const counter = (name: string, initial: number, step: number, wrapAbove: number, wrapTo: number): CounterRow =>
	Object.freeze({ name, initial, step, wrapAbove, wrapTo });

const every = (periodMs: PeriodMs, rows: readonly FrameRow[]): readonly FrameRow[] => rows.map((row) => ({ ...row, periodMs }));

/** The same row as in a rewriting table. */
const rowOf = (table: PlanTable, id: number): FrameRow => {
	const found = table.frames.find((frame) => frame.id === id);
	if (found === undefined) throw new RangeError(`no frame ${id}`);
	return found;
};

const BREMSE_3: FrameRow = { message: "Bremse_3", id: 0x4a0, bytes: "aFE 0A aFE 0A 00 0A 00 0A" };

/**
 * Generation 1. In the modes that follow a table the reference repeats what an earlier mode left in the lever, from the start on 00, which asks for
 * the most: there it falls with lock, as in `corrected`. Source: docs/control-and-can.md 3.5, A3.
 */
export function generation1(mode: ModeNumber): PlanTable {
	const inline = rowOf(reference.generation1(mode), 0x280);
	const lever = isDynamic(mode) ? "dFE-E8" : (inline.bytes.split(" ")[6] as string);
	const frames = every(20, [
		{ message: "Motor_1", id: 0x280, bytes: `00 aFE 21 a4E aFE aFE ${lever === ".." ? "iFE" : lever} 00` },
		{ message: "Motor_3", id: 0x380, bytes: "00 50 00 00 00 00 00 FE" },
		{ message: "Bremse_1", id: 0x1a0, bytes: "80 00 00 0A FE FE 00 cBRAKES1" },
		BREMSE_3,
	]);
	return { counterSet: 21, counters: [counter("BRAKES1", 10, 1, 0x0f, 0)], frames, passes: DIAGNOSIS_IDS };
}

const STEERING_SUM: ChecksumRow = Object.freeze({ kind: "inverted-sum", target: 7, mask: 0x2f });

/** Generation 2. Motor_5 advances the counter of Bremse_1, which has wrapped by the next one only. */
export const GENERATION_2: PlanTable = Object.freeze({
	counterSet: 22,
	counters: Object.freeze([
		counter("BRAKES1", 10, 1, 0x0f, 0),
		counter("BRAKES2", 0, 10, 0xf7, 7),
		counter("BRAKES4", 0, 10, 0xf0, 0),
		counter("BRAKES5A", 4, 10, 0xf0, 0),
		counter("BRAKES5B", 3, 10, 0xf3, 3),
		counter("BRAKES9A", 3, 10, 0xf1, 0x11),
		counter("BRAKES9B", 0, 10, 0xf0, 0),
		counter("BRAKES10", 0, 1, 0x0f, 0),
		counter("LW1", 0, 0x10, 0xef, 0),
	]),
	frames: Object.freeze([
		...every(10, [
			{ message: "Bremse_1", id: 0x1a0, bytes: "00 41 00 FE FE FE 00 cBRAKES1" },
			{ message: "Bremse_2", id: 0x5a0, bytes: "7F AE 3D cBRAKES2 a7F aFE 5E 2B" },
			BREMSE_3,
			{ message: "Bremse_4", id: 0x2a0, bytes: "00 00 00 00 00 00 cBRAKES4 cBRAKES4" },
			{ message: "Bremse_5", id: 0x4a8, bytes: "FE 7F 03 00 00 00 cBRAKES5A cBRAKES5B" },
			{ message: "Bremse_9", id: 0x0ae, bytes: "cBRAKES9A cBRAKES9B 00 00 00 00 02 00" },
			{ message: "Lenkwinkel_1", id: 0x0c2, bytes: "20 00 00 00 80 cLW1 00 00", checksums: [STEERING_SUM] },
		]),
		...every(20, [
			{ message: "Motor_1", id: 0x280, bytes: "08 FA 20 a4E FA FA a20 FA" },
			{ message: "Motor_2", id: 0x288, bytes: "00 30 00 0A 0A 10 FE FE" },
			{ message: "Motor_5", id: 0x480, bytes: "FE 00 00 00 00 00 00 sBRAKES1" },
			{ message: "Bremse_10", id: 0x3a0, bytes: "A6 cBRAKES10 75 D4 51 47 1D 0F" },
		]),
		...every(25, [{ message: "Kombi_1", id: 0x320, bytes: "00 02 00 00 36 00 00 00" }]),
	]),
	passes: DIAGNOSIS_IDS,
});

/** Generation 4, frames without counter or lock: the same in both profiles. */
export const GENERATION_4_SLOW: readonly FrameRow[] = Object.freeze([
	...every(100, [
		{ message: "Gate_Komf_1", id: 0x390, bytes: "03 11 58 00 40 00 01 08" },
		{ message: "Gate_Komf_2", id: 0x392, bytes: "09 01 00 A1 00 00 00 00" },
		{ message: "Systeminfo_1", id: 0x5d0, bytes: "C0 03 50 BF 37 56 00 00", forcedDlc: 6 },
		{ message: "Soll_Verbauliste_neu", id: 0x5dc, bytes: "F7 42 70 3F 1C 08 00 C8" },
		{ message: "Bremse_11", id: 0x5b7, bytes: "00 C0 00 00 00 00 00 00" },
	]),
	...every(200, [{ message: "Kombi_2", id: 0x420, bytes: "4C 86 85 00 00 30 FF 04" }]),
]);

/** Generation 4. Kombi_3 comes from two sources, at 25 and at 200 ms. */
export const GENERATION_4: PlanTable = Object.freeze({
	counterSet: 24,
	counters: Object.freeze([
		...reference.GENERATION_4.counters,
		counter("BRAKES1", 10, 1, 0x1f, 10),
		counter("BRAKES2", 0, 0x10, 0xf0, 0),
		counter("BRAKES9A", 3, 0x10, 0xf3, 3),
		counter("BRAKES9B", 0, 0x10, 0xf0, 0),
		counter("DIAGNOSE1", 0, 1, 0x1f, 0),
	]),
	frames: Object.freeze([
		...every(10, [
			rowOf(reference.GENERATION_4, 0x0c2),
			{ message: "Bremse_1", id: 0x1a0, bytes: "20 40 F0 07 aFE aFE 00 cBRAKES1" },
			rowOf(reference.GENERATION_4, 0x4a0),
			rowOf(reference.GENERATION_4, 0x2a0),
			{ message: "Bremse_9", id: 0x0ae, bytes: "cBRAKES9A cBRAKES9B 00 00 00 00 03 00" },
			rowOf(reference.GENERATION_4, 0x280),
		]),
		...every(20, [{ message: "Bremse_2", id: 0x5a0, bytes: "80 7A 05 cBRAKES2 a7F CA 1B AB" }]),
		...every(25, [
			{ message: "Kombi_1", id: 0x320, bytes: "24 00 1D B9 07 42 09 81" },
			{ message: "Kombi_3", id: 0x520, bytes: "60 43 01 10 66 F1 03 02" },
		]),
		...GENERATION_4_SLOW,
		...every(200, [
			{ message: "Kombi_3", id: 0x520, bytes: "A6 87 01 10 66 F2 03 02" },
			{ message: "NMH_Gateway", id: 0x720, bytes: "04 03 01 00 02 00 00 00", forcedDlc: 7 },
		]),
		...every(1000, [{ message: "Diagnose_1", id: 0x7d0, bytes: "26 F2 03 12 70 19 25 cDIAGNOSE1" }]),
	]),
	passes: DIAGNOSIS_IDS,
});

/** Byte 0 of an MQB frame with the DataID fed first: what the reference sends. */
function dataIdFirst(id: number): readonly ChecksumRow[] {
	const dataIds = dataIdsOf(id, "reference") ?? [];
	return Object.freeze([{ kind: "crc8", target: 0, mask: 0xfe, dataIds, dataIdPosition: "first" }]);
}

/** Which frames generation 5 gets, and how often; 3.8 has most of them. Source: docs/control-and-can.md 3.9. */
export function generation5(inline: PlanTable, checksums: (id: number) => readonly ChecksumRow[]): readonly FrameRow[] {
	return [
		...every(10, [
			{ message: "ESP_18", id: 0x135, bytes: "00 C0 00 00 00 00 00 00" },
			rowOf(inline, 0x0b2),
			{ message: "Getriebe_11", id: 0x0ad, bytes: "00 cGETRIEBE_11 00 FE 00 00 00 00", checksums: checksums(0x0ad) },
			rowOf(inline, 0x0a8),
			rowOf(inline, 0x0a7),
			rowOf(inline, 0x08a),
			{ message: "LWI_01", id: 0x086, bytes: "00 cLWI_01 01 00 00 00 00 00", checksums: checksums(0x086) },
		]),
		...every(20, [
			{ message: "Motor_20", id: 0x121, bytes: "00 cMOTOR_20 40 40 19 59 7E FE", checksums: checksums(0x121) },
			rowOf(inline, 0x116),
			rowOf(inline, 0x106),
		]),
		...every(25, [rowOf(inline, 0x30b)]),
		...every(
			100,
			[0x5be, 0x54b, 0x3db, 0x3c8, 0x3be, 0x392, 0x18c].map((id) => rowOf(inline, id)),
		),
		...every(
			1000,
			[0x640, 0x385, 0x585, 0x641, 0x65d, 0x6b2, 0x6b7].map((id) => rowOf(inline, id)),
		),
	];
}

/** Counters of the frames that only standalone operation sends. */
export const GENERATION_5_COUNTERS: readonly CounterRow[] = Object.freeze([
	counter("GETRIEBE_11", 0, 1, 0x0f, 0),
	counter("LWI_01", 0x10, 1, 0x1f, 0x10),
	counter("MOTOR_20", 0, 1, 0x0f, 0),
]);

export const GENERATION_5: PlanTable = Object.freeze({
	counterSet: 25,
	counters: Object.freeze([...reference.GENERATION_5.counters, ...GENERATION_5_COUNTERS]),
	frames: Object.freeze(generation5(reference.GENERATION_5, dataIdFirst)),
	passes: DIAGNOSIS_IDS,
});
