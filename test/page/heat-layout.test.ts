import assert from "node:assert/strict";
import { arrowFrom, LYING, type Spot, UPRIGHT } from "../../src/page/map/heat-selection.js";

describe("the heat map's layout", () => {
	it("has each cell in one place, lying and upright", () => {
		for (const layout of [LYING, UPRIGHT]) {
			const cells = new Set<number>();
			for (let line = 0; line < layout.lines; line++)
				for (let place = 0; place < layout.perLine; place++) {
					const cell = layout.cellOf(line, place);
					assert.deepEqual([layout.lineOf(cell), layout.placeOf(cell)], [line, place]);
					cells.add(cell);
				}
			assert.deepEqual([cells.size, Math.max(...cells)], [63, 62]);
		}
	});

	const steps: [from: Spot, key: string, least: 0 | -1, to: Spot | undefined][] = [
		[[3, 3], "ArrowUp", 0, [2, 3]],
		[[3, 3], "ArrowDown", 0, [4, 3]],
		[[3, 3], "ArrowLeft", 0, [3, 2]],
		[[3, 3], "ArrowRight", 0, [3, 4]],
		[[6, 8], "ArrowDown", 0, [6, 8]],
		[[6, 8], "ArrowRight", 0, [6, 8]],
		[[0, 2], "ArrowUp", 0, [0, 2]],
		[[0, 2], "ArrowUp", -1, [-1, 2]],
		[[4, 0], "ArrowLeft", -1, [4, -1]],
		[[-1, 2], "ArrowRight", -1, [-1, 3]],
		[[-1, 2], "ArrowDown", -1, [0, 2]],
		[[-1, 2], "ArrowUp", -1, [-1, 2]],
		[[-1, 0], "ArrowLeft", -1, [-1, 0]],
		[[0, -1], "ArrowUp", -1, [0, -1]],
		[[-1, 8], "ArrowRight", -1, [-1, 8]],
		[[4, -1], "ArrowRight", -1, [4, 0]],
		[[3, 3], "Enter", -1, undefined],
		[[3, 3], "constructor", -1, undefined],
	];
	for (const [from, key, least, to] of steps)
		it(`${key} leads from ${from} to ${to ?? "nowhere"}${least === 0 ? ", among cells" : ""}`, () => {
			assert.deepEqual(arrowFrom(from, key, LYING, least), to);
		});

	it("ends later below and earlier on the right where it stands upright", () => {
		assert.deepEqual(arrowFrom([6, 6], "ArrowDown", UPRIGHT, 0), [7, 6]);
		assert.deepEqual(arrowFrom([6, 6], "ArrowRight", UPRIGHT, 0), [6, 6]);
	});
});
