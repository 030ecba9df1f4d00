/**
 * Bits of a payload as the control loop reads them: in its 16-bit little-endian words, without a look at its
 * length. `bits.ts` reads signals of all forms.
 */

import type { SignalPlace } from "./signal-layout.js";

const MAX_BITS = 31; // two words less the sign bit of an integer

/**
 * True if `readBits` reads a signal: it is unsigned, in Intel order, and spans at most two words. Never
 * throws.
 */
export function isBits({ start, length, littleEndian, signed }: SignalPlace): boolean {
	return littleEndian && !signed && (start & 15) + length <= MAX_BITS;
}

/**
 * Bits as a number. The caller has checked that the payload is long enough.
 * @param words buffer @param at index of the payload's first word @param start the least significant bit,
 * 0..63 @param length 1..31. Never throws.
 */
export function readBits(words: Uint16Array, at: number, start: number, length: number): number {
	const word = at + (start >> 4);
	return ((words[word] | (words[word + 1] << 16)) >> (start & 15)) & ((1 << length) - 1);
}

/** Bits that lie in one of the payload's 16-bit little-endian words. */
export interface FlagField {
	/** Index of the word, 0..3. */
	readonly word: number;
	readonly mask: number;
}

/**
 * The word of flags, and their mask. A flag is one bit, or some bits of which any may be set; of length 0 it
 * has none.
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
