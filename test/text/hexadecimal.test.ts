import assert from "node:assert/strict";
import { bytesOfHexadecimal, hexadecimal, hexOf, hexText, hexValues } from "../../src/text/hexadecimal.js";

describe("text/hexadecimal", () => {
	it("writes bytes and numbers", () => {
		const bytes = Uint8Array.of(0, 1, 0xab, 0xff);
		assert.deepEqual(
			[hexadecimal(bytes), hexadecimal(bytes, " "), hexadecimal(new Uint8Array())],
			["0001abff", "00 01 ab ff", ""],
		);
		assert.deepEqual(bytesOfHexadecimal("0001abff"), bytes);
		assert.deepEqual(
			[hexText(0xf190, 4), hexText(0x1f190, 4), hexText(0xffffffff, 8), hexText(5, 2)],
			["F190", "F190", "FFFFFFFF", "05"],
		);
	});

	it("reads numbers up to a limit", () => {
		for (const [text, value] of [
			["0", 0],
			["F190", 0xf190],
			["0xf190", 0xf190],
			["0Xf1 90", 0xf190],
			["F1_90", 0xf190],
			["0000f190", 0xf190],
			["00000f190", -1],
			["10000", -1],
			["", -1],
			["0x", -1],
			["x1", -1],
			["-1", -1],
			["g", -1],
			["\u0660", -1],
			[`${"_".repeat(31)}1`, 1],
			[`${"_".repeat(32)}1`, -1],
		] as const)
			assert.equal(hexOf(text, 0xffff), value, text);
	});

	it("reads lists, whatever separates them", () => {
		assert.deepEqual(hexValues("1, 0x2;3\t4\r\n5,,", 0xff, 5), [1, 2, 3, 4, 5]);
		assert.deepEqual([hexValues("", 0xff, 5), hexValues(" , ,", 0xff, 5)], [[], []]);
		for (const wrong of ["1,2,3,4,5,6", "1,100", "1,x", ",".repeat(257)])
			assert.equal(hexValues(wrong, 0xff, 5), undefined, wrong);
	});
});
