import assert from "node:assert/strict";
import { Revisions } from "../../src/settings/revisions.js";
import { DEFAULT_SETTINGS, type Settings } from "../../src/settings/settings.js";

const { tuning } = DEFAULT_SETTINGS;
const of = (settings: Settings): Revisions => {
	const revisions = new Revisions();
	revisions.observe(settings);
	return revisions;
};
const withCells = (cells: readonly number[]): number =>
	of({ ...DEFAULT_SETTINGS, tuning: { ...tuning, map: { ...tuning.map, cells } } }).map;

describe("settings/revisions", () => {
	it("are those of the content", () => {
		assert.deepEqual({ ...of(structuredClone(DEFAULT_SETTINGS)) }, { ...of(DEFAULT_SETTINGS) });
	});

	it("differ for each single change of a map's cells", () => {
		const { cells } = tuning.map;
		const seen = new Set([of(DEFAULT_SETTINGS).map]);
		let changes = 0;
		cells.forEach((cell, index) => {
			for (let value = 0; value <= 100; value++)
				if (value !== cell) {
					seen.add(withCells(cells.map((one, i) => (i === index ? value : one))));
					changes++;
				}
		});
		assert.equal(seen.size, changes + 1);
	});

	it("tell fractions, texts and empty values apart", () => {
		const revisions = [0, 0.5, 0.25, 0.1, 10, 1, -1].map(
			(onsetPercentPerS) => of({ ...DEFAULT_SETTINGS, tuning: { ...tuning, onsetPercentPerS } } as unknown as Settings).settings,
		);
		for (const signal of ["", "a", "ab", "ba"])
			revisions.push(of({ ...DEFAULT_SETTINGS, inputMappings: { ...DEFAULT_SETTINGS.inputMappings, speed: signal } }).settings);
		revisions.push(of({ ...DEFAULT_SETTINGS, inputMappings: { ...DEFAULT_SETTINGS.inputMappings, throttle: "a" } }).settings);
		assert.equal(new Set(revisions).size, revisions.length);
		for (const revision of revisions)
			assert.ok(Number.isInteger(revision) && revision >= 0 && revision <= 0x7fffffff, `${revision}`);
	});
});
