/**
 * The MQB signals (generation 5) that the controller itself reads, and the identifiers of the frames that it
 * knows. `README.md` has the form of a row.
 */

import type { FrameCheck, IdRange, RawRow, SignalRow, Source } from "../signal-layout.js";

/**
 * Identifiers of the frames that are read, rewritten or sent, or whose DataIDs are known, by their names
 * there. Source: docs/control-and-can.md 3.1; of ESP_02 3.10; of Klemmen_Status_01 and NMH_Gateway 5.2.
 */
export const LWI_01 = 0x086;
export const ESP_14 = 0x08a;
export const MOTOR_11 = 0x0a7;
export const MOTOR_12 = 0x0a8;
export const GETRIEBE_11 = 0x0ad;
export const ESP_19 = 0x0b2;
export const ESP_21 = 0x0fd;
export const ESP_02 = 0x101;
export const ESP_05 = 0x106;
const MOTOR_04 = 0x107;
export const ESP_10 = 0x116;
const ALLRAD_03 = 0x118;
export const MOTOR_20 = 0x121;
export const ESP_18 = 0x135;
export const ESP_29 = 0x18c;
export const KOMBI_01 = 0x30b;
export const CHARISMA_01 = 0x385;
export const ESP_07 = 0x392;
export const MOTOR_14 = 0x3be;
export const KLEMMEN_STATUS_01 = 0x3c0;
export const GETRIEBE_14 = 0x3c8;
export const GATEWAY_72 = 0x3db;
export const PARKHILFE_04 = 0x54b;
export const SYSTEMINFO_01 = 0x585;
export const ESP_23 = 0x5be;
export const MOTOR_07 = 0x640;
export const MOTOR_CODE_01 = 0x641;
export const ESP_20 = 0x65d;
export const DIAGNOSE_01 = 0x6b2;
export const KOMBI_02 = 0x6b7;
const NMH_GATEWAY = 0x1b000010;

/** A wheel's speed in ESP_19. */
const WHEEL = Object.freeze({
	id: ESP_19,
	length: 16,
	factor: 0.0075,
	offset: 0,
	unit: "Unit_KiloMeterPerHour",
	max: 0xfffc,
	source: "car, 2.1: ESP_19; range by the public description",
} as const);

/** A flag of ABS, ESP, EDS or MSR. */
const INTERVENTION = Object.freeze({ id: ESP_21, length: 1, source: "firmware, 3.12: ESP_21, item 4" } as const);

/** Signals by what they mean to the controller. Chassis bus, except those of Allrad_03 (coupling bus). */
export const MQB_SIGNALS = Object.freeze({
	pedal: {
		dbc: "MO_Fahrpedalrohwert_01",
		id: MOTOR_20,
		start: 12,
		length: 8,
		factor: 0.4,
		offset: 0,
		unit: "Unit_PerCent",
		max: 0xfd,
		reserved: "FF error",
		qualityBit: 20,
		source: "car, 2.1: Motor_20; full pedal is FA, FE is rejected; bit 20 MO_QBit_Fahrpedalwerte_01",
	},
	wheelRearLeft: { ...WHEEL, dbc: "ESP_HL_Radgeschw_02", start: 0 },
	wheelRearRight: { ...WHEEL, dbc: "ESP_HR_Radgeschw_02", start: 16 },
	wheelFrontLeft: { ...WHEEL, dbc: "ESP_VL_Radgeschw_02", start: 32 },
	wheelFrontRight: { ...WHEEL, dbc: "ESP_VR_Radgeschw_02", start: 48 },
	speed: {
		dbc: "ESP_v_Signal",
		id: ESP_21,
		start: 32,
		length: 16,
		factor: 0.01,
		offset: 0,
		unit: "Unit_KiloMeterPerHour",
		max: 0xfffc,
		qualityBit: 55,
		source: "car, 2.1: ESP_21; range by the public description; bit 55 ESP_QBit_v_Signal",
	},
	steeringAngle: {
		dbc: "LWI_Lenkradwinkel",
		id: LWI_01,
		start: 16,
		length: 13,
		factor: 0.1,
		offset: 0,
		unit: "Unit_DegreOfArc",
		max: 0x1f40,
		qualityBit: 15,
		source:
			"car, 7.3: LWI_01, magnitude, for mapped inputs; range by the public description, 800 degrees; bit 15 LWI_QBit_Lenkradwinkel",
	},
	boost: {
		dbc: "MO_Ladedruck",
		id: MOTOR_04,
		start: 39,
		length: 9,
		factor: 0.01,
		offset: 0,
		unit: "Unit_Bar",
		max: 0x1fe,
		source: "firmware, 2.1: Motor_04; absolute pressure; in no recording",
	},
	rpm: {
		dbc: "MO_Drehzahl_01",
		id: MOTOR_12,
		start: 48,
		length: 16,
		factor: 0.25,
		offset: 0,
		unit: "Unit_MinutInver",
		max: 0xfffc,
		qualityBit: 47,
		source: "car, 2.1: Motor_12; range by the public description; bit 47 MO_QBit_Drehzahl_01",
	},
	absBrake: { ...INTERVENTION, dbc: "ABS_Bremsung", start: 56 },
	msrRequest: { ...INTERVENTION, dbc: "MSR_Anf", start: 58 },
	edsActive: { ...INTERVENTION, dbc: "EDS_Eingriff", start: 60 },
	espActive: { ...INTERVENTION, dbc: "ESP_Eingriff", start: 61 },
	engagement: {
		dbc: "(actual lock)",
		id: ALLRAD_03,
		start: 16,
		length: 8,
		factor: 0.3937,
		offset: 0,
		unit: "%",
		max: 0xfe,
		reserved: "FF no value",
		source: "car, 2.2: Allrad_03 byte 2, scaled as byte 0 of DID 2BF3; not in the public description that the catalogue has",
	},
	couplingState: {
		dbc: "(drive profile)",
		id: ALLRAD_03,
		start: 24,
		length: 8,
		source: "firmware, 2.2: Allrad_03 byte 3; shown as state byte, its bits are no faults",
	},
	selectorPosition: {
		dbc: "GE_Fahrstufe",
		id: GETRIEBE_11,
		start: 42,
		length: 4,
		max: 14,
		source: "car, 7.3: Getriebe_11, automatic transmissions only; that 15 is a code is assumed",
	},
	ignitionSwitch: { dbc: "ZAS_Kl_15", id: KLEMMEN_STATUS_01, start: 17, length: 1, source: "car, 5.2: Klemmen_Status_01" },
	ignitionOfGateway: {
		dbc: "NM_Gateway_NM_aktiv_KL15",
		id: NMH_GATEWAY,
		extended: true,
		start: 32,
		length: 1,
		source: "firmware, 5.2: NMH_Gateway",
	},
} as const satisfies Record<string, RawRow | SignalRow>);

/** A torque of Motor_11. */
const TORQUE = Object.freeze({
	id: MOTOR_11,
	length: 10,
	factor: 1,
	offset: -509,
	unit: "Unit_NewtoMeter",
	source: "assumed, 3.14: Motor_11, by the public description; which values are codes, as in 3.13",
} as const);

/** Signals of Motor_11 that frame plans write. */
export const MOTOR_11_SIGNALS = Object.freeze({
	requested: Object.freeze({ ...TORQUE, dbc: "MO_Mom_Soll_Roh", start: 12, max: 1018 }),
	actual: Object.freeze({ ...TORQUE, dbc: "MO_Mom_Ist_Summe", start: 22, max: 1018, qualityBit: 63 }),
	inertia: Object.freeze({ ...TORQUE, dbc: "MO_Mom_Traegheit_Summe", start: 32 }),
	filtered: Object.freeze({ ...TORQUE, dbc: "MO_Mom_Soll_gefiltert", start: 42, max: 1018 }),
	overrun: Object.freeze({ ...TORQUE, dbc: "MO_Mom_Schub", start: 52, length: 9 }),
	normalOperation: Object.freeze({
		dbc: "MO_Status_Normalbetrieb_01",
		id: MOTOR_11,
		start: 61,
		length: 1,
		source: "assumed, 3.14: Motor_11, by the public description",
	}),
} as const satisfies Record<string, RawRow | SignalRow>);

/** Frames of network management on the chassis bus: they go on while the car falls asleep. */
export const MQB_NETWORK_MANAGEMENT: IdRange = Object.freeze({
	first: 0x1b000000,
	last: 0x1b0000ff,
	extended: true,
	source: "assumed, 5.2: the range; that all of it is of the kind of the six that are known is assumed",
});

const COUNTER = Object.freeze({ start: 8, length: 4 });

/** Frames with the counter and the CRC of AUTOSAR E2E profile 2. */
const PROTECTED: readonly number[] = Object.freeze([
	...[LWI_01, ESP_14, MOTOR_11, MOTOR_12, GETRIEBE_11, ESP_21, ESP_02],
	...[ESP_05, ESP_10, MOTOR_20, ESP_07, MOTOR_14, KLEMMEN_STATUS_01],
]);

/**
 * Counters and checksums of frames that are read, or may be as a mapped input. ESP_19 has none; Allrad_03 and
 * Kombi_01 have a counter only.
 */
export const MQB_CHECKS: readonly FrameCheck[] = Object.freeze([
	...PROTECTED.map(
		(id): FrameCheck => ({ id, counter: COUNTER, checksum: "crc8", checksumAt: 0, source: "car, 3.10: verified" }),
	),
	{ id: ALLRAD_03, counter: COUNTER, source: "car, 2.2: Allrad_03" },
	{ id: KOMBI_01, counter: COUNTER, source: "car, 4.7: Kombi_01" },
]);

/** CRC-8/AUTOSAR, x^8 + x^5 + x^3 + x^2 + x + 1, not reflected. Source: docs/control-and-can.md 3.10. */
export const CRC_8 = Object.freeze({ polynomial: 0x2f, initial: 0xff, finalXor: 0xff });

/** Where the DataID enters the CRC: first in the reference, last (AUTOSAR E2E profile 2) in cars. */
export type DataIdOrder = "reference" | "autosar";

interface DataIdSequence {
	/** 0..0x7FF. */
	readonly id: number;
	/** 16, each 0..0xFF, by the counter's value. */
	readonly dataIds: readonly number[];
	/** "verified": recorded frames of cars reproduce, DataID last; "reference": only it has the list. */
	readonly source: Source;
}

/** One DataID for all values of the counter. */
function always(dataId: number): readonly number[] {
	return new Array<number>(16).fill(dataId);
}

/**
 * The 16 DataIDs of each protected frame: the counter in the low nibble of byte 1 selects the one that goes
 * into the CRC of byte 0. ESP_10 as in the reference. Source: docs/control-and-can.md 3.10.
 */
export const DATA_ID_SEQUENCES: readonly DataIdSequence[] = Object.freeze([
	{
		id: MOTOR_12,
		dataIds: [0x52, 0x8c, 0x50, 0xee, 0x4f, 0xa6, 0xcc, 0xcf, 0x7d, 0x2f, 0x98, 0x6b, 0x27, 0x41, 0x9f, 0x93],
		source: "car, 3.10: verified",
	},
	{
		id: GETRIEBE_11,
		dataIds: [0x3f, 0x69, 0x39, 0xdc, 0x94, 0xf9, 0x14, 0x64, 0xd8, 0x6a, 0x34, 0xce, 0xa2, 0x55, 0xb5, 0x2c],
		source: "car, 3.10: verified",
	},
	{
		id: MOTOR_11,
		dataIds: [0xd2, 0x3d, 0xcd, 0x28, 0x4c, 0x14, 0x22, 0x4b, 0x24, 0xac, 0xfa, 0x55, 0x66, 0x80, 0x0d, 0x6c],
		source: "car, 3.10: verified",
	},
	{
		id: MOTOR_20,
		dataIds: [0xe9, 0x65, 0xae, 0x6b, 0x7b, 0x35, 0xe5, 0x5f, 0x4e, 0xc7, 0x86, 0xa2, 0xbb, 0xdd, 0xeb, 0xb4],
		source: "car, 3.10: verified",
	},
	{
		id: ESP_23,
		dataIds: [0xc9, 0x21, 0x6f, 0x63, 0xd2, 0x42, 0x6a, 0x77, 0x4a, 0x3d, 0xb0, 0x62, 0x9f, 0x38, 0xcd, 0x5c],
		source: "firmware, 3.10: reference; a car sends neither CRC nor counter there",
	},
	{
		id: MOTOR_14,
		dataIds: [0x1f, 0x28, 0xc6, 0x85, 0xe6, 0xf8, 0xb0, 0x19, 0x5b, 0x64, 0x35, 0x21, 0xe4, 0xf7, 0x9c, 0x24],
		source: "car, 3.10: verified for three counter values; same list in opendbc",
	},
	{
		id: ESP_20,
		dataIds: [0xac, 0xb3, 0xab, 0xeb, 0x7a, 0xe1, 0x3b, 0xf7, 0x73, 0xba, 0x7c, 0x9e, 0x06, 0x5f, 0x02, 0xd9],
		source: "car, 3.10: verified",
	},
	{ id: ESP_14, dataIds: always(0xd4), source: "car, 3.10: verified by one frame" },
	{ id: LWI_01, dataIds: always(0x86), source: "car, 3.10: verified" },
	{ id: ESP_05, dataIds: always(0x07), source: "car, 3.10: verified" },
	{ id: ESP_07, dataIds: always(0x91), source: "car, 3.10: verified" },
	{ id: MOTOR_CODE_01, dataIds: always(0x47), source: "car, 3.10: verified by one frame" },
	{ id: ESP_10, dataIds: always(0x05), source: "firmware, 3.10: reference; vehicles use 0xAC, see ESP_10_DATA_IDS" },
	// received only: for checking what arrives
	{
		id: ESP_21,
		dataIds: [0xb4, 0xef, 0xf8, 0x49, 0x1e, 0xe5, 0xc2, 0xc0, 0x97, 0x19, 0x3c, 0xc9, 0xf1, 0x98, 0xd6, 0x61],
		source: "car, 3.10: verified",
	},
	{ id: ESP_02, dataIds: always(0xaa), source: "car, 3.10: verified" },
	{ id: KLEMMEN_STATUS_01, dataIds: always(0xc3), source: "car, 3.10: verified" },
]);

// what is preloaded and not frozen takes RAM
for (const sequence of DATA_ID_SEQUENCES) {
	Object.freeze(sequence.dataIds);
	Object.freeze(sequence);
}

/** ESP_10 as vehicles send it, in place of the reference's 0x05. Source: car, 3.10. */
const ESP_10_DATA_IDS = Object.freeze(always(0xac));

/** The list of a frame, 16 bytes; undefined if none is known. @param order tells the two of ESP_10 apart */
export function dataIdsOf(id: number, order: DataIdOrder): readonly number[] | undefined {
	if (id === ESP_10 && order === "autosar") return ESP_10_DATA_IDS;
	return DATA_ID_SEQUENCES.find((sequence) => sequence.id === id)?.dataIds;
}
