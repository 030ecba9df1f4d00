/** Generation 4: frames of the car that are rewritten. Token notation: `plan-encoder.ts`. */

import * as pq from "../../../can/layouts/pq.js";
import type { PlanTable } from "../../plan-encoder.js";
import { counter, NO_COUNTERS, STEERING_CRC, STEERING_SUM, xor } from "../../plan-rows.js";
import { BRAKE_GROUP } from "../../rule-groups.js";

/** Lenkwinkel_1 and Bremse_4 have counters of ours. */
export const REFERENCE: PlanTable = Object.freeze({
	counterSet: 4,
	counters: Object.freeze([counter("LW1", 0, 0x10, 0xf0, 0), counter("BRAKES4", 0, 0x10, 0xf0, 0)]),
	frames: Object.freeze([
		{ message: "Lenkwinkel_1", id: pq.LENKWINKEL_1, bytes: "22 00 00 00 80 cLW1 00 00", checksums: [STEERING_CRC, STEERING_SUM] },
		{ message: "Motor_1", id: pq.MOTOR_1, bytes: ".. aFE a20 a4E aFE aFE a16 aFE" },
		{ message: "Bremse_1", id: pq.BREMSE_1, bytes: "20 40 .. .. aFE aFE .. .." },
		{ message: "Bremse_2", id: pq.BREMSE_2, bytes: ".. .. .. .. a7F .. .. .." },
		{ message: "Bremse_3", id: pq.BREMSE_3, bytes: "aB6 07 aCC 07 aD2 07 aD2 07" },
		{
			message: "Bremse_4",
			id: pq.BREMSE_4,
			bytes: "aFE 00 00 64 00 00 cBRAKES4 00",
			checksums: xor(7),
		},
	]),
	source: "firmware, 3.7: all rows; firmware, 3.3: counters; firmware, 3.4: Lenkwinkel_1",
});

/**
 * Of Bremse_4 only the clutch setpoint is written, 80 to FE or 00 for no request, and the XOR where there is one: one ABS sends 4 bytes. Not
 * bytes 4 and 5 of Bremse_2: the coupling does not listen to them.
 */
export const CORRECTED: PlanTable = Object.freeze({
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
