/**
 * The row types of the layout tables: a signal's place in a frame in the vocabulary of DBC files.
 * Types only. Bit numbers follow DBC: bit n is bit n mod 8 (0 = least significant) of byte n div 8.
 */

/** Where a signal lies in its frame. */
export interface SignalPlace {
	/** Start bit, 0..63. Intel order: the least significant bit; Motorola order: the most significant bit. */
	readonly start: number;
	/** Bits, 1..64. */
	readonly length: number;
	/** True: Intel order. False: Motorola ("sawtooth") order, from bit 0 of a byte on to bit 7 of the next. */
	readonly littleEndian: boolean;
	/** True: two's complement of `length` bits. */
	readonly signed: boolean;
}

/** And what its raw value means: physical = raw * factor + offset. */
export interface SignalLayout extends SignalPlace {
	readonly factor: number;
	readonly offset: number;
}

/** A signal that the controller itself reads, by its raw value alone: a flag, a state, a position, a count. It has no unit. */
export interface RawRow extends SignalPlace {
	/** Name in the public network description. */
	readonly dbc: string;
	/** Identifier of the frame. */
	readonly id: number;
	/** True: it has 29 bits. Absent: 11. */
	readonly extended?: boolean;
	/** Raw values from here up are init and error codes, no values. Absent: every raw value is one. */
	readonly errorFrom?: number;
	/** Bit number of the quality bit of this signal in the same frame: 1 = degraded, not a value. */
	readonly qualityBit?: number;
	/** How many bits from that one on say so; any of them set: not a value. Absent = 1; more end in the same 16 bits of the frame. */
	readonly qualityBits?: number;
	/** Where the row comes from, and what is assumed. */
	readonly source: string;
}

/** A signal that the controller itself reads, by its physical value. */
export interface SignalRow extends RawRow, SignalLayout {
	/** Of the physical value, as the public network description spells it. */
	readonly unit: string;
}

/** A byte of a frame that we send: a number without a sign, in its unit as it is. */
export interface ByteRow {
	/** Name in the DBC file that we serve; in brackets: it is not in it. */
	readonly dbc: string;
	/** Which byte of the frame, 0..7. */
	readonly at: number;
	/** As the DBC files spell it; "" for counts and flags. */
	readonly unit: string;
	readonly source: string;
}

/** Identifiers that belong together. */
export interface IdRange {
	/** The least and the greatest of them. */
	readonly first: number;
	readonly last: number;
	/** True: they have 29 bits. */
	readonly extended: boolean;
	readonly source: string;
}
