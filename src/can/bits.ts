/**
 * Reads and writes one signal in the payload of a frame, DBC semantics in both byte orders. Everything in `src/` that
 * takes a frame apart uses these functions or the compiled form of `signal-input.ts`.
 * Physical values are computed as the reference does, in float32: rounded after each operation.
 * Functions take the payload's position in a larger buffer, so that a sample of the gateway is read in place.
 */

import type { SignalLayout } from "./signal-layout.js";

/** Widest signal that `readRaw` returns exactly; longer ones are read with `readRawBig`. */
export const MAX_NUMBER_BITS = 32;

const FRAME_BITS = 64;
const TWO_16 = 0x10000;
const TWO_32 = 0x100000000;
/** High half below which a double holds both halves exactly. */
const EXACT_HIGH = 2 ** 21;

/** Bit number of the `index`-th bit (0 = least significant) of a signal; 64 or more if it lies beyond any frame. */
function bitNumber(layout: SignalLayout, index: number): number {
	if (layout.littleEndian) return layout.start + index;
	// Motorola bits counted from the most significant bit of byte 0 run without jumps.
	const fromTop = (layout.start & ~7) + 7 - (layout.start & 7) + (layout.length - 1 - index);
	return (fromTop & ~7) + 7 - (fromTop & 7);
}

/**
 * Bytes that a frame must have to carry the signal.
 * @returns 1..8, or 9 and more for a layout that no classic frame can carry. Never throws.
 */
export function bytesNeeded(layout: SignalLayout): number {
	const last = layout.littleEndian
		? layout.start + layout.length - 1
		: (layout.start & ~7) + 7 - (layout.start & 7) + layout.length - 1;
	return (last >> 3) + 1;
}

/**
 * Raw value of a signal of at most 32 bits. Allocates nothing.
 * @param data buffer with the payload @param at index of the payload's byte 0 @param dlc bytes of the payload, 0..8
 * @returns the raw integer, negative for a signed signal with its top bit set; NaN if the frame is too short for the signal.
 * @throws {RangeError} a signal of more than 32 bits
 */
export function readRaw(data: Uint8Array, at: number, dlc: number, layout: SignalLayout): number {
	const length = layout.length;
	if (length > MAX_NUMBER_BITS) throw new RangeError("signal of more than 32 bits");
	if (bytesNeeded(layout) > dlc) return Number.NaN;
	let raw = 0;
	if (layout.littleEndian) {
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

/**
 * Raw value of a signal of any length, 1..64 bits. For tools; allocates.
 * @param data @param at @param dlc as for `readRaw`
 * @returns undefined if the frame is too short for the signal. Never throws.
 */
export function readRawBig(data: Uint8Array, at: number, dlc: number, layout: SignalLayout): bigint | undefined {
	if (bytesNeeded(layout) > dlc) return undefined;
	let raw = 0n;
	for (let index = layout.length - 1; index >= 0; index--) {
		const bit = bitNumber(layout, index);
		raw = (raw << 1n) | BigInt((data[at + (bit >> 3)] >> (bit & 7)) & 1);
	}
	return layout.signed ? BigInt.asIntN(layout.length, raw) : raw;
}

/**
 * Raw value of a signal of more than 32 bits, rounded once to float32; through a double it would be rounded twice. No big integers: the
 * engine's part for them is 10 KB of flash.
 * @returns NaN if the frame is too short for the signal
 */
function readWide(data: Uint8Array, at: number, dlc: number, layout: SignalLayout): number {
	const length = layout.length - MAX_NUMBER_BITS;
	const top = bitNumber(layout, MAX_NUMBER_BITS - 1);
	const start = layout.littleEndian ? bitNumber(layout, MAX_NUMBER_BITS) : layout.start;
	const high = readRaw(data, at, dlc, { ...layout, start, length });
	const low = readRaw(data, at, dlc, {
		...layout,
		start: layout.littleEndian ? layout.start : top,
		length: MAX_NUMBER_BITS,
		signed: false,
	});
	if (Math.abs(high) < EXACT_HIGH) return Math.fround(high * TWO_32 + low);
	// 48 bits, exact in a double; the bits that are left out still decide a tie
	const kept = high * TWO_16 + Math.floor(low / TWO_16);
	const sticky = low % TWO_16 !== 0 && kept % 2 === 0 ? 1 : 0;
	return Math.fround((kept + sticky) * TWO_16);
}

/**
 * Physical value of a raw one, in float32: raw * factor + offset.
 * @returns NaN for NaN. Never throws. Source: docs/control-and-can.md 2.3.
 */
export function toPhysical(raw: number, layout: SignalLayout): number {
	return Math.fround(Math.fround(Math.fround(raw) * Math.fround(layout.factor)) + Math.fround(layout.offset));
}

/**
 * Physical value of a signal of any length.
 * @param data @param at @param dlc as for `readRaw`
 * @returns float32 in the signal's unit; NaN if the frame is too short for the signal. Never throws.
 */
export function readPhysical(data: Uint8Array, at: number, dlc: number, layout: SignalLayout): number {
	if (layout.length <= MAX_NUMBER_BITS) return toPhysical(readRaw(data, at, dlc, layout), layout);
	return toPhysical(readWide(data, at, dlc, layout), layout);
}

/**
 * Puts a raw value into a payload; all other bits stay. Bits of `raw` above the signal's length are ignored.
 * @param raw an integer, negative for signed signals; bigint for more than 32 bits
 * @throws {RangeError} the payload (8 bytes from `at`, or what the buffer has) is too short for the signal, or `raw` is no integer
 */
export function writeRaw(data: Uint8Array, at: number, layout: SignalLayout, raw: number | bigint): void {
	if (bytesNeeded(layout) > Math.min(FRAME_BITS / 8, data.length - at)) throw new RangeError("payload too short for the signal");
	const bits = typeof raw === "bigint" ? raw : BigInt(raw);
	let low = Number(BigInt.asUintN(32, bits));
	const high = Number(BigInt.asUintN(32, bits >> 32n));
	for (let index = 0; index < layout.length; index++) {
		if (index === 32) low = high;
		const bit = bitNumber(layout, index);
		const byte = at + (bit >> 3);
		const mask = 1 << (bit & 7);
		data[byte] = low & 1 ? data[byte] | mask : data[byte] & ~mask;
		low = low >>> 1;
	}
}

/**
 * The raw value nearest to a physical one, within what the signal can carry.
 * @param layout of at most 32 bits @returns an integer; out-of-range values are clamped to the signal's ends
 * @throws {RangeError} NaN, a factor of 0 or more than 32 bits
 */
export function toRaw(physical: number, layout: SignalLayout): number {
	if (layout.length > MAX_NUMBER_BITS) throw new RangeError("signal of more than 32 bits");
	const raw = Math.round((physical - layout.offset) / layout.factor);
	if (Number.isNaN(raw) || layout.factor === 0) throw new RangeError("no raw value for this physical value");
	const span = layout.length === 32 ? TWO_32 : 2 ** layout.length;
	const lowest = layout.signed ? -span / 2 : 0;
	return Math.min(Math.max(raw, lowest), lowest + span - 1);
}

/** Writes a physical value, clamped to what the signal can carry. @throws {RangeError} as `toRaw` and `writeRaw` */
export function writePhysical(data: Uint8Array, at: number, layout: SignalLayout, physical: number): void {
	writeRaw(data, at, layout, toRaw(physical, layout));
}
