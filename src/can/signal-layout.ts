/**
 * Rows of the layout tables in the vocabulary of DBC files: bit n is bit n mod 8 (0 = least significant) of
 * byte n div 8.
 */

/** Seen in a car, on a bench, in the maker's table, in another firmware, or assumed. */
export type Standing = "car" | "bench" | "maker" | "firmware" | "assumed";

/** Standing, section of docs/control-and-can.md, and what is there. */
export type Source = `${Standing}, ${string}`;

/** Bits of a signal. */
export interface SignalPlace {
	/** Start bit, 0..63: least significant in Intel order, most significant in Motorola order. */
	readonly start: number;
	/** Bits, 1..64. */
	readonly length: number;
	/** Motorola ("sawtooth") order, from bit 0 of a byte to bit 7 of the next. */
	readonly motorola?: boolean;
	/** Two's complement. */
	readonly signed?: boolean;
}

/** Physical = raw * factor + offset. */
export interface SignalLayout extends SignalPlace {
	readonly factor: number;
	readonly offset: number;
}

/** A signal by its raw value: a flag, a state, a position, a count. */
export interface RawRow extends SignalPlace {
	/** Name in the public description. */
	readonly dbc: string;
	/** 0..0x7FF, or 0..0x1FFFFFFF if `extended`. */
	readonly id: number;
	readonly extended?: boolean;
	/** Range of raw values, beyond which are codes; a `min` above `max` excludes those between. */
	readonly min?: number;
	readonly max?: number;
	/** Codes in hexadecimal: `7FC4 initialising, 7FE6 sensor error`. */
	readonly reserved?: string;
	/** Quality bit in the same frame: 1 = degraded, not a value. */
	readonly qualityBit?: number;
	/** How many bits from that one on, in one 16-bit word; any of them counts. Absent = 1. */
	readonly qualityBits?: number;
	readonly source: Source;
}

/** A signal by its physical value. */
export interface SignalRow extends RawRow, SignalLayout {
	/** The unit of the public description. */
	readonly unit: string;
}

/** Counter and checksum, which show that the sender is alive and the bytes are whole. */
export interface FrameCheck {
	/** 0..0x7FF. */
	readonly id: number;
	/** Rises by one with each sent frame; a gateway may pass only some. */
	readonly counter?: SignalPlace;
	/**
	 * `xor`: of all other bytes. `inverted-sum`: FF less the sum of the bytes in `mask`. `crc8`: AUTOSAR E2E
	 * profile 2 with the DataIDs of `layouts/mqb.ts`, last.
	 */
	readonly checksum?: "xor" | "inverted-sum" | "crc8";
	/** Its byte, 0..7. */
	readonly checksumAt?: number;
	/** For `inverted-sum`, bit n for byte n. */
	readonly mask?: number;
	readonly source: Source;
}

/** An unsigned byte of a frame that we send. */
export interface ByteRow {
	/** In the DBC file that we serve; in brackets: not in it. */
	readonly dbc: string;
	/** Its byte, 0..7. */
	readonly at: number;
	/** "" for counts and flags. */
	readonly unit: string;
	readonly source: Source;
}

/** Identifiers that belong together. */
export interface IdRange {
	/** Both belong to it; 0..0x7FF, or 0..0x1FFFFFFF if `extended`. */
	readonly first: number;
	readonly last: number;
	readonly extended: boolean;
	readonly source: Source;
}
