import assert from "node:assert/strict";
import { readRaw } from "../../src/can/bits.js";
import { flagField, isBits, readBits } from "../../src/can/field.js";
import { MQB_CHECKS, MQB_SIGNALS } from "../../src/can/layouts/mqb.js";
import { PQ_CHECKS, PQ_SIGNALS } from "../../src/can/layouts/pq.js";
import type { RawRow } from "../../src/can/signal-layout.js";

const unsigned = { littleEndian: true, signed: false };

describe("can/field", () => {
	it("reads bits of one word and of two as `readRaw` does, and says which signals are bits", () => {
		const bytes = Uint8Array.from([0, 0, 0x35, 0xca, 0x17, 0xff, 0x80, 0x01, 0x5a, 0xe3, 0xff, 0xff]);
		const words = new Uint16Array(bytes.buffer);
		for (let start = 0; start < 64; start++)
			for (let length = 1; start + length <= 64; length++) {
				const isShort = (start % 16) + length <= 31;
				assert.equal(isBits({ ...unsigned, start, length }), isShort, `${start} ${length}`);
				if (isShort) assert.equal(readBits(words, 1, start, length), readRaw(bytes, 2, 8, { ...unsigned, start, length }));
			}
		assert.equal(isBits({ start: 7, length: 8, littleEndian: false, signed: false }), false);
		assert.equal(isBits({ start: 0, length: 8, littleEndian: true, signed: true }), false);
	});

	it("finds the counters of frames among bits", () => {
		for (const { counter } of [...PQ_CHECKS, ...MQB_CHECKS]) if (counter !== undefined) assert.ok(isBits(counter));
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

	it("refuses flags that lie in two words", () => {
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
