import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { request } from "../support/api-client.js";
import { partsOn } from "../support/stores.js";

const CURVES = [
	["speed", 300],
	["throttle", 100],
	["rpm", 10_000],
] as const;

/** Posts to a curve, and reads all three back. */
function post(curve: string, body: string | Uint8Array, settings = DEFAULT_SETTINGS) {
	const parts = partsOn(undefined, { settings });
	const { status, text } = request(parts, "POST", `/api/curve/${curve}`, body);
	const curves = CURVES.map(([name]) => request(parts, "GET", `/api/curve/${name}`).json());
	return { status, answer: JSON.parse(text), curves };
}

const UNCHANGED = CURVES.map(([name]) => request(partsOn(), "GET", `/api/curve/${name}`).json());

const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, i) => i !== index);

describe("api/curves", () => {
	it("show the defaults of the contract", () => {
		assert.deepEqual(UNCHANGED[0], {
			count: 5,
			points: [
				{ x: 0, lock: 50 },
				{ x: 20, lock: 45 },
				{ x: 40, lock: 35 },
				{ x: 80, lock: 20 },
				{ x: 140, lock: 0 },
			],
		});
		assert.deepEqual([UNCHANGED[1]["count"], UNCHANGED[2]["count"]], [5, 6]);
	});

	it("accept 1 to 12 points up to their range, integral floats and further keys too, and change no other curve", () => {
		for (const [index, [name, max]] of CURVES.entries()) {
			for (const points of [[{ x: max, lock: 100 }], Array.from({ length: 12 }, (_, i) => ({ x: i, lock: 8 * i }))]) {
				const { status, answer, curves } = post(name, JSON.stringify({ points, other: 1 }));
				assert.deepEqual([status, answer], [200, { ok: true, debugCaptureActive: false, disableController: false }]);
				assert.deepEqual(curves[index], { count: points.length, points });
				assert.deepEqual(without(curves, index), without(UNCHANGED, index));
			}
			assert.deepEqual(post(name, '{"points":[{"x":10.0,"lock":2e1,"name":"a"}]}').curves[index], {
				count: 1,
				points: [{ x: 10, lock: 20 }],
			});
		}
	});

	it("reject other numbers of points", () => {
		for (const [points, value] of [
			[[], "0 points"],
			[Array(13).fill({ x: 0, lock: 0 }), "13 points"],
			[undefined, null],
			[null, null],
			["[]", "[]"],
			[{ 0: { x: 0, lock: 0 }, length: 1 }, "object"],
		] as const) {
			const { status, answer, curves } = post("speed", JSON.stringify({ points }));
			assert.deepEqual(
				[status, answer.error, answer.field, answer.value, answer.allowed],
				[400, "invalid points", "points", value, "1 to 12 points"],
			);
			assert.deepEqual(curves, UNCHANGED);
		}
	});

	it("reject points out of range or of another type, naming the first", () => {
		for (const [name, max] of CURVES)
			for (const [point, field, value] of [
				[{ x: max + 1, lock: 0 }, "x", max + 1],
				[{ x: -1, lock: 0 }, "x", -1],
				[{ x: 1.5, lock: 0 }, "x", 1.5],
				[{ x: "1", lock: 0 }, "x", "1"],
				[{ x: "NaN", lock: 0 }, "x", "NaN"],
				[{ lock: 0 }, "x", null],
				[{ x: 1 }, "lock", null],
				[{ x: 1, lock: 101 }, "lock", 101],
				[{ x: 1, lock: -1 }, "lock", -1],
				[{ x: 1, lock: 0.5 }, "lock", 0.5],
				[{ x: 1, lock: true }, "lock", true],
				[null, "x", null],
				[1, "x", null],
				["x", "x", null],
				[[], "x", null],
			] as const) {
				const { status, answer, curves } = post(name, JSON.stringify({ points: [{ x: 0, lock: 0 }, point] }));
				assert.deepEqual(
					[status, answer.error, answer.field, answer.value],
					[400, "point out of range", `points[1].${field}`, value],
				);
				assert.match(answer.allowed, field === "x" ? new RegExp(`0 to ${max}$`) : /0 to 100$/);
				assert.deepEqual(curves, UNCHANGED);
			}
		assert.equal(post("rpm", '{"points":[{"x":1e999,"lock":0}]}').answer.error, "point out of range");
	});

	it("reject points that do not ascend; the range is checked first", () => {
		for (const [second, error] of [
			[5, "points must ascend"],
			[10, "points must ascend"],
			[301, "point out of range"],
		] as const) {
			const points = [
				{ x: 10, lock: 1 },
				{ x: second, lock: 2 },
			];
			const { status, answer, curves } = post("speed", JSON.stringify({ points }));
			assert.deepEqual([status, answer.error, answer.field, answer.value], [400, error, "points[1].x", second]);
			assert.deepEqual(curves, UNCHANGED);
		}
	});

	it("tell of debug capture", () => {
		for (const flag of ["can", "debugFirmware", "debugNetwork", "debugCan", "file"] as const) {
			const settings = { ...DEFAULT_SETTINGS, logging: { ...DEFAULT_SETTINGS.logging, [flag]: true } };
			const { answer } = post("speed", '{"points":[{"x":1,"lock":1}]}', settings);
			assert.equal(answer.debugCaptureActive, flag !== "file", flag);
		}
	});
});
