/**
 * Cars of the PQ network, around generations 1, 2 and 4. Source: docs/control-and-can.md 2.1, 2.4, 2.7, 3.12
 * item 4, 5.2, 7.
 */

import { PQ_CHECKS, PQ_SIGNALS } from "../../can/layouts/pq.js";
import type { Car } from "../coupling.js";

/** Around generations 1, 2 and 4. */
export const PQ_CAR: Car = Object.freeze({
	network: "pq",
	readings: Object.freeze([
		{ meaning: "speed", signals: [PQ_SIGNALS.speed] },
		{
			meaning: "comparedSpeed",
			signals: [PQ_SIGNALS.wheelFrontLeft, PQ_SIGNALS.wheelFrontRight, PQ_SIGNALS.wheelRearLeft, PQ_SIGNALS.wheelRearRight],
		},
		{ meaning: "pedal", signals: [PQ_SIGNALS.pedal] },
		{ meaning: "rpm", signals: [PQ_SIGNALS.rpm] },
	] as const),
	interventions: Object.freeze([PQ_SIGNALS.absBrake, PQ_SIGNALS.espActive, PQ_SIGNALS.edsActive, PQ_SIGNALS.msrRequest]),
	checks: PQ_CHECKS,
	selector: Object.freeze({
		position: PQ_SIGNALS.selectorPosition,
		park: 8,
		neutral: 6,
		source: "car, 7.2: GE1_Selector_Position, values of opendbc; 8 and 7 seen",
	}),
	ignition: Object.freeze([
		Object.freeze({ name: "ZAS_Terminal_15", signal: PQ_SIGNALS.ignitionSwitch }),
		Object.freeze({ name: "BSG_Terminal_15", signal: PQ_SIGNALS.ignitionOfGateway }),
	] as const),
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
			// an electric one blinks while the car idles: the condition has to hold for longer than that
			handbrake: "chassis|0x320|handbrake|",
			reverse: "chassis|0x390|gk1 reverse gear switch|",
			driveMode: "",
			// a coupling whose report has four bytes does not send it
			oilTemperature: "haldex|0x2c0|awd clutch temperature|degc",
		}),
	}),
} as const satisfies Car);
