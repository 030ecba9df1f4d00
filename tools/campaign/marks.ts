/**
 * How the car marks signals as invalid: what it marks is never made valid. Written from
 * `docs/control-and-can.md` 3.13 alone. Imports nothing: the golden vectors use it on XS, too.
 */

/** The 16-bit value that begins at a byte. */
export const word = (data: Uint8Array, at: number): number => data[at] | (data[at + 1] << 8);
/** First and last byte of a signal, and whether a frame marks it as invalid. */
type Mark = readonly [from: number, to: number, isMarked: (data: Uint8Array) => boolean];
const byteAbove = (at: number, most: number): Mark => [at, at, (data) => data[at] > most];
const wordAbove = (at: number, most: number, shift = 0): Mark => [at, at + 1, (data) => word(data, at) >> shift > most];
const anyBit = (at: number, mask: number): Mark => [at, at, (data) => (data[at] & mask) !== 0];

/** By identifier. */
export const MARKS: Readonly<Record<number, readonly Mark[]>> = {
	640: [byteAbove(5, 0xfd), wordAbove(2, 0xfe00), ...[1, 4, 6, 7].map((at) => byteAbove(at, 0xfe))],
	896: [byteAbove(2, 0xfd)],
	416: [wordAbove(2, 0x7f7f, 1)],
	1184: [0, 2, 4, 6].map((at) => wordAbove(at, 0x7f7f, 1)),
	194: [anyBit(5, 0x06), [4, 4, (data) => data[4] !== 0x80], [0, 1, (data) => (word(data, 0) & 0x7fff) > 0x7f7f]],
	672: [byteAbove(0, 0xfe), [0, 0, (data) => data[0] === 0x7f]],
	178: [0, 2, 4, 6].map((at) => wordAbove(at, 0xfffc)),
	167: [
		[2, 3, (data) => (data[7] & 0x80) !== 0 || word(data, 2) >> 6 > 1018],
		[5, 6, (data) => ((word(data, 5) >> 2) & 0x3ff) > 1018],
	],
	168: [anyBit(5, 0x80), wordAbove(6, 0xfffc)],
	278: [anyBit(1, 0xf0)],
	262: [anyBit(1, 0x30)],
	958: [anyBit(3, 0x20), anyBit(6, 0x04)],
	1600: [anyBit(0, 0x07)],
	1629: [anyBit(6, 0x08)],
	1719: [anyBit(6, 0x80)],
	914: [anyBit(5, 0xff), anyBit(6, 0xff)],
};

/** Whether a frame of eight bytes marks any of its signals. */
export const isMarked = (id: number, data: Uint8Array): boolean => (MARKS[id] ?? []).some(([, , isInvalid]) => isInvalid(data));
