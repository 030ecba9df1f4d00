/**
 * The PQ signals (generations 1, 2 and 4) that the controller itself reads, and the identifiers of the frames
 * that it knows. A pure table; everything else that is known of these networks is in `../dbc/`. Each row's
 * `source` begins with its standing and the section of docs/control-and-can.md that has it; names are those
 * of the description there.
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

/** A wheel's speed in Bremse_3. */
const WHEEL = Object.freeze({
	id: BREMSE_3,
	length: 15,
	factor: 0.01,
	offset: 0,
	unit: "km/h",
	max: 0x7f7f,
	reserved: "7FC4 initialising, 7FD5 undervoltage, 7FE6 sensor error",
	source: "car, 7.2: Bremse_3; range and codes by the maker's table, 7FE6 seen",
} as const);

/** Signals by what they mean to the controller. Chassis bus, except those of Allrad_1 (coupling bus). */
export const PQ_SIGNALS = Object.freeze({
	pedal: {
		dbc: "Pedal_Value_or_Throttle_Plate",
		id: MOTOR_1,
		start: 40,
		length: 8,
		factor: 0.4,
		offset: 0,
		unit: "%",
		max: 0xfd,
		reserved: "FF error",
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
		dbc: "BR1_Wheel_Speed_kmh",
		id: BREMSE_1,
		start: 17,
		length: 15,
		factor: 0.01,
		offset: 0,
		unit: "km/h",
		max: 0x7f7f,
		reserved: "7FC4 initialising, 7FD5 undervoltage, 7FE6 sensor error",
		source: "car, 2.1: Bremse_1; range and codes by the maker's table, 7FE6 seen",
	},
	msrRequest: {
		dbc: "BR1_MSR_Request",
		id: BREMSE_1,
		start: 1,
		length: 1,
		source: "firmware, 3.12: Bremse_1, item 4",
	},
	absBrake: {
		dbc: "BR1_ABS_Brake",
		id: BREMSE_1,
		start: 2,
		length: 1,
		source: "maker, 3.12: Bremse_1, item 4",
	},
	edsActive: {
		dbc: "BR1_EDS_Active",
		id: BREMSE_1,
		start: 3,
		length: 1,
		source: "maker, 3.12: Bremse_1, item 4",
	},
	espActive: {
		dbc: "BR1_ESP_Active",
		id: BREMSE_1,
		start: 4,
		length: 1,
		source: "maker, 3.12: Bremse_1, item 4",
	},
	wheelFrontLeft: { ...WHEEL, dbc: "Wheel_Speed_Front_Left_4_1", start: 1 },
	wheelFrontRight: { ...WHEEL, dbc: "Wheel_Speed_Front_Right_4_1", start: 17 },
	wheelRearLeft: { ...WHEEL, dbc: "Wheel_Speed_Rear_Left_4_1", start: 33 },
	wheelRearRight: { ...WHEEL, dbc: "Wheel_Speed_Rear_Right_4_1", start: 49 },
	pedalMotor3: {
		dbc: "MO3_Pedal_Value",
		id: MOTOR_3,
		start: 16,
		length: 8,
		factor: 0.4,
		offset: 0,
		unit: "%",
		max: 0xfd,
		reserved: "FF error",
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
	clutchError: {
		dbc: "AWD_Clutch_Error",
		id: ALLRAD_1,
		start: 0,
		length: 1,
		source: "firmware, 2.2: Allrad_1",
	},
	temperatureProtection: {
		dbc: "Overtemperature_Protection_AWD_1",
		id: ALLRAD_1,
		start: 1,
		length: 1,
		source: "firmware, 2.2: Allrad_1",
	},
	stiffnessError: {
		dbc: "Error_Status_Clutch_Stiffness",
		id: ALLRAD_1,
		start: 2,
		length: 1,
		source: "firmware, 2.2: Allrad_1",
	},
	fullyOpen: {
		dbc: "Clutch_Fully_Open",
		id: ALLRAD_1,
		start: 3,
		length: 1,
		source: "bench, 2.2: Allrad_1",
	},
	emergencyMode: {
		dbc: "Emergency_Mode",
		id: ALLRAD_1,
		start: 4,
		length: 1,
		source: "bench, 2.2: Allrad_1",
	},
	warningLamp: {
		dbc: "AWD_Warning_Lamp",
		id: ALLRAD_1,
		start: 5,
		length: 1,
		source: "firmware, 2.2: Allrad_1",
	},
	speedLimiter: {
		dbc: "Speed_Limiter",
		id: ALLRAD_1,
		start: 6,
		length: 1,
		source: "firmware, 2.2: Allrad_1",
	},
	couplingState: {
		dbc: "(status bits of byte 0)",
		id: ALLRAD_1,
		start: 0,
		length: 8,
		source: "bench, 2.2: Allrad_1",
	},
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
		dbc: "Unit_of_Clutch_Stiffness",
		id: ALLRAD_1,
		start: 7,
		length: 1,
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
	handbrake: {
		dbc: "Handbrake",
		id: KOMBI_1,
		start: 9,
		length: 1,
		source: "car, 7.2: Kombi_1",
	},
	ignitionOfGateway: {
		dbc: "Ignition_Switch_Terminal_15",
		id: BSG_LAST,
		start: 1,
		length: 1,
		source: "car, 5.2: BSG_Last",
	},
	ignitionSwitch: {
		dbc: "ZAS_Terminal_15",
		id: ZAS_1,
		start: 1,
		length: 1,
		source: "car, 5.2: ZAS_1",
	},
	speedCluster: {
		dbc: "Speed_Cluster_1",
		id: KOMBI_1,
		start: 25,
		length: 15,
		factor: 0.01,
		offset: 0,
		unit: "km/h",
		max: 0x7f7f,
		source: "assumed, 7.2: Kombi_1, for mapped inputs; range as Bremse_1",
	},
	wheelTurns: {
		dbc: "Average_Wheel_RPM_Brake_2",
		id: BREMSE_2,
		start: 9,
		length: 15,
		factor: 0.002,
		offset: 0,
		unit: "rps",
		max: 0x7f7f,
		reserved: "7FC4 initialising, 7FD5 undervoltage, 7FE6 sensor error",
		source: "maker, 7.2: Bremse_2, for mapped inputs",
	},
} as const satisfies Record<string, RawRow | SignalRow>);

const COUNTER_AT_6 = Object.freeze({ start: 52, length: 4 });
const COUNTER_AT_7 = Object.freeze({ start: 56, length: 4 });
const COUNTER_OF_STEERING = Object.freeze({ start: 44, length: 4 });
const COUNTER_OF_TRANSMISSION = Object.freeze({ start: 51, length: 4 });
const COUNTER_OF_COUPLING = Object.freeze({ start: 60, length: 4 });

/**
 * Counters and checksums of frames that are read, or may be as a mapped input. Motor_1 and Bremse_3 have
 * none; that of Kombi_1 stands in some cars.
 */
export const PQ_CHECKS: readonly FrameCheck[] = Object.freeze([
	{ id: BREMSE_1, counter: COUNTER_AT_7, source: "car, 4.7: Bremse_1" },
	{
		id: LENKWINKEL_1,
		counter: COUNTER_OF_STEERING,
		checksum: "inverted-sum",
		checksumAt: 7,
		mask: 0x2f,
		source: "car, 3.4: Lenkwinkel_1",
	},
	{ id: GETRIEBE_1, counter: COUNTER_OF_TRANSMISSION, source: "car, 4.7: Getriebe_1" },
	{ id: MOTOR_5, checksum: "xor", checksumAt: 7, source: "car, 4.7: Motor_5" },
	{ id: BREMSE_5, counter: COUNTER_AT_6, checksum: "xor", checksumAt: 7, source: "car, 4.7: Bremse_5" },
	{ id: ALLRAD_1, counter: COUNTER_OF_COUPLING, source: "bench, 2.2: Allrad_1, of couplings that send eight bytes" },
]);
