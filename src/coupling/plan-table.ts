/** Which rows make a frame plan. The firmware has the plans encoded: `tools/build-plans.mjs`. */

import type { ModeNumber } from "../lock/modes.js";
import type { FrameProfile, Generation } from "./generation.js";
import type { PlanTable } from "./plan-encoder.js";
import * as corrected from "./profiles/corrected.js";
import * as reference from "./profiles/reference.js";
import * as standaloneCorrected from "./profiles/standalone-corrected.js";
import * as standaloneReference from "./profiles/standalone-reference.js";

/** The rows of a plan; `mode` matters for generation 1 only. Generation 0 has none. Pure. */
export function planTable(generation: Exclude<Generation, 0>, profile: FrameProfile, mode: ModeNumber): PlanTable {
	return profile === "corrected" ? tableOf(corrected, generation) : tableOf(reference, generation, reference.generation1(mode));
}

/** The same for standalone operation. Pure. */
export function standaloneTable(generation: Exclude<Generation, 0>, profile: FrameProfile, mode: ModeNumber): PlanTable {
	if (profile === "corrected") return tableOf(standaloneCorrected, generation);
	return tableOf(standaloneReference, generation, standaloneReference.generation1(mode));
}

interface Tables {
	readonly GENERATION_1?: PlanTable;
	readonly GENERATION_2: PlanTable;
	readonly GENERATION_4: PlanTable;
	readonly GENERATION_5: PlanTable;
}

function tableOf(tables: Tables, generation: Exclude<Generation, 0>, generation1 = tables.GENERATION_1): PlanTable {
	if (generation === 1) return generation1 as PlanTable;
	if (generation === 2) return tables.GENERATION_2;
	return generation === 4 ? tables.GENERATION_4 : tables.GENERATION_5;
}
