/** Generation 2: its frames, with a car and without. Token notation: `plan-encoder.ts`. */

import { STANDALONE_PASSES } from "../../can/layouts/diagnosis-ids.js";
import { PQ_MARKED } from "../../can/layouts/overwritten.js";
import * as pq from "../../can/layouts/pq.js";
import type { PlanTable } from "../plan-encoder.js";
import { BREMSE_3, but, type CouplingPlans, counter, every, high, low, NO_COUNTERS, STEERING_SUM, xor } from "../plan-encoder.js";
import { BRAKE_GROUP } from "../plan-format.js";

/** The bytes of the reference. */
const INLINE_REFERENCE: PlanTable = Object.freeze({
	counterSet: 2,
	counters: NO_COUNTERS,
	frames: Object.freeze([
		{ message: "Motor_1", id: pq.MOTOR_1, bytes: ".. aFE 21 a4E .. .. aFE .." },
		{ message: "Motor_3", id: pq.MOTOR_3, bytes: ".. .. aFE .. .. .. .. a01" },
		{ message: "Bremse_1", id: pq.BREMSE_1, bytes: "a80 a41 aFE 0A .. .. .. .." },
		{ message: "Bremse_2", id: pq.BREMSE_2, bytes: ".. .. .. .. a7F aFE .. .." },
		BREMSE_3,
	]),
	source: "firmware, 3.6: all rows",
});

/**
 * Only what influences lock: not Motor_3, nor bytes 4 and 5 of Bremse_2, to which the coupling does not
 * listen.
 */
const INLINE_CORRECTED: PlanTable = Object.freeze({
	counterSet: 12,
	counters: NO_COUNTERS,
	frames: Object.freeze([
		{ message: "Motor_1", id: pq.MOTOR_1, bytes: ".. aFE .. a4E .. .. aFE .." },
		{ ...BREMSE_3, group: BRAKE_GROUP },
	]),
	source: "assumed, 3.12: rows of generation 2; maker, 3.12: what is left out",
});

/** Motor_5 advances the counter of Bremse_1, which has wrapped by the next one only. */
const STANDALONE_REFERENCE: PlanTable = Object.freeze({
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
			{ message: "Bremse_1", id: pq.BREMSE_1, bytes: "00 41 00 FE FE FE 00 cBRAKES1" },
			{ message: "Bremse_2", id: pq.BREMSE_2, bytes: "7F AE 3D cBRAKES2 a7F aFE 5E 2B" },
			BREMSE_3,
			{ message: "Bremse_4", id: pq.BREMSE_4, bytes: "00 00 00 00 00 00 cBRAKES4 cBRAKES4" },
			{ message: "Bremse_5", id: pq.BREMSE_5, bytes: "FE 7F 03 00 00 00 cBRAKES5A cBRAKES5B" },
			{ message: "Bremse_9", id: pq.BREMSE_9, bytes: "cBRAKES9A cBRAKES9B 00 00 00 00 02 00" },
			{ message: "Lenkwinkel_1", id: pq.LENKWINKEL_1, bytes: "20 00 00 00 80 cLW1 00 00", checksums: [STEERING_SUM] },
		]),
		...every(20, [
			{ message: "Motor_1", id: pq.MOTOR_1, bytes: "08 FA 20 a4E FA FA a20 FA" },
			{ message: "Motor_2", id: pq.MOTOR_2, bytes: "00 30 00 0A 0A 10 FE FE" },
			{ message: "Motor_5", id: pq.MOTOR_5, bytes: "FE 00 00 00 00 00 00 sBRAKES1" },
			{ message: "Bremse_10", id: pq.BREMSE_10, bytes: "A6 cBRAKES10 75 D4 51 47 1D 0F" },
		]),
		...every(25, [{ message: "Kombi_1", id: pq.KOMBI_1, bytes: "00 02 00 00 36 00 00 00" }]),
	]),
	passes: STANDALONE_PASSES,
	source: "firmware, 3.9: generation 2; firmware, 3.3: counters; firmware, 3.4: checksum of Lenkwinkel_1",
});

/** Counters of 4 bits, and the checksums and periods of cars. */
const STANDALONE_CORRECTED: PlanTable = Object.freeze({
	counterSet: 32,
	counters: Object.freeze([
		low("BRAKES1"),
		high("BRAKES2"),
		high("BRAKES4"),
		high("BRAKES5", 4),
		high("BRAKES9"),
		low("BRAKES10"),
		high("LW1"),
	]),
	frames: Object.freeze(
		but(STANDALONE_REFERENCE.frames, [
			[pq.BREMSE_4, { bytes: "00 00 00 00 00 00 cBRAKES4 00", checksums: xor(7) }],
			[pq.BREMSE_9, { bytes: "00 cBRAKES9 00 00 00 00 02 00", checksums: xor(0) }],
			[pq.MOTOR_5, { bytes: "FE 00 00 00 00 00 00 00", checksums: xor(7) }],
			[pq.BREMSE_5, { bytes: "FE 7F 03 00 00 00 cBRAKES5 00", checksums: xor(7), periodMs: 20 }],
			[pq.MOTOR_1, { periodMs: 10 }],
			[pq.BREMSE_2, { periodMs: 20 }],
			[pq.BREMSE_10, { bytes: "00 cBRAKES10 75 D4 51 47 1D 0F", checksums: xor(0) }],
		]),
	),
	passes: STANDALONE_PASSES,
	source: "firmware, 3.9: generation 2; car, 3.12: checksums and periods; car, 3.4: that of Lenkwinkel_1; assumed, 3.3: counters",
});

/** The plans with a car (`inline`) and without one (`standalone`). */
export const PLANS_2: CouplingPlans = Object.freeze({
	marked: PQ_MARKED,
	inline: Object.freeze({ reference: () => INLINE_REFERENCE, corrected: () => INLINE_CORRECTED }),
	standalone: Object.freeze({ reference: () => STANDALONE_REFERENCE, corrected: () => STANDALONE_CORRECTED }),
});
