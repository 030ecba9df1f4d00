/**
 * 0AY 907 554 in a PQ car: fewer frames than generation 4, whose unit it is. Token notation:
 * `plan-encoder.ts`. None of it is in the firmware.
 */

import { PQ_OVERWRITTEN } from "../../can/layouts/overwritten.js";
import * as pq from "../../can/layouts/pq.js";
import { PQ_SIGNALS } from "../../can/layouts/pq.js";
import { FIFTY_FIFTY } from "../../lock/modes.js";
import type { PlanTable } from "../plan-encoder.js";
import { type CouplingPlans, rowOf } from "../plan-rows.js";
import { PLANS as GEN4 } from "./gen4.js";

/** All of its tables are the same in each mode. */
const GENERATION_4 = GEN4.inline.reference(FIFTY_FIFTY);

/**
 * Byte 0 of Bremse_4 is as in `corrected`: what C6 sends there asks for 7 Nm when open, and for nothing at full
 * lock.
 */
const INLINE_REFERENCE: PlanTable = Object.freeze({
	counterSet: 51,
	counters: GENERATION_4.counters,
	frames: Object.freeze([
		rowOf(GENERATION_4, pq.LENKWINKEL_1),
		{ message: "Motor_1", id: pq.MOTOR_1, bytes: "00 aFE a20 a4E aFE aFE a16 aFE" },
		rowOf(GENERATION_4, pq.BREMSE_3),
		{ ...rowOf(GENERATION_4, pq.BREMSE_4), bytes: "u80+7E 00 00 64 00 00 cBRAKES4 00" },
	]),
	source: "firmware, 3.7: all rows; maker, 3.7: Bremse_4; firmware, 3.3: counters",
});

/** With a car, and without. */
export const PLANS: CouplingPlans = Object.freeze({
	marked: Object.freeze([...Object.values(PQ_SIGNALS), ...PQ_OVERWRITTEN]),
	inline: Object.freeze({ reference: () => INLINE_REFERENCE, corrected: GEN4.inline.corrected }),
	standalone: GEN4.standalone,
});
