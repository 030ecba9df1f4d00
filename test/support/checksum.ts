/**
 * The checksums that frames of this vehicle group carry, over chosen bytes: what the gateway computes in C,
 * once more, for cars that tests play and for judging what it sends. Source: docs/control-and-can.md 3.4,
 * 3.10, 3.12.
 */

import type { DataIdOrder } from "../../src/can/layouts/mqb.js";

const CRC_INIT = 0xff;
const CRC_FINAL_XOR = 0xff;

/** Remainders of the 16 high nibbles for polynomial 0x2F: two look-ups a byte instead of eight shifts. */
const CRC_NIBBLES = Object.freeze([
	0x00, 0x2f, 0x5e, 0x71, 0xbc, 0x93, 0xe2, 0xcd, 0x57, 0x78, 0x09, 0x26, 0xeb, 0xc4, 0xb5, 0x9a,
]);

function crcStep(crc: number, byte: number): number {
	let next = crc ^ byte;
	next = ((next << 4) & 0xff) ^ CRC_NIBBLES[next >> 4];
	return ((next << 4) & 0xff) ^ CRC_NIBBLES[next >> 4];
}

/**
 * CRC-8/AUTOSAR (polynomial 0x2F, init and final XOR 0xFF, not reflected) over the bytes of `byteMask` (bit n =
 * byte n) in ascending order, and a DataID before or after them.
 * @param dataId 0..255
 * @returns 0..255. Never throws.
 */
export function crc8OfBytes(frame: Uint8Array, byteMask: number, dataId: number, order: DataIdOrder): number {
	let crc = order === "reference" ? crcStep(CRC_INIT, dataId) : CRC_INIT;
	for (let index = 0; index < 8; index++) if (byteMask & (1 << index)) crc = crcStep(crc, frame[index]);
	if (order === "autosar") crc = crcStep(crc, dataId);
	return crc ^ CRC_FINAL_XOR;
}

/**
 * Byte 0 of an MQB frame: CRC over bytes 1..7 and the DataID that the counter in byte 1 selects.
 * @param frame 8 bytes. Never throws.
 */
export function endToEndChecksum(frame: Uint8Array, dataIds: readonly number[], order: DataIdOrder): number {
	return crc8OfBytes(frame, 0xfe, dataIds[frame[1] & 0x0f], order);
}

/**
 * XOR of the bytes of `byteMask` (bit n = byte n).
 * @returns 0..255. Never throws. Source: docs/control-and-can.md 3.12 item 6.
 */
export function xorOfBytes(frame: Uint8Array, byteMask: number): number {
	let result = 0;
	for (let index = 0; index < 8; index++) if (byteMask & (1 << index)) result ^= frame[index];
	return result;
}

/**
 * 0xFF minus the sum of the bytes of `byteMask`, modulo 256.
 * @returns 0..255. Never throws. Source: docs/control-and-can.md 3.4 (Lenkwinkel_1 byte 7).
 */
export function invertedSumOfBytes(frame: Uint8Array, byteMask: number): number {
	let sum = 0;
	for (let index = 0; index < 8; index++) if (byteMask & (1 << index)) sum += frame[index];
	return (0xff - sum) & 0xff;
}
