import assert from "node:assert/strict";
import { decodeUtf8, encodeUtf8 } from "../../src/text/bytes.js";

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
