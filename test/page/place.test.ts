import assert from "node:assert/strict";
import { gatedLockAt, lockAt, secondsPerCell } from "../../src/page/map/place.js";
import type { Sample } from "../../src/page/state/samples.js";
import { firstSince, GAP_MS, keepSample, runs, SAMPLES_MAX, samples } from "../../src/page/state/samples.js";
import { withBench } from "../system/bench-car.js";

interface Preview {
	readonly lock: number;
	readonly ungated: number;
}

const MAP = {
	speedBins: [0, 10, 20, 40, 60, 80, 110, 140, 160],
	throttleBins: [0, 10, 25, 40, 60, 80, 100],
	lockTable: Array.from({ length: 7 }, (_, row) => Array.from({ length: 9 }, (_, column) => (row * 31 + column * 17) % 101)),
};

const at = (atMs: number, speedKmh: number, pedalPercent: number): Sample => ({
	atMs,
	speedKmh,
	pedalPercent,
	rpm: 2000,
	requestedPercent: 0,
	engagedPercent: 0,
});

describe("the page's own reading of a map", () => {
	it("is what the controller would ask, before and behind the gate", async () => {
		await withBench({}, async (bench) => {
			assert.equal((await bench.ask("POST", "/api/map", JSON.stringify(MAP))).code, 200);
			const gates = { disengageUnderSpeed: { map: 30, speed: 0, throttle: 0, rpm: 0 }, disableSpeed: 20, disableThrottle: 5 };
			assert.equal((await bench.ask("POST", "/api/settings", JSON.stringify(gates))).code, 200);
			for (const speed of [0, 0.5, 7, 10, 29.9, 30, 33.3, 60, 111, 160, 250])
				for (const pedal of [0, 3, 10, 33, 60.5, 98.9, 99, 100]) {
					const { text } = await bench.ask("GET", `/api/preview?mode=MAP&speed=${speed}&throttle=${pedal}`);
					const { lock, ungated } = JSON.parse(text) as Preview;
					const where = `${speed} km/h, ${pedal} %`;
					assert.equal(lockAt(MAP, speed, pedal), ungated, where);
					assert.equal(gatedLockAt(MAP, gates, speed, pedal), lock, `${where}, behind the gate`);
				}
		});
	});

	it("counts the time of a drive in the cell that is nearest, and no time in which nobody knows where the car was", () => {
		const drive = [at(0, 40, 40), at(1000, 49, 33), at(1500, 51, 33), at(2000, Number.NaN, 33), at(2500, 300, 100)];
		const seconds = secondsPerCell(MAP, [...drive, at(2600, 300, 100), at(2600 + GAP_MS + 1, 0, 0)], GAP_MS);
		const found = seconds.map((value, cell) => [cell, Number(value.toFixed(3))]).filter(([, value]) => value !== 0);
		assert.deepEqual(found, [
			[3 * 9 + 3, 1.5],
			[3 * 9 + 4, 0.5],
			[6 * 9 + 8, 0.1],
		]);
	});
});

describe("the drive that the page remembers", () => {
	const telemetry = { speed: 40, throttle: 30, rpm: 2000, spec: 50, act: 49 };
	const valid = { speedValid: true, rpmValid: true, throttleValid: true, engagementValid: true };

	afterEach(() => {
		samples.length = 0;
	});

	it("is no longer than 15 minutes at 10 Hz, and loses its beginning", () => {
		for (let i = 0; i < SAMPLES_MAX + 5; i++) keepSample({ ...telemetry, ...valid }, i * 100);
		assert.deepEqual([SAMPLES_MAX, samples.length, samples[0].atMs], [15 * 60 * 10, SAMPLES_MAX, 500]);
	});

	it("knows what is not known", () => {
		keepSample({ ...telemetry, ...valid, speedValid: false, engagementValid: false }, 0);
		const [{ speedKmh, pedalPercent, engagedPercent }] = samples;
		assert.deepEqual([speedKmh, pedalPercent, engagedPercent], [Number.NaN, 30, Number.NaN]);
	});

	it("is found by time, and falls apart where nothing was heard or nothing is known", () => {
		const drive = [at(0, 1, 1), at(100, 2, 2), at(200, Number.NaN, 3), at(300, 4, 4), at(300 + GAP_MS + 1, 5, 5)];
		assert.deepEqual(
			[-1, 0, 50, 300, 9999].map((atMs) => firstSince(drive, atMs)),
			[0, 0, 1, 3, 5],
		);
		const speeds = runs(drive, ({ speedKmh }) => speedKmh).map((run) => run.map(({ speedKmh }) => speedKmh));
		assert.deepEqual(speeds, [[1, 2], [4], [5]]);
	});
});
