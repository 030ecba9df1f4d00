/** What is asked of the coupling: status, bytes on its bus and PWM agree, and displays are told. */
import assert from "node:assert/strict";
import { type Bench, passages, withBench } from "./bench-car.js";
import { adjusted, type Generation, hex, marker, NUMBERED_COUPLING_ID } from "./car-rows.js";
import { now, sleep, until } from "./wait.js";

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
	assert.equal((await bench.report()).pwm[0].duty, Math.round(lockPercent * 10.23), `PWM at ${lockPercent} %`);
}

describe("system: lock", () => {
	for (const generation of [5, 1] as const)
		it(`follows the default map on generation ${generation}, in the status, on the coupling bus and on the PWM`, () =>
			withBench({ generation, settings: { mode: "MAP", releaseRate: 0 } }, async (bench) => {
				bench.show(30, 30);
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

/** From a request to the frame that obeys it. */
const MODE_CHANGE_MS = 50;

describe("system: POST /api/mode", () => {
	it("changes what is on the coupling bus within 50 ms, and to the car's own frames without a ramp", () =>
		withBench({ settings: { mode: "5050", releaseRate: 0 } }, async (bench) => {
			const { id, index, base, stock } = marker(5);
			bench.show(20, 30);
			await bench.untilCommand(base);
			for (const [mode, byte] of [
				["9010", adjusted(base, 10)],
				["5050", base],
				["9010", adjusted(base, 10)],
				["STOCK", stock],
			] as const) {
				const [{ data }] = await bench.next(id, 1);
				const from = now();
				assert.equal((await bench.mode(mode)).code, 200);
				await sleep(200);
				const bytes = bench.passed(id, from).map((passage) => ({ byte: passage.data[index], ms: passage.sentAt - from }));
				const first = bytes.findIndex((sent) => sent.byte === byte);
				assert.ok(bytes[first].ms <= MODE_CHANGE_MS, `${mode} only in a frame ${bytes[first].ms} ms after the request`);
				if (mode === "STOCK")
					assert.ok(
						bytes.slice(0, first).every((sent) => sent.byte === data[index]),
						"a ramp",
					);
				assert.ok(bytes.slice(first).every((sent) => sent.byte === byte));
			}
			const { effectiveMode, reason } = await bench.status();
			assert.deepEqual([effectiveMode, reason], ["STOCK", "stock mode is selected"]);
		}));
});

describe("system: frame profiles", () => {
	it("corrected, generation 5: a frame whose checksum does not verify is left alone and counted, the others are rewritten", () =>
		withBench({ settings: { mode: "6040", frameProfile: "corrected" } }, async (bench) => {
			const command = adjusted(0x37, 40);
			bench.show(30, 30);
			await bench.untilCommand(command);
			const unverified = async () => (await bench.status()).gateway["unverified"];
			assert.equal(await unverified(), 0);
			bench.row(0x08a).spoiled = true;
			await until(async () => (await unverified()) > 10, 3000, "frames that do not verify");
			for (const { sent, data } of await bench.next(0x08a, 5)) assert.equal(hex(data), hex(sent));
			for (const { data } of await bench.next(0x0a7, 5)) assert.equal(data[3], 0x7f + command);
		}));
});

const broadcasts = (bench: Bench) => bench.chassis.arrived.filter((frame) => frame.id === 0x6b0);

/** Each coupling frame so far left on the chassis as it came. */
function allForwarded(bench: Bench): void {
	for (const id of [0x118, NUMBERED_COUPLING_ID]) {
		const found = passages(bench.coupling, bench.chassis, id);
		assert.ok(found.length > 20, `${found.length} frames 0x${id.toString(16)}`);
		assert.ok(found.every(({ rewritten }) => !rewritten));
	}
}

describe("system: return path", () => {
	it("sends 0x6B0 every 200 ms with the specified bytes", () =>
		withBench({ settings: { mode: "MAP", releaseRate: 0 } }, async (bench) => {
			bench.show(30, 30);
			await bench.untilCommand();
			await until(() => broadcasts(bench).length >= 16, 9000, "16 broadcasts");
			const frames = broadcasts(bench);
			const last = frames[frames.length - 1];
			// 0, not standalone, raw engagement, lock, speed, no override, MAP, pedal
			assert.equal(hex(last.data), "000064141e00091e");
			assert.ok(!last.extended && !last.rtr);
			const meanMs = (last.at - frames[0].at) / (frames.length - 1);
			assert.ok(Math.abs(meanMs - 200) <= 4, `every ${meanMs} ms`);
			allForwarded(bench);
		}));

	it("sends no 0x6B0 with the broadcast off, and forwards all the same", () =>
		withBench({ settings: { mode: "MAP", broadcastOverCan: false } }, async (bench) => {
			bench.show(30, 30);
			await bench.untilCommand();
			await sleep(4000); // it listens for 3 s before the first one
			assert.equal(broadcasts(bench).length, 0);
			allForwarded(bench);
		}));
});
