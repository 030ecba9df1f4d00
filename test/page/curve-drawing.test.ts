import assert from "node:assert/strict";
import { acrossOf, BOTTOM, downOf, LEFT, pathOf, RIGHT, reachOf, TOP, valuesAt } from "../../src/page/curves/chart-frame.js";
import { moved, withOneMore } from "../../src/page/curves/edit.js";
import type { CurvePoint } from "../../src/page/net/types.js";

const POINTS = [
	{ x: 10, lock: 20 },
	{ x: 50, lock: 60 },
	{ x: 140, lock: 0 },
];

describe("the drawing of a curve", () => {
	it("has room for one more point, up to the largest value, and at most eight lines", () => {
		const rows: [last: number, largest: number, span: number, step: number][] = [
			[0, 300, 100, 20],
			[140, 300, 200, 50],
			[300, 300, 300, 50],
			[0, 100, 30, 10],
			[100, 100, 100, 20],
			[3000, 10_000, 3500, 500],
			[10_000, 10_000, 10_000, 2000],
		];
		for (const [last, largest, span, step] of rows)
			assert.deepEqual(reachOf([{ x: last, lock: 0 }], largest), { span, step }, `${last} of ${largest}`);
	});

	it("finds the values again at the place where it has drawn them", () => {
		for (const { x, lock } of POINTS) {
			const [value, percent] = valuesAt(acrossOf(x, 200), downOf(lock), 200);
			assert.ok(Math.abs(value - x) < 1e-9 && Math.abs(percent - lock) < 1e-9);
		}
		assert.deepEqual([acrossOf(0, 200), acrossOf(200, 200), acrossOf(300, 200)], [LEFT, RIGHT, RIGHT]);
		assert.deepEqual([downOf(0), downOf(100)], [BOTTOM, TOP]);
	});

	it("is level before the first point and behind the last", () => {
		const [first, last] = [POINTS[0], POINTS[2]];
		const path = pathOf([first, last], 200);
		assert.ok(path.startsWith(`M${LEFT} ${downOf(20)}L`) && path.endsWith(`L${RIGHT} ${downOf(0)}`), path);
		assert.equal(pathOf([], 200), "");
	});
});

describe("the points of a curve", () => {
	it("stay between their neighbours and within their range", () => {
		const rows: [index: number, x: number, lock: number, expected: [number, number]][] = [
			[0, -5, -5, [0, 0]],
			[0, 70, 50.4, [49, 50]],
			[1, 0, 101, [11, 100]],
			[1, 200, 50, [139, 50]],
			[2, 500, 50, [300, 50]],
		];
		for (const [index, x, lock, expected] of rows) {
			const next = moved(POINTS, index, x, lock, 300);
			assert.deepEqual([next[index].x, next[index].lock], expected);
			assert.equal(next.filter((point, i) => point !== POINTS[i]).length, 1);
		}
	});

	it("are one more in the widest gap, on the line, or behind the last", () => {
		assert.deepEqual(withOneMore(POINTS, 300)[2], { x: 95, lock: 30 });
		assert.deepEqual(withOneMore([{ x: 10, lock: 20 }], 300)[1], { x: 70, lock: 20 });
		assert.deepEqual(withOneMore([{ x: 90, lock: 20 }], 100)[1], { x: 100, lock: 20 });
	});

	it("are one more wherever there is room, up to twelve, and no two in one place", () => {
		const filledFrom = (x: number) => Array.from({ length: 11 }, (_, i) => ({ x: x + i, lock: 5 * i }));
		for (const points of [[{ x: 100, lock: 20 }], [{ x: 0, lock: 20 }], filledFrom(0), filledFrom(60), filledFrom(90)])
			for (let grown: CurvePoint[] = points; grown.length < 12; ) {
				const before = grown;
				grown = withOneMore(before, 100);
				assert.equal(grown.filter((point) => !before.includes(point)).length, 1);
				assert.equal(grown.length, before.length + 1);
				assert.ok(grown[0].x >= 0 && grown[grown.length - 1].x <= 100, JSON.stringify(grown));
				assert.ok(
					grown.every(({ x }, i) => i === 0 || x > grown[i - 1].x),
					JSON.stringify(grown),
				);
			}
	});
});
