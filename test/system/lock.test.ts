/** What is asked of the coupling: status, bytes on its bus and PWM agree, and displays are told. */
import assert from "node:assert/strict";
import type { Drive } from "../../tools/campaign/drive.js";
import { withDrive } from "../virtual-time/with-drive.js";
import { type Bench, type Status, withBench } from "./bench-car.js";
import { passages } from "./bus-peer.js";
import { adjusted, type Generation, hex, marker, NUMBERED_COUPLING_ID, type Row } from "./car-rows.js";
import { sleep, until } from "./wait.js";

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
const REPEATS = 6;
const READY_MS = 2500;
const SETTLED_MS = 300;

/** On a car that drives, with an instant release. */
const driven = (test: (drive: Drive) => Promise<void>): Promise<void> => {
	const wishes = { mode: "5050", disableSpeedKmh: 0, releaseRate: 0 };
	return withDrive({ settings: { mode: "5050", releaseRate: 0 }, wishes }, async (drive) => {
		await drive.run(READY_MS);
		drive.pieceMs = 1;
		await test(drive);
	});
};

/** Whether the last frame says this lock; most frames can stand for many. */
const says = ({ isCommanding, lastLock: { least, most } }: Drive, percent: number): boolean =>
	isCommanding && most - least <= 2 && least <= percent && most >= percent;

/** Posts a mode; @returns ms from the request to the first frame that shows it. */
async function changeMode(drive: Drive, mode: string, shows: () => boolean): Promise<number> {
	const from = drive.nowMs;
	assert.equal((await drive.ask("POST", "/api/mode", JSON.stringify({ mode })))?.code, 200);
	while (!shows()) {
		assert.ok(drive.nowMs - from < 1000, `${mode} is not on the bus`);
		await drive.run(1);
	}
	return drive.nowMs - from;
}

describe("system: POST /api/mode", () => {
	it("changes what is on the coupling bus within 50 ms", () =>
		driven(async (drive) => {
			for (let i = 0; i < REPEATS; i++) {
				const [mode, percent] = i % 2 === 0 ? (["9010", 10] as const) : (["5050", 100] as const);
				const tookMs = await changeMode(drive, mode, () => says(drive, percent));
				assert.ok(tookMs <= MODE_CHANGE_MS, `${mode} only in a frame ${tookMs} ms after the request`);
				await drive.run(SETTLED_MS + i);
			}
		}));

	it("with STOCK leaves the frames unmodified within 50 ms, without a ramp", () =>
		driven(async (drive) => {
			for (let i = 0; i < 3; i++) {
				await changeMode(drive, "5050", () => says(drive, 100));
				const tookMs = await changeMode(drive, "STOCK", () => {
					assert.equal(drive.lastLock.most, 100, "a ramp");
					return !drive.isCommanding;
				});
				assert.ok(tookMs <= MODE_CHANGE_MS, `stock only after ${tookMs} ms`);
				const { effectiveMode, reason } = JSON.parse((await drive.ask("GET", "/api/status"))?.text ?? "");
				assert.deepEqual([effectiveMode, reason], ["STOCK", "stock mode is selected"]);
				await drive.run(SETTLED_MS + i);
			}
		}));
});

/** Lock in mode 6040 and its factor, where both profiles agree. */
const LOCK = 40;
const scale = (base: number): number => adjusted(base, LOCK);
const CORRECTED = { mode: "6040", frameProfile: "corrected" };

async function commanded(bench: Bench, profile = "reference"): Promise<void> {
	bench.show(30, 30);
	await bench.untilCommand(scale(marker(bench.generation, profile).base));
}

describe("system: frame profiles", () => {
	it("corrected, generation 5: a frame whose checksum does not verify is left alone and counted, the others are rewritten", () =>
		withBench({ settings: CORRECTED }, async (bench) => {
			await commanded(bench, "corrected");
			assert.equal((await bench.status()).gateway["unverified"], 0);
			bench.row(0x08a).spoiled = true;
			await until(async () => (await bench.status()).gateway["unverified"] > 10, 3000, "frames that do not verify");
			for (const { sent, data } of await bench.next(0x08a, 5)) assert.equal(hex(data), hex(sent));
			for (const { data } of await bench.next(0x0a7, 5)) assert.equal(data[3], 0x7f + scale(0x37));
		}));
});

const PATIENT_MS = 8000;
/** 100 % up to 90 degrees, 20 % from 290 on; 60 % without an angle. */
const GAIN = { enabled: true, startDeg: 90, fullDeg: 290, leastPercent: 20, lostPercent: 60 };
const REDUCED = "the steering angle reduces the lock";

interface Steered extends Status {
	readonly steeringGain: Readonly<Record<string, unknown>>;
}

/** The frame that carries the angle; on MQB the car gets one. */
function wheelOf(bench: Bench): Row {
	const id = bench.generation === 5 ? 0x086 : 0x0c2;
	const known = bench.chassisRows.find((row) => row.id === id);
	if (known !== undefined) return known;
	const row: Row = { ...bench.row(0x0fd), id, periodMs: 10, data: new Uint8Array(8) };
	bench.chassisRows.push(row);
	return row;
}

/** @param deg negative to the right: the sign is a bit of its own */
function turn(bench: Bench, wheel: Row, deg: number): void {
	const isPq = bench.generation !== 5;
	const raw = Math.round(Math.abs(deg) / (isPq ? 0.04375 : 0.1));
	const at = isPq ? 0 : 2;
	const sign = deg < 0 ? (isPq ? 0x80 : 0x20) : 0;
	wheel.data[at] = raw & 0xff;
	wheel.data[at + 1] = (raw >> 8) | sign;
}

const shown = async (bench: Bench) => ((await bench.status()) as Steered).steeringGain;
const lockAt = (bench: Bench, percent: number, reason: string): Promise<Status> =>
	bench.untilStatus(
		(now) => Math.abs((now.telemetry["spec"] ?? -1) - percent) <= 1 && now.reason === reason && now.controlActive,
		PATIENT_MS,
		`${percent} % because ${reason}`,
	);

async function set(bench: Bench, body: unknown): Promise<number> {
	return (await bench.post("/api/settings", body)).code;
}

const steered = (generation: Generation, also = {}) => ({
	generation,
	settings: { mode: "5050", releaseRate: 0, steeringGain: GAIN, ...also },
});

describe("system: steering", () => {
	for (const generation of [1, 5] as const)
		it(`reduces lock at larger steering angles, on generation ${generation}`, () =>
			withBench(steered(generation), async (bench) => {
				const wheel = wheelOf(bench);
				turn(bench, wheel, 0);
				await lockAt(bench, 100, "control is active");
				for (const [deg, percent] of [
					[190, 60],
					[-190, 60],
					[400, 20],
				] as const) {
					turn(bench, wheel, deg);
					await lockAt(bench, percent, REDUCED);
				}
				const { angleDeg, ...now } = await shown(bench);
				assert.ok(Math.abs((angleDeg as number) - 400) < 0.1);
				const signal =
					generation === 5 ? "chassis|0x86|lwi lenkradwinkel|unit_degreofarc" : "chassis|0xc2|lw1 steering angle|deg";
				assert.deepEqual(now, { ...GAIN, signal, valid: true, gainPercent: 20 });
				turn(bench, wheel, -20);
				await lockAt(bench, 100, "control is active");
			}));

	it("commands open, not stock, at 0 %, and previews the reduced lock", () =>
		withBench(steered(5), async (bench) => {
			const wheel = wheelOf(bench);
			turn(bench, wheel, 0);
			await lockAt(bench, 100, "control is active");
			assert.equal(await set(bench, { steeringGain: { leastPercent: 0 } }), 200);
			turn(bench, wheel, 500);
			await bench.untilCommand(0);
			assert.equal((await lockAt(bench, 0, REDUCED)).effectiveMode, "5050");
			const ask = async (query: string) => bench.get(`/api/preview?mode=7030${query}`);
			assert.deepEqual([(await ask("&steering=190")).lock, (await ask("&steering=190")).gainPercent], [15, 50]);
			const { steering, lock, ungated } = await ask("");
			assert.deepEqual([steering, lock, ungated], [500, 0, 30]);
			assert.equal((await bench.ask("GET", "/api/preview?steering=721")).code, 400);
		}));
});

const broadcasts = (bench: Bench) => bench.chassis.arrived.filter((frame) => frame.id === 0x6b0);

/** Each coupling frame so far left on the chassis as it came. */
function allForwarded(bench: Bench, statusId: number): void {
	for (const id of [statusId, NUMBERED_COUPLING_ID]) {
		const found = passages(bench.coupling, bench.chassis, id);
		assert.ok(found.length > 20, `${found.length} frames 0x${id.toString(16)}`);
		assert.ok(found.every(({ rewritten }) => !rewritten));
	}
}

describe("system: return path", () => {
	for (const [generation, statusId, raw] of [
		[5, 0x118, "64"],
		[4, 0x2c0, "80"],
	] as const)
		it(`sends 0x6B0 every 200 ms with the specified bytes, generation ${generation}`, () =>
			withBench({ generation, settings: { mode: "MAP", releaseRate: 0 } }, async (bench) => {
				bench.show(30, 30);
				await bench.untilCommand();
				await until(() => broadcasts(bench).length >= 16, 9000, "16 broadcasts");
				const frames = broadcasts(bench);
				const last = frames[frames.length - 1];
				// 0, not standalone, raw engagement, lock, speed, no override, MAP, pedal
				assert.equal(hex(last.data), `0000${raw}141e00091e`);
				assert.ok(!last.extended && !last.rtr);
				const meanMs = (last.at - frames[0].at) / (frames.length - 1);
				assert.ok(Math.abs(meanMs - 200) <= 4, `every ${meanMs} ms`);
				bench.show(300, 100);
				await bench.untilStatus((status) => status.telemetry["speed"] === 300, 1000, "300 km/h");
				const count = broadcasts(bench).length;
				await until(() => broadcasts(bench).length >= count + 2, 1000, "two more");
				const fast = broadcasts(bench)[count + 1].data;
				assert.deepEqual([fast[4], fast[7]], [255, 100]);
				allForwarded(bench, statusId);
			}));

	it("sends no 0x6B0 with the broadcast off, and forwards all the same", () =>
		withBench({ settings: { mode: "MAP", broadcastOverCan: false } }, async (bench) => {
			bench.show(30, 30);
			await bench.untilCommand();
			await sleep(4000); // it listens for 3 s before the first one
			assert.equal(broadcasts(bench).length, 0);
			allForwarded(bench, 0x118);
		}));
});
