/** The cars around the couplings. Source: docs/control-and-can.md 2.1, 2.4, 2.7, 3.12 item 4, 5.2, 7. */

import { MQB_CHECKS, MQB_NETWORK_MANAGEMENT, MQB_SIGNALS } from "../can/layouts/mqb.js";
import { PQ_CHECKS, PQ_SIGNALS } from "../can/layouts/pq.js";
import type { Car } from "./coupling.js";

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
			// nobody has seen it or `reverse` set, or `brake` change: docs/control-and-can.md 7.2
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

/** Around generation 5. */
export const MQB_CAR: Car = Object.freeze({
	network: "mqb",
	readings: Object.freeze([
		{
			meaning: "speed",
			signals: [MQB_SIGNALS.wheelRearLeft, MQB_SIGNALS.wheelRearRight, MQB_SIGNALS.wheelFrontLeft, MQB_SIGNALS.wheelFrontRight],
		},
		{ meaning: "speed", signals: [MQB_SIGNALS.speed] },
		{ meaning: "pedal", signals: [MQB_SIGNALS.pedal] },
		{ meaning: "boost", signals: [MQB_SIGNALS.boost] },
	] as const),
	interventions: Object.freeze([MQB_SIGNALS.absBrake, MQB_SIGNALS.espActive, MQB_SIGNALS.edsActive, MQB_SIGNALS.msrRequest]),
	checks: MQB_CHECKS,
	selector: Object.freeze({
		position: MQB_SIGNALS.selectorPosition,
		park: 5,
		neutral: 7,
		source: "car, 7.3: GE_Fahrstufe, values of opendbc; 5, 8, 9 and 14 seen",
	}),
	ignition: Object.freeze([
		Object.freeze({ name: "ZAS_Kl_15", signal: MQB_SIGNALS.ignitionSwitch }),
		Object.freeze({ name: "NM_Gateway_KL15", signal: MQB_SIGNALS.ignitionOfGateway }),
	] as const),
	networkManagement: MQB_NETWORK_MANAGEMENT,
	recommended: Object.freeze({
		inputs: Object.freeze({
			speed: "chassis|0xfd|esp v signal|unit_kilometerperhour",
			throttle: "chassis|0x121|mo fahrpedalrohwert 01|unit_percent",
			rpm: "chassis|0xa8|mo drehzahl 01|unit_minutinver",
		}),
		steering: "chassis|0x86|lwi lenkradwinkel|unit_degreofarc",
		conditions: Object.freeze({
			espOff: "chassis|0xfd|esp tastung passiv|",
			// nobody has seen it set, nor `reverse`: docs/control-and-can.md 7.3
			hazardLights: "chassis|0x366|hazard switch|",
			brake: "chassis|0x3be|mo fahrer bremst|",
			// 0x30B bit 23 stays 0 with an electric handbrake
			handbrake: "chassis|0x104|epb status|",
			reverse: "chassis|0x3db|bcm1 rueckfahrlicht schalter|",
			driveMode: "chassis|0x385|cha ziel fahrpr alr|",
			oilTemperature: "",
		}),
	}),
} as const satisfies Car);
