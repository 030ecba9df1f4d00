import assert from "node:assert/strict";
import {
	byteLength,
	copyBytes,
	copyText,
	decimal,
	decodeBase64,
	decodeUtf8,
	encodeUtf8,
	equals,
	hexDigit,
	indexOfByte,
	startsIgnoreCase,
} from "../../src/text/bytes.js";

describe("text/bytes", () => {
	it("copies a range to where it is wanted, and nothing else", () => {
		const into = new Uint8Array(6).fill(9);
		copyBytes(Uint8Array.of(1, 2, 3, 4), 1, 3, into, 2);
		assert.deepEqual([...into], [9, 9, 2, 3, 9, 9]);
		copyText("aé€", 1, 6, into, 0);
		assert.equal(Buffer.from(into.subarray(0, 5)).toString(), "é€");
		assert.deepEqual([into[5], byteLength("aé€")], [9, 6]);
	});

	it("finds a byte within a range, by its index in the whole", () => {
		const bytes = Uint8Array.of(5, 6, 5, 7);
		assert.deepEqual([indexOfByte(bytes, 5, 0, 4), indexOfByte(bytes, 5, 1, 4), indexOfByte(bytes, 7, 0, 3)], [0, 2, -1]);
		assert.throws(() => indexOfByte(bytes, 5, 0, 5), RangeError);
	});

	it("rejects what is not there, and what does not fit", () => {
		const into = new Uint8Array(2);
		assert.throws(() => copyBytes(new Uint8Array(3), 0, 3, into, 0), RangeError);
		assert.throws(() => copyBytes(new Uint8Array(3), 2, 4, into, 0), RangeError);
		assert.throws(() => copyText("a", 0, 2, into, 0), RangeError);
		assert.throws(() => copyText("a", 0, 1, into, 2), RangeError);
		assert.deepEqual([...into], [0, 0]);
	});

	it("decodes Base64 in place, within its range only", () => {
		for (const text of ["", "Q", "QU", "QUI", "QUJD", "QUI=", "QU==!", "+/+/", "/".repeat(400)]) {
			const bytes = Buffer.from(`.${text}.`);
			const end = decodeBase64(bytes, 1, bytes.length - 1);
			const expected = Buffer.from(text.split("=")[0], "base64");
			assert.deepEqual([...bytes.subarray(0, end), bytes.at(-1)], [0x2e, ...expected, 0x2e], text);
		}
		for (const text of ["QUJ!", "-_-_", "QU JD"]) assert.equal(decodeBase64(Buffer.from(text), 0, text.length), 0, text);
	});
});

describe("http/utf8", () => {
	it("agrees with the platform on text of every length of code point", () => {
		for (const text of [
			"",
			"a",
			"ä",
			"€",
			"😀",
			"a\0ä€😀",
			"\u07ff\u0800\uffff\u{10ffff}\ud7ff\ue000",
			"x".repeat(1000),
			"😀€".repeat(100),
		]) {
			const bytes = new TextEncoder().encode(text);
			assert.deepEqual(encodeUtf8(text), bytes);
			assert.equal(decodeUtf8(bytes, 0, bytes.length), text);
		}
	});

	it("agrees with the platform on what is no UTF-8", () => {
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
