import assert from "node:assert/strict";
import { frameIdAt, identifierOf, isExtendedAt } from "../../src/can/identifier.js";

describe("can/identifier", () => {
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
