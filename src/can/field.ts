/**
 * The compiled form of a signal's layout for the control loop: three bytes, one shift, one mask.
 * Carries unsigned Intel-order signals that span at most three bytes; `bits.ts` reads all others.
 */

import type { SignalLayout } from "./signal-layout.js";

/** Where to find a signal in three neighbouring bytes. */
export interface Field {
	/** Index of the lowest byte in the payload, 0..7. */
	readonly byte: number;
	/** Bits to shift down, 0..7. */
	readonly shift: number;
	readonly mask: number;
}

/** Compiles a layout. @returns undefined if it does not have this form. Never throws. */
export function compileField(layout: SignalLayout): Field | undefined {
	const shift = layout.start & 7;
	if (!layout.littleEndian || layout.signed || shift + layout.length > 24) return undefined;
	return { byte: layout.start >> 3, shift, mask: 2 ** layout.length - 1 };
}

/**
 * Raw value of a compiled signal. The caller has checked that the payload is long enough; bytes read beyond it (or beyond
 * the buffer) are masked away. @param data buffer @param at index of the payload's byte 0 @returns the raw value. Never throws.
 */
export function readField(data: Uint8Array, at: number, field: Field): number {
	const first = at + field.byte;
	return ((data[first] | (data[first + 1] << 8) | (data[first + 2] << 16)) >> field.shift) & field.mask;
}

/**
 * Mask of one-bit signals that lie in one byte.
 * @throws {RangeError} they do not
 */
export function maskOfBits(rows: readonly SignalLayout[]): { byte: number; mask: number } {
	const byte = rows[0].start >> 3;
	let mask = 0;
	for (const row of rows) {
		if (row.start >> 3 !== byte || row.length !== 1) throw new RangeError("not flags of one byte");
		mask |= 1 << (row.start & 7);
	}
	return { byte, mask };
}
