import assert from "node:assert/strict";
import { gatesOpen, isPedalGateClosed } from "../../src/lock/gates.js";
import { MODES } from "../../src/lock/modes.js";
import type { Tuning } from "../../src/lock/tuning.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";

const PRESETS = [0, 1, 2, 3, 4, 5, 6];
/** Dynamic modes and the names of their under-speed gates. */
const DYNAMIC = [
	[7, "speed"],
	[8, "throttle"],
	[9, "map"],
	[10, "rpm"],
] as const;

/** Speed in km/h, pedal in percent. */
interface Situation {
	v?: number;
	p?: number;
	pedalValid?: boolean;
	slackKmh?: number;
	slackPercent?: number;
}
type Rows = readonly (readonly [Situation, boolean])[];

/** Checks the gates of `mode` for rows of situation and whether they are open. */
function check(mode: number, tuning: Tuning, rows: Rows): void {
	for (const [{ v = 50, p = 50, pedalValid = true, slackKmh = 0, slackPercent = 0 }, open] of rows) {
		const inputs = { speedKmh: v, pedalPercent: p, rpm: 0, pedalValid };
		const where = `${MODES[mode]} at ${v} km/h, ${p} %, slack ${slackKmh} ${slackPercent}`;
		assert.equal(gatesOpen(mode, inputs, tuning, slackKmh, slackPercent), open, where);
	}
}

const CLOSED = { map: 400, speed: 400, throttle: 400, rpm: 400 };
const withPreset = (disableThrottlePercent: number, disableSpeedKmh: number): Tuning => ({
	...DEFAULT_TUNING,
	disableThrottlePercent,
	disableSpeedKmh,
	disengageUnderKmh: CLOSED, // not for presets
});

/** Every dynamic mode with a limit of its own; presets and the others would never open. */
function checkDynamic(limitKmh: number, rows: Rows): void {
	const presets = { disableThrottlePercent: 101, disableSpeedKmh: 1 };
	for (const [mode, name] of DYNAMIC)
		check(mode, { ...DEFAULT_TUNING, ...presets, disengageUnderKmh: { ...CLOSED, [name]: limitKmh } }, rows);
}

describe("lock/gates", () => {
	it("is open without thresholds, whatever speed and pedal", () => {
		for (const mode of [...PRESETS, ...DYNAMIC.map(([mode]) => mode)])
			for (const v of [0, 1, 65535])
				for (const p of [0, 1, 98, 102]) check(mode, DEFAULT_TUNING, [[{ v, p, pedalValid: false }, true]]);
	});

	it("opens presets from the whole percent of pedal and up to the speed of the thresholds", () => {
		for (const mode of PRESETS) {
			check(mode, withPreset(40, 0), [
				[{ p: 0 }, false],
				[{ p: 39.9 }, false],
				[{ p: 40 }, true],
				[{ p: 102 }, true],
			]);
			check(mode, withPreset(0, 120), [
				[{ v: 0 }, true],
				[{ v: 120 }, true],
				[{ v: 121 }, false],
				[{ v: 65535 }, false],
			]);
		}
		check(2, withPreset(10, 60), [
			[{ v: 60, p: 10 }, true],
			[{ v: 61, p: 10 }, false],
			[{ v: 60, p: 9 }, false],
			[{ v: 61, p: 9 }, false],
		]);
	});

	it("widens a preset's thresholds by the slack", () => {
		check(2, withPreset(40, 0), [
			[{ p: 36.9, slackPercent: 3 }, false],
			[{ p: 37, slackPercent: 3 }, true],
			[{ p: 38, slackKmh: 3 }, false],
		]);
		check(2, withPreset(0, 120), [
			[{ v: 123, slackKmh: 3 }, true],
			[{ v: 124, slackKmh: 3 }, false],
			[{ v: 121, slackPercent: 3 }, false],
		]);
	});

	it("opens a dynamic mode from its own speed on, and at full throttle at any speed if the pedal is valid", () => {
		checkDynamic(30, [
			[{ v: 0 }, false],
			[{ v: 29 }, false],
			[{ v: 30 }, true],
			[{ v: 26, slackKmh: 3 }, false],
			[{ v: 27, slackKmh: 3 }, true],
			[{ v: 29, slackPercent: 3 }, false],
			[{ v: 0, p: 98.9 }, false],
			[{ v: 0, p: 99 }, true],
			[{ v: 0, p: 102 }, true],
			[{ v: 0, p: 95.9, slackPercent: 3 }, false],
			[{ v: 0, p: 96, slackPercent: 3 }, true],
			[{ v: 0, p: 98, slackKmh: 3 }, false],
			[{ v: 29, p: 102, pedalValid: false }, false],
			[{ v: 30, p: 102, pedalValid: false }, true],
		]);
	});

	it("closes at rest however small the threshold is", () => {
		for (const limit of [0.5, 1, 2, 3]) {
			checkDynamic(limit, [
				[{ v: 0, p: 0, slackKmh: 3, slackPercent: 3 }, false],
				[{ v: 1, p: 0, slackKmh: 3, slackPercent: 3 }, true],
			]);
			check(2, withPreset(limit, 0), [
				[{ p: 0.9, slackKmh: 3, slackPercent: 3 }, false],
				[{ p: 1, slackKmh: 3, slackPercent: 3 }, true],
			]);
		}
		checkDynamic(2, [
			[{ v: 1 }, false],
			[{ v: 2 }, true],
		]);
		checkDynamic(5, [
			[{ v: 1, slackKmh: 3 }, false],
			[{ v: 2, slackKmh: 3 }, true],
		]);
	});

	it("tells which gate of a preset is closed: with both thresholds the pedal's, unless only the speed is past its own", () => {
		for (const [throttle, speed, pedalPercent, speedKmh, isPedal] of [
			[40, 0, 39, 90, true],
			[0, 20, 0, 21, false],
			[0, 0, 0, 0, false],
			[40, 20, 39, 20, true],
			[40, 20, 39.9, 21, true],
			[40, 20, 40, 21, false],
			[40, 1, 40, 2, false],
			// the dwell holds the gate, though its threshold is met
			[1, 0, 1, 90, true],
			[40, 0, 40, 90, true],
			[40, 20, 40, 20, true],
		] as const) {
			const inputs = { speedKmh, pedalPercent, rpm: 0, pedalValid: true };
			assert.equal(isPedalGateClosed(inputs, withPreset(throttle, speed)), isPedal, `${pedalPercent} ${speedKmh}`);
		}
	});
});
