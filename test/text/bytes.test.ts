import assert from "node:assert/strict";
import { byteLength, copyBytes, copyText, decodeBase64, indexOfByte } from "../../src/text/bytes.js";

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

	it("refuses what is not there, and what has no room", () => {
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
