/** Generation 2. Source: docs/control-and-can.md 2.2, 5.3, 5.4. */

import { PQ_CAR } from "../../cars/pq.js";
import type { Coupling } from "../../coupling.js";
import { ALLRAD_1 } from "../allrad-1.js";

/** Its report has four bytes: it says nothing of the temperature. */
export const GENERATION_2 = Object.freeze({
	generation: 2,
	car: PQ_CAR,
	status: Object.freeze({ ...ALLRAD_1, fullRaw: 254, bytes: 4 }),
	diagnosis: "kwp_tp20",
	hasTrim: false,
	sleeps: false,
} as const satisfies Coupling);
