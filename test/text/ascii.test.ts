import assert from "node:assert/strict";
import { decimal, equals, hexDigit, startsIgnoreCase } from "../../src/text/bytes.js";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("text/ascii", () => {
	it("compares with and without regard to case", () => {
		const text = bytes("xHoStx");
		assert.ok(!equals(text, 1, 5, bytes("host")) && equals(text, 1, 5, bytes("HoSt")) && !equals(text, 1, 6, bytes("HoSt")));
		assert.ok(startsIgnoreCase(text, 1, 6, bytes("host")) && !startsIgnoreCase(text, 1, 3, bytes("host")));
		assert.ok(!startsIgnoreCase(text, 1, 5, bytes("hose")));
	});

	it("reads digits", () => {
		for (const [text, value] of [
			["0", 0],
			["007", 7],
			["123456789012345", 123456789012345],
			["1234567890123456", -1],
			["", -1],
			["1a", -1],
			["/", -1],
			[":", -1],
		] as const)
			assert.equal(decimal(bytes(text), 0, text.length), value, text);
		const digits = Array.from({ length: 256 }, (_, byte) => hexDigit(byte));
		assert.equal(digits.filter((digit) => digit >= 0).length, 22);
		for (const digit of "0123456789abcdefABCDEF") assert.equal(digits[digit.charCodeAt(0)], Number.parseInt(digit, 16));
	});
});
