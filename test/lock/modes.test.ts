import assert from "node:assert/strict";
import {
	FWD,
	formerNumberOf,
	isDynamic,
	MAP,
	MODES,
	modeOfFormerNumber,
	PRESET_LOCK_PERCENT,
	RPM,
	SPEED,
	STOCK,
	THROTTLE,
} from "../../src/lock/modes.js";

// docs/control-and-can.md 1.1
const NAMES = ["STOCK", "FWD", "5050", "6040", "7030", "8020", "9010", "SPEED", "THROTTLE", "MAP", "RPM"];

describe("lock/modes", () => {
	it("numbers the modes as the status broadcast and stored settings carry them", () => {
		assert.deepEqual(MODES, NAMES);
		assert.deepEqual([STOCK, FWD, SPEED, THROTTLE, MAP, RPM], [0, 1, 7, 8, 9, 10]);
	});

	it("counts modes as OpenHaldex-C6 does, for its displays", () => {
		assert.deepEqual([0, 1, 2, 3, 4, 5].map(modeOfFormerNumber), [STOCK, FWD, 2, 3, 4, MAP]);
		for (const value of [-1, 6, 1.5, "1", null, undefined, {}]) assert.equal(modeOfFormerNumber(value), -1, `${value}`);
		assert.deepEqual([STOCK, FWD, 2, 3, 4, MAP].map(formerNumberOf), [0, 1, 2, 3, 4, 5]);
		assert.deepEqual([5, 6, SPEED, THROTTLE, RPM].map(formerNumberOf), [-1, -1, -1, -1, -1]);
	});

	it("calls the four modes with a table dynamic", () => {
		const dynamic = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].filter(isDynamic);
		assert.deepEqual(dynamic, [7, 8, 9, 10]);
	});

	it("asks full lock in 5050 and the rear share in the other presets", () => {
		assert.deepEqual(PRESET_LOCK_PERCENT, [0, 0, 100, 40, 30, 20, 10]);
	});
});
