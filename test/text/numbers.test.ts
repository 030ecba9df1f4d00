import assert from "node:assert/strict";
import { decimalOf } from "../../src/text/characters.js";

describe("text/numbers", () => {
	it("reads decimal numbers, and nothing else", () => {
		for (const text of ["0", "007", "-12.5", "+3", "33.333333333333336"]) assert.equal(decimalOf(text), Number(text), text);
		for (const text of ["", "-", ".5", "5.", "1.2.3", "1e3", "0x1", " 1", "--1", "NaN", "1".repeat(25)])
			assert.ok(Number.isNaN(decimalOf(text)), text);
	});
});
