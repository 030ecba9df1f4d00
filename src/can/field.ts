/**
 * The compiled form of a signal's layout for the control loop: one or two 16-bit words, a shift,
 * a mask. Carries unsigned Intel-order signals that span at most two words; `bits.ts` reads all others.
 */

import type { SignalPlace } from "./signal-layout.js";

const MAX_FIELD_BITS = 31; // two words less the sign bit of an integer

/** Where to find a signal in the payload's 16-bit little-endian words. */
export interface Field {
	/** Index of the word that holds the signal's lowest bit, 0..3. */
	readonly word: number;
	/** Bits to shift down, 0..15. */
	readonly shift: number;
	readonly mask: number;
	/** True if the signal reaches into the next word. */
	readonly wide: boolean;
}

/** Compiles a layout. @returns undefined if it does not have this form. Never throws. */
export function compileField(layout: SignalPlace): Field | undefined {
	const shift = layout.start & 15;
	if (!layout.littleEndian || layout.signed || shift + layout.length > MAX_FIELD_BITS) return undefined;
	return Object.freeze({ word: layout.start >> 4, shift, mask: 2 ** layout.length - 1, wide: shift + layout.length > 16 });
}

/** Compiles a layout that is known to have this form. @throws {RangeError} it does not */
export function requireField(layout: SignalPlace): Field {
	const field = compileField(layout);
	if (field === undefined) throw new RangeError("layout has no compiled form");
	return field;
}

/** Index of the word that a signal is, without shift and mask. @throws {RangeError} it is more or less than one word */
export function wholeWord(layout: SignalPlace): number {
	const { word, shift, mask } = requireField(layout);
	if (shift !== 0 || mask !== 0xffff) throw new RangeError("layout is no whole word");
	return word;
}

/**
 * Raw value of a compiled signal. The caller has checked that the payload is long enough.
 * @param words buffer @param at index of the payload's first word @returns the raw value. Never throws.
 */
export function readField(words: Uint16Array, at: number, field: Field): number {
	const word = at + field.word;
	if (field.wide) return ((words[word] | (words[word + 1] << 16)) >> field.shift) & field.mask;
	return (words[word] >> field.shift) & field.mask;
}

/** Bits that lie in one of the payload's 16-bit little-endian words. */
export interface FlagField {
	/** Index of the word, 0..3. */
	readonly word: number;
	readonly mask: number;
}

/**
 * The word of flags, and their mask. A flag is one bit, or some bits of which any may be set; of length 0 it has none.
 * @throws {RangeError} they do not lie in one word
 */
export function flagField(flags: readonly Pick<SignalPlace, "start" | "length">[]): FlagField {
	const word = flags[0].start >> 4;
	let mask = 0;
	for (const flag of flags) {
		const shift = flag.start & 15;
		if (flag.start >> 4 !== word || shift + flag.length > 16) throw new RangeError("not flags of one word");
		mask |= (2 ** flag.length - 1) << shift;
	}
	return { word, mask };
}
