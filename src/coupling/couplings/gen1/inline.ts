/** Generation 1: frames of the car that are rewritten. Token notation: `plan-encoder.ts`. */

import * as pq from "../../../can/layouts/pq.js";
import { FWD, type ModeNumber } from "../../../lock/modes.js";
import type { FrameRow, PlanTable } from "../../plan-encoder.js";
import { BREMSE_3, NO_COUNTERS } from "../../plan-rows.js";
import { BRAKE_GROUP } from "../../rule-groups.js";

/** Motor_1 byte 6, the main lever, by mode 1..6; the dynamic modes leave it as the car sent it. */
const LEVER = Object.freeze(["..", "iFE", "a16", "a22", "a50", "a50", "a50"]);

const OTHER_FRAMES: readonly FrameRow[] = Object.freeze([
	{ message: "Motor_3", id: pq.MOTOR_3, bytes: ".. .. aFE .. .. .. .. aFE" },
	{ message: "Bremse_1", id: pq.BREMSE_1, bytes: ".. 00 00 a0A .. .. .. .." },
	BREMSE_3,
]);

/** The lever byte depends on the mode itself. */
export function reference(mode: ModeNumber): PlanTable {
	const lever = mode >= FWD && mode < LEVER.length ? LEVER[mode] : "..";
	const motor1: FrameRow = { message: "Motor_1", id: pq.MOTOR_1, bytes: `00 aFE 21 a4E aFE aFE ${lever} 00` };
	return { counterSet: 1, counters: NO_COUNTERS, frames: [motor1, ...OTHER_FRAMES], source: "firmware, 3.5: all rows" };
}

/** Motor_1 byte 6 asks for more lock with a smaller value: FE open, 16 full. */
export const CORRECTED: PlanTable = Object.freeze({
	counterSet: 11,
	counters: NO_COUNTERS,
	frames: Object.freeze([
		{ message: "Motor_1", id: pq.MOTOR_1, bytes: ".. aFE .. a4E .. .. dFE-E8 .." },
		{ ...BREMSE_3, group: BRAKE_GROUP },
	]),
	source: "assumed, 3.12: rows of generation 1, and the lever below them",
});
