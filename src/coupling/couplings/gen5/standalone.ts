/** Generation 5 without a car. Token notation: `plan-encoder.ts`. */

import { STANDALONE_PASSES } from "../../../can/layouts/diagnosis-ids.js";
import type { ChecksumRow, CounterRow, FrameRow, PlanTable } from "../../plan-encoder.js";
import { but, counter, every, low, mqbChecksum, rowOf } from "../../plan-rows.js";
import * as inline from "./inline.js";

const dataIdFirst = (id: number): readonly ChecksumRow[] => mqbChecksum(id, "reference");

/** Counters of the frames that only standalone operation sends. */
const OWN_COUNTERS: readonly CounterRow[] = Object.freeze([
	counter("GETRIEBE_11", 0, 1, 0x0f, 0),
	counter("LWI_01", 0x10, 1, 0x1f, 0x10),
	counter("MOTOR_20", 0, 1, 0x0f, 0),
]);

/** Which frames it gets, and how often; most of them are rewritten in a car, too. */
export const REFERENCE: PlanTable = Object.freeze({
	counterSet: 25,
	counters: Object.freeze([...inline.REFERENCE.counters, ...OWN_COUNTERS]),
	frames: Object.freeze([
		...every(10, [
			{ message: "ESP_18", id: 0x135, bytes: "00 C0 00 00 00 00 00 00" },
			rowOf(inline.REFERENCE, 0x0b2),
			{ message: "Getriebe_11", id: 0x0ad, bytes: "00 cGETRIEBE_11 00 FE 00 00 00 00", checksums: dataIdFirst(0x0ad) },
			rowOf(inline.REFERENCE, 0x0a8),
			rowOf(inline.REFERENCE, 0x0a7),
			rowOf(inline.REFERENCE, 0x08a),
			{ message: "LWI_01", id: 0x086, bytes: "00 cLWI_01 01 00 00 00 00 00", checksums: dataIdFirst(0x086) },
		]),
		...every(20, [
			{ message: "Motor_20", id: 0x121, bytes: "00 cMOTOR_20 40 40 19 59 7E FE", checksums: dataIdFirst(0x121) },
			rowOf(inline.REFERENCE, 0x116),
			rowOf(inline.REFERENCE, 0x106),
		]),
		...every(25, [rowOf(inline.REFERENCE, 0x30b)]),
		...every(
			100,
			[0x5be, 0x54b, 0x3db, 0x3c8, 0x3be, 0x392, 0x18c].map((id) => rowOf(inline.REFERENCE, id)),
		),
		...every(
			1000,
			[0x640, 0x385, 0x585, 0x641, 0x65d, 0x6b2, 0x6b7].map((id) => rowOf(inline.REFERENCE, id)),
		),
	]),
	passes: STANDALONE_PASSES,
	source: "3.9: generation 5; 3.8: rows that are rewritten in a car, too; 3.3: counters; 3.10: checksums",
});

const valid = (row: FrameRow): FrameRow =>
	row.checksums === undefined ? row : { ...row, checksums: mqbChecksum(row.id, "autosar") };

/** What Motor_12 says of the engine speed and ESP_10 of the wheels' direction does not follow a counter. */
export const CORRECTED: PlanTable = Object.freeze({
	counterSet: 35,
	counters: Object.freeze([
		counter("HI", 1, 1, 0x1a, 1),
		counter("LO", 0, 1, 0x0e, 0),
		low("MOTOR_12", 0x70),
		low("MOTOR_11", 0x40),
		low("ESP_14", 0x10),
		low("ESP_10"),
		low("ESP_05", 0x80),
		low("ESP_23"),
		low("MOTOR_14", 0x10),
		low("ESP_07"),
		low("MOTOR_CODE_01", 0x10),
		low("ESP_20", 0x30),
		...OWN_COUNTERS,
	]),
	frames: Object.freeze(
		but(REFERENCE.frames.map(valid), [
			[0x0a8, { bytes: "00 cMOTOR_12 00 00 00 64 0F 00" }],
			[0x116, { bytes: "00 cESP_10 01 04 00 40 00 00" }],
		]),
	),
	passes: STANDALONE_PASSES,
	source: "3.9: generation 5; 3.10: checksums; B1, B2: DataIDs; B7, B8: counters",
});
