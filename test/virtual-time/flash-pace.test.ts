/**
 * Both buses full while the flash is erased and written at the pace of a board, in virtual time: no frame is
 * lost or late, on either board's path, and writes leave the lease of the plan alone. Nothing here depends on
 * how busy this computer is.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXTENDED } from "../../tools/campaign/frame-judge.js";
import { HostileCar } from "../../tools/campaign/hostile-car.js";
import { anImage } from "../../tools/device/sample-image.js";
import { generator } from "../../tools/random.js";
import { type Car, withCar } from "./car.js";

const STEP_MS = 50;
const OLDEST_MS = 5;
const TICK_MS = 10;
const LEASE_MS = 240;
/** ESP-IDF's time-out of an erase. */
const SLOWEST_MS = 600;
const BLOCKS = 12;
/** Of a log on this computer. */
const LOG_BYTES = 262_144;
const FULL_LOG = "a line of the log that was there before\n".repeat(Math.ceil(LOG_BYTES / 40));

/** Frames a second on each bus: 500 kbit/s hold no more of 8 bytes. */
const FULL_BUS = 4504;
const FILLER_ID = 0x7a0;

const stamp = (us: number): string => `(${String(Math.floor(us / 1e6)).padStart(4, "0")}.${String(us % 1e6).padStart(6, "0")})`;
const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, "0");

/** The longest log that a test plays. */
const LONGEST_S = 16;
/** Lines of a log of that length, by speed. */
const made = new Map<number, readonly string[]>();

/** Both buses full, with a car of generation 5 at this speed. */
function makeLines(kmh: number): readonly string[] {
	const car = new HostileCar(5);
	car.speedKmh = kmh;
	const count: [number, number] = [0, 0];
	const lines: string[] = [];
	for (let ms = 0; ms < LONGEST_S * 1000; ms++) {
		car.step(ms, (bus, { id, flags, data }) => {
			lines.push(`${stamp(ms * 1000)} can${bus} ${hex(id, flags & EXTENDED ? 8 : 3)}#${Buffer.from(data).toString("hex")}\n`);
			count[bus]++;
		});
		const full = Math.floor(((ms + 1) * FULL_BUS) / 1000);
		// the rest of the millisecond, one after the other
		for (const bus of [0, 1] as const)
			for (let us = ms * 1000 + 111 * (bus + 1); count[bus] < full; count[bus]++, us += 222)
				lines.push(`${stamp(us)} can${bus} ${hex(FILLER_ID, 3)}#${hex(us, 16)}\n`);
	}
	return lines.sort();
}

/** The first seconds of such a log, and how many frames each bus has. */
function fullBuses(seconds: number, kmh: number): { log: string; count: [number, number] } {
	assert.ok(seconds <= LONGEST_S, `${seconds} s of ${LONGEST_S} s`);
	const all = made.get(kmh) ?? makeLines(kmh);
	made.set(kmh, all);
	const end = stamp(seconds * 1e6);
	const lines = all.filter((line) => line < end);
	const chassis = lines.filter((line) => line.includes(" can0 ")).length;
	return { log: lines.join(""), count: [chassis, lines.length - chassis] };
}

/**
 * Of a recording of what left on the coupling bus: how many there were, and how old the oldest filler was,
 * ms.
 */
function readFillers(path: string): { count: number; oldestMs: number } {
	const fillers = [...readFileSync(path, "utf8").matchAll(/^\((\d+)\.(\d{6})\) \w+ 7A0#(\w{16})$/gm)];
	const ages = fillers.map(([, s, us, cameUs]) => Number(s) * 1e6 + Number(us) - Number.parseInt(cameUs, 16));
	return { count: fillers.length, oldestMs: ages.reduce((most, age) => Math.max(most, age), 0) / 1000 };
}

/** What is there before the start, and how many frames may be lost, of each direction. */
interface Begin {
	readonly files?: Readonly<Record<string, string>>;
	readonly more?: readonly string[];
	readonly lost?: number;
}

interface Status {
	readonly controlActive: boolean;
	readonly reason: string;
	readonly storageWaiting: boolean;
	readonly gateway: Readonly<Record<string, number>>;
}

async function untilStatus(car: Car, condition: (status: Status) => boolean, limitMs: number): Promise<Status> {
	for (const limit = car.lockstep.ms + limitMs; ; ) {
		const status: Status = await car.status();
		if (condition(status)) return status;
		assert.ok(car.lockstep.ms < limit, `after ${limitMs} ms: ${status.reason}`);
		await car.run(STEP_MS);
	}
}

/** Lets the rest of the frames pass, and judges them all. */
async function judge(car: Car, seconds: number, [chassis, coupling]: readonly number[], lost: number): Promise<void> {
	await car.run(seconds * 1000 - car.lockstep.ms + 100);
	const { gateway }: Status = await car.status();
	assert.equal(gateway["receivedChassis"], chassis);
	assert.ok(gateway["receivedCoupling"] >= coupling - lost);
	assert.equal(gateway["forwardedToChassis"], gateway["receivedCoupling"]);
	assert.ok(gateway["forwardedToCoupling"] >= chassis - lost);
	assert.equal(gateway["late"], 0);
	await car.lockstep.end();
	const { count, oldestMs } = readFillers(join(car.folder, "out.log"));
	assert.ok(count > 1000 && oldestMs <= OLDEST_MS, `${count} frames, the oldest ${oldestMs} ms`);
}

/** @param lost in `begin`: while the coupling bus was off */
function paced(
	pace: string,
	seconds: number,
	kmh: number,
	work: (car: Car) => Promise<void>,
	{ files = {}, more = [], lost = 0 }: Begin = {},
): Promise<void> {
	const { log, count } = fullBuses(seconds, kmh);
	const replay = ["--flash-pace", pace, "--replay", "FOLDER/in.log", "--record", "FOLDER/out.log"];
	return withCar(
		5,
		{ mode: kmh > 0 ? "MAP" : "STOCK" },
		async (car) => {
			if (kmh > 0) await untilStatus(car, ({ controlActive }) => controlActive, 3000);
			else await car.run(1000); // it is known that the car stands
			await work(car);
			assert.ok(car.lockstep.ms < seconds * 1000, `${car.lockstep.ms} ms: frames came to an end before the work did`);
			await judge(car, seconds, count, lost);
		},
		{ comes: null, files: { ...files, "../in.log": log }, args: [...replay, ...more] },
	);
}

/** Settings, frame plans, maps, logs of the frames and their copies, clients that want all of it at once. */
async function writeMuch(car: Car): Promise<void> {
	for (let i = 0; i < 3; i++) {
		await car.ask("POST", "/api/settings", { disableSpeed: 140 + i });
		// another frame plan, while what was changed before is being written
		await car.ask("POST", "/api/settings", { frameProfile: i % 2 === 0 ? "corrected" : "reference" });
		await car.ask("POST", "/api/map", await car.ask("GET", "/api/map"));
		await car.ask("POST", "/api/maps/save", { name: `map ${i}` });
		await car.ask("POST", "/api/wifi", { ssid: `net ${i}`, password: "password1" });
	}
	await car.ask("POST", "/api/maps/load", { name: "map 0" });
	await car.ask("POST", "/api/maps/delete", { name: "map 1" });
	assert.ok((await car.status()).storageWaiting, "the lines about it wait");
	const { controlActive, gateway } = await untilStatus(car, ({ storageWaiting }) => !storageWaiting, 10_000);
	assert.ok(controlActive);
	assert.equal(gateway["leaseExpiries"], 0);
}

/**
 * A setting and the line about it while each erase takes as long as the flash chips permit: control gives
 * way, and is back at once.
 */
async function writeSlowly(car: Car): Promise<void> {
	await car.ask("POST", "/api/settings", { disableSpeed: 140 });
	await untilStatus(car, ({ storageWaiting }) => !storageWaiting, 30_000);
	await car.run(TICK_MS);
	const { controlActive, gateway } = await car.status();
	assert.ok(controlActive, "control is back");
	assert.ok(gateway["leaseExpiries"] > 0, "no erase is as short as the lease");
}

/**
 * The coupling bus goes off and returns while the flash is erased: nothing follows its state but what runs
 * afterwards.
 */
async function goBusOff(car: Car): Promise<void> {
	car.command(`fault flash-blocks=100:${SLOWEST_MS}`);
	car.command("fault bus-off-coupling=200:100");
	await car.run(2000);
	await untilStatus(car, ({ controlActive }) => controlActive, 5000);
}

/**
 * Logs that are full at the start: each is rotated while the first lines are written, beside a block of the
 * slowest kind.
 */
async function rotate(car: Car): Promise<void> {
	car.command(`fault flash-blocks=50:${SLOWEST_MS}`);
	await car.ask("POST", "/api/settings", { disableSpeed: 140 });
	const { controlActive } = await untilStatus(car, ({ storageWaiting }) => !storageWaiting, 20_000);
	assert.ok(controlActive);
	const { files } = await car.ask("GET", "/api/logs");
	assert.ok(
		files.some(({ path }: { path: string }) => path === "/logs/all.1.txt"),
		"it was rotated",
	);
}

/**
 * Blocks at random times, of random lengths, while a client asks and writes: a lease runs out in the long
 * ones, and only there.
 */
async function blockAtRandom(car: Car, seed: number): Promise<void> {
	const { below } = generator(seed);
	const before = (await car.status()).gateway.leaseExpiries;
	let [least, most] = [0, 0];
	for (let i = 0; i < BLOCKS; i++) {
		const ms = below(SLOWEST_MS) + 1;
		const at = below(100);
		if (ms > LEASE_MS + TICK_MS) least++;
		if (ms > LEASE_MS - 3 * TICK_MS) most++;
		car.command(`fault flash-blocks=${at}:${ms}`);
		await car.run(below(at + ms));
		await car.ask("GET", below(2) === 0 ? "/api/status" : "/api/canview");
		await car.run(at + ms + 100 + below(200));
		const { controlActive, reason } = await car.status();
		assert.ok(controlActive, `block ${i} of ${ms} ms: ${reason}`);
	}
	const ranOut = (await car.status()).gateway.leaseExpiries - before;
	assert.ok(ranOut >= least && ranOut <= most, `${ranOut} leases ran out, ${least} to ${most} of ${BLOCKS} blocks are that long`);
}

/** All but the end of it, after which the controller would start anew. */
async function update(car: Car): Promise<void> {
	const image = anImage({ segments: [600_000] });
	const socket = await car.lockstep.connect();
	try {
		const head = `POST /ota/update HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/octet-stream\r\nContent-Length: ${image.length}`;
		socket.write(`${head}\r\n\r\n`);
		socket.write(image.subarray(0, -1000));
		for (let bytesDone = 0; bytesDone < image.length - 10_000; ) {
			await car.run(STEP_MS);
			({ bytesDone } = await car.ask("GET", "/api/update"));
		}
	} finally {
		socket.destroy();
	}
}

describe("virtual time: the flash at a board's pace, both buses full", function () {
	this.timeout(200_000);

	for (const [pace, what, seconds, kmh, work] of [
		["c6", "settings, maps and logs leave the lease alone", 12, 50, writeMuch],
		["t2can", "settings, maps and logs leave the lease alone", 12, 50, writeMuch],
		["c6:600", "control yields to erases at their slowest, and is back at once", 15, 50, writeSlowly],
		["c6", "an update of 600 KB", 16, 0, update],
	] as const)
		it(`${pace}: no frame is lost or late: ${what}`, () => paced(pace, seconds, kmh, work));

	it("c6: where the coupling bus goes off during an erase frames are lost while it is off, and control is back afterwards", () =>
		paced("c6", 7, 50, goBusOff, { lost: 460 }));

	it("c6: no frame is lost or late: a start during an erase", () =>
		paced("c6", 4, 50, async () => undefined, { more: ["--fault", `flash-blocks=1:${SLOWEST_MS}`] }));

	it("c6: no frame is lost or late: full logs are rotated during an erase", () => {
		const names = ["all", "can/can", "error/error"].map((stem) => `${stem}.txt`);
		return paced("c6", 8, 50, rotate, { files: Object.fromEntries(names.map((name) => [`logs/${name}`, FULL_LOG])) });
	});

	for (const seed of [1, 2])
		it(`c6: no frame is lost or late, and leases run out in long blocks only: at random, seed ${seed}`, () =>
			paced("c6", 15, 50, (car) => blockAtRandom(car, seed)));
});
