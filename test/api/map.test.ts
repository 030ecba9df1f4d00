import assert from "node:assert/strict";
import { DEFAULT_MAP } from "../../src/lock/tuning.js";
import { lockMapToJson } from "../../src/maps/lock-map.js";
import { request } from "../support/api-client.js";
import { partsOn } from "../support/stores.js";

type MapJson = { speedBins: unknown; throttleBins: unknown; lockTable: unknown[] };
const aMap = (lock = 7): MapJson => ({
	speedBins: [0, 10, 20, 30, 40, 50, 60, 70, 255],
	throttleBins: [0, 10, 20, 30, 40, 50, 100],
	lockTable: Array(7).fill(Array(9).fill(lock)),
});

/** Posts, and reads the map back. */
function post(body: string | Uint8Array) {
	const parts = partsOn();
	const { status, text } = request(parts, "POST", "/api/map", body);
	return { status, answer: JSON.parse(text), map: request(parts, "GET", "/api/map").json() };
}

describe("api/maps: the active map", () => {
	it("shows the map at the top level", () => {
		const { status, text } = request(partsOn(), "GET", "/api/map");
		assert.deepEqual([status, text], [200, JSON.stringify(lockMapToJson(DEFAULT_MAP))]);
	});

	it("accepts a map at the top or under `map`, rounds and clamps, and reads it back", () => {
		for (const body of [aMap(), { map: aMap() }, { ...aMap(), map: aMap(8) }, { ...aMap(7.4), other: 1 }]) {
			const { status, answer, map } = post(JSON.stringify(body));
			assert.deepEqual([status, answer, map], [200, { ok: true }, aMap()]);
		}
		assert.deepEqual((post(JSON.stringify(aMap(101))).map["lockTable"] as unknown[])[0], Array(9).fill(100));
		assert.deepEqual(
			post(JSON.stringify({ ...aMap(), throttleBins: [-1, 10, 20, 30, 40, 50, 1000] })).map["throttleBins"],
			[0, 10, 20, 30, 40, 50, 100],
		);
	});
	it("rejects a map of which anything is wrong, names it, and changes nothing", () => {
		const row = (values: unknown) => ({ lockTable: [...aMap().lockTable.slice(0, 6), values] });
		for (const [change, error, field, value] of [
			[{ speedBins: undefined }, "invalid map sizes", "speedBins", null],
			[{ speedBins: Array(10).fill(0) }, "invalid map sizes", "speedBins", "10 values"],
			[{ throttleBins: {} }, "invalid map sizes", "throttleBins", "object"],
			[{ lockTable: Array(8).fill(Array(9).fill(0)) }, "invalid map sizes", "lockTable", "8 values"],
			[row(Array(8).fill(0)), "invalid lock table", "lockTable[6]", "8 values"],
			[row([0, 0, 0, 0, 0, 0, 0, 0, "NaN"]), "invalid lock table", "lockTable[6][8]", "NaN"],
			[row([0, 0, 0, 0, 0, 0, 0, 0, null]), "invalid lock table", "lockTable[6][8]", null],
			[row([0, 0, 0, 0, 0, 0, 0, 0, [1]]), "invalid lock table", "lockTable[6][8]", "array"],
			[{ speedBins: [0, 10, 20, 30, 40, 50, 60, 70, "255"] }, "invalid map sizes", "speedBins[8]", "255"],
			[{ speedBins: [0, 10, 20, 30, 40, 50, 60, 70, 70] }, "bins must ascend", "speedBins[8]", 70],
			[{ throttleBins: [0, 10, 20, 30, 40, 100, 101] }, "bins must ascend", "throttleBins[6]", 100],
		] as const) {
			for (const body of [{ ...aMap(), ...change }, { map: { ...aMap(), ...change } }]) {
				const { status, answer, map } = post(JSON.stringify(body));
				assert.deepEqual([status, answer.error, answer.field, answer.value], [400, error, field, value]);
				assert.ok(typeof answer.allowed === "string" && answer.allowed !== "");
				assert.deepEqual(map, lockMapToJson(DEFAULT_MAP));
			}
		}
		for (const body of ['{"map":1}', '{"map":null}', '{"map":[]}', "{}"])
			assert.equal(post(body).answer.error, "invalid map sizes", body);
	});

	it("reads a number beyond the range of a double as a large one", () => {
		const row = JSON.stringify(aMap()).replace(/\d+\]\]\}?$/, (end) => end.replace(/^\d+/, "1e999"));
		const { status, map } = post(row);
		const { lockTable } = map as { lockTable: number[][] };
		assert.deepEqual([status, lockTable[6][8]], [200, 100]);
	});
});
