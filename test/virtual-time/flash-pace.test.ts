/**
 * Both buses full while the flash is erased and written at the pace of a board, in virtual time: no frame is
 * lost or late, on either board's path, and writes leave the lease of the plan alone. Nothing here depends on
 * how busy this computer is.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EXTENDED } from "../../tools/campaign/frame-judge.js";
import { HostileCar } from "../../tools/campaign/hostile-car.js";
import { type Answer, Lockstep } from "../../tools/campaign/lockstep.js";
import { PROGRAM } from "../hal/host/host-program.js";
import { generator } from "../support/random.js";
import { anImage } from "../support/update-bench.js";

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

/** Writes such a log of a car of generation 5 at this speed. @returns how many frames each bus has */
function writeFullBuses(path: string, seconds: number, kmh: number): [number, number] {
	const car = new HostileCar(5);
	car.speedKmh = kmh;
	const count: [number, number] = [0, 0];
	const lines: string[] = [];
	for (let ms = 0; ms < seconds * 1000; ms++) {
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
	lines.sort();
	writeFileSync(path, lines.join(""));
	return count;
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

class PacedController {
	readonly #folder = mkdtempSync(join(tmpdir(), "oc-paced-"));
	readonly #record = join(this.#folder, "out.log");
	#sent: [number, number] = [0, 0];
	#lockstep!: Lockstep;

	/**
	 * @param mode stored before the start
	 * @param files of the flash, by path
	 * @param more arguments of the program
	 */
	async start(pace: string, seconds: number, kmh: number, mode: string, { files, more }: Begin): Promise<void> {
		const [flash, log] = [join(this.#folder, "flash"), join(this.#folder, "in.log")];
		for (const [path, content] of Object.entries(files ?? {})) {
			mkdirSync(dirname(join(flash, path)), { recursive: true });
			writeFileSync(join(flash, path), content);
		}
		mkdirSync(flash, { recursive: true });
		writeFileSync(join(flash, "settings.json"), JSON.stringify({ format: 1, generation: 5, mode }));
		this.#sent = writeFullBuses(log, seconds, kmh);
		const args = ["--flash", flash, "--flash-pace", pace, "--replay", log, "--record", this.#record, ...(more ?? [])];
		this.#lockstep = await Lockstep.start(PROGRAM, join(this.#folder, "http"), args);
	}

	/** ms since the start. */
	get ms(): number {
		return this.#lockstep.ms;
	}

	run = async (ms: number): Promise<void> => {
		await this.#lockstep.run(ms);
	};

	connect = () => this.#lockstep.connect();

	/** @param text a fault, its times from now on */
	fault = (text: string): void => this.#lockstep.command(`fault ${text}`);

	async ask(method: string, path: string, body?: object): Promise<unknown> {
		const answer = await this.#lockstep.ask(method, path, body === undefined ? "" : JSON.stringify(body), this.run);
		assert.equal(answer?.code, 200, `${method} ${path}: ${(answer as Answer | undefined)?.text}`);
		return JSON.parse((answer as Answer).text);
	}

	status = async (): Promise<Status> => (await this.ask("GET", "/api/status")) as Status;

	async until(condition: (status: Status) => boolean, limitMs: number): Promise<Status> {
		const limit = this.ms + limitMs;
		for (;;) {
			const status = await this.status();
			if (condition(status)) return status;
			assert.ok(this.ms < limit, `after ${limitMs} ms: ${status.reason}`);
			await this.run(STEP_MS);
		}
	}

	/**
	 * Lets the rest of the frames pass, and judges them all.
	 * @param lost while the coupling bus was off
	 * @returns what is told of them
	 */
	async judge(seconds: number, lost: number): Promise<string> {
		await this.run(seconds * 1000 - this.ms + 100);
		const { gateway } = await this.status();
		const [chassis, coupling] = this.#sent;
		assert.equal(gateway["receivedChassis"], chassis);
		assert.ok((gateway["receivedCoupling"] as number) >= coupling - lost);
		assert.equal(gateway["forwardedToChassis"], gateway["receivedCoupling"]);
		assert.ok((gateway["forwardedToCoupling"] as number) >= chassis - lost);
		assert.equal(gateway["late"], 0);
		await this.#lockstep.end();
		const { count, oldestMs } = readFillers(this.#record);
		assert.ok(count > 1000 && oldestMs <= OLDEST_MS, `${count} frames, the oldest ${oldestMs} ms`);
		const missing = chassis + coupling - (gateway["forwardedToCoupling"] as number) - (gateway["forwardedToChassis"] as number);
		return `of ${chassis + coupling} frames ${missing} lost, the oldest ${oldestMs.toFixed(1)} ms; ${gateway["leaseExpiries"]} leases ran out`;
	}

	async end(): Promise<void> {
		await this.#lockstep.kill();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

async function paced(
	pace: string,
	seconds: number,
	kmh: number,
	work: (controller: PacedController) => Promise<string>,
	begin: Begin = {},
): Promise<void> {
	const controller = new PacedController();
	try {
		await controller.start(pace, seconds, kmh, kmh > 0 ? "MAP" : "STOCK", begin);
		if (kmh > 0) await controller.until(({ controlActive }) => controlActive, 3000);
		else await controller.run(1000); // it is known that the car stands
		const fromMs = controller.ms;
		const told = await work(controller);
		const tookMs = controller.ms - fromMs;
		assert.ok(controller.ms < seconds * 1000, `${controller.ms} ms: frames came to an end before the work did`);
		console.log(`      ${pace}: ${told}, ${(tookMs / 1000).toFixed(1)} s; ${await controller.judge(seconds, begin.lost ?? 0)}`);
	} finally {
		await controller.end();
	}
}

/** Settings, frame plans, maps, logs of the frames and their copies, clients that want all of it at once. */
async function writeMuch(controller: PacedController): Promise<string> {
	await controller.ask("POST", "/api/settings", { logCanEnabled: true });
	for (let i = 0; i < 3; i++) {
		await controller.ask("POST", "/api/settings", { disableSpeed: 140 + i });
		// another frame plan, while what was changed before is being written
		await controller.ask("POST", "/api/settings", { frameProfile: i % 2 === 0 ? "corrected" : "reference" });
		await controller.ask("POST", "/api/map", (await controller.ask("GET", "/api/map")) as object);
		await controller.ask("POST", "/api/maps/save", { name: `map ${i}` });
		await controller.ask("POST", "/api/wifi", { ssid: `net ${i}`, password: "password1" });
	}
	await controller.ask("POST", "/api/maps/load", { name: "map 0" });
	await controller.ask("POST", "/api/maps/delete", { name: "map 1" });
	assert.ok((await controller.status()).storageWaiting, "the lines about it wait");
	const { controlActive, gateway } = await controller.until(({ storageWaiting }) => !storageWaiting, 10_000);
	assert.ok(controlActive);
	assert.equal(gateway["leaseExpiries"], 0);
	return "settings, 5 maps, Wi-Fi, logs";
}

/**
 * A setting and the line about it while each erase takes as long as the flash chips permit: control gives
 * way, and is back at once.
 */
async function writeSlowly(controller: PacedController): Promise<string> {
	await controller.ask("POST", "/api/settings", { disableSpeed: 140 });
	await controller.until(({ storageWaiting }) => !storageWaiting, 30_000);
	await controller.run(TICK_MS);
	const { controlActive, gateway } = await controller.status();
	assert.ok(controlActive, "control is back");
	assert.ok((gateway["leaseExpiries"] as number) > 0, "no erase is as short as the lease");
	return "a setting, logs";
}

/**
 * The coupling bus goes off and returns while the flash is erased: nothing follows its state but what runs
 * afterwards.
 */
async function goBusOff(controller: PacedController): Promise<string> {
	controller.fault(`flash-blocks=100:${SLOWEST_MS}`);
	controller.fault("bus-off-coupling=200:100");
	await controller.run(2000);
	await controller.until(({ controlActive }) => controlActive, 5000);
	return "bus-off";
}

/**
 * Whoever starts finds the logs full: each of them is rotated while the first lines are written, beside a
 * block of the slowest kind.
 */
async function rotate(controller: PacedController): Promise<string> {
	controller.fault(`flash-blocks=50:${SLOWEST_MS}`);
	await controller.ask("POST", "/api/settings", { logCanEnabled: true, disableSpeed: 140 });
	const { controlActive } = await controller.until(({ storageWaiting }) => !storageWaiting, 20_000);
	assert.ok(controlActive);
	const { files } = (await controller.ask("GET", "/api/logs")) as { files: { path: string }[] };
	assert.ok(
		files.some(({ path }) => path === "/logs/all.1.txt"),
		"it was rotated",
	);
	return "rotation of the logs";
}

/**
 * Blocks at random times, of random lengths, while somebody asks and writes: a lease runs out in the long
 * ones, and only there.
 */
async function blockAtRandom(controller: PacedController, seed: number): Promise<string> {
	const { below } = generator(seed);
	const before = (await controller.status()).gateway["leaseExpiries"] as number;
	let [least, most] = [0, 0];
	for (let i = 0; i < BLOCKS; i++) {
		const ms = below(SLOWEST_MS) + 1;
		const at = below(100);
		if (ms > LEASE_MS + TICK_MS) least++;
		if (ms > LEASE_MS - 3 * TICK_MS) most++;
		controller.fault(`flash-blocks=${at}:${ms}`);
		await controller.run(below(at + ms));
		await controller.ask("GET", below(2) === 0 ? "/api/status" : "/api/canview");
		await controller.run(at + ms + 100 + below(200));
		const { controlActive, reason } = await controller.status();
		assert.ok(controlActive, `block ${i} of ${ms} ms: ${reason}`);
	}
	const ranOut = ((await controller.status()).gateway["leaseExpiries"] as number) - before;
	assert.ok(ranOut >= least && ranOut <= most, `${ranOut} leases ran out, ${least} to ${most} of ${BLOCKS} blocks are that long`);
	return `${BLOCKS} blocks at random`;
}

/** All but the end of it, after which the controller would start anew. */
async function update(controller: PacedController): Promise<string> {
	const image = anImage({ segments: [600_000] });
	const socket = await controller.connect();
	try {
		const head = `POST /ota/update HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/octet-stream\r\nContent-Length: ${image.length}`;
		socket.write(`${head}\r\n\r\n`);
		socket.write(image.subarray(0, -1000));
		for (let bytesDone = 0; bytesDone < image.length - 10_000; ) {
			await controller.run(STEP_MS);
			({ bytesDone } = (await controller.ask("GET", "/api/update")) as { bytesDone: number });
		}
	} finally {
		socket.destroy();
	}
	return "an update of 600 KB";
}

describe("virtual time: the flash at a board's pace, both buses full", function () {
	this.timeout(200_000);

	for (const [pace, what, seconds, kmh, work] of [
		["c6", "settings, maps and logs leave the lease alone", 12, 50, writeMuch],
		["t2can", "settings, maps and logs leave the lease alone", 12, 50, writeMuch],
		["c6:600", "control gives way to erases at their slowest, and is back at once", 15, 50, writeSlowly],
		["c6", "an update of 600 KB", 16, 0, update],
	] as const)
		it(`${pace}: no frame is lost or late: ${what}`, () => paced(pace, seconds, kmh, work));

	it("c6: where the coupling bus goes off during an erase frames are lost while it is off, and control is back afterwards", () =>
		paced("c6", 7, 50, goBusOff, { lost: 460 }));

	it("c6: no frame is lost or late: a start during an erase", () =>
		paced("c6", 4, 50, async () => "a start", { more: ["--fault", `flash-blocks=1:${SLOWEST_MS}`] }));

	it("c6: no frame is lost or late: full logs are rotated during an erase", () => {
		const names = ["all", "can/can", "error/error"].map((stem) => `${stem}.txt`);
		return paced("c6", 8, 50, rotate, { files: Object.fromEntries(names.map((name) => [`logs/${name}`, FULL_LOG])) });
	});

	for (const seed of [1, 2])
		it(`c6: no frame is lost or late, and leases run out in long blocks only: at random, seed ${seed}`, () =>
			paced("c6", 15, 50, (controller) => blockAtRandom(controller, seed)));
});
