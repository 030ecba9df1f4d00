import assert from "node:assert/strict";
import { bitField, bytesNeeded, flagField, readPhysical, readRaw } from "../../src/can/bits.js";
import { frameIdAt, identifierOf, isExtendedAt } from "../../src/can/bus.js";
import { MQB_CHECKS, MQB_SIGNALS } from "../../src/can/layouts/mqb.js";
import { PQ_CHECKS, PQ_SIGNALS } from "../../src/can/layouts/pq.js";
import type { RawRow, SignalLayout } from "../../src/can/signal-layout.js";
import { readRawBig, writeRaw } from "../support/bits.js";

const layout = (start: number, length: number, change: Partial<SignalLayout> = {}): SignalLayout => ({
	start,
	length,
	factor: 1,
	offset: 0,
	...change,
});

/** Repeatable pseudo-random numbers below `limit`. */
function randomBelow(seed: number): (limit: number) => number {
	let state = seed;
	return (limit) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * limit);
	};
}

describe("can/bits", () => {
	it("reads what was written bit by bit, for random layouts in both byte orders", () => {
		const random = randomBelow(1);
		let checked = 0;
		for (let round = 0; round < 4000; round++) {
			const one = layout(random(64), 1 + random(32), { motorola: random(2) === 0, signed: random(2) === 1 });
			if (bytesNeeded(one) > 8 || (!one.motorola && one.start + one.length > 64)) continue;
			const before = Uint8Array.from({ length: 8 }, () => random(256));
			const unsigned = BigInt.asUintN(one.length, (BigInt(random(2 ** 32)) << 32n) | BigInt(random(2 ** 32)));
			const raw = one.signed ? BigInt.asIntN(one.length, unsigned) : unsigned;
			const data = before.slice();
			writeRaw(data, one, raw);
			assert.equal(readRawBig(data, 0, 8, one), raw);
			assert.equal(readRaw(data, 0, 8, one), Number(raw));
			assert.equal(readPhysical(data, 0, 8, one), Math.fround(Number(raw)));
			writeRaw(data, one, readRawBig(before, 0, 8, one) ?? 0n);
			assert.deepEqual(data, before);
			checked++;
		}
		assert.ok(checked > 1000);
	});

	it("numbers Motorola bits from the most significant bit down and on into the next byte", () => {
		// 12 bits from bit 3 of byte 0: its low nibble, then byte 1. Worked by hand.
		assert.equal(readRaw(Uint8Array.of(0xab, 0xcd), 0, 2, layout(3, 12, { motorola: true })), 0xbcd);
		assert.equal(readRaw(Uint8Array.of(0x00, 0xc0), 0, 2, layout(15, 2, { motorola: true })), 3);
	});

	it("does not read a signal that reaches beyond the frame", () => {
		const data = new Uint8Array(8).fill(0xff);
		for (const [one, needed] of [
			[layout(16, 8), 3],
			[layout(15, 2), 3],
			[layout(7, 9, { motorola: true }), 2],
			[layout(58, 5, { motorola: true }), 9],
		] as const) {
			assert.equal(bytesNeeded(one), needed);
			assert.ok(Number.isNaN(readRaw(data, 0, needed - 1, one)));
			assert.equal(readRawBig(data, 0, needed - 1, one), undefined);
			assert.ok(Number.isNaN(readPhysical(data, 0, needed - 1, one)));
		}
	});

	it("reads at an offset of a larger buffer", () => {
		assert.equal(readRaw(Uint8Array.of(9, 9, 0x34, 0x12), 2, 2, layout(0, 16)), 0x1234);
	});

	it("computes physical values in float32, rounded after each step", () => {
		assert.equal(readPhysical(Uint8Array.of(159), 0, 1, layout(0, 8, { factor: 0.4 })), Math.fround(63.600002)); // the nearest float32 of 63.6 would be 63.6
	});
});

describe("can/bits: fields", () => {
	it("finds numbers of one word and of two, and tells them from other signals", () => {
		const bytes = Uint8Array.from([0x35, 0xca, 0x17, 0xff, 0x80, 0x01, 0x5a, 0xe3, 0xff, 0xff]);
		const words = new Uint16Array(bytes.buffer);
		for (let start = 0; start < 64; start++)
			for (let length = 1; start + length <= 64; length++) {
				const field = bitField({ start, length });
				assert.equal(field !== undefined, (start % 16) + length <= 31, `${start} ${length}`);
				if (field === undefined) continue;
				const { word, shift, mask } = field;
				const read = ((words[word] | (words[word + 1] << 16)) >> shift) & mask;
				assert.equal(read, readRaw(bytes, 0, 8, { start, length }));
			}
		assert.equal(bitField({ start: 7, length: 8, motorola: true }), undefined);
		assert.equal(bitField({ start: 0, length: 8, signed: true }), undefined);
	});

	it("finds the counters of frames in one word", () => {
		for (const { counter } of [...PQ_CHECKS, ...MQB_CHECKS]) if (counter !== undefined) assert.ok(flagField([counter]).mask > 0);
	});

	it("finds flags in their word", () => {
		for (const [start, length, word, mask] of [
			[0, 1, 0, 0x0001],
			[15, 1, 0, 0x8000],
			[16, 1, 1, 0x0001],
			[41, 2, 2, 0x0600],
			[62, 2, 3, 0xc000],
			[48, 16, 3, 0xffff],
			[20, 0, 1, 0],
		] as const)
			assert.deepEqual(flagField([{ start, length }]), { word, mask }, `${start} ${length}`);
		assert.deepEqual(flagField([56, 58, 61].map((start) => ({ start, length: 1 }))), { word: 3, mask: 0x2500 });
	});

	it("rejects flags that lie in two words", () => {
		for (const flags of [
			[[15, 2]],
			[[33, 16]],
			[
				[15, 1],
				[16, 1],
			],
			[
				[16, 1],
				[15, 1],
			],
			[
				[0, 1],
				[15, 2],
			],
		] as const)
			assert.throws(() => flagField(flags.map(([start, length]) => ({ start, length }))), RangeError, `${flags}`);
	});

	it("finds the quality bits of each row of the layouts", () => {
		const rows: RawRow[] = [...Object.values(PQ_SIGNALS), ...Object.values(MQB_SIGNALS)];
		const found = rows.flatMap(({ qualityBit: start, qualityBits: length = 1 }) =>
			start === undefined ? [] : [flagField([{ start, length }])],
		);
		assert.equal(found.length, 5);
	});
});

describe("can/bus", () => {
	it("tells an extended identifier by its top bit, and is never negative", () => {
		for (const [frameId, extended, identifier] of [
			[0, false, 0],
			[0x7ff, false, 0x7ff],
			[0, true, 0x80000000],
			[0x1a0, true, 0x800001a0],
			[0x1fffffff, true, 0x9fffffff],
		] as const)
			assert.equal(identifierOf(frameId, extended), identifier);
	});

	it("is read back from bytes, with or without bits that are of neither", () => {
		for (const [bytes, frameId, extended] of [
			[[0xff, 0xa0, 0x01, 0, 0], 0x1a0, false],
			[[0xff, 0x78, 0x56, 0x34, 0x92], 0x12345678, true],
			[[0xff, 0xff, 0xff, 0xff, 0xff], 0x1fffffff, true],
			[[0xff, 0xa0, 0x01, 0, 0x60], 0x1a0, false],
		] as const) {
			const data = Uint8Array.from(bytes);
			assert.deepEqual([frameIdAt(data, 1), isExtendedAt(data, 1)], [frameId, extended]);
		}
	});
});
