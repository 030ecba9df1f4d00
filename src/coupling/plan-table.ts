/** Which rows make a frame plan. The firmware has the plans encoded: `tools/build-plans.mjs`. */

import type { MarkedSignal } from "../can/layouts/overwritten.js";
import type { ModeNumber } from "../lock/modes.js";
import type { FrameProfile, Generation } from "./couplings/couplings.js";
import { PLANS as GEN1 } from "./couplings/gen1.js";
import { PLANS as GEN2 } from "./couplings/gen2.js";
import { PLANS as GEN4 } from "./couplings/gen4.js";
import { PLANS as GEN5 } from "./couplings/gen5.js";
import { PLANS as GEN51 } from "./couplings/gen51.js";
import { PLANS as GEN53 } from "./couplings/gen53.js";
import type { PlanTable } from "./plan-encoder.js";
import type { CouplingPlans } from "./plan-rows.js";

const PLANS: Readonly<Record<Exclude<Generation, 0>, CouplingPlans>> = Object.freeze({
	1: GEN1,
	2: GEN2,
	4: GEN4,
	5: GEN5,
	51: GEN51,
	53: GEN53,
});

/** What the car around a coupling can mark as invalid. Pure. */
export function markedSignals(generation: Exclude<Generation, 0>): readonly MarkedSignal[] {
	return PLANS[generation].marked;
}

/** The rows of a plan. Pure. */
export function planTable(generation: Exclude<Generation, 0>, profile: FrameProfile, mode: ModeNumber): PlanTable {
	return PLANS[generation].inline[profile](mode);
}

/** The same for standalone operation. Pure. */
export function standaloneTable(generation: Exclude<Generation, 0>, profile: FrameProfile, mode: ModeNumber): PlanTable {
	return PLANS[generation].standalone[profile](mode);
}
