/** The rows of all frame plans. The firmware has the plans encoded: `tools/build-plans.mjs`. */

import type { Generation } from "./couplings/couplings.js";
import { PLANS_1 } from "./couplings/gen1.js";
import { PLANS_2 } from "./couplings/gen2.js";
import { PLANS_4, PLANS_51 } from "./couplings/gen4.js";
import { PLANS_5, PLANS_53 } from "./couplings/gen5.js";
import type { CouplingPlans } from "./plan-encoder.js";

/** The plans of each generation. */
export const PLANS: Readonly<Record<Exclude<Generation, 0>, CouplingPlans>> = Object.freeze({
	1: PLANS_1,
	2: PLANS_2,
	4: PLANS_4,
	5: PLANS_5,
	51: PLANS_51,
	53: PLANS_53,
});
