/** Generation 5 without a car. Token notation: `plan-encoder.ts`. */

import { STANDALONE_PASSES } from "../../../can/layouts/diagnosis-ids.js";
import * as mqb from "../../../can/layouts/mqb.js";
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
			{ message: "ESP_18", id: mqb.ESP_18, bytes: "00 C0 00 00 00 00 00 00" },
			rowOf(inline.REFERENCE, mqb.ESP_19),
			{
				message: "Getriebe_11",
				id: mqb.GETRIEBE_11,
				bytes: "00 cGETRIEBE_11 00 FE 00 00 00 00",
				checksums: dataIdFirst(mqb.GETRIEBE_11),
			},
			rowOf(inline.REFERENCE, mqb.MOTOR_12),
			rowOf(inline.REFERENCE, mqb.MOTOR_11),
			rowOf(inline.REFERENCE, mqb.ESP_14),
			{ message: "LWI_01", id: mqb.LWI_01, bytes: "00 cLWI_01 01 00 00 00 00 00", checksums: dataIdFirst(mqb.LWI_01) },
		]),
		...every(20, [
			{ message: "Motor_20", id: mqb.MOTOR_20, bytes: "00 cMOTOR_20 40 40 19 59 7E FE", checksums: dataIdFirst(mqb.MOTOR_20) },
			rowOf(inline.REFERENCE, mqb.ESP_10),
			rowOf(inline.REFERENCE, mqb.ESP_05),
		]),
		...every(25, [rowOf(inline.REFERENCE, mqb.KOMBI_01)]),
		...every(
			100,
			[mqb.ESP_23, mqb.PARKHILFE_04, mqb.GATEWAY_72, mqb.GETRIEBE_14, mqb.MOTOR_14, mqb.ESP_07, mqb.ESP_29].map((id) =>
				rowOf(inline.REFERENCE, id),
			),
		),
		...every(
			1000,
			[mqb.MOTOR_07, mqb.CHARISMA_01, mqb.SYSTEMINFO_01, mqb.MOTOR_CODE_01, mqb.ESP_20, mqb.DIAGNOSE_01, mqb.KOMBI_02].map((id) =>
				rowOf(inline.REFERENCE, id),
			),
		),
	]),
	passes: STANDALONE_PASSES,
	source:
		"firmware, 3.9: generation 5; firmware, 3.8: rows that are rewritten in a car, too; firmware, 3.3: counters; firmware, 3.10: checksums",
});

const valid = (row: FrameRow): FrameRow =>
	row.checksums === undefined ? row : { ...row, checksums: mqbChecksum(row.id, "autosar") };

/**
 * What Motor_12 says of the engine speed and ESP_10 of the wheels' direction does not follow a counter. ESP_14, with the main lever, goes once a
 * second, as in a car.
 */
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
		low("KOMBI_01", 0x20),
		low("MOTOR_14", 0x10),
		low("ESP_07"),
		low("MOTOR_CODE_01", 0x10),
		low("ESP_20", 0x30),
		...OWN_COUNTERS,
	]),
	frames: Object.freeze(
		but(REFERENCE.frames.map(valid), [
			[mqb.MOTOR_12, { bytes: "00 cMOTOR_12 00 00 00 64 0F 00" }],
			[mqb.ESP_10, { bytes: "00 cESP_10 01 04 00 40 00 00" }],
			[mqb.ESP_14, { periodMs: 1000 }],
			[mqb.GETRIEBE_11, { periodMs: 50 }],
			[mqb.KOMBI_01, { bytes: "10 cKOMBI_01 02 00 0C 00 00 24", periodMs: 50 }],
			[mqb.ESP_23, { bytes: "00 B0 BF 7F 00 00 7C 78", checksums: [], periodMs: 1000 }],
		]),
	),
	passes: STANDALONE_PASSES,
	source:
		"firmware, 3.9: generation 5; car, 3.12: periods, ESP_23, Kombi_01; car, 3.10: checksums; car, B1, B2: DataIDs; assumed, B7, B8: counters",
});
