import assert from "node:assert/strict";
import { DEFAULT_TABLES, GATE_HOLD } from "../../src/lock/tuning.js";
import { DEFAULT_SETTINGS, DEFAULT_TUNING, defaultsOf, inputKeys, isVerboseLogging } from "../../src/settings/settings.js";
import { SETTINGS_TABLE } from "../../src/settings/settings-table.js";

describe("settings/settings", () => {
	it("has the documented defaults of gates and ramps, and map and curves as delivered", () => {
		// docs/control-and-can.md 6.4
		assert.deepEqual(DEFAULT_TUNING, {
			...DEFAULT_TABLES,
			disableThrottlePercent: 0,
			disableSpeedKmh: 0,
			disengageUnderKmh: { map: 0, speed: 0, throttle: 0, rpm: 0 },
			releaseRatePercentPerS: 120,
			engageRatePercentPerS: 0,
			...GATE_HOLD,
		});
	});

	it("begins in STOCK, without a generation, with each row's default, and can't be changed in place", () => {
		assert.deepEqual([DEFAULT_SETTINGS.mode, DEFAULT_SETTINGS.generation], [0, 0]);
		assert.deepEqual(DEFAULT_SETTINGS.lowPower, defaultsOf(SETTINGS_TABLE.lowPower.rows));
		assert.deepEqual(DEFAULT_SETTINGS.dashboard, ["", "", "", "", "", "", "", ""]);
		assert.deepEqual(DEFAULT_SETTINGS.conditions, []);
		for (const value of [DEFAULT_SETTINGS, ...Object.values(DEFAULT_SETTINGS), DEFAULT_TUNING.disengageUnderKmh])
			assert.ok(Object.isFrozen(value));
	});

	it("has the driver's mapped inputs, and the generation's recommended ones in empty places", () => {
		const speed = "chassis|0x4a0|wheel speed front left 4 1|km/h";
		const settings = { ...DEFAULT_SETTINGS, inputMappings: { speed, throttle: "", rpm: "" } };
		const mapped = inputKeys({ ...settings, generation: 4 });
		assert.equal(mapped.speed, speed);
		for (const key of [mapped.throttle, mapped.rpm]) assert.match(key, /^chassis\|0x280\|/);
		assert.deepEqual(inputKeys(settings), { speed, throttle: "", rpm: "" });
	});

	it("logs verbosely with CAN frames or a debug category", () => {
		const { logging } = DEFAULT_SETTINGS;
		assert.equal(isVerboseLogging({ ...logging, file: true, error: true, serial: true }), false);
		for (const name of ["can", "debugFirmware", "debugNetwork", "debugCan"])
			assert.equal(isVerboseLogging({ ...logging, [name]: true }), true, name);
	});
});
