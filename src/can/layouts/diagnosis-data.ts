/**
 * What the coupling's control unit has to tell by UDS, by data identifier (DID). Pure tables: each row's `source` begins
 * with its standing and the section of docs/control-and-can.md that has it.
 */

import type { Source } from "../signal-layout.js";

/** A text or number that tells who the control unit is. */
export interface IdentityValue {
	/** Data identifier, 16 bits. */
	readonly did: number;
	/** For people, in the words of the maker's tester. */
	readonly label: string;
	/** As the interface names it. */
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
	/** Data identifier, 16 bits. */
	readonly did: number;
	readonly label: string;
	/** Of raw * factor + offset. */
	readonly unit: string;
	/** Bytes, little endian if negative. */
	readonly size: number;
	readonly factor: number;
	readonly offset: number;
	/** Largest raw value that is one. */
	readonly rawMax: number;
	/** False: nobody has compared it with an instrument. */
	readonly isVerified: boolean;
	readonly source: Source;
}

/** Of 0CQ907554D with software 7076. */
export const MEASURED: readonly MeasuredValue[] = Object.freeze([
	{
		did: 0x0286,
		label: "Voltage at terminal 30",
		unit: "V",
		size: 1,
		factor: 0.1,
		offset: 0,
		rawMax: 254,
		isVerified: true,
		source: "firmware, 5.3: Measured values, 0286: u8; 255 is none",
	},
	{
		did: 0x028d,
		label: "Module temperature",
		unit: "°C",
		size: 1,
		factor: 1,
		offset: -55,
		rawMax: 205,
		isVerified: true,
		source: "firmware, 5.3: Measured values, 028D: u8; 0..205 valid, 255 is none",
	},
	{
		did: 0x2be4,
		label: "Cooling fin temperature",
		unit: "°C",
		size: -2,
		factor: 0.01,
		offset: -227.67,
		rawMax: 65534,
		isVerified: false,
		source: "firmware, 5.3: Measured values, 2BE4: u16 little endian; 65535 is none; compared with no thermometer",
	},
	{
		did: 0x2be5,
		label: "Time over temperature",
		unit: "min",
		size: 2,
		factor: 1,
		offset: 0,
		rawMax: 65535,
		isVerified: true,
		source: "firmware, 5.3: Measured values, 2BE5: u16 big endian",
	},
	{
		did: 0x2be6,
		label: "Pump current",
		unit: "A",
		size: 2,
		factor: 0.001,
		offset: 0,
		rawMax: 20000,
		isVerified: true,
		source: "car, 5.3: Measured values, 2BE6: u16 big endian; 0..20000 valid",
	},
	{
		did: 0x2be7,
		label: "Pump PWM",
		unit: "%",
		size: 1,
		factor: 1,
		offset: 0,
		rawMax: 100,
		isVerified: true,
		source: "car, 5.3: Measured values, 2BE7: u8; 0..100 valid",
	},
	{
		did: 0x2be9,
		label: "Pump voltage",
		unit: "V",
		size: 1,
		factor: 0.1,
		offset: 0,
		rawMax: 255,
		isVerified: true,
		source: "car, 5.3: Measured values, 2BE9: u8",
	},
	{
		did: 0x2bf1,
		label: "Clutch temperature",
		unit: "°C",
		size: -2,
		factor: 0.01,
		offset: -227.67,
		rawMax: 65535,
		isVerified: false,
		source: "car, 5.3: Measured values, 2BF1: u16 little endian; compared with no thermometer",
	},
	{
		did: 0x2bf3,
		label: "Locking state",
		unit: "%",
		size: 1,
		factor: 0.3937,
		offset: 0,
		rawMax: 254,
		isVerified: true,
		source: "car, 5.3: Measured values, 2BF3: u8; 255 is none",
	},
	{
		did: 0x1005,
		label: "Limit of time over temperature",
		unit: "min",
		size: 2,
		factor: 1,
		offset: 0,
		rawMax: 65535,
		isVerified: true,
		source: "firmware, 5.3: Measured values, 1005: u16 big endian",
	},
]);
