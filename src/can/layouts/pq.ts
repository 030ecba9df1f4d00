/**
 * The PQ signals (generations 1, 2 and 4) that the controller itself reads, and the identifiers of the frames
 * that it knows. `README.md` has the form of a row.
 */

import type { FrameCheck, RawRow, SignalRow } from "../signal-layout.js";

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
const BSG_LAST = 0x570;
const ZAS_1 = 0x572;
export const BREMSE_2 = 0x5a0;
export const BREMSE_11 = 0x5b7;
export const SYSTEMINFO_1 = 0x5d0;
export const SOLL_VERBAULISTE_NEU = 0x5dc;
export const NMH_GATEWAY = 0x720;
export const DIAGNOSE_1 = 0x7d0;

const SPEED_CODES = "7FC4 initialising, 7FD5 undervoltage, 7FE6 sensor error";
const SPEED = Object.freeze({ length: 15, factor: 0.01, offset: 0, unit: "km/h", max: 0x7f7f } as const);
const PEDAL = Object.freeze({ length: 8, factor: 0.4, offset: 0, unit: "%", max: 0xfd, reserved: "FF error" } as const);
/** A wheel's speed in Bremse_3. */
const WHEEL = Object.freeze({
	...SPEED,
	id: BREMSE_3,
	reserved: SPEED_CODES,
	source: "car, 7.2: Bremse_3; range and codes by the maker's table, 7FE6 seen",
} as const);
/** A flag of ABS, ESP or EDS. */
const INTERVENTION = Object.freeze({ id: BREMSE_1, length: 1, source: "maker, 3.12: Bremse_1, item 4" } as const);
/** A flag of the coupling. */
const COUPLING_FLAG = Object.freeze({ id: ALLRAD_1, length: 1, source: "firmware, 2.2: Allrad_1" } as const);
/** Terminal 15 is on. */
const IGNITION = Object.freeze({ start: 1, length: 1 });

/** Signals by what they mean to the controller. Chassis bus, except those of Allrad_1 (coupling bus). */
export const PQ_SIGNALS = Object.freeze({
	pedal: {
		...PEDAL,
		dbc: "Pedal_Value_or_Throttle_Plate",
		id: MOTOR_1,
		start: 40,
		source: "car, 2.1: Motor_1; full pedal is FA, FE is rejected",
	},
	rpm: {
		dbc: "Engine_RPM",
		id: MOTOR_1,
		start: 16,
		length: 16,
		factor: 0.25,
		offset: 0,
		unit: "rpm",
		max: 0xfe00,
		reserved: "FF00 error",
		source: "car, 2.1: Motor_1; its range by the maker's table",
	},
	speed: {
		...SPEED,
		dbc: "BR1_Wheel_Speed_kmh",
		id: BREMSE_1,
		start: 17,
		reserved: SPEED_CODES,
		source: "car, 2.1: Bremse_1; range and codes by the maker's table, 7FE6 seen",
	},
	msrRequest: { ...INTERVENTION, dbc: "BR1_MSR_Request", start: 1, source: "firmware, 3.12: Bremse_1, item 4" },
	absBrake: { ...INTERVENTION, dbc: "BR1_ABS_Brake", start: 2 },
	edsActive: { ...INTERVENTION, dbc: "BR1_EDS_Active", start: 3 },
	espActive: { ...INTERVENTION, dbc: "BR1_ESP_Active", start: 4 },
	wheelFrontLeft: { ...WHEEL, dbc: "Wheel_Speed_Front_Left_4_1", start: 1 },
	wheelFrontRight: { ...WHEEL, dbc: "Wheel_Speed_Front_Right_4_1", start: 17 },
	wheelRearLeft: { ...WHEEL, dbc: "Wheel_Speed_Rear_Left_4_1", start: 33 },
	wheelRearRight: { ...WHEEL, dbc: "Wheel_Speed_Rear_Right_4_1", start: 49 },
	pedalMotor3: {
		...PEDAL,
		dbc: "MO3_Pedal_Value",
		id: MOTOR_3,
		start: 16,
		source: "car, 7.2: Motor_3; full pedal is FA, FE is rejected as in Motor_1",
	},
	steeringAngle: {
		dbc: "LW1_Steering_Angle",
		id: LENKWINKEL_1,
		start: 0,
		length: 15,
		factor: 0.04375,
		offset: 0,
		unit: "deg",
		max: 0x7f7f,
		qualityBit: 41,
		qualityBits: 2,
		source:
			"car, 7.2: Lenkwinkel_1, magnitude; bits 41 and 42 status, 0 = valid; that its range is that of the speeds is assumed",
	},
	selectorPosition: {
		dbc: "GE1_Selector_Position",
		id: GETRIEBE_1,
		start: 12,
		length: 4,
		max: 14,
		source: "car, 7.2: Getriebe_1, automatic transmissions only; that 15 is a code is assumed",
	},
	clutchError: { ...COUPLING_FLAG, dbc: "AWD_Clutch_Error", start: 0 },
	temperatureProtection: { ...COUPLING_FLAG, dbc: "Overtemperature_Protection_AWD_1", start: 1 },
	stiffnessError: { ...COUPLING_FLAG, dbc: "Error_Status_Clutch_Stiffness", start: 2 },
	fullyOpen: { ...COUPLING_FLAG, dbc: "Clutch_Fully_Open", start: 3, source: "bench, 2.2: Allrad_1" },
	emergencyMode: { ...COUPLING_FLAG, dbc: "Emergency_Mode", start: 4, source: "bench, 2.2: Allrad_1" },
	warningLamp: { ...COUPLING_FLAG, dbc: "AWD_Warning_Lamp", start: 5 },
	speedLimiter: { ...COUPLING_FLAG, dbc: "Speed_Limiter", start: 6 },
	couplingState: { dbc: "(status bits of byte 0)", id: ALLRAD_1, start: 0, length: 8, source: "bench, 2.2: Allrad_1" },
	engagement: {
		dbc: "Center_Clutch_Stiffness_Actual",
		id: ALLRAD_1,
		start: 8,
		length: 8,
		factor: 7,
		offset: -896,
		unit: "Nm",
		min: 0x80,
		max: 0xfe,
		reserved: "7F initialising or open at once, FF error",
		source: "bench, 2.2: Allrad_1 byte 1; range and codes by the maker's table",
	},
	engagementInPercent: {
		...COUPLING_FLAG,
		dbc: "Unit_of_Clutch_Stiffness",
		start: 7,
		source: "maker, 2.2: Allrad_1; 0 in every frame that was seen",
	},
	clutchTemperature: {
		dbc: "AWD_Clutch_Temperature",
		id: ALLRAD_1,
		start: 32,
		length: 8,
		factor: 1,
		offset: -60,
		unit: "degC",
		max: 0xfd,
		reserved: "FE initialising, FF error",
		source: "bench, 2.2: Allrad_1 byte 4, which some couplings do not send; codes by the maker's table",
	},
	handbrake: { dbc: "Handbrake", id: KOMBI_1, start: 9, length: 1, source: "car, 7.2: Kombi_1" },
	ignitionOfGateway: { ...IGNITION, dbc: "Ignition_Switch_Terminal_15", id: BSG_LAST, source: "car, 5.2: BSG_Last" },
	ignitionSwitch: { ...IGNITION, dbc: "ZAS_Terminal_15", id: ZAS_1, source: "car, 5.2: ZAS_1" },
	speedCluster: {
		...SPEED,
		dbc: "Speed_Cluster_1",
		id: KOMBI_1,
		start: 25,
		source: "assumed, 7.2: Kombi_1, for mapped inputs; range as Bremse_1",
	},
	wheelTurns: {
		...SPEED,
		dbc: "Average_Wheel_RPM_Brake_2",
		id: BREMSE_2,
		start: 9,
		factor: 0.002,
		unit: "rps",
		reserved: SPEED_CODES,
		source: "maker, 7.2: Bremse_2, for mapped inputs",
	},
} as const satisfies Record<string, RawRow | SignalRow>);

const counterAt = (start: number) => Object.freeze({ start, length: 4 });

/**
 * Counters and checksums of frames that are read, or may be as a mapped input. Motor_1 and Bremse_3 have
 * none; that of Kombi_1 stands in some cars.
 */
export const PQ_CHECKS: readonly FrameCheck[] = Object.freeze([
	{ id: BREMSE_1, counter: counterAt(56), source: "car, 4.7: Bremse_1" },
	{
		id: LENKWINKEL_1,
		counter: counterAt(44),
		checksum: "inverted-sum",
		checksumAt: 7,
		mask: 0x2f,
		source: "car, 3.4: Lenkwinkel_1",
	},
	{ id: GETRIEBE_1, counter: counterAt(51), source: "car, 4.7: Getriebe_1" },
	{ id: MOTOR_5, checksum: "xor", checksumAt: 7, source: "car, 4.7: Motor_5" },
	{ id: BREMSE_5, counter: counterAt(52), checksum: "xor", checksumAt: 7, source: "car, 4.7: Bremse_5" },
	{ id: ALLRAD_1, counter: counterAt(60), source: "bench, 2.2: Allrad_1, of couplings that send eight bytes" },
]);
