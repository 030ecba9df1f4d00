import assert from "node:assert/strict";
import { PRESET_FILES, presetAt } from "../../src/maps/presets.js";

/** Rows by pedal position, columns by speed, typed in anew. */
const REFERENCE: Readonly<Record<string, readonly string[]>> = {
	fwd: Array(7).fill("0 0 0 0 0 0 0 0 0"),
	conservative: [
		"0 0 0 0 0 0 0 0 0",
		"0 5 5 5 0 0 0 0 0",
		"5 15 20 20 15 10 5 0 0",
		"10 25 35 40 30 20 10 5 0",
		"20 40 55 60 50 35 20 10 5",
		"30 55 70 75 65 45 30 20 10",
		"40 65 85 90 80 60 45 30 20",
	],
	aggressive: [
		"0 0 0 0 0 0 0 0 0",
		"0 5 5 10 5 0 0 0 0",
		"10 20 30 35 30 20 10 5 0",
		"20 35 50 60 50 35 20 10 5",
		"35 55 70 80 70 55 35 20 10",
		"50 70 85 95 90 70 50 35 20",
		"60 80 95 100 100 85 65 45 30",
	],
	danger: [
		"0 0 5 10 15 20 25 30 35",
		"0 5 15 30 45 55 60 65 70",
		"0 10 35 60 75 85 90 95 95",
		"5 15 50 75 85 92 95 98 98",
		"5 20 60 85 95 98 100 100 100",
		"10 25 70 90 98 100 100 100 100",
		"10 25 75 95 100 100 100 100 100",
	],
};

describe("maps/presets", () => {
	it("are the reference's, to the value", () => {
		assert.deepEqual(
			PRESET_FILES,
			Object.keys(REFERENCE)
				.map((name) => `${name}.txt`)
				.sort(),
		);
		for (const [name, rows] of Object.entries(REFERENCE))
			assert.deepEqual(presetAt(`/maps/${name}.txt`), {
				speedBinsKmh: [0, 10, 20, 40, 60, 80, 110, 140, 160],
				pedalBinsPercent: [0, 10, 25, 40, 60, 80, 100],
				cells: rows.flatMap((row) => row.split(" ").map(Number)),
			});
	});
});
