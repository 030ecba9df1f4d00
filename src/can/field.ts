/**
 * Bits of a payload as the control loop reads them: in its 16-bit little-endian words, without a look at its
 * length. `bits.ts` reads signals of all forms.
 */

import type { SignalPlace } from "./signal-layout.js";

const MAX_BITS = 31; // two words less the sign bit of an integer

/** Where the bits of a number are: `((words[word] | (words[word + 1] << 16)) >> shift) & mask`. */
export interface BitField {
	/** Index of the payload's word with the least significant bit, 0..3. */
	readonly word: number;
	readonly shift: number;
	readonly mask: number;
}

/**
 * @returns undefined if the signal is not such a number: it is signed, in Motorola order, or spans more than
 * two words. Never throws.
 */
export function bitField({ start, length, littleEndian, signed }: SignalPlace): BitField | undefined {
	const shift = start & 15;
	if (!littleEndian || signed || shift + length > MAX_BITS) return undefined;
	return { word: start >> 4, shift, mask: 2 ** length - 1 };
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
