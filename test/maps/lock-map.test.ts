import assert from "node:assert/strict";
import { DEFAULT_MAP } from "../../src/lock/tuning.js";
import { lockMapFrom, lockMapFromC6, lockMapToJson, MapProblem, reasonOf, storedMapFrom } from "../../src/maps/lock-map.js";

type Fields = { speedBins: unknown; throttleBins: unknown; lockTable: unknown };
const json = (): { speedBins: unknown[]; throttleBins: unknown[]; lockTable: unknown[][] } => lockMapToJson(DEFAULT_MAP);

function problemOf(change: (fields: ReturnType<typeof json>) => Partial<Fields> | undefined): MapProblem {
	const fields = json();
	const changed = { ...fields, ...change(fields) };
	try {
		lockMapFrom(changed);
	} catch (error) {
		assert.ok(error instanceof MapProblem);
		return error;
	}
	throw new Error(`taken: ${JSON.stringify(changed)}`);
}

describe("maps/lock-map", () => {
	it("reads back what it writes, with exactly the keys of the contract", () => {
		assert.deepEqual(lockMapFrom(json()), DEFAULT_MAP);
		assert.deepEqual(Object.keys(json()), ["speedBins", "throttleBins", "lockTable"]);
		assert.equal(json().lockTable.length, 7);
	});

	it("ignores other members, rounds, and clamps cells and bins", () => {
		const fields = json();
		fields.lockTable[0] = [-5, 101, 1e300, 49.5, 49.4, 12.0, -0.2, 0, 100];
		fields.speedBins = [-1, 5, 10, 20, 40, 60, 80, 100, 1e9];
		fields.throttleBins = [-3, 4.6, 10, 20, 40, 60, 256];
		const map = lockMapFrom({ ...fields, name: "x" });
		assert.deepEqual(map.cells.slice(0, 9), [0, 100, 100, 50, 49, 12, 0, 0, 100]);
		assert.deepEqual([map.speedBinsKmh[0], map.speedBinsKmh[8]], [0, 65535]);
		assert.deepEqual(map.pedalBinsPercent, [0, 5, 10, 20, 40, 60, 100]);
	});

	it("takes from a file only numbers that it writes: others mean that the file is damaged", () => {
		assert.deepEqual(storedMapFrom(json()), DEFAULT_MAP);
		for (const [cell, field] of [
			[200, "lockTable[0][8]"],
			[-1, "lockTable[0][8]"],
			[49.5, "lockTable[0][8]"],
			["5", "lockTable[0][8]"],
			[null, "lockTable[0][8]"],
		] as const) {
			const fields = json();
			fields.lockTable[0][8] = cell;
			assert.throws(() => storedMapFrom(fields), { field, value: cell, allowed: "0..100, a whole number" });
		}
		for (const [changed, field] of [
			[{ speedBins: [0, 5, 10, 20, 40, 60, 80, 100, 1e9] }, "speedBins[8]"],
			[{ throttleBins: [0, 4.6, 10, 20, 40, 60, 100] }, "throttleBins[1]"],
			[{ throttleBins: [0, 5, 10, 20, 40, 60, 256] }, "throttleBins[6]"],
		] as const)
			assert.throws(() => storedMapFrom({ ...json(), ...changed }), { field });
	});

	it("refuses other sizes, naming the list", () => {
		for (const [key, value, shown] of [
			["speedBins", [1, 2], "2 values"],
			["speedBins", undefined, null],
			["speedBins", "0,5", "0,5"],
			["throttleBins", Array(8).fill(0), "8 values"],
			["throttleBins", {}, {}],
			["lockTable", Array(8).fill(Array(9).fill(0)), "8 values"],
			["lockTable", null, null],
		] as const) {
			const { message, field, value: found } = problemOf(() => ({ [key]: value }) as Partial<Fields>);
			assert.deepEqual([message, field, found], ["invalid map sizes", key, shown]);
		}
	});

	it("refuses other rows and cells, naming the first", () => {
		for (const [row, field, shown] of [
			[Array(8).fill(0), "lockTable[6]", "8 values"],
			[Array(10).fill(0), "lockTable[6]", "10 values"],
			["x", "lockTable[6]", "x"],
			[[0, 0, "5", 0, 0, 0, 0, 0, 0], "lockTable[6][2]", "5"],
			[[0, 0, 0, 0, 0, 0, 0, 0, null], "lockTable[6][8]", null],
			[[true, 0, 0, 0, 0, 0, 0, 0, 0], "lockTable[6][0]", true],
			[[Number.POSITIVE_INFINITY, 0, 0, 0, 0, 0, 0, 0, 0], "lockTable[6][0]", "Infinity"],
		] as const) {
			const problem = problemOf((fields) => ({ lockTable: [...fields.lockTable.slice(0, 6), row] }));
			assert.deepEqual([problem.message, problem.field, problem.value], ["invalid lock table", field, shown]);
		}
	});

	it("refuses bins that are no finite numbers, and axes that do not strictly ascend, after clamping too", () => {
		const bins = (speedBins: unknown[]) => problemOf(() => ({ speedBins }));
		assert.deepEqual(bins([0, "5", 10, 20, 40, 60, 80, 100, 140]).field, "speedBins[1]");
		assert.equal(bins([0, "5", 10, 20, 40, 60, 80, 100, 140]).message, "invalid map sizes");
		for (const [speedBins, field] of [
			[[0, 5, 5, 20, 40, 60, 80, 100, 140], "speedBins[2]"],
			[[0, 5, 4, 20, 40, 60, 80, 100, 140], "speedBins[2]"],
			[[0, 5, 5.4, 20, 40, 60, 80, 100, 140], "speedBins[2]"],
			[[-2, -1, 5, 20, 40, 60, 80, 100, 140], "speedBins[1]"],
		] as const)
			assert.deepEqual([bins([...speedBins]).message, bins([...speedBins]).field], ["bins must ascend", field]);
		const throttle = problemOf(() => ({ throttleBins: [0, 5, 10, 20, 40, 100, 120] }));
		assert.deepEqual(
			[throttle.message, throttle.field, throttle.value, throttle.allowed],
			["bins must ascend", "throttleBins[6]", 100, "above 100"],
		);
		assert.equal(reasonOf(throttle), "bins must ascend: throttleBins[6] is 100; allowed: above 100");
	});

	describe("of OpenHaldex-C6", () => {
		const c6 = () => ({
			speedArray: [0, 20, 40, 70, 100, 150, 190] as unknown[],
			throttleArray: [0, 10, 20, 40, 50, 70, 95] as unknown[],
			lockArray: [0, 1, 2, 3, 4, 5, 6].map((row) => [6, 5, 4, 3, 2, 1, 0].map((column) => 10 * row + column)) as unknown[],
		});

		it("gets two more columns with the lock of its last one", () => {
			const map = lockMapFromC6({ ...c6(), mode: 5 });
			assert.deepEqual(map.speedBinsKmh, [0, 20, 40, 70, 100, 150, 190, 200, 210]);
			assert.deepEqual(map.pedalBinsPercent, [0, 10, 20, 40, 50, 70, 95]);
			assert.deepEqual(map.cells.slice(0, 9), [6, 5, 4, 3, 2, 1, 0, 0, 0]);
			assert.deepEqual(map.cells.slice(54), [66, 65, 64, 63, 62, 61, 60, 60, 60]);
		});

		it("is refused by its own names, and leaves what it was given", () => {
			const problem = (changes: object) => {
				try {
					lockMapFromC6({ ...c6(), ...changes });
				} catch (error) {
					assert.ok(error instanceof MapProblem);
					return [error.message, error.field];
				}
				return [];
			};
			assert.deepEqual(problem({ speedArray: undefined }), ["invalid map sizes", "speedArray"]);
			assert.deepEqual(problem({ throttleArray: [1] }), ["invalid map sizes", "throttleArray"]);
			assert.deepEqual(problem({ lockArray: [[1]] }), ["invalid map sizes", "lockArray"]);
			assert.deepEqual(problem({ lockArray: [...c6().lockArray.slice(0, 6), [1]] }), ["invalid lock table", "lockArray[6]"]);
			assert.deepEqual(problem({ speedArray: [0, 1, 2, 3, 4, 5, "6"] }), ["invalid map sizes", "speedBins[6]"]);
			assert.deepEqual(problem({ speedArray: [0, 0, 2, 3, 4, 5, 6] }), ["bins must ascend", "speedBins[1]"]);
			const given = c6();
			lockMapFromC6(given);
			assert.deepEqual(given, c6());
		});
	});
});
