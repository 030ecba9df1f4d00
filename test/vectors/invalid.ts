/**
 * Rows of the vectors that do not bind because the received frame carries a code in place of a value: the
 * reference overwrites it, and real cars send such codes (`docs/control-and-can.md` 3.13). Written from that
 * section alone. Runs in Node and on XS.
 */

/**
 * The 16-bit word that begins at a byte, what of it counts, and the range of its codes; a range that ends
 * below its beginning wraps.
 */
type Codes = readonly [at: number, mask: number, first: number, last: number];

const SPEEDS_15_BITS: readonly Codes[] = [0, 2, 4, 6].map((at) => [at, 0xfffe, 0xff00, 0xfffe] as const);
const byte = (at: number, first: number, last: number): Codes =>
	at < 7 ? [at, 0xff, first, last] : [6, 0xff00, first << 8, last << 8];
const anyBit = (at: number, mask: number): Codes => [at, mask, 1, mask];

const PQ: Readonly<Record<number, readonly Codes[]>> = {
	194: [[0, 0x7fff, 0x7f80, 0x7fff], byte(4, 0x81, 0x7f), anyBit(5, 0x06)],
	416: [SPEEDS_15_BITS[1]],
	640: [[2, 0xffff, 0xfe01, 0xffff], ...[1, 4, 6, 7].map((at) => byte(at, 0xff, 0xff)), byte(5, 0xfe, 0xff)],
	672: [byte(0, 0xff, 0xff), byte(0, 0x7f, 0x7f)],
	896: [byte(2, 0xfe, 0xff)],
	1184: SPEEDS_15_BITS,
};

const MQB: Readonly<Record<number, readonly Codes[]>> = {
	167: [[2, 0xffc0, 1019 << 6, 1023 << 6], [5, 0x0ffc, 1019 << 2, 1023 << 2], anyBit(6, 0x8000)],
	168: [[6, 0xffff, 0xfffd, 0xffff], anyBit(5, 0x80)],
	178: [0, 2, 4, 6].map((at) => [at, 0xffff, 0xfffd, 0xffff] as const),
	262: [anyBit(1, 0x30)],
	278: [anyBit(1, 0xf0)],
	914: [anyBit(5, 0xffff)],
	958: [anyBit(3, 0x20), anyBit(6, 0x04)],
	1600: [anyBit(0, 0x07)],
	1629: [anyBit(6, 0x08)],
	1719: [anyBit(6, 0x80)],
};

/** Why such a row does not bind. */
export const INVALID_RECEIVED = "the car marks a signal as invalid";

/** Whether a received frame carries a code. @param data at least `dlc` bytes; those beyond count as 0 */
export function isMarkedInvalid(generation: number, id: number, dlc: number, data: Uint8Array): boolean {
	const received = new Uint8Array(8);
	received.set(data.subarray(0, Math.min(dlc, 8)));
	const codes = (generation === 5 ? MQB : PQ)[id] ?? [];
	return codes.some(([at, mask, first, last]) => {
		const value = (received[at] + 256 * received[at + 1]) & mask;
		return first <= last ? value >= first && value <= last : value >= first || value <= last;
	});
}

/** A frame of this identifier in which every signal has a value. */
export function validFrame(id: number): Uint8Array {
	const data = new Uint8Array(8);
	if (id === 0x0c2) data[4] = 0x80;
	return data;
}
