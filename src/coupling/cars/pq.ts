/** Cars of the PQ network, around generations 1, 2 and 4. Source: docs/control-and-can.md 2.4, 2.7, 3.12 item 4, 7. */

import { PQ_SIGNALS } from "../../can/layouts/pq.js";
import type { Car } from "../coupling.js";

/** Around generations 1, 2 and 4. Which frame tells of the ignition is not known. */
export const PQ_CAR: Car = Object.freeze({
	network: "pq",
	decoding: "pq",
	interventions: Object.freeze({
		minDlc: 4, // Bremse_1, as for its speed
		flags: Object.freeze([PQ_SIGNALS.absBrake, PQ_SIGNALS.espActive, PQ_SIGNALS.edsActive, PQ_SIGNALS.msrRequest]),
	}),
	selector: Object.freeze({
		position: PQ_SIGNALS.selectorPosition,
		park: 8,
		neutral: 6,
		source: "7.2: GE1_Selector_Position, values of opendbc",
	}),
	ignition: Object.freeze([]),
	recommended: Object.freeze({
		inputs: Object.freeze({
			speed: "chassis|0x1a0|br1 wheel speed kmh|km/h",
			throttle: "chassis|0x280|pedal value or throttle plate|%",
			rpm: "chassis|0x280|engine rpm|rpm",
		}),
		steering: "chassis|0xc2|lw1 steering angle|deg",
		conditions: Object.freeze({
			espOff: "chassis|0x1a0|br1 esp asr passive|",
			hazardLights: "chassis|0x390|gk1 hazard light status|",
			brake: "chassis|0x288|mo2 bls|",
			handbrake: "", // not known for certain: docs/control-and-can.md 7.2
		}),
	}),
} as const satisfies Car);
