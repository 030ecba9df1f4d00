/** Which rows make a frame plan. The firmware has the plans encoded: `tools/build-plans.mjs`. */

import type { ModeNumber } from "../lock/modes.js";
import type { FrameProfile, Generation } from "./generation.js";
import type { PlanTable } from "./plan-encoder.js";
import * as corrected from "./profiles/corrected.js";
import * as reference from "./profiles/reference.js";

/** The rows of a plan; `mode` matters for generation 1 only. Generation 0 has none. Pure. */
export function planTable(generation: Exclude<Generation, 0>, profile: FrameProfile, mode: ModeNumber): PlanTable {
	if (profile === "corrected") {
		if (generation === 1) return corrected.GENERATION_1;
		if (generation === 2) return corrected.GENERATION_2;
		return generation === 4 ? corrected.GENERATION_4 : corrected.GENERATION_5;
	}
	if (generation === 1) return reference.generation1(mode);
	if (generation === 2) return reference.GENERATION_2;
	return generation === 4 ? reference.GENERATION_4 : reference.GENERATION_5;
}
