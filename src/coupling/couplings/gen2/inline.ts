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
	source: "3.6: all rows",
});

/** Only what influences lock. */
export const CORRECTED: PlanTable = Object.freeze({
	counterSet: 12,
	counters: NO_COUNTERS,
	frames: Object.freeze([
		{ message: "Motor_1", id: pq.MOTOR_1, bytes: ".. aFE .. a4E .. .. aFE .." },
		{ message: "Motor_3", id: pq.MOTOR_3, bytes: ".. .. aFE .. .. .. .. .." },
		{ message: "Bremse_2", id: pq.BREMSE_2, bytes: ".. .. .. .. a7F aFE .. ..", group: BRAKE_GROUP },
		{ ...BREMSE_3, group: BRAKE_GROUP },
	]),
	source: "3.12: rows of generation 2",
});
