import assert from "node:assert/strict";
import {
	acrossOf,
	BOTTOM,
	downOf,
	LEFT,
	pathOf,
	pointAt,
	RIGHT,
	reachOf,
	TOP,
	valuesAt,
} from "../../src/page/curves/chart-frame.js";
import { moved, withOneMore, withPointAt } from "../../src/page/curves/curves.js";
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
			const [value, percent] = valuesAt({ across: acrossOf(x, 200), down: downOf(lock) }, 200);
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
	it("stay where they are across if neighbours of other clients leave no whole number", () => {
		const close = [10, 10.5, 11].map((x) => ({ x, lock: 0 }));
		assert.deepEqual(moved(close, 1, 30, 7, 300)[1], { x: 10.5, lock: 7 });
		assert.deepEqual(moved(close.slice(1), 0, -5, 7, 300)[0], { x: 0, lock: 7 });
		assert.deepEqual(
			moved(
				[
					{ x: 0.2, lock: 0 },
					{ x: 0.7, lock: 0 },
				],
				0,
				5,
				7,
				300,
			)[0],
			{ x: 0.2, lock: 7 },
		);
	});

	it("get one more where it is wanted, between its neighbours, unless those leave no whole number", () => {
		const rows: [x: number, lock: number, index: number | undefined, point?: CurvePoint][] = [
			[30, 40.4, 1, { x: 30, lock: 40 }],
			[-4, 110, 0, { x: 0, lock: 100 }],
			[310, -3, 3, { x: 300, lock: 0 }],
			// straight above a point
			[50, 90, 2, { x: 51, lock: 90 }],
			[49.8, 90, 1, { x: 49, lock: 90 }],
		];
		for (const [x, lock, index, point] of rows) {
			const more = withPointAt(POINTS, x, lock, 300);
			assert.deepEqual([more?.index, more?.points[more.index]], [index, point]);
			assert.deepEqual(
				more?.points.filter((one) => one !== point && POINTS.includes(one)),
				POINTS,
			);
		}
		const full = [0, 1, 300].map((x) => ({ x, lock: 0 }));
		for (const x of [0.4, 300]) assert.equal(withPointAt(full, x, 50, 300), undefined);
	});

	it("are meant by the nearest touch", () => {
		const at = (x: number, lock: number) => ({ across: acrossOf(x, 200), down: downOf(lock) });
		assert.equal(pointAt(POINTS, 200, at(52, 60), 44), 1);
		assert.equal(pointAt(POINTS, 200, at(25, 40), 400), 0);
		assert.equal(pointAt(POINTS, 200, at(90, 90), 44), -1);
		assert.equal(pointAt([], 200, at(90, 90), 44), -1);
	});

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
