/** Signals bit by bit, as `src/can/bits.ts` must read them. Runs in Node and on XS: imports nothing of Node. */
import { bytesNeeded } from "../../src/can/bits.js";
import type { SignalLayout } from "../../src/can/signal-layout.js";

/** Number of each bit of a signal, the most significant first; bit 0 is the lowest of byte 0. */
function bitNumbers({ start, length, motorola }: SignalLayout): number[] {
	const bits = [motorola ? start : start + length - 1];
	while (bits.length < length) {
		const last = bits[bits.length - 1];
		bits.push(!motorola || last % 8 !== 0 ? last - 1 : last + 15);
	}
	return bits;
}

/**
 * Raw value of a signal of 1..64 bits; undefined if a payload of `dlc` bytes from `at` is too short for it.
 */
export function readRawBig(data: Uint8Array, at: number, dlc: number, layout: SignalLayout): bigint | undefined {
	if (bytesNeeded(layout) > dlc) return undefined;
	let raw = 0n;
	for (const bit of bitNumbers(layout)) raw = (raw << 1n) | BigInt((data[at + (bit >> 3)] >> (bit & 7)) & 1);
	return layout.signed ? BigInt.asIntN(layout.length, raw) : raw;
}

/** Puts a raw value into a payload from byte 0; all other bits stay. */
export function writeRaw(data: Uint8Array, layout: SignalLayout, raw: bigint): void {
	let left = BigInt.asUintN(layout.length, raw);
	for (const bit of bitNumbers(layout).reverse()) {
		const mask = 1 << (bit & 7);
		if (left & 1n) data[bit >> 3] |= mask;
		else data[bit >> 3] &= ~mask;
		left >>= 1n;
	}
}
