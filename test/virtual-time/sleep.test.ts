/**
 * Parked sleep, from outside: when it sleeps, what wakes it, and that nothing is lost or stored by it.
 * SAFETY.md H29.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Generation } from "../system/car-rows.js";
import { type Car, type CarOptions, type Sent, withCar } from "./car.js";

const DELAY_MS = 5000;
const AWAKE_LEAST_MS = 60_000;
/** Without a reason to stay awake it would sleep by then. */
const ASLEEP_BY_MS = AWAKE_LEAST_MS + 3 * DELAY_MS;
/** Pedal and engine speed of generations 1 to 4: none, in a frame of zeros. */
const ENGINE_FRAME = 0x280;
const SPEED_FRAME = 0x1a0;
const LOOK_MS = 1000;

/** A car that sends nothing until the test lets it, and a controller that sleeps as soon as it may. */
function parked(
	use: (car: Car) => Promise<void>,
	settings: Record<string, unknown> = {},
	{ generation = 4, ...options }: CarOptions & { generation?: Generation } = {},
): Promise<void> {
	const lowPower = { sleepEnabled: true, sleepDelayMs: DELAY_MS, wakeTimerSeconds: 300, probeDurationMs: 1200 };
	const sleepy = { mode: "MAP", setupDone: true, sleepAllowed: true, lowPower, ...settings };
	return withCar(generation, sleepy, use, { comes: null, ...options });
}

async function drive(car: Car, ms: number): Promise<void> {
	car.comes = car.drives;
	await car.run(ms);
	car.comes = null;
}

const sleeps = (car: Car): number => car.lockstep.log.filter((line) => line.startsWith("asleep: ")).length;

/** Lets time go on, for this long at most. @returns whether it fell asleep, and what left meanwhile */
async function sleepsWithin(car: Car, ms: number): Promise<{ asleepAfterMs: number | undefined; left: Sent[] }> {
	const before = sleeps(car);
	const left: Sent[] = [];
	for (let at = 0; at < ms; at += LOOK_MS) {
		left.push(...(await car.run(LOOK_MS)));
		if (sleeps(car) > before) return { asleepAfterMs: at + LOOK_MS, left };
	}
	return { asleepAfterMs: undefined, left };
}

/** When each file and folder on flash was last changed, by the machine's clock. */
function changedMs({ flash }: Car): Record<string, number> {
	const names = ["", ...(readdirSync(flash, { recursive: true }) as string[])].sort();
	return Object.fromEntries(names.map((name) => [name, statSync(join(flash, name)).mtimeMs]));
}

describe("parked sleep", function () {
	this.timeout(120_000);

	it("begins in a silent parked car, ends with its first frame, and forwards the next before any script runs", () =>
		parked(async (car) => {
			await drive(car, 3000);
			car.send(0, ENGINE_FRAME, new Uint8Array(8));
			const stored = car.stored("settings.json");
			assert.ok(((await sleepsWithin(car, ASLEEP_BY_MS)).asleepAfterMs ?? 0) >= AWAKE_LEAST_MS - 4000);
			assert.equal(car.stored("settings.json"), stored, "nothing of it is stored");
			assert.match(car.stored("logs/all.txt"), /parked sleep begins/);

			await car.run(20_000);
			car.send(1, 0x2c0, Uint8Array.of(1, 2, 3));
			assert.deepEqual(await car.run(1000), [], "asleep it bridges nothing");
			assert.equal(car.lockstep.starts, 1, "the coupling does not wake it");

			car.send(0, SPEED_FRAME, new Uint8Array(8));
			await car.run(1000);
			assert.equal(car.lockstep.starts, 2);
			const ran = car.lockstep.log.find((line) => line.startsWith("frames are forwarded after"));
			const [, operations] = /after (\d+) storage operations, before the engine starts/.exec(ran ?? "") ?? [];
			assert.ok(Number(operations) <= 8, ran);
			car.send(0, SPEED_FRAME, new Uint8Array(8));
			assert.deepEqual(
				(await car.run(10)).map(({ bus, id }) => [bus, id]),
				[[1, SPEED_FRAME]],
			);

			await drive(car, 3000);
			const { mode, effectiveMode, bootReason, power } = await car.status();
			assert.deepEqual([mode, effectiveMode, bootReason], ["MAP", "MAP", "wake"]);
			assert.deepEqual([power.wakeCause, power.deepSleepEntries], ["can_rx", 1]);
		}));

	it("stores a mode that was selected just before", () =>
		parked(async (car) => {
			await car.run(AWAKE_LEAST_MS);
			await car.ask("POST", "/api/mode", { mode: "7030" });
			assert.notEqual((await sleepsWithin(car, 3 * DELAY_MS)).asleepAfterMs, undefined);
			assert.equal(JSON.parse(car.stored("settings.json")).mode, "7030");
		}));

	it("ends by timer, keeps the bus silent, changes no file, and begins again", () =>
		parked(async (car) => {
			await sleepsWithin(car, ASLEEP_BY_MS);
			const changed = changedMs(car);
			const { left } = await sleepsWithin(car, 400_000);
			assert.deepEqual([car.lockstep.starts, sleeps(car)], [2, 2]);
			assert.deepEqual(changedMs(car), changed);
			assert.deepEqual(left, []);
			assert.deepEqual(
				car.lockstep.log.filter((line) => line.startsWith("woken")),
				["woken after 300 s: timer"],
			);
		}));

	it("switches only the radio off while a parked car sends 800 frames/s, and forwards each", () =>
		parked(
			async (car) => {
				let ignition = 0;
				car.comes = (send, ms) => {
					if (ms % 5 !== 0) send(0, 0x5f0, Uint8Array.of(ms, ms >> 8));
					else if (ms % 1000 === 500) send(0, 0x3c0, Uint8Array.of(0, 0, ignition, 0));
				};
				const tells = (text: string) => car.lockstep.log.some((line) => line.includes(text));
				await car.run(58_000);
				assert.ok(!tells("Wi-Fi is off"));
				const left = await car.run(10_000);
				assert.ok(tells("Wi-Fi is off, and frames are forwarded"));
				assert.ok(left.filter(({ bus, id }) => bus === 1 && id === 0x5f0).length >= 7990);
				assert.equal(sleeps(car), 0);
				ignition = 2;
				await car.run(2000);
				assert.ok(tells("Wi-Fi is on again"));
				const { framesPerS, parkedBelowFramesPerS } = (await car.status()).power;
				assert.ok(framesPerS >= 700 && parkedBelowFramesPerS === 1100, `${framesPerS} ${parkedBelowFramesPerS}`);
			},
			{ logging: { serial: true } },
			{ generation: 5 },
		));

	it("does not begin in a car that moved when its bus was lost", () =>
		parked(
			async (car) => {
				await drive(car, 2000);
				assert.equal((await sleepsWithin(car, ASLEEP_BY_MS)).asleepAfterMs, undefined);
				assert.match((await car.status()).power.waits, /^the car moved when its speed was last known/);
			},
			{},
			{ speedKmh: 80 },
		));

	it("does not begin while an event stream is open", () =>
		parked(async (car) => {
			const socket = await car.lockstep.connect();
			socket.resume();
			socket.write("GET /api/events?hz=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
			assert.equal((await sleepsWithin(car, ASLEEP_BY_MS)).asleepAfterMs, undefined);
			socket.destroy();
			await once(socket, "close");
			assert.notEqual((await sleepsWithin(car, 4 * DELAY_MS)).asleepAfterMs, undefined);
		}));
});
