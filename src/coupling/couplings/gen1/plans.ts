/** Generation 1: all frames, by profile. */

import type { CouplingPlans } from "../../coupling-plans.js";
import * as inline from "./inline.js";
import * as standalone from "./standalone.js";

/** With a car, and without. */
export const PLANS: CouplingPlans = Object.freeze({
	inline: Object.freeze({ reference: inline.reference, corrected: () => inline.CORRECTED }),
	standalone: Object.freeze({ reference: standalone.reference, corrected: () => standalone.CORRECTED }),
});
