/**
 * The PQ signals (generations 1, 2 and 4) that the controller itself reads, and the identifiers of the frames that it
 * knows. A pure table; everything else that is known of these networks is in `../dbc/`. Each row's `source` begins
 * with the section of docs/control-and-can.md that has it; names are those of the description there.
 */

import type { RawRow, SignalRow } from "../signal-layout.js";

/** Identifiers of the frames that are read, rewritten or sent. Source: docs/control-and-can.md 3.1. */
export const BREMSE_9 = 0x0ae;
export const LENKWINKEL_1 = 0x0c2;
export const BREMSE_1 = 0x1a0;
export const MOTOR_1 = 0x280;
export const MOTOR_2 = 0x288;
export const BREMSE_4 = 0x2a0;
const ALLRAD_1 = 0x2c0;
export const KOMBI_1 = 0x320;
export const MOTOR_3 = 0x380;
export const GATE_KOMF_1 = 0x390;
export const GATE_KOMF_2 = 0x392;
export const BREMSE_10 = 0x3a0;
export const KOMBI_2 = 0x420;
const GETRIEBE_1 = 0x440;
export const MOTOR_5 = 0x480;
export const BREMSE_3 = 0x4a0;
export const BREMSE_5 = 0x4a8;
export const KOMBI_3 = 0x520;
export const BREMSE_2 = 0x5a0;
export const BREMSE_11 = 0x5b7;
export const SYSTEMINFO_1 = 0x5d0;
export const SOLL_VERBAULISTE_NEU = 0x5dc;
export const NMH_GATEWAY = 0x720;
export const DIAGNOSE_1 = 0x7d0;

/** Signals by what they mean to the controller. Chassis bus, except those of Allrad_1 (coupling bus). */
export const PQ_SIGNALS = Object.freeze({
	pedal: {
		dbc: "Pedal_Value_or_Throttle_Plate",
		id: MOTOR_1,
		start: 40,
		length: 8,
		littleEndian: true,
		signed: false,
		factor: 0.4,
		offset: 0,
		unit: "%",
		errorFrom: 0xfe,
		source: "2.1: Motor_1; 0xFE, 0xFF init and error by convention",
	},
	rpm: {
		dbc: "Engine_RPM",
		id: MOTOR_1,
		start: 16,
		length: 16,
		littleEndian: true,
		signed: false,
		factor: 0.25,
		offset: 0,
		unit: "rpm",
		errorFrom: 0xfe00,
		source: "2.1: Motor_1; 0xFE00 and above init and error by convention",
	},
	speed: {
		dbc: "BR1_Wheel_Speed_kmh",
		id: BREMSE_1,
		start: 17,
		length: 15,
		littleEndian: true,
		signed: false,
		factor: 0.01,
		offset: 0,
		unit: "km/h",
		errorFrom: 0x7fff,
		source: "2.1: Bremse_1; docs/decisions.md 5: 0x7FFF is an error code",
	},
	fallbackSpeed: {
		dbc: "(none)",
		id: MOTOR_2,
		start: 24,
		length: 8,
		littleEndian: true,
		signed: false,
		factor: 1.28,
		offset: 0,
		unit: "km/h",
		source: "2.1: Motor_2 byte 3, the reference's fallback; untrusted: vw_pq.dbc has status bits and fuel there",
	},
	msrRequest: {
		dbc: "BR1_MSR_Request",
		id: BREMSE_1,
		start: 1,
		length: 1,
		littleEndian: true,
		signed: false,
		source: "3.12: Bremse_1, item 4",
	},
	absBrake: {
		dbc: "BR1_ABS_Brake",
		id: BREMSE_1,
		start: 2,
		length: 1,
		littleEndian: true,
		signed: false,
		source: "3.12: Bremse_1, item 4",
	},
	edsActive: {
		dbc: "BR1_EDS_Active",
		id: BREMSE_1,
		start: 3,
		length: 1,
		littleEndian: true,
		signed: false,
		source: "3.12: Bremse_1, item 4",
	},
	espActive: {
		dbc: "BR1_ESP_Active",
		id: BREMSE_1,
		start: 4,
		length: 1,
		littleEndian: true,
		signed: false,
		source: "3.12: Bremse_1, item 4",
	},
	wheelFrontLeft: {
		dbc: "Wheel_Speed_Front_Left_4_1",
		id: BREMSE_3,
		start: 1,
		length: 15,
		littleEndian: true,
		signed: false,
		factor: 0.01,
		offset: 0,
		unit: "km/h",
		errorFrom: 0x7fff,
		source: "7.2: Bremse_3; error code as Bremse_1, for mapped inputs",
	},
	wheelFrontRight: {
		dbc: "Wheel_Speed_Front_Right_4_1",
		id: BREMSE_3,
		start: 17,
		length: 15,
		littleEndian: true,
		signed: false,
		factor: 0.01,
		offset: 0,
		unit: "km/h",
		errorFrom: 0x7fff,
		source: "7.2: Bremse_3; error code as Bremse_1, for mapped inputs",
	},
	wheelRearLeft: {
		dbc: "Wheel_Speed_Rear_Left_4_1",
		id: BREMSE_3,
		start: 33,
		length: 15,
		littleEndian: true,
		signed: false,
		factor: 0.01,
		offset: 0,
		unit: "km/h",
		errorFrom: 0x7fff,
		source: "7.2: Bremse_3; error code as Bremse_1, for mapped inputs",
	},
	wheelRearRight: {
		dbc: "Wheel_Speed_Rear_Right_4_1",
		id: BREMSE_3,
		start: 49,
		length: 15,
		littleEndian: true,
		signed: false,
		factor: 0.01,
		offset: 0,
		unit: "km/h",
		errorFrom: 0x7fff,
		source: "7.2: Bremse_3; error code as Bremse_1, for mapped inputs",
	},
	pedalMotor3: {
		dbc: "MO3_Pedal_Value",
		id: MOTOR_3,
		start: 16,
		length: 8,
		littleEndian: true,
		signed: false,
		factor: 0.4,
		offset: 0,
		unit: "%",
		errorFrom: 0xfe,
		source: "7.2: Motor_3; error codes as Motor_1, for mapped inputs",
	},
	steeringAngle: {
		dbc: "LW1_Steering_Angle",
		id: LENKWINKEL_1,
		start: 0,
		length: 15,
		littleEndian: true,
		signed: false,
		factor: 0.04375,
		offset: 0,
		unit: "deg",
		errorFrom: 0x7fff,
		qualityBit: 41,
		qualityBits: 2,
		source:
			"7.2: Lenkwinkel_1, magnitude, for mapped inputs; error code as Bremse_1; bits 41 and 42 LW1_Status, 0 in the frames of 3.4",
	},
	selectorPosition: {
		dbc: "GE1_Selector_Position",
		id: GETRIEBE_1,
		start: 12,
		length: 4,
		littleEndian: true,
		signed: false,
		source: "7.2: Getriebe_1, automatic transmissions only",
	},
	clutchError: {
		dbc: "AWD_Clutch_Error",
		id: ALLRAD_1,
		start: 0,
		length: 1,
		littleEndian: true,
		signed: false,
		source: "2.2: Allrad_1",
	},
	temperatureProtection: {
		dbc: "Overtemperature_Protection_AWD_1",
		id: ALLRAD_1,
		start: 1,
		length: 1,
		littleEndian: true,
		signed: false,
		source: "2.2: Allrad_1",
	},
	stiffnessError: {
		dbc: "Error_Status_Clutch_Stiffness",
		id: ALLRAD_1,
		start: 2,
		length: 1,
		littleEndian: true,
		signed: false,
		source: "2.2: Allrad_1",
	},
	fullyOpen: {
		dbc: "Clutch_Fully_Open",
		id: ALLRAD_1,
		start: 3,
		length: 1,
		littleEndian: true,
		signed: false,
		source: "2.2: Allrad_1",
	},
	emergencyMode: {
		dbc: "Emergency_Mode",
		id: ALLRAD_1,
		start: 4,
		length: 1,
		littleEndian: true,
		signed: false,
		source: "2.2: Allrad_1",
	},
	warningLamp: {
		dbc: "AWD_Warning_Lamp",
		id: ALLRAD_1,
		start: 5,
		length: 1,
		littleEndian: true,
		signed: false,
		source: "2.2: Allrad_1",
	},
	speedLimiter: {
		dbc: "Speed_Limiter",
		id: ALLRAD_1,
		start: 6,
		length: 1,
		littleEndian: true,
		signed: false,
		source: "2.2: Allrad_1",
	},
	couplingState: {
		dbc: "(status bits of byte 0)",
		id: ALLRAD_1,
		start: 0,
		length: 8,
		littleEndian: true,
		signed: false,
		source: "2.2: Allrad_1",
	},
	centreEngagement: {
		dbc: "Center_Clutch_Stiffness_Actual",
		id: ALLRAD_1,
		start: 8,
		length: 8,
		littleEndian: true,
		signed: false,
		source: "2.2: Allrad_1 byte 1, raw; scale by generation: coupling/couplings/*/coupling.ts",
	},
	rearEngagement: {
		dbc: "Rear_Clutch_Stiffness_Actual",
		id: ALLRAD_1,
		start: 32,
		length: 8,
		littleEndian: true,
		signed: false,
		source: "2.2: Allrad_1 byte 4, raw; generation 2 adds it to byte 1",
	},
} as const satisfies Record<string, RawRow | SignalRow>);
