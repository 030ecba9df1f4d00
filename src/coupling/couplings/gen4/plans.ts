/** Generation 4: all frames, by profile. */

import { PQ_OVERWRITTEN } from "../../../can/layouts/overwritten.js";
import { PQ_SIGNALS } from "../../../can/layouts/pq.js";
import type { CouplingPlans } from "../../coupling-plans.js";
import * as inline from "./inline.js";
import * as standalone from "./standalone.js";

/** With a car, and without. */
export const PLANS: CouplingPlans = Object.freeze({
	marked: Object.freeze([...Object.values(PQ_SIGNALS), ...PQ_OVERWRITTEN]),
	inline: Object.freeze({ reference: () => inline.REFERENCE, corrected: () => inline.CORRECTED }),
	standalone: Object.freeze({ reference: () => standalone.REFERENCE, corrected: () => standalone.CORRECTED }),
});
