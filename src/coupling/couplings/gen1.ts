/** Generation 1: its frames, with a car and without. Token notation: `plan-encoder.ts`. */

import { STANDALONE_PASSES } from "../../can/layouts/diagnosis-ids.js";
import { PQ_MARKED } from "../../can/layouts/overwritten.js";
import * as pq from "../../can/layouts/pq.js";
import { FWD, isDynamic, type ModeNumber } from "../../lock/modes.js";
import type { FrameRow, PlanTable } from "../plan-encoder.js";
import { BREMSE_3, but, type CouplingPlans, counter, every, low, NO_COUNTERS, rowsOf } from "../plan-encoder.js";
import { BRAKE_GROUP } from "../plan-format.js";

/** Motor_1 byte 6, the main lever, by mode 1..6; the dynamic modes leave it as the car sent it. */
const LEVER = Object.freeze(["..", "iFE", "a16", "a22", "a50", "a50", "a50"]);

const OTHER_FRAMES: readonly FrameRow[] = Object.freeze([
	{ message: "Motor_3", id: pq.MOTOR_3, bytes: ".. .. aFE .. .. .. .. aFE" },
	{ message: "Bremse_1", id: pq.BREMSE_1, bytes: ".. 00 00 a0A .. .. .. .." },
	BREMSE_3,
]);

/** The lever byte depends on the mode itself. */
function inlineReference(mode: ModeNumber): PlanTable {
	const lever = mode >= FWD && mode < LEVER.length ? LEVER[mode] : "..";
	const motor1: FrameRow = { message: "Motor_1", id: pq.MOTOR_1, bytes: `00 aFE 21 a4E aFE aFE ${lever} 00` };
	return { counterSet: 1, counters: NO_COUNTERS, frames: [motor1, ...OTHER_FRAMES], source: "firmware, 3.5: all rows" };
}

/** Motor_1 byte 6 asks for more lock with a smaller value: FE open, 16 full. */
const INLINE_CORRECTED: PlanTable = Object.freeze({
	counterSet: 11,
	counters: NO_COUNTERS,
	frames: Object.freeze([
		{ message: "Motor_1", id: pq.MOTOR_1, bytes: ".. aFE .. a4E .. .. dFE-E8 .." },
		{ ...BREMSE_3, group: BRAKE_GROUP },
	]),
	source: "assumed, 3.12: rows of generation 1, and the lever below them",
});

/**
 * In the modes that follow a table the reference repeats what an earlier mode left in the lever, from the
 * start on 00, which asks for the most: there it falls with lock, as in `corrected`.
 * Source: docs/control-and-can.md 3.5.
 */
function standaloneReference(mode: ModeNumber): PlanTable {
	const lever = isDynamic(mode) ? "dFE-E8" : (rowsOf(inlineReference(mode), pq.MOTOR_1)[0].bytes.split(" ")[6] as string);
	const frames = every(20, [
		{ message: "Motor_1", id: pq.MOTOR_1, bytes: `00 aFE 21 a4E aFE aFE ${lever === ".." ? "iFE" : lever} 00` },
		{ message: "Motor_3", id: pq.MOTOR_3, bytes: "00 50 00 00 00 00 00 FE" },
		{ message: "Bremse_1", id: pq.BREMSE_1, bytes: "80 00 00 0A FE FE 00 cBRAKES1" },
		BREMSE_3,
	]);
	const counters = [counter("BRAKES1", 10, 1, 0x0f, 0)];
	return {
		counterSet: 21,
		counters,
		frames,
		passes: STANDALONE_PASSES,
		source: "firmware, 3.9: generation 1; firmware, 3.3: the counter",
	};
}

/** Motor_1 byte 6 asks for more lock with a smaller value, in all modes. */
const STANDALONE_CORRECTED: PlanTable = Object.freeze({
	counterSet: 31,
	counters: Object.freeze([low("BRAKES1")]),
	frames: Object.freeze(but(standaloneReference(0).frames, [[pq.MOTOR_1, { bytes: "00 aFE 21 a4E aFE aFE dFE-E8 00" }]])),
	passes: STANDALONE_PASSES,
	source: "firmware, 3.9: generation 1; assumed, 3.12: the lever",
});

/** The plans with a car (`inline`) and without one (`standalone`). */
export const PLANS_1: CouplingPlans = Object.freeze({
	marked: PQ_MARKED,
	inline: Object.freeze({ reference: inlineReference, corrected: () => INLINE_CORRECTED }),
	standalone: Object.freeze({ reference: standaloneReference, corrected: () => STANDALONE_CORRECTED }),
});
