/** Generation 1 without a car. Token notation: `plan-encoder.ts`. */

import { STANDALONE_PASSES } from "../../../can/layouts/diagnosis-ids.js";
import * as pq from "../../../can/layouts/pq.js";
import { isDynamic, type ModeNumber } from "../../../lock/modes.js";
import type { PlanTable } from "../../plan-encoder.js";
import { BREMSE_3, but, counter, every, low, rowOf } from "../../plan-rows.js";
import * as inline from "./inline.js";

/**
 * In the modes that follow a table the reference repeats what an earlier mode left in the lever, from the start on 00, which asks for the most:
 * there it falls with lock, as in `corrected`. Source: docs/control-and-can.md 3.5, A3.
 */
export function reference(mode: ModeNumber): PlanTable {
	const lever = isDynamic(mode) ? "dFE-E8" : (rowOf(inline.reference(mode), pq.MOTOR_1).bytes.split(" ")[6] as string);
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
export const CORRECTED: PlanTable = Object.freeze({
	counterSet: 31,
	counters: Object.freeze([low("BRAKES1")]),
	frames: Object.freeze(but(reference(0).frames, [[pq.MOTOR_1, { bytes: "00 aFE 21 a4E aFE aFE dFE-E8 00" }]])),
	passes: STANDALONE_PASSES,
	source: "firmware, 3.9: generation 1; assumed, 3.12: the lever",
});
