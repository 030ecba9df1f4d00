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
import {
	CURVE_POINTS_MAX,
	CURVE_X_MAX,
	DEFAULT_MAP,
	DEFAULT_TABLES,
	disengageUnderKmh,
	GATE_HOLD,
	MAP_COLUMNS,
	MAP_ROWS,
	UNREADABLE_MAP,
} from "../../src/lock/tuning.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";

describe("lock/tuning", () => {
	it("has an under-speed gate for each dynamic mode, and for no other", () => {
		const tuning = { ...DEFAULT_TUNING, disengageUnderKmh: { map: 1, speed: 2, throttle: 3, rpm: 4 } };
		const limits = Array.from({ length: 12 }, (_, mode) => disengageUnderKmh(tuning, mode));
		assert.deepEqual(limits, [0, 0, 0, 0, 0, 0, 0, 2, 3, 1, 4, 0]);
	});

	it("has the documented defaults", () => {
		// docs/control-and-can.md 1.4
		assert.deepEqual([MAP_ROWS, MAP_COLUMNS, CURVE_POINTS_MAX], [7, 9, 12]);
		assert.deepEqual(DEFAULT_MAP.speedBinsKmh, [0, 5, 10, 20, 40, 60, 80, 100, 140]);
		assert.deepEqual(DEFAULT_MAP.pedalBinsPercent, [0, 5, 10, 20, 40, 60, 80]);
		const rows = Array.from({ length: MAP_ROWS }, (_, row) =>
			DEFAULT_MAP.cells.slice(row * MAP_COLUMNS, (row + 1) * MAP_COLUMNS).join(" "),
		);
		assert.deepEqual(rows, [
			"0 0 0 0 0 0 0 0 0",
			"0 0 0 0 0 0 0 0 0",
			"0 0 5 5 5 5 0 0 0",
			"0 5 10 15 15 10 5 0 0",
			"5 10 20 25 25 20 15 10 5",
			"10 20 30 40 40 30 25 20 15",
			"20 30 45 60 60 50 40 30 20",
		]);
		const { speedCurve, throttleCurve, rpmCurve, map } = DEFAULT_TABLES;
		assert.equal(map, DEFAULT_MAP);
		assert.deepEqual(speedCurve, { x: [0, 20, 40, 80, 140], lockPercent: [50, 45, 35, 20, 0] });
		assert.deepEqual(throttleCurve, { x: [0, 10, 25, 50, 80], lockPercent: [0, 10, 25, 55, 80] });
		assert.deepEqual(rpmCurve, { x: [0, 1000, 2000, 3500, 5000, 6500], lockPercent: [0, 10, 30, 55, 80, 100] });
		// docs/decisions.md 6
		assert.deepEqual(GATE_HOLD, { hysteresisKmh: 3, hysteresisPercent: 3, dwellMs: 300 });
	});

	it("limits the axis of each curve as documented", () => {
		// docs/api.md, "Maps and curves"
		assert.deepEqual(CURVE_X_MAX, { speed: 300, throttle: 100, rpm: 10_000 });
	});

	it("asks for 0 % if the map can't be read", () => {
		assert.deepEqual(UNREADABLE_MAP.cells, new Array(MAP_ROWS * MAP_COLUMNS).fill(0));
	});
});

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
