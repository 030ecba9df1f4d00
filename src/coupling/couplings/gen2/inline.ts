/** Generation 2: frames of the car that are rewritten. Token notation: `plan-encoder.ts`. */

import * as pq from "../../../can/layouts/pq.js";
import type { PlanTable } from "../../plan-encoder.js";
import { BREMSE_3, NO_COUNTERS } from "../../plan-rows.js";
import { BRAKE_GROUP } from "../../rule-groups.js";

/** The bytes of the reference. */
export const REFERENCE: PlanTable = Object.freeze({
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

/** Only what influences lock: not Motor_3, nor bytes 4 and 5 of Bremse_2, to which the coupling does not listen. */
export const CORRECTED: PlanTable = Object.freeze({
	counterSet: 12,
	counters: NO_COUNTERS,
	frames: Object.freeze([
		{ message: "Motor_1", id: pq.MOTOR_1, bytes: ".. aFE .. a4E .. .. aFE .." },
		{ ...BREMSE_3, group: BRAKE_GROUP },
	]),
	source: "assumed, 3.12: rows of generation 2; maker, 3.12: what is left out",
});
