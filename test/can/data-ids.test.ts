import assert from "node:assert/strict";
import { dataIdsOf } from "../../src/can/layouts/mqb.js";
import { crc8, endToEndChecksum, invertedSumOfBytes, xorOfBytes } from "../support/checksum.js";

const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.split(" ").map((byte) => Number.parseInt(byte, 16)));

// docs/control-and-can.md 9.2: frame, identifier, byte 0 with the DataID first and last.
const FRAMES = [
	["00 70 00 00 00 64 0F 70", 0x0a8, 0x9c, 0x18],
	["00 40 FA FA 00 FA 70 70", 0x0a7, 0x26, 0x5e],
	["00 10 00 00 00 00 00 72", 0x08a, 0xd6, 0x92],
	["00 05 01 04 00 40 00 05", 0x116, 0x73, 0xc1],
	["00 80 64 C0 00 00 FD 00", 0x106, 0xb1, 0x7e],
	["00 00 BF 7F 00 00 7C 78", 0x5be, 0x43, 0x02],
	["00 10 E6 01 C8 80 00 80", 0x3be, 0x8c, 0x37],
	["00 20 00 00 00 00 00 00", 0x392, 0xff, 0x28],
	["00 10 2B 53 14 14 D7 24", 0x641, 0x3d, 0xd9],
	["00 30 2B 10 00 00 E2 79", 0x65d, 0x53, 0xdd],
	["00 00 00 FE 00 00 00 00", 0x0ad, 0xb5, 0x52],
	["00 10 01 00 00 00 00 00", 0x086, 0x5b, 0x76],
	["00 00 40 40 19 59 7E FE", 0x121, 0xae, 0x70],
] as const;

// Frames recorded in vehicles (9.2).
const RECORDED = [
	["6B 00 BD 00 00 00 00 00", 0x086],
	["F8 E0 BF FF 5F 20 20 20", 0x0ad],
	["90 80 64 00 00 00 E7 10", 0x106],
	["2D 00 D5 98 9F 26 25 0F", 0x116],
	["B9 00 00 C0 39 46 7E FE", 0x121],
] as const;

describe("can/data-ids", () => {
	it("has the check value of CRC-8/AUTOSAR", () => {
		assert.equal(crc8(new TextEncoder().encode("123456789")), 0xdf);
		assert.equal(crc8(new Uint8Array(0)), 0);
		assert.equal(crc8(Uint8Array.of(0)), 0xbd);
		assert.equal(crc8(Uint8Array.of(9, 0, 9), 1, 2), 0xbd);
	});

	it("puts the DataID first as the reference or last as AUTOSAR", () => {
		for (const [frame, id, reference, autosar] of FRAMES) {
			assert.equal(endToEndChecksum(bytes(frame), dataIdsOf(id, "reference") ?? [], "reference"), reference, frame);
			assert.equal(endToEndChecksum(bytes(frame), dataIdsOf(id, "autosar") ?? [], "autosar"), autosar, frame);
		}
	});

	it("reproduces recorded vehicle frames with the DataID last", () => {
		for (const [frame, id] of RECORDED) {
			assert.equal(endToEndChecksum(bytes(frame), dataIdsOf(id, "autosar") ?? [], "autosar"), bytes(frame)[0], frame);
		}
	});

	it("knows no list for a frame without one, and lists of received frames", () => {
		assert.equal(dataIdsOf(0x0b2, "autosar"), undefined);
		for (const id of [0x0fd, 0x101, 0x3c0]) assert.equal(dataIdsOf(id, "autosar")?.length, 16);
	});

	it("sums and XORs the chosen bytes only", () => {
		const frame = bytes("FE 00 00 64 00 00 30 00");
		assert.equal(xorOfBytes(frame, 0x7f), 0xaa); // 9.3: Bremse_4 of generation 4
		assert.equal(invertedSumOfBytes(bytes("22 00 00 00 80 50 11 00"), 0x2f), 0x8d); // 9.3: Lenkwinkel_1, index 5
	});
});
