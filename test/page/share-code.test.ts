import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { codeOf, mapOf } from "../../src/page/share/share-code.js";
import { generator } from "../support/random.js";

const MAP = {
	speedBins: [0, 5, 10, 20, 40, 60, 80, 100, 140],
	throttleBins: [0, 5, 10, 20, 40, 60, 80],
	lockTable: Array.from({ length: 7 }, (_, row) => Array.from({ length: 9 }, (_, column) => (row * 31 + column * 17) % 101)),
};
/** As of the day the format was born: what was shared must be readable ever after. */
const CODE = "OC1-AAFBQUFA8KBkRgAKKKKHlAARRM4lUCSRn2EGljHoGMJ9PwDDq5_Qw3RJpW8m3hRsuocyrYcwpdNo9gIVTN5FmqBJI2kWsCJgFpu";

describe("a map as a short text", () => {
	it("is the same for ever, and as long for each map as README.md says", () => {
		assert.equal(codeOf(MAP), CODE);
		assert.deepEqual(mapOf(CODE), MAP);
		assert.equal(CODE.length, 4 + 99);
		assert.match(readFileSync("README.md", "utf8"), new RegExp(`a text\\s+of ${CODE.length} characters`));
	});

	it("comes through for any map", () => {
		const { below } = generator(7);
		const whole = (largest: number): number => below(largest + 1);
		const ascending = (count: number, largest: number): number[] => {
			const bins = new Set<number>();
			while (bins.size < count) bins.add(whole(largest));
			return [...bins].sort((a, b) => a - b);
		};
		for (let i = 0; i < 300; i++) {
			const lockTable = Array.from({ length: 7 }, () => Array.from({ length: 9 }, () => whole(100)));
			const map = { speedBins: ascending(9, 511), throttleBins: ascending(7, 100), lockTable };
			assert.deepEqual(mapOf(codeOf(map) ?? ""), map);
		}
	});

	it("is found in an address, and in what a mail has wrapped", () => {
		assert.deepEqual(mapOf(`http://192.168.4.1/#share/${CODE}`), MAP);
		assert.deepEqual(mapOf(`Try this:\n ${CODE.slice(0, 40)}\n${CODE.slice(40)}\nThanks!`), MAP);
	});

	it("tells any wrong, missing or swapped character", () => {
		for (let i = 4; i < CODE.length; i++) {
			const other = CODE[i] === "A" ? "B" : "A";
			assert.equal(mapOf(CODE.slice(0, i) + other + CODE.slice(i + 1)), "damaged", `character ${i}`);
			assert.equal(mapOf(CODE.slice(0, i) + CODE.slice(i + 1)), "damaged", `without character ${i}`);
			if (i > 4 && CODE[i] !== CODE[i - 1])
				assert.equal(mapOf(CODE.slice(0, i - 1) + CODE[i] + CODE[i - 1] + CODE.slice(i + 1)), "damaged", `swapped at ${i}`);
		}
	});

	it("is no map: another text, a version to come, values that no map has", () => {
		assert.equal(mapOf("a map"), "none");
		assert.equal(mapOf(""), "none");
		assert.equal(mapOf(CODE.replace("OC1", "OC2")), "newer");
		const wrong = [
			{ ...MAP, speedBins: [0, 5, 10, 20, 20, 60, 80, 100, 140] },
			{ ...MAP, throttleBins: [0, 5, 10, 20, 40, 60, 101] },
			{ ...MAP, lockTable: MAP.lockTable.map((line) => line.map(() => 101)) },
		];
		for (const map of wrong) assert.equal(mapOf(codeOf(map) ?? ""), "damaged");
	});

	it("has no room for a speed that no car has", () => {
		assert.equal(codeOf({ ...MAP, speedBins: [0, 5, 10, 20, 40, 60, 80, 100, 512] }), undefined);
	});
});
