/** Generation 1. Source: docs/control-and-can.md 2.2, 5.3, 5.4. */

import { PQ_CAR } from "../../cars/pq.js";
import type { Coupling } from "../../coupling.js";
import { ALLRAD_1 } from "../allrad-1.js";

/** Its engagement ends at raw 198, and its control unit speaks over the K-line only. */
export const GENERATION_1 = Object.freeze({
	generation: 1,
	car: PQ_CAR,
	status: Object.freeze({ ...ALLRAD_1, fullRaw: 198, bytes: 8 }),
	diagnosis: "",
	hasTrim: false,
	sleeps: false,
} as const satisfies Coupling);
