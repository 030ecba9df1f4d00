/** Generation 4, and 51, a unit of it that is driven with fewer frames. Token notation: `plan-encoder.ts`. */

import { STANDALONE_PASSES } from "../../can/layouts/diagnosis-ids.js";
import { PQ_MARKED } from "../../can/layouts/overwritten.js";
import * as pq from "../../can/layouts/pq.js";
import {
	but,
	type CouplingPlans,
	counter,
	every,
	type FrameRow,
	high,
	low,
	NO_COUNTERS,
	type PlanTable,
	rowsOf,
	STEERING_CRC,
	STEERING_SUM,
	xor,
} from "../plan-encoder.js";
import { BRAKE_GROUP } from "../plan-format.js";

/** Lenkwinkel_1 and Bremse_4 have counters of ours. */
const INLINE_REFERENCE: PlanTable = Object.freeze({
	counterSet: 4,
	counters: Object.freeze([counter("LW1", 0, 0x10, 0xf0, 0), counter("BRAKES4", 0, 0x10, 0xf0, 0)]),
	frames: Object.freeze([
		{ message: "Lenkwinkel_1", id: pq.LENKWINKEL_1, bytes: "22 00 00 00 80 cLW1 00 00", checksums: [STEERING_CRC, STEERING_SUM] },
		{ message: "Motor_1", id: pq.MOTOR_1, bytes: ".. aFE a20 a4E aFE aFE a16 aFE" },
		{ message: "Bremse_1", id: pq.BREMSE_1, bytes: "20 40 .. .. aFE aFE .. .." },
		{ message: "Bremse_2", id: pq.BREMSE_2, bytes: ".. .. .. .. a7F .. .. .." },
		{ message: "Bremse_3", id: pq.BREMSE_3, bytes: "aB6 07 aCC 07 aD2 07 aD2 07" },
		{ message: "Bremse_4", id: pq.BREMSE_4, bytes: "aFE 00 00 64 00 00 cBRAKES4 00", checksums: xor(7) },
	]),
	source: "firmware, 3.7: all rows; firmware, 3.3: counters; firmware, 3.4: Lenkwinkel_1",
});

/**
 * Only the clutch setpoint of Bremse_4 is written, 80 to FE or 00 for no request, and the XOR where there is
 * one: one ABS sends 4 bytes. Not bytes 4 and 5 of Bremse_2: the coupling does not listen to them.
 */
const INLINE_CORRECTED: PlanTable = Object.freeze({
	counterSet: 14,
	counters: NO_COUNTERS,
	frames: Object.freeze([
		{ message: "Motor_1", id: pq.MOTOR_1, bytes: ".. aFE a20 a4E aFE aFE a16 aFE" },
		{ message: "Bremse_3", id: pq.BREMSE_3, bytes: "aB6 07 aCC 07 aD2 07 aD2 07", group: BRAKE_GROUP },
		{
			message: "Bremse_4",
			id: pq.BREMSE_4,
			bytes: "u80+7E .. .. .. .. .. .. ..",
			checksums: xor(7),
			group: BRAKE_GROUP,
		},
	]),
	source: "assumed, 3.12: rows of generation 4; maker, 3.12: Bremse_4, and what is left out",
});

/** Frames without counter or lock: the same in both profiles. Source: docs/control-and-can.md 3.9. */
const SLOW: readonly FrameRow[] = Object.freeze([
	...every(100, [
		{ message: "Gate_Komf_1", id: pq.GATE_KOMF_1, bytes: "03 11 58 00 40 00 01 08" },
		{ message: "Gate_Komf_2", id: pq.GATE_KOMF_2, bytes: "09 01 00 A1 00 00 00 00" },
		{ message: "Systeminfo_1", id: pq.SYSTEMINFO_1, bytes: "C0 03 50 BF 37 56 00 00", forcedDlc: 6 },
		{ message: "Soll_Verbauliste_neu", id: pq.SOLL_VERBAULISTE_NEU, bytes: "F7 42 70 3F 1C 08 00 C8" },
		{ message: "Bremse_11", id: pq.BREMSE_11, bytes: "00 C0 00 00 00 00 00 00" },
	]),
	...every(200, [{ message: "Kombi_2", id: pq.KOMBI_2, bytes: "4C 86 85 00 00 30 FF 04" }]),
]);

/** Kombi_3 comes from two sources, at 25 and at 200 ms. */
const STANDALONE_REFERENCE: PlanTable = Object.freeze({
	counterSet: 24,
	counters: Object.freeze([
		...INLINE_REFERENCE.counters,
		counter("BRAKES1", 10, 1, 0x1f, 10),
		counter("BRAKES2", 0, 0x10, 0xf0, 0),
		counter("BRAKES9A", 3, 0x10, 0xf3, 3),
		counter("BRAKES9B", 0, 0x10, 0xf0, 0),
		counter("DIAGNOSE1", 0, 1, 0x1f, 0),
	]),
	frames: Object.freeze([
		...every(10, [
			...rowsOf(INLINE_REFERENCE, pq.LENKWINKEL_1),
			{ message: "Bremse_1", id: pq.BREMSE_1, bytes: "20 40 F0 07 aFE aFE 00 cBRAKES1" },
			...rowsOf(INLINE_REFERENCE, pq.BREMSE_3, pq.BREMSE_4),
			{ message: "Bremse_9", id: pq.BREMSE_9, bytes: "cBRAKES9A cBRAKES9B 00 00 00 00 03 00" },
			...rowsOf(INLINE_REFERENCE, pq.MOTOR_1),
		]),
		...every(20, [{ message: "Bremse_2", id: pq.BREMSE_2, bytes: "80 7A 05 cBRAKES2 a7F CA 1B AB" }]),
		...every(25, [
			{ message: "Kombi_1", id: pq.KOMBI_1, bytes: "24 00 1D B9 07 42 09 81" },
			{ message: "Kombi_3", id: pq.KOMBI_3, bytes: "60 43 01 10 66 F1 03 02" },
		]),
		...SLOW,
		...every(200, [
			{ message: "Kombi_3", id: pq.KOMBI_3, bytes: "A6 87 01 10 66 F2 03 02" },
			{ message: "NMH_Gateway", id: pq.NMH_GATEWAY, bytes: "04 03 01 00 02 00 00 00", forcedDlc: 7 },
		]),
		...every(1000, [{ message: "Diagnose_1", id: pq.DIAGNOSE_1, bytes: "26 F2 03 12 70 19 25 cDIAGNOSE1" }]),
	]),
	passes: STANDALONE_PASSES,
	source: "firmware, 3.9: generation 4; firmware, 3.3: counters; firmware, 3.7: rows that are rewritten in a car, too",
});

/** Kombi_3 comes from its first source only. */
const STANDALONE_CORRECTED: PlanTable = Object.freeze({
	counterSet: 34,
	counters: Object.freeze([high("LW1"), low("BRAKES1"), high("BRAKES2"), high("BRAKES4"), high("BRAKES9"), low("DIAGNOSE1")]),
	frames: Object.freeze(
		but(
			STANDALONE_REFERENCE.frames.filter((row) => row.id !== pq.KOMBI_3 || row.periodMs === 25),
			[
				[pq.LENKWINKEL_1, { checksums: [STEERING_SUM] }],
				[pq.BREMSE_4, { bytes: "u80+7E 00 00 00 00 00 cBRAKES4 00" }],
				[pq.BREMSE_9, { bytes: "00 cBRAKES9 00 00 00 00 03 00", checksums: xor(0) }],
			],
		),
	),
	passes: STANDALONE_PASSES,
	source:
		"firmware, 3.9: generation 4; car, 3.12: checksums; maker, 3.12: Bremse_4; car, 3.4: Lenkwinkel_1; assumed, 3.9: what comes from two sources",
});

/** The plans with a car (`inline`) and without one (`standalone`). */
export const PLANS_4: CouplingPlans = Object.freeze({
	marked: PQ_MARKED,
	inline: Object.freeze({ reference: () => INLINE_REFERENCE, corrected: () => INLINE_CORRECTED }),
	standalone: Object.freeze({ reference: () => STANDALONE_REFERENCE, corrected: () => STANDALONE_CORRECTED }),
});

/**
 * Byte 0 of Bremse_4 is as in `corrected`: what C6 sends there asks for 7 Nm when open, and for nothing at full
 * lock.
 */
const INLINE_51: PlanTable = Object.freeze({
	counterSet: 51,
	counters: INLINE_REFERENCE.counters,
	frames: Object.freeze([
		...rowsOf(INLINE_REFERENCE, pq.LENKWINKEL_1),
		{ message: "Motor_1", id: pq.MOTOR_1, bytes: "00 aFE a20 a4E aFE aFE a16 aFE" },
		...rowsOf(INLINE_REFERENCE, pq.BREMSE_3),
		{ message: "Bremse_4", id: pq.BREMSE_4, bytes: "u80+7E 00 00 64 00 00 cBRAKES4 00", checksums: xor(7) },
	]),
	source: "firmware, 3.7: all rows; maker, 3.7: Bremse_4; firmware, 3.3: counters",
});

/** 0AY 907 554 in a PQ car. */
export const PLANS_51: CouplingPlans = Object.freeze({
	marked: PQ_MARKED,
	inline: Object.freeze({ reference: () => INLINE_51, corrected: PLANS_4.inline.corrected }),
	standalone: PLANS_4.standalone,
});
