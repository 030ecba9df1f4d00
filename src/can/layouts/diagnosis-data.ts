/**
 * Values of the coupling's control unit: over UDS by data identifier (DID), over KWP2000 in blocks. Each row's
 * `source` begins with its standing and the section of docs/control-and-can.md that has it.
 */

import type { Source } from "../signal-layout.js";

/** Part of the control unit's identity. */
interface IdentityValue {
	/** 16 bits. */
	readonly did: number;
	/** For people, in the words of the maker's tester. */
	readonly label: string;
	/** Its name in the interface. */
	readonly field: string;
	readonly source: Source;
}

/** In the order in which they are read. */
export const IDENTITY: readonly IdentityValue[] = Object.freeze([
	{ did: 0xf19e, label: "ASAM/ODX File Identifier", field: "asamOdxFileIdentifier", source: "firmware, 5.3: Identity, ODX file" },
	{ did: 0xf1a2, label: "ASAM/ODX File Version", field: "asamOdxFileVersion", source: "firmware, 5.3: Identity, ODX version" },
	{ did: 0xf187, label: "VW Spare Part Number", field: "partNumber", source: "firmware, 5.3: Identity, part number" },
	{
		did: 0xf189,
		label: "VW Application Software Version Number",
		field: "softwareVersion",
		source: "firmware, 5.3: Identity, software version",
	},
	{
		did: 0xf18a,
		label: "System Supplier Identifier",
		field: "systemSupplierIdentifier",
		source: "firmware, 5.3: Identity, supplier",
	},
	{ did: 0xf190, label: "VIN Vehicle Identification Number", field: "vin", source: "firmware, 5.3: Identity, VIN" },
	{ did: 0xf191, label: "VW ECU Hardware Number", field: "hardwareNumber", source: "firmware, 5.3: Identity, hardware number" },
	{
		did: 0xf1a3,
		label: "VW ECU Hardware Version Number",
		field: "hardwareVersion",
		source: "firmware, 5.3: Identity, hardware version",
	},
	{ did: 0xf1a0, label: "VW Data Set Number", field: "dataSetNumber", source: "firmware, 5.3: Identity, data set number" },
	{ did: 0xf1a1, label: "VW Data Set Version", field: "dataSetVersion", source: "firmware, 5.3: Identity, data set version" },
]);

/** How the bytes of a measured value become a number. */
export interface MeasuredValue {
	/** 16 bits. */
	readonly did: number;
	readonly label: string;
	/** Unit of raw * factor + offset. */
	readonly unit: string;
	/** Bytes, little endian if negative. */
	readonly size: number;
	readonly factor: number;
	readonly offset: number;
	/** Largest raw value that is one. */
	readonly rawMax: number;
	/** It was compared with an instrument. */
	readonly isVerified: boolean;
	readonly source: Source;
}

/** A coupling in a car is neither colder nor hotter, °C. Source: docs/control-and-can.md 5.3. */
export const COLDEST_C = -40;
export const HOTTEST_C = 150;

const BYTE = Object.freeze({ size: 1, factor: 1, offset: 0, isVerified: true });
const WORD = Object.freeze({ ...BYTE, size: 2 });
const FINE_TEMPERATURE = Object.freeze({ unit: "°C", size: -2, factor: 0.01, offset: -227.67, isVerified: false });
/** Values of control unit 0CQ907554D with software 7076. */
export const MEASURED: readonly MeasuredValue[] = Object.freeze([
	{
		...BYTE,
		did: 0x0286,
		label: "Voltage at terminal 30",
		unit: "V",
		factor: 0.1,
		rawMax: 254,
		source: "firmware, 5.3: Measured values, 0286: u8; 255 is none",
	},
	{
		...BYTE,
		did: 0x028d,
		label: "Module temperature",
		unit: "°C",
		offset: -55,
		rawMax: 205,
		isVerified: false,
		source: "firmware, 5.3: Measured values, 028D: u8; 0..205 valid, 255 no value; plausible",
	},
	{
		...FINE_TEMPERATURE,
		did: 0x2be4,
		label: "Cooling fin temperature",
		rawMax: 65534,
		source: "firmware, 5.3: Measured values, 2BE4: u16 little endian; 65535 is none; compared with no thermometer",
	},
	{
		...WORD,
		did: 0x2be5,
		label: "Time over temperature",
		unit: "min",
		rawMax: 65535,
		source: "firmware, 5.3: Measured values, 2BE5: u16 big endian",
	},
	{
		...WORD,
		did: 0x2be6,
		label: "Pump current",
		unit: "A",
		factor: 0.001,
		rawMax: 20000,
		source: "car, 5.3: Measured values, 2BE6: u16 big endian; 0..20000 valid",
	},
	{
		...BYTE,
		did: 0x2be7,
		label: "Pump PWM",
		unit: "%",
		rawMax: 100,
		source: "car, 5.3: Measured values, 2BE7: u8; 0..100 valid",
	},
	{
		...BYTE,
		did: 0x2be9,
		label: "Pump voltage",
		unit: "V",
		factor: 0.1,
		rawMax: 255,
		source: "car, 5.3: Measured values, 2BE9: u8",
	},
	{
		...FINE_TEMPERATURE,
		did: 0x2bf1,
		label: "Clutch temperature",
		rawMax: 65535,
		source: "car, 5.3: Measured values, 2BF1: u16 little endian; compared with no thermometer",
	},
	{
		...BYTE,
		did: 0x2bf3,
		label: "Locking state",
		unit: "%",
		factor: 0.3937,
		rawMax: 254,
		source: "car, 5.3: Measured values, 2BF3: u8; 255 is none",
	},
	{
		...WORD,
		did: 0x1005,
		label: "Limit of time over temperature",
		unit: "min",
		rawMax: 65535,
		source: "firmware, 5.3: Measured values, 1005: u16 big endian",
	},
]);

/**
 * How a value of a KWP2000 block becomes a number: it has three bytes, formula, a and b, and is `factor * a *
 * (b - offset)`. Formulas without a number (texts, bits) and those that no coupling sends have no row. See
 * also `KWP_QUOTIENT` and `KWP_DIFFERENCE`.
 */
interface KwpFormula {
	readonly formula: number;
	readonly unit: string;
	readonly factor: number;
	readonly offset: number;
	readonly source: Source;
}

/** By product. */
export const KWP_FORMULAS: readonly KwpFormula[] = Object.freeze([
	{ formula: 0x01, unit: "1/min", factor: 0.2, offset: 0, source: "firmware, 5.4: formulas" },
	{ formula: 0x02, unit: "%", factor: 0.002, offset: 0, source: "firmware, 5.4: formulas" },
	{ formula: 0x05, unit: "°C", factor: 0.1, offset: 100, source: "firmware, 5.4: formulas" },
	{ formula: 0x06, unit: "V", factor: 0.001, offset: 0, source: "bench, 5.4: formulas, 64 90" },
	{ formula: 0x07, unit: "km/h", factor: 0.01, offset: 0, source: "firmware, 5.4: formulas" },
	{ formula: 0x08, unit: "", factor: 0.1, offset: 0, source: "firmware, 5.4: formulas" },
	{ formula: 0x0e, unit: "bar", factor: 0.005, offset: 0, source: "bench, 5.4: formulas, C8 06 and 1B C8" },
	{ formula: 0x0f, unit: "ms", factor: 0.01, offset: 0, source: "firmware, 5.4: formulas" },
	{ formula: 0x12, unit: "mbar", factor: 0.04, offset: 0, source: "firmware, 5.4: formulas" },
	{ formula: 0x15, unit: "V", factor: 0.001, offset: 0, source: "firmware, 5.4: formulas" },
	{ formula: 0x16, unit: "ms", factor: 0.001, offset: 0, source: "firmware, 5.4: formulas" },
	{ formula: 0x18, unit: "A", factor: 0.001, offset: 0, source: "bench, 5.4: formulas, 0A BF" },
	{ formula: 0x34, unit: "Nm", factor: 0.02, offset: 50, source: "firmware, 5.4: formulas" },
	{ formula: 0x5e, unit: "Nm", factor: 0.1, offset: 128, source: "bench, 5.4: formulas, A0 FF" },
]);

/** 100 * b / a, in %. Source: docs/control-and-can.md 5.4, formulas. */
export const KWP_QUOTIENT = 0x21;
/** b - a, in °C. Source: docs/control-and-can.md 5.4, formulas. */
export const KWP_DIFFERENCE = 0x1a;

/** A value of a block, if it has this formula. */
export interface KwpValue {
	readonly generations: readonly number[];
	readonly block: number;
	/** From 0 on. */
	readonly place: number;
	readonly formula: number;
	readonly label: string;
	readonly source: Source;
}

const GENERATION_2 = Object.freeze([2]);
const GENERATION_4 = Object.freeze([4, 51]);
/** Values of control units 1K0907554A (generation 2) and 0AY907554C (generation 4). */
export const KWP_VALUES: readonly KwpValue[] = Object.freeze([
	{ generations: GENERATION_2, block: 1, place: 1, formula: 0x06, label: "Supply voltage", source: "bench, 5.4: blocks" },
	{ generations: GENERATION_2, block: 2, place: 0, formula: 0x1a, label: "Oil temperature", source: "bench, 5.4: blocks" },
	{ generations: GENERATION_2, block: 2, place: 1, formula: 0x0e, label: "Oil pressure", source: "bench, 5.4: blocks" },
	{ generations: GENERATION_4, block: 1, place: 0, formula: 0x1a, label: "Oil temperature", source: "bench, 5.4: blocks" },
	{ generations: GENERATION_4, block: 1, place: 1, formula: 0x1a, label: "Plate temperature", source: "bench, 5.4: blocks" },
	{ generations: GENERATION_4, block: 1, place: 2, formula: 0x06, label: "Supply voltage", source: "bench, 5.4: blocks" },
	{ generations: GENERATION_4, block: 3, place: 0, formula: 0x0e, label: "Oil pressure", source: "bench, 5.4: blocks" },
	{ generations: GENERATION_4, block: 3, place: 1, formula: 0x5e, label: "Estimated torque", source: "bench, 5.4: blocks" },
	{ generations: GENERATION_4, block: 3, place: 2, formula: 0x21, label: "Clutch valve duty", source: "bench, 5.4: blocks" },
	{ generations: GENERATION_4, block: 3, place: 3, formula: 0x18, label: "Clutch valve current", source: "bench, 5.4: blocks" },
]);
