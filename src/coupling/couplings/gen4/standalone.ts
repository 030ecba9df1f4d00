/** Generation 4 without a car. Token notation: `plan-encoder.ts`. */

import { STANDALONE_PASSES } from "../../../can/layouts/diagnosis-ids.js";
import * as pq from "../../../can/layouts/pq.js";
import type { FrameRow, PlanTable } from "../../plan-encoder.js";
import { but, counter, every, high, low, rowOf, STEERING_SUM, xor } from "../../plan-rows.js";
import * as inline from "./inline.js";

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
export const REFERENCE: PlanTable = Object.freeze({
	counterSet: 24,
	counters: Object.freeze([
		...inline.REFERENCE.counters,
		counter("BRAKES1", 10, 1, 0x1f, 10),
		counter("BRAKES2", 0, 0x10, 0xf0, 0),
		counter("BRAKES9A", 3, 0x10, 0xf3, 3),
		counter("BRAKES9B", 0, 0x10, 0xf0, 0),
		counter("DIAGNOSE1", 0, 1, 0x1f, 0),
	]),
	frames: Object.freeze([
		...every(10, [
			rowOf(inline.REFERENCE, pq.LENKWINKEL_1),
			{ message: "Bremse_1", id: pq.BREMSE_1, bytes: "20 40 F0 07 aFE aFE 00 cBRAKES1" },
			rowOf(inline.REFERENCE, pq.BREMSE_3),
			rowOf(inline.REFERENCE, pq.BREMSE_4),
			{ message: "Bremse_9", id: pq.BREMSE_9, bytes: "cBRAKES9A cBRAKES9B 00 00 00 00 03 00" },
			rowOf(inline.REFERENCE, pq.MOTOR_1),
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
export const CORRECTED: PlanTable = Object.freeze({
	counterSet: 34,
	counters: Object.freeze([high("LW1"), low("BRAKES1"), high("BRAKES2"), high("BRAKES4"), high("BRAKES9"), low("DIAGNOSE1")]),
	frames: Object.freeze(
		but(
			REFERENCE.frames.filter((row) => row.id !== pq.KOMBI_3 || row.periodMs === 25),
			[
				[pq.LENKWINKEL_1, { checksums: [STEERING_SUM] }],
				[pq.BREMSE_4, { bytes: "u80+7E 00 00 00 00 00 cBRAKES4 00" }],
				[pq.BREMSE_9, { bytes: "00 cBRAKES9 00 00 00 00 03 00", checksums: xor(0) }],
			],
		),
	),
	passes: STANDALONE_PASSES,
	source:
		"firmware, 3.9: generation 4; car, 3.12: checksums; maker, 3.12: Bremse_4; car, 3.4: Lenkwinkel_1; assumed, B20: what comes from two sources",
});
