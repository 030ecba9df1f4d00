import assert from "node:assert/strict";
import { consistsOf, DECIMAL, decimalOf, HEX, hasAtMost, LOWER_HEX, UPPER_HEX } from "../../src/text/characters.js";

describe("text/characters", () => {
	it("knows digits, and that nothing consists of nothing", () => {
		const patterns = [
			[DECIMAL, /^[0-9]+$/],
			[LOWER_HEX, /^[0-9a-f]+$/],
			[UPPER_HEX, /^[0-9A-F]+$/],
			[HEX, /^[0-9a-fA-F]+$/],
		] as const;
		const texts = ["", "0", "12a", "12A", "fF", " 1", "1 ", "-1", "1\n", "g", "ä", "\u{1d7d8}"];
		for (const [characters, pattern] of patterns)
			for (const text of texts) assert.equal(consistsOf(text, characters), pattern.test(text), `${characters}: "${text}"`);
	});

	it("counts separators", () => {
		for (const [text, count] of [
			["", 0],
			["a", 0],
			[",", 1],
			["a,b", 1],
			[",,", 2],
		] as const) {
			assert.equal(hasAtMost(text, ",", count), true, text);
			assert.equal(hasAtMost(text, ",", count - 1), false, text);
		}
	});
});

describe("text/numbers", () => {
	it("reads decimal numbers, and nothing else", () => {
		for (const text of ["0", "007", "-12.5", "+3", "33.333333333333336"]) assert.equal(decimalOf(text), Number(text), text);
		for (const text of ["", "-", ".5", "5.", "1.2.3", "1e3", "0x1", " 1", "--1", "NaN", "1".repeat(25)])
			assert.ok(Number.isNaN(decimalOf(text)), text);
	});
});
