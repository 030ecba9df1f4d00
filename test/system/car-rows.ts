/**
 * What the scripted car sends: rows by generation, changeable at run time, and where its values lie in them.
 */

import { dataIdsOf } from "../../src/can/layouts/mqb.js";
import { endToEndChecksum } from "../support/checksum.js";

export type Generation = 1 | 2 | 4 | 5 | 51 | 53;

export interface Row {
	readonly id: number;
	readonly periodMs: number;
	/** Payload; its length is the DLC. Replace or change it at any time. */
	data: Uint8Array;
	extended: boolean;
	rtr: boolean;
	silent: boolean;
	/** Byte 1 carries a counter in its low nibble. */
	readonly counts: boolean;
	/** The first four bytes carry the number of the frame. */
	readonly numbered: boolean;
}

const row = (id: number, periodMs: number, payload: string, counts = false, numbered = false): Row => ({
	id,
	periodMs,
	data: bytes(payload),
	extended: false,
	rtr: false,
	silent: false,
	counts,
	numbered,
});

export const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
export const hex = (data: Uint8Array): string => Buffer.from(data).toString("hex");

/** Foreign frames with a number in their first bytes: order and loss show in them. */
export const NUMBERED_ID = 0x6f1;
export const NUMBERED_COUPLING_ID = 0x6f2;
/** A foreign extended identifier. */
export const FOREIGN_EXTENDED_ID = 0x1b000010;

const foreign = (): Row[] => [
	row(NUMBERED_ID, 5, "0000000055AA55AA", false, true),
	{ ...row(FOREIGN_EXTENDED_ID, 100, "1000100000"), extended: true },
];

// bytes that the controller writes start at what it never writes and what is no error code, so that a
// rewritten frame is one that changed
const mqb = (): Row[] => [
	row(0x0fd, 20, "00 00 1F 80 00 00 00 00", true),
	row(0x121, 20, "00 00 00 00 39 46 7E FE", true),
	row(0x0a8, 10, "00 70 00 00 00 00 00 00", true),
	row(0x0b2, 10, "00 00 00 00 00 00 00 00"),
	row(0x0a7, 10, "00 40 11 22 33 44 FF 7F", true),
	row(0x08a, 10, "00 10 11 22 33 44 55 FF", true),
	row(0x116, 20, "00 00 D5 98 9F 26 25 00", true),
	row(0x106, 20, "00 80 11 22 33 44 55 66", true),
	row(0x3be, 100, "00 10 A6 01 C8 00 00 80", true),
	row(0x6b2, 200, "31 41 59 26 53 58 97 93"),
	row(0x6b7, 200, "27 18 28 18 28 45 10 45"),
	...foreign(),
];

const pq = (): Row[] => [
	row(0x280, 10, "00 FD 00 00 00 00 FD 00"),
	row(0x1a0, 10, "00 41 00 00 FF FF 00 00"),
	row(0x5a0, 20, "7F 00 00 00 FF FF 1B AB"),
	row(0x4a0, 10, "01 00 01 00 01 00 01 00"),
	row(0x2a0, 10, "FD 11 22 33 44 55 66 77"),
	row(0x0c2, 10, "12 34 56 78 80 00 00 00"),
	row(0x488, 10, "FE 00 00 FE 00 00 0E 00"),
	row(0x380, 20, "00 69 FD 00 00 00 FE FF"),
	...foreign(),
];

/** The chassis bus of a car with this coupling. */
export function chassisRows(generation: Generation): Row[] {
	return generation === 5 ? mqb() : pq();
}

/** The coupling's own frames: its status, open, and a foreign one. */
export function couplingRows(generation: Generation): Row[] {
	const isMqb = generation === 5 || generation === 53;
	const status = isMqb ? row(0x118, 20, "00 00 64 22") : row(0x2c0, 10, "08 80 00 00 00 00 00 00");
	return [status, row(NUMBERED_COUPLING_ID, 10, "0000000033CC33CC", false, true)];
}

/**
 * Rows of 500 frames/s that make a bus busy, and the identifier of the first: those of the chassis bus, then
 * the coupling's.
 */
export const BUSY_ROWS = 4;
export const BUSY_ID = 0x6c0;

/** Adds numbered frames, 2,000 a second on each bus. */
export function makeBusy(chassis: Row[], coupling: Row[]): void {
	for (let i = 0; i < 2 * BUSY_ROWS; i++)
		(i < BUSY_ROWS ? chassis : coupling).push(row(BUSY_ID + i, 2, "0000000055AA55AA", false, true));
}

/**
 * Where the controller's command shows first in profile `reference`: a frame of 10 ms, a byte
 * `floor(base * share)`, `stock` as the car sends it.
 */
export function marker(generation: Generation): { id: number; index: number; base: number; stock: number } {
	if (generation === 5) return { id: 0x0a7, index: 6, base: 0xfa, stock: 0xff };
	return { id: 0x4a0, index: 0, base: generation === 4 || generation === 51 ? 0xb6 : 0xfe, stock: 0xff };
}

/** Puts the checksum of MQB end-to-end protection in a frame that has one. */
export function protect(row: Row): void {
	const dataIds = row.counts ? dataIdsOf(row.id, "autosar") : undefined;
	if (dataIds === undefined || row.data.length < 8) return;
	row.data[0] = endToEndChecksum(row.data, dataIds, "autosar");
}

const find = (rows: readonly Row[], id: number): Row => {
	const found = rows.find((candidate) => candidate.id === id);
	if (found === undefined) throw new Error(`no row 0x${id.toString(16)}`);
	return found;
};

const setWord = (data: Uint8Array, at: number, value: number): void => {
	data[at] = value & 0xff;
	data[at + 1] = value >> 8;
};

/**
 * The first source of the speed counts 0.01 km/h in 16 bits (MQB) or 15 (PQ). Wheel speeds of MQB count
 * 0.0075 km/h, those of PQ 0.01. Those of PQ are odd, and from 1.3 km/h on their low bytes
 * are 0xFF, which the controller never writes.
 */
export function setSpeedKmh(rows: readonly Row[], generation: Generation, kmh: number): void {
	const raw = Math.round(kmh * 100);
	if (generation === 5) setWord(find(rows, 0x0fd).data, 4, raw);
	else setWord(find(rows, 0x1a0).data, 2, raw << 1);
	const [id, wheel] = generation === 5 ? [0x0b2, Math.round(kmh / 0.0075)] : [0x4a0, (raw << 1) | (raw < 128 ? 1 : 0xff)];
	for (let at = 0; at < 8; at += 2) setWord(find(rows, id).data, at, wheel);
}

/** Raw pedal byte, 0.4 %. */
export function setRawPedal(rows: readonly Row[], generation: Generation, raw: number): void {
	if (generation !== 5) {
		find(rows, 0x280).data[5] = raw;
		return;
	}
	const { data } = find(rows, 0x121);
	data[1] = (data[1] & 0x0f) | ((raw & 0x0f) << 4);
	data[2] = (data[2] & 0xf0) | (raw >> 4);
}

/** Raw engine speed, 0.25 1/min. */
export function setRawRpm(rows: readonly Row[], generation: Generation, raw: number): void {
	if (generation === 5) setWord(find(rows, 0x0a8).data, 6, raw);
	else setWord(find(rows, 0x280).data, 2, raw);
}
