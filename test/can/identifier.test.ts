import assert from "node:assert/strict";
import { identifierOf } from "../../src/can/identifier.js";

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
});
