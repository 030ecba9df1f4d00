import assert from "node:assert/strict";
import { flagField, wholeWord } from "../../src/can/field.js";
import { MQB_SIGNALS } from "../../src/can/layouts/mqb.js";
import { PQ_SIGNALS } from "../../src/can/layouts/pq.js";
import type { RawRow } from "../../src/can/signal-layout.js";

const unsigned = { littleEndian: true, signed: false };

describe("can/field", () => {
	it("finds whole words, and refuses what is none", () => {
		assert.equal(wholeWord({ ...unsigned, start: 32, length: 16 }), 2);
		for (const [start, length] of [
			[0, 8],
			[32, 15],
			[33, 15],
			[33, 16],
			[32, 17],
		] as const)
			assert.throws(() => wholeWord({ ...unsigned, start, length }), RangeError, `${start} ${length}`);
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
