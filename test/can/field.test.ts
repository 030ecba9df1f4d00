import assert from "node:assert/strict";
import { readRaw } from "../../src/can/bits.js";
import { bitField, flagField } from "../../src/can/field.js";
import { MQB_CHECKS, MQB_SIGNALS } from "../../src/can/layouts/mqb.js";
import { PQ_CHECKS, PQ_SIGNALS } from "../../src/can/layouts/pq.js";
import type { RawRow } from "../../src/can/signal-layout.js";

const unsigned = { littleEndian: true, signed: false };

describe("can/field", () => {
	it("finds numbers of one word and of two, and says which signals are none", () => {
		const bytes = Uint8Array.from([0x35, 0xca, 0x17, 0xff, 0x80, 0x01, 0x5a, 0xe3, 0xff, 0xff]);
		const words = new Uint16Array(bytes.buffer);
		for (let start = 0; start < 64; start++)
			for (let length = 1; start + length <= 64; length++) {
				const field = bitField({ ...unsigned, start, length });
				assert.equal(field !== undefined, (start % 16) + length <= 31, `${start} ${length}`);
				if (field === undefined) continue;
				const { word, shift, mask } = field;
				const read = ((words[word] | (words[word + 1] << 16)) >> shift) & mask;
				assert.equal(read, readRaw(bytes, 0, 8, { ...unsigned, start, length }));
			}
		assert.equal(bitField({ start: 7, length: 8, littleEndian: false, signed: false }), undefined);
		assert.equal(bitField({ start: 0, length: 8, littleEndian: true, signed: true }), undefined);
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
