/** Frames of the coupling that does not exist: all bytes are MADE UP. */

import type { PlanTable } from "../../../src/coupling/plan-encoder.js";
import { type CouplingPlans, every, low, NO_COUNTERS, xor } from "../../../src/coupling/plan-encoder.js";
import { BRAKE_GROUP } from "../../../src/coupling/plan-format.js";

const inline = (counterSet: number, group: number): PlanTable => ({
	counterSet,
	counters: NO_COUNTERS,
	frames: [
		{ message: "Made_Up_1", id: 0x3f4, bytes: ".. aC8 .. .. .. .. .. ..", checksums: xor(7) },
		{ message: "Made_Up_2", id: 0x3f5, bytes: ".. .. a64 .. .. .. .. ..", group },
	],
	source: "made up",
});

const standalone = (counterSet: number): PlanTable => ({
	counterSet,
	counters: [low("MADE_UP", 0xa0)],
	frames: every(20, [{ message: "Made_Up_1", id: 0x3f4, bytes: "11 aC8 22 cMADE_UP 00 00 00 00", checksums: xor(7) }]),
	passes: [],
	source: "made up",
});

export const PLANS: CouplingPlans = Object.freeze({
	marked: [],
	inline: { reference: () => inline(201, 0), corrected: () => inline(202, BRAKE_GROUP) },
	standalone: { reference: () => standalone(203), corrected: () => standalone(204) },
});
