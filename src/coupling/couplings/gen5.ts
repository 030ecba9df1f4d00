/** Generation 5, and 53, a unit of it in a PQ car. Token notation: `plan-encoder.ts`. */

import { STANDALONE_PASSES } from "../../can/layouts/diagnosis-ids.js";
import * as mqb from "../../can/layouts/mqb.js";
import { MQB_MARKED } from "../../can/layouts/overwritten.js";
import {
	but,
	type ChecksumRow,
	type CounterRow,
	type CouplingPlans,
	counter,
	every,
	type FrameRow,
	low,
	mqbChecksum,
	NO_COUNTERS,
	type PlanTable,
	rowsOf,
} from "../plan-encoder.js";
import { BRAKE_GROUP } from "../plan-format.js";

/** A row with a counter in byte 1 has a CRC in byte 0. */
const rowsWithCrc = (rows: readonly FrameRow[]): readonly FrameRow[] =>
	rows.map((row) => (row.bytes.startsWith("00 c") ? { ...row, checksums: mqbChecksum(row.id, "reference") } : row));

/** ESP_19 has two pseudo counters, `HI` and `LO`, that sweep the spoofed wheel speeds. */
const INLINE_REFERENCE: PlanTable = Object.freeze({
	counterSet: 5,
	counters: Object.freeze([
		counter("HI", 0x20, 1, 0x1a, 0x01),
		counter("LO", 0x00, 1, 0x0e, 0x00),
		counter("MOTOR_12", 0x70, 1, 0x7f, 0x70),
		counter("MOTOR_11", 0x40, 1, 0x4f, 0x40),
		counter("ESP_14", 0x10, 1, 0x1f, 0x10),
		counter("ESP_10", 0x00, 1, 0x0f, 0x00),
		counter("ESP_05", 0x80, 1, 0x8f, 0x80),
		counter("ESP_23", 0x00, 1, 0x1f, 0x00),
		counter("MOTOR_14", 0x10, 1, 0x1f, 0x10),
		counter("ESP_07", 0x20, 1, 0x1f, 0x00),
		counter("MOTOR_CODE_01", 0x10, 1, 0x1f, 0x10),
		counter("ESP_20", 0x30, 1, 0x3f, 0x30),
	]),
	frames: rowsWithCrc([
		{ message: "ESP_19", id: mqb.ESP_19, bytes: "kLO kHI kLO kHI kLO+CA kHI kLO+CA kHI" },
		{ message: "Motor_12", id: mqb.MOTOR_12, bytes: "00 cMOTOR_12 00 00 00 64 0F kMOTOR_12" },
		{ message: "Motor_11", id: mqb.MOTOR_11, bytes: "00 cMOTOR_11 FA FA 00 FA aFA aFA" },
		{ message: "ESP_14", id: mqb.ESP_14, bytes: "00 cESP_14 00 00 00 00 00 aFE" },
		{ message: "ESP_10", id: mqb.ESP_10, bytes: "00 cESP_10 01 04 00 40 00 kESP_10", forcedDlc: 8 },
		{ message: "ESP_05", id: mqb.ESP_05, bytes: "00 cESP_05 64 C0 00 00 FD 00", forcedDlc: 8 },
		{ message: "Kombi_01", id: mqb.KOMBI_01, bytes: "10 20 02 00 0C 00 00 24" },
		{ message: "ESP_23", id: mqb.ESP_23, bytes: "00 cESP_23 BF 7F 00 00 7C 78" },
		{ message: "Parkhilfe_04", id: mqb.PARKHILFE_04, bytes: "00 00 00 00 00 00 00 24" },
		{ message: "Gateway_72", id: mqb.GATEWAY_72, bytes: "50 80 00 00 05 10 01 78" },
		{ message: "Getriebe_14", id: mqb.GETRIEBE_14, bytes: "00 00 54 24 00 60 01 51" },
		{ message: "Motor_14", id: mqb.MOTOR_14, bytes: "00 cMOTOR_14 E6 01 C8 80 00 80" },
		{ message: "ESP_07", id: mqb.ESP_07, bytes: "00 cESP_07 00 00 00 00 00 00" },
		{ message: "ESP_29", id: mqb.ESP_29, bytes: "00 20 59 00 00 00 00 00" },
		{ message: "Motor_07", id: mqb.MOTOR_07, bytes: "A0 5A 56 A3 80 A0 59 01" },
		{ message: "Charisma_01", id: mqb.CHARISMA_01, bytes: "00 00 22 02 02 20 02 02" },
		{ message: "Systeminfo_01", id: mqb.SYSTEMINFO_01, bytes: "84 3C 00 7F 14 00 00 00" },
		{ message: "Motor_Code_01", id: mqb.MOTOR_CODE_01, bytes: "00 cMOTOR_CODE_01 2B 53 14 14 D7 24" },
		{ message: "ESP_20", id: mqb.ESP_20, bytes: "00 cESP_20 2B 10 00 00 E2 79" },
		{ message: "Diagnose_01", id: mqb.DIAGNOSE_01, bytes: "30 4D 58 A2 89 85 3F 30" },
		{ message: "Kombi_02", id: mqb.KOMBI_02, bytes: "4D 58 F2 EE 04 2B 00 78" },
	]),
	source: "firmware, 3.8: all rows; firmware, 3.3: counters; firmware, 3.10: checksums",
});

/**
 * A frame of the car that does not verify shows that its DataIDs are others: it is left alone.
 * Source: docs/control-and-can.md 3.10, 8.1.
 */
const verified = (id: number): readonly ChecksumRow[] => mqbChecksum(id, "autosar").map((row) => ({ ...row, verify: true }));

/**
 * Motor_11: the engine's actual torque, which a coupling in a car followed, is 0 Nm without lock and 220 Nm
 * at full lock; its two lowest bits stay the car's. ESP_14: FA at full lock, as cars send it. ESP_19: the
 * front wheels turn up to 1.515 km/h faster than they do, the difference that the reference shows.
 */
const INLINE_CORRECTED: PlanTable = Object.freeze({
	counterSet: 15,
	counters: NO_COUNTERS,
	frames: Object.freeze<FrameRow[]>([
		{ message: "ESP_19", id: mqb.ESP_19, bytes: ".. .. .. .. +CA<FF .. +CA<FF ..", group: BRAKE_GROUP },
		{ message: "Motor_11", id: mqb.MOTOR_11, bytes: ".. .. .. r7F+37 .. .. .. ..", checksums: verified(mqb.MOTOR_11) },
		{
			message: "ESP_14",
			id: mqb.ESP_14,
			bytes: ".. .. .. .. .. .. .. aFA",
			checksums: verified(mqb.ESP_14),
			group: BRAKE_GROUP,
		},
	]),
	source: "car, 3.12: Motor_11 up to 152 Nm; assumed, 3.12: more torque, ESP_14, ESP_19; car, 3.10: checksums",
});

/** Counters of the frames that only standalone operation sends. */
const OWN_COUNTERS: readonly CounterRow[] = Object.freeze([
	counter("GETRIEBE_11", 0, 1, 0x0f, 0),
	counter("LWI_01", 0x10, 1, 0x1f, 0x10),
	counter("MOTOR_20", 0, 1, 0x0f, 0),
]);

/** Which frames it gets, and how often; most of them are rewritten in a car, too. */
const STANDALONE_REFERENCE: PlanTable = Object.freeze({
	counterSet: 25,
	counters: Object.freeze([...INLINE_REFERENCE.counters, ...OWN_COUNTERS]),
	frames: rowsWithCrc([
		...every(10, [
			{ message: "ESP_18", id: mqb.ESP_18, bytes: "00 C0 00 00 00 00 00 00" },
			...rowsOf(INLINE_REFERENCE, mqb.ESP_19),
			{ message: "Getriebe_11", id: mqb.GETRIEBE_11, bytes: "00 cGETRIEBE_11 00 FE 00 00 00 00" },
			...rowsOf(INLINE_REFERENCE, mqb.MOTOR_12, mqb.MOTOR_11, mqb.ESP_14),
			{ message: "LWI_01", id: mqb.LWI_01, bytes: "00 cLWI_01 01 00 00 00 00 00" },
		]),
		...every(20, [
			{ message: "Motor_20", id: mqb.MOTOR_20, bytes: "00 cMOTOR_20 40 40 19 59 7E FE" },
			...rowsOf(INLINE_REFERENCE, mqb.ESP_10, mqb.ESP_05),
		]),
		...every(25, rowsOf(INLINE_REFERENCE, mqb.KOMBI_01)),
		...every(100, rowsOf(INLINE_REFERENCE, mqb.ESP_23, mqb.PARKHILFE_04, mqb.GATEWAY_72, mqb.GETRIEBE_14, mqb.MOTOR_14)),
		...every(100, rowsOf(INLINE_REFERENCE, mqb.ESP_07, mqb.ESP_29)),
		...every(1000, rowsOf(INLINE_REFERENCE, mqb.MOTOR_07, mqb.CHARISMA_01, mqb.SYSTEMINFO_01, mqb.MOTOR_CODE_01)),
		...every(1000, rowsOf(INLINE_REFERENCE, mqb.ESP_20, mqb.DIAGNOSE_01, mqb.KOMBI_02)),
	]),
	passes: STANDALONE_PASSES,
	source:
		"firmware, 3.9: generation 5; firmware, 3.8: rows that are rewritten in a car, too; firmware, 3.3: counters; firmware, 3.10: checksums",
});

const valid = (row: FrameRow): FrameRow =>
	row.checksums === undefined ? row : { ...row, checksums: mqbChecksum(row.id, "autosar") };

/**
 * Motor_11: actual torque as in a car; requested, filtered and inertia 0 Nm, overrun -22 Nm, normal
 * operation. What Motor_12 says of the engine speed and ESP_10 of the wheels' direction does not follow a
 * counter. ESP_14, with the main lever, goes once a second, as in a car.
 */
const STANDALONE_CORRECTED: PlanTable = Object.freeze({
	counterSet: 35,
	counters: Object.freeze([
		counter("HI", 1, 1, 0x1a, 1),
		counter("LO", 0, 1, 0x0e, 0),
		low("MOTOR_12", 0x70),
		low("MOTOR_11", 0xd0),
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
		but(STANDALONE_REFERENCE.frames.map(valid), [
			[mqb.MOTOR_12, { bytes: "00 cMOTOR_12 00 00 00 64 0F 00" }],
			[mqb.MOTOR_11, { bytes: "00 cMOTOR_11 5F r7F+37 FD F5 77 3E" }],
			[mqb.ESP_10, { bytes: "00 cESP_10 01 04 00 40 00 00" }],
			[mqb.ESP_14, { bytes: "00 cESP_14 00 00 00 00 00 aFA", periodMs: 1000 }],
			[mqb.GETRIEBE_11, { periodMs: 50 }],
			[mqb.KOMBI_01, { bytes: "10 cKOMBI_01 02 00 0C 00 00 24", periodMs: 50 }],
			[mqb.ESP_23, { bytes: "00 B0 BF 7F 00 00 7C 78", checksums: [], periodMs: 1000 }],
		]),
	),
	passes: STANDALONE_PASSES,
	source: "firmware, 3.9: generation 5; car, 3.12: periods, ESP_23, Kombi_01; car, 3.10: checksums; assumed, 3.3: counters",
});

/** The plans with a car (`inline`) and without one (`standalone`). */
export const PLANS_5: CouplingPlans = Object.freeze({
	marked: MQB_MARKED,
	inline: Object.freeze({ reference: () => INLINE_REFERENCE, corrected: () => INLINE_CORRECTED }),
	standalone: Object.freeze({ reference: () => STANDALONE_REFERENCE, corrected: () => STANDALONE_CORRECTED }),
});

/** The table without ESP_07: on PQ 0x392 is a frame of the gateway, and the generator is silent while it is sent. */
function besidePq(table: PlanTable, counterSet: number): PlanTable {
	return Object.freeze({
		...table,
		counterSet,
		source: `${table.source}; assumed, 3.9: without ESP_07`,
		counters: table.counters.filter(({ name }) => name !== "ESP_07"),
		frames: table.frames.filter(({ id }) => id !== mqb.ESP_07),
	});
}

const BESIDE_REFERENCE = besidePq(STANDALONE_REFERENCE, 53);
const BESIDE_CORRECTED = besidePq(STANDALONE_CORRECTED, 63);
const GENERATED = Object.freeze({ reference: () => BESIDE_REFERENCE, corrected: () => BESIDE_CORRECTED });

/** A unit in a PQ car, which has none of its frames: they are generated. */
export const PLANS_53: CouplingPlans = Object.freeze({ marked: Object.freeze([]), inline: GENERATED, standalone: GENERATED });
