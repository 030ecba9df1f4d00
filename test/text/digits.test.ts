import assert from "node:assert/strict";
import {
	decimalDigits,
	hexDigits,
	LOWER_DIGITS,
	UPPER_DIGITS,
	writeDecimal,
	writeHex,
	writeHexBytes,
} from "../../src/text/digits.js";

/** What a writer wrote behind two bytes that it must not touch. */
function written(write: (into: Uint8Array, at: number) => number): string {
	const into = new Uint8Array(40).fill(0x2e);
	const end = write(into, 2);
	assert.deepEqual([...into.subarray(0, 2)], [0x2e, 0x2e]);
	return String.fromCharCode(...into.subarray(2, end));
}

describe("text/digits", () => {
	it("writes decimal numbers up to 2^53, shortest or with leading zeros", () => {
		for (const value of [0, 1, 9, 10, 99, 100, 4294967295, 9007199254740991])
			assert.equal(
				written((into, at) => writeDecimal(value, decimalDigits(value), into, at)),
				String(value),
			);
		assert.equal(
			written((into, at) => writeDecimal(42, 6, into, at)),
			"000042",
		);
	});

	it("writes hexadecimal numbers of 32 bits in both letter cases", () => {
		for (const value of [0, 1, 15, 16, 0x7ff, 0x1fffffff, 0xffffffff])
			assert.equal(
				written((into, at) => writeHex(value, hexDigits(value), LOWER_DIGITS, into, at)),
				value.toString(16),
			);
		assert.equal(
			written((into, at) => writeHex(0xfd, 8, UPPER_DIGITS, into, at)),
			"000000FD",
		);
	});

	it("writes bytes with a separator between them, or without", () => {
		const bytes = Uint8Array.of(0xff, 0, 0x1a, 0xb2);
		const write = (start: number, end: number, separator: number, table: Uint8Array) =>
			written((into, at) => writeHexBytes(bytes, start, end, separator, table, into, at));
		assert.equal(write(1, 4, 0x20, LOWER_DIGITS), "00 1a b2");
		assert.equal(write(0, 4, 0, UPPER_DIGITS), "FF001AB2");
		assert.equal(write(2, 2, 0x20, LOWER_DIGITS), "");
	});
});
