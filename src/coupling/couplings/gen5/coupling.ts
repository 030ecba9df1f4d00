/** Generation 5. Source: docs/control-and-can.md 2.2, 5.2, 5.3. */

import { MQB_SIGNALS } from "../../../can/layouts/mqb.js";
import { MQB_CAR } from "../../cars/mqb.js";
import type { Coupling } from "../../coupling.js";

/** Reports in Allrad_03; its state is the drive profile, which has no flags. */
export const GENERATION_5 = Object.freeze({
	generation: 5,
	car: MQB_CAR,
	status: Object.freeze({
		state: MQB_SIGNALS.couplingState,
		engagement: MQB_SIGNALS.engagement,
		zeroRaw: 0,
		fullRaw: 254,
		saturates: false,
		bytes: 4,
	}),
	diagnosis: "uds_can",
	hasTrim: true,
	sleeps: true,
} as const satisfies Coupling);
