/**
 * Reads a signal in a frame's payload, DBC semantics in both byte orders. Physical values are float32,
 * rounded after each operation as in the reference. The payload may lie in a larger buffer, such as a sample.
 * The control tick reads 16-bit little-endian words instead where it can: `BitField`, `FlagField`.
 */

import type { SignalLayout, SignalPlace } from "./signal-layout.js";

/** 9 and more: no classic frame can carry it. */
export function bytesNeeded(layout: SignalPlace): number {
	const last = layout.motorola
		? (layout.start & ~7) + 7 - (layout.start & 7) + layout.length - 1
		: layout.start + layout.length - 1;
	return (last >> 3) + 1;
}

/**
 * Raw value; NaN if the frame is too short. Allocates nothing.
 * @param at index of the payload's byte 0
 * @param dlc bytes of the payload, 0..8
 * @param layout of at most 32 bits: the build rejects a catalogue with more
 */
export function readRaw(data: Uint8Array, at: number, dlc: number, layout: SignalPlace): number {
	const length = layout.length;
	if (bytesNeeded(layout) > dlc) return Number.NaN;
	let raw = 0;
	if (!layout.motorola) {
		let byte = (layout.start + length - 1) >> 3;
		const first = layout.start >> 3;
		// From the top byte down in doubles: 32 bits at any start span 5 bytes, exact below 2^53.
		for (; byte >= first; byte--) raw = raw * 256 + data[at + byte];
		raw = Math.floor(raw / 2 ** (layout.start & 7)) % 2 ** length;
	} else {
		const fromTop = (layout.start & ~7) + 7 - (layout.start & 7);
		const last = fromTop + length - 1;
		for (let byte = fromTop >> 3; byte <= last >> 3; byte++) raw = raw * 256 + data[at + byte];
		raw = Math.floor(raw / 2 ** (7 - (last & 7))) % 2 ** length;
	}
	return layout.signed && raw >= 2 ** (length - 1) ? raw - 2 ** length : raw;
}

/** Physical value, float32; otherwise as `readRaw`. Source: docs/control-and-can.md 2.3. */
export function readPhysical(data: Uint8Array, at: number, dlc: number, layout: SignalLayout): number {
	const { fround } = Math;
	const raw = readRaw(data, at, dlc, layout);
	return fround(fround(fround(raw) * fround(layout.factor)) + fround(layout.offset));
}

const MAX_BITS = 31; // two words less the sign bit of an integer

/** A number is `((words[word] | (words[word + 1] << 16)) >> shift) & mask`. */
export interface BitField {
	/** Index of the word with the least significant bit, 0..3. */
	readonly word: number;
	readonly shift: number;
	readonly mask: number;
}

/** undefined for a signal with a sign, in Motorola order, or of more than two words. */
export function bitField({ start, length, motorola, signed }: SignalPlace): BitField | undefined {
	const shift = start & 15;
	if (motorola || signed || shift + length > MAX_BITS) return undefined;
	return { word: start >> 4, shift, mask: 2 ** length - 1 };
}

/** Bits in one of the payload's 16-bit little-endian words. */
export interface FlagField {
	/** 0..3. */
	readonly word: number;
	readonly mask: number;
}

/** A flag is any of its bits. @throws {RangeError} they do not lie in one word */
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
