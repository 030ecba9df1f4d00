/**
 * What is asked of the coupling: status, bytes on its bus and PWM agree with each other and with map, curves
 * and presets.
 */
import assert from "node:assert/strict";
import { type Bench, withBench } from "./bench-car.js";
import { adjusted, type Generation } from "./car-rows.js";

/** km/h, pedal percent, lock percent by the default map. Source: docs/control-and-can.md 1.4. */
const MAP_POINTS: readonly [number, number, number][] = [
	[30, 30, 20],
	[70, 50, 22.5],
	[200, 100, 20],
	[10, 10, 5],
	[0, 100, 20],
	[20, 80, 60],
	[30, 4, 0],
];

/**
 * Lock-dependent bytes of profile `reference`: identifier, byte, full scale.
 * Source: docs/control-and-can.md 3.5 to 3.8.
 */
const LEVERS: Readonly<Partial<Record<Generation, readonly [number, number, number][]>>> = {
	1: [
		[0x280, 1, 0xfe],
		[0x280, 3, 0x4e],
		[0x380, 2, 0xfe],
		[0x4a0, 0, 0xfe],
	],
	5: [
		[0x0a7, 6, 0xfa],
		[0x0a7, 7, 0xfa],
		[0x08a, 7, 0xfe],
	],
};

/** Steps of 0.4 % of the pedal and float32 leave this much. */
const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.001;

async function untilLock(bench: Bench, lockPercent: number): Promise<void> {
	await bench.untilStatus((status) => near(status.telemetry["spec"], lockPercent), 2500, `lock of ${lockPercent} %`);
}

async function checkLevers(bench: Bench, lockPercent: number): Promise<void> {
	for (const [id, index, base] of LEVERS[bench.generation] ?? []) {
		const expected = adjusted(base, lockPercent);
		for (const { data } of await bench.next(id, 2))
			assert.equal(data[index], expected, `0x${id.toString(16)} byte ${index} at ${lockPercent} %`);
	}
	assert.equal(await bench.pwmDuty(), Math.round(lockPercent * 10.23), `PWM at ${lockPercent} %`);
}

describe("system: lock", () => {
	for (const generation of [5, 1] as const)
		it(`follows the default map on generation ${generation}, in the status, on the coupling bus and on the PWM`, () =>
			withBench({ generation, settings: { mode: "MAP", releaseRate: 0 } }, async (bench) => {
				bench.show(...([30, 30] as const));
				await bench.untilCommand();
				for (const [speedKmh, pedalPercent, lockPercent] of MAP_POINTS) {
					bench.show(speedKmh, pedalPercent);
					await untilLock(bench, lockPercent);
					await checkLevers(bench, lockPercent);
					const { telemetry, reason } = await bench.status();
					assert.deepEqual([telemetry["speed"], reason], [speedKmh, "control is active"]);
					assert.ok(near(telemetry["throttle"], pedalPercent));
				}
			}));

	it("follows presets and curves", () =>
		withBench({ settings: { mode: "SPEED", releaseRate: 0 } }, async (bench) => {
			bench.show(60, 33.6, 2750);
			await bench.untilCommand();
			const targets: [string, number][] = [
				["SPEED", 27.5],
				["THROTTLE", 25 + (30 * 8.6) / 25],
				["RPM", 42.5],
				["FWD", 0],
				["5050", 100],
				["6040", 40],
				["7030", 30],
				["8020", 20],
				["9010", 10],
			];
			for (const [mode, lockPercent] of targets) {
				await bench.mode(mode);
				await untilLock(bench, lockPercent);
				await checkLevers(bench, lockPercent);
				assert.equal((await bench.status()).effectiveMode, mode);
			}
		}));

	it("commands open, not stock, while a gate is closed", () =>
		withBench({ settings: { mode: "5050", disableThrottle: 20, disableSpeed: 100, releaseRate: 0 } }, async (bench) => {
			bench.show(50, 10);
			assert.equal(await bench.untilCommand(), 0);
			const open = await bench.status();
			assert.deepEqual([open.effectiveMode, open.controlActive, open.telemetry["spec"]], ["5050", true, 0]);
			bench.show(50, 20);
			await bench.untilCommand(0xfa);
			bench.show(103, 20); // within the hysteresis
			await bench.untilStatus((status) => status.telemetry["speed"] === 103, 1000, "103 km/h");
			assert.equal(bench.command(), 0xfa);
			bench.show(104, 20);
			await bench.untilCommand(0);
		}));
});
