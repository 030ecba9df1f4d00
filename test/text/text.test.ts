/** UTF-8, ASCII, characters, numbers and hexadecimal digits. */
import assert from "node:assert/strict";
import {
	byteLength,
	copyBytes,
	copyText,
	decimal,
	decodeUtf8,
	encodeUtf8,
	equals,
	hexDigit,
	indexOfByte,
} from "../../src/text/bytes.js";
import { consistsOf, DECIMAL, decimalOf, HEX, hasAtMost, LOWER_HEX, UPPER_HEX } from "../../src/text/characters.js";
import { bytesOfHexadecimal, hexadecimal, hexOf, hexText, hexValues } from "../../src/text/hexadecimal.js";

describe("text/bytes", () => {
	it("copies a range", () => {
		const into = new Uint8Array(6).fill(9);
		copyBytes(Uint8Array.of(1, 2, 3, 4), 1, 3, into, 2);
		assert.deepEqual([...into], [9, 9, 2, 3, 9, 9]);
		copyText("aé€", 1, 6, into, 0);
		assert.equal(Buffer.from(into.subarray(0, 5)).toString(), "é€");
		assert.deepEqual([into[5], byteLength("aé€")], [9, 6]);
	});

	it("finds a byte within a range", () => {
		const bytes = Uint8Array.of(5, 6, 5, 7);
		assert.deepEqual([indexOfByte(bytes, 5, 0, 4), indexOfByte(bytes, 5, 1, 4), indexOfByte(bytes, 7, 0, 3)], [0, 2, -1]);
		assert.throws(() => indexOfByte(bytes, 5, 0, 5), RangeError);
	});

	it("rejects a range outside its buffer", () => {
		const into = new Uint8Array(2);
		assert.throws(() => copyBytes(new Uint8Array(3), 0, 3, into, 0), RangeError);
		assert.throws(() => copyBytes(new Uint8Array(3), 2, 4, into, 0), RangeError);
		assert.throws(() => copyText("a", 0, 2, into, 0), RangeError);
		assert.throws(() => copyText("a", 0, 1, into, 2), RangeError);
		assert.deepEqual([...into], [0, 0]);
	});
});

describe("text/bytes: UTF-8", () => {
	it("agrees with the platform on text of every length of code point", () => {
		const ends = "\u07ff\u0800\uffff\u{10ffff}\ud7ff\ue000";
		for (const text of ["", "a\0ä€😀", ends, "x".repeat(1000), "😀€".repeat(100)]) {
			const bytes = new TextEncoder().encode(text);
			assert.deepEqual(encodeUtf8(text), bytes);
			assert.equal(decodeUtf8(bytes, 0, bytes.length), text);
		}
	});

	it("agrees with the platform on invalid UTF-8", () => {
		const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
		const edges = [
			0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff,
		];
		for (const a of edges)
			for (const b of edges)
				for (const tail of [[], [0x80], [0x80, 0x80], [0xbf, 0xbf], [0x41, 0x80]]) {
					const bytes = Uint8Array.of(a, b, ...tail);
					let expected: string | undefined;
					try {
						expected = decoder.decode(bytes);
					} catch {
						expected = undefined;
					}
					assert.equal(decodeUtf8(bytes, 0, bytes.length), expected, Buffer.from(bytes).toString("hex"));
				}
	});

	it("writes a lone surrogate as U+FFFD", () => {
		assert.deepEqual([...encodeUtf8("\ud800a")], [0xef, 0xbf, 0xbd, 0x61]);
	});
});

const bytes = (text: string) => new TextEncoder().encode(text);

describe("text/bytes: ASCII", () => {
	it("compares a range", () => {
		const text = bytes("xHoStx");
		assert.ok(!equals(text, 1, 5, bytes("host")) && equals(text, 1, 5, bytes("HoSt")) && !equals(text, 1, 6, bytes("HoSt")));
	});

	it("reads digits", () => {
		for (const text of ["0", "007", "123456789012345"]) assert.equal(decimal(bytes(text), 0, text.length), Number(text), text);
		for (const text of ["1234567890123456", "", "1a", "/", ":"]) assert.equal(decimal(bytes(text), 0, text.length), -1, text);
		const digits = Array.from({ length: 256 }, (_, byte) => hexDigit(byte));
		assert.equal(digits.filter((digit) => digit >= 0).length, 22);
		for (const digit of "0123456789abcdefABCDEF") assert.equal(digits[digit.charCodeAt(0)], Number.parseInt(digit, 16));
	});
});

describe("text/characters", () => {
	it("knows digits, and rejects an empty text", () => {
		const texts = ["", "0", "12a", "12A", "fF", " 1", "1\n", "g", "ä", "\u{1d7d8}"];
		for (const [characters, pattern] of [
			[DECIMAL, /^[0-9]+$/],
			[LOWER_HEX, /^[0-9a-f]+$/],
			[UPPER_HEX, /^[0-9A-F]+$/],
			[HEX, /^[0-9a-fA-F]+$/],
		] as const)
			for (const text of texts) assert.equal(consistsOf(text, characters), pattern.test(text), `${characters}: "${text}"`);
	});

	it("counts separators", () => {
		for (const text of ["", "a", ",", "a,b", ",,"]) {
			const count = text.split(",").length - 1;
			assert.equal(hasAtMost(text, ",", count), true, text);
			assert.equal(hasAtMost(text, ",", count - 1), false, text);
		}
	});
});

describe("text/characters: decimalOf", () => {
	it("reads decimal numbers only", () => {
		for (const text of ["0", "007", "-12.5", "+3", "33.333333333333336"]) assert.equal(decimalOf(text), Number(text), text);
		for (const text of ["", "-", ".5", "5.", "1.2.3", "1e3", "0x1", " 1", "--1", "NaN", "1".repeat(25)])
			assert.ok(Number.isNaN(decimalOf(text)), text);
	});
});

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
		for (const text of ["F190", "0xf190", "0Xf1 90", "F1_90", "0000f190", `${"_".repeat(28)}F190`])
			assert.equal(hexOf(text, 0xffff), 0xf190, text);
		for (const text of ["00000f190", "10000", "", "0x", "x1", "-1", "g", "\u0660", `${"_".repeat(32)}1`])
			assert.equal(hexOf(text, 0xffff), -1, text);
	});

	it("reads lists with any separator", () => {
		assert.deepEqual(hexValues("1, 0x2;3\t4\r\n5,,", 0xff, 5), [1, 2, 3, 4, 5]);
		assert.deepEqual([hexValues("", 0xff, 5), hexValues(" , ,", 0xff, 5)], [[], []]);
		for (const wrong of ["1,2,3,4,5,6", "1,100", "1,x", ",".repeat(257)])
			assert.equal(hexValues(wrong, 0xff, 5), undefined, wrong);
	});
});
