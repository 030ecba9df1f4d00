/**
 * The row types of the layout tables: a signal's place in a frame in the vocabulary of DBC files.
 * Types only. Bit numbers follow DBC: bit n is bit n mod 8 (0 = least significant) of byte n div 8.
 */

/**
 * How sure a fact is: seen in a car, seen on a bench, in the maker's table, done by another firmware, or
 * assumed.
 */
export type Standing = "car" | "bench" | "maker" | "firmware" | "assumed";

/** Where a row comes from: its standing, the section of docs/control-and-can.md that has it, and what is there. */
export type Source = `${Standing}, ${string}`;

/** Where a signal lies in its frame. */
export interface SignalPlace {
	/** Start bit, 0..63. Intel order: the least significant bit; Motorola order: the most significant bit. */
	readonly start: number;
	/** Bits, 1..64. */
	readonly length: number;
	/** True: Motorola ("sawtooth") order, from bit 0 of a byte on to bit 7 of the next. Absent: Intel order. */
	readonly motorola?: boolean;
	/** True: two's complement of `length` bits. Absent: no sign. */
	readonly signed?: boolean;
}

/** And what its raw value means: physical = raw * factor + offset. */
export interface SignalLayout extends SignalPlace {
	readonly factor: number;
	readonly offset: number;
}

/** A signal that the controller itself reads by its raw value: a flag, a state, a position, a count. */
export interface RawRow extends SignalPlace {
	/** Name in the public network description. */
	readonly dbc: string;
	readonly id: number;
	readonly extended?: boolean;
	/** Range of raw values, beyond which are codes. Absent: from 0; up to every one. */
	readonly min?: number;
	readonly max?: number;
	/** Codes in hexadecimal: `7FC4 initialising, 7FE6 sensor error`. */
	readonly reserved?: string;
	/** Bit number of the quality bit of this signal in the same frame: 1 = degraded, not a value. */
	readonly qualityBit?: number;
	/** How many bits from that one on say so, if any is set; all in the same 16 bits. Absent = 1. */
	readonly qualityBits?: number;
	readonly source: Source;
}

/** A signal that the controller itself reads, by its physical value. */
export interface SignalRow extends RawRow, SignalLayout {
	/** Unit of the physical value, as the public network description spells it. */
	readonly unit: string;
}

/** What a frame carries beside its signals, which shows that its sender is alive and its bytes are whole. */
export interface FrameCheck {
	readonly id: number;
	/** Goes up by one with each frame that is sent; a gateway in the car may pass only some of them. */
	readonly counter?: SignalPlace;
	/**
	 * `xor`: of all other bytes. `inverted-sum`: FF less the sum of the bytes in `mask`. `crc8`: AUTOSAR E2E
	 * profile 2 with the DataIDs that `layouts/mqb.ts` has for the frame, last.
	 */
	readonly checksum?: "xor" | "inverted-sum" | "crc8";
	/** The byte that holds the checksum, 0..7. */
	readonly checksumAt?: number;
	/** For `inverted-sum`: the bytes that count, bit n for byte n. */
	readonly mask?: number;
	readonly source: Source;
}

/** A byte of a frame that we send: a number without a sign, in its unit as it is. */
export interface ByteRow {
	/** Name in the DBC file that we serve; in brackets: it is not in it. */
	readonly dbc: string;
	readonly at: number;
	/** As the DBC files spell it; "" for counts and flags. */
	readonly unit: string;
	readonly source: Source;
}

/** Identifiers that belong together. */
export interface IdRange {
	readonly first: number;
	readonly last: number;
	readonly extended: boolean;
	readonly source: Source;
}
