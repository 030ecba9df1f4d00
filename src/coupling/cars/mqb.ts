/**
 * Cars of the MQB network, around generation 5. Source: docs/control-and-can.md 2.1, 2.4, 2.7, 3.12 item 4,
 * 5.2, 7.
 */

import { MQB_CHECKS, MQB_NETWORK_MANAGEMENT, MQB_SIGNALS } from "../../can/layouts/mqb.js";
import type { Car } from "../coupling.js";

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
