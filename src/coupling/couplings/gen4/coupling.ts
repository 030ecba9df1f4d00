/** Generation 4. Source: docs/control-and-can.md 2.2, 5.3, 5.4. */

import { PQ_CAR } from "../../cars/pq.js";
import type { Coupling } from "../../coupling.js";
import { ALLRAD_1 } from "../allrad-1.js";

/** Also what an unset generation is taken for where a car has to be known. */
export const GENERATION_4 = Object.freeze({
	generation: 4,
	car: PQ_CAR,
	status: Object.freeze({ ...ALLRAD_1, fullRaw: 254, bytes: 8 }),
	diagnosis: "kwp_tp20",
	hasTrim: false,
	sleeps: false,
} as const satisfies Coupling);
