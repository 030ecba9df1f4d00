/**
 * Both buses full while the flash is erased and written at the pace of a board, in virtual time: no frame is lost or late, on either board's
 * path, and writes leave the lease of the plan alone. Nothing here depends on how busy this computer is.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, Lockstep } from "../../tools/campaign/lockstep.js";
import { PROGRAM } from "../hal/host/host-program.js";
import { readFillers, writeFullBuses } from "../support/full-buses.js";
import { anImage } from "../support/update-bench.js";

const STEP_MS = 50;
const OLDEST_MS = 5;
const TICK_MS = 10;

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

	/** @param mode stored before the start */
	async start(pace: string, seconds: number, kmh: number, mode: string): Promise<void> {
		const [flash, log] = [join(this.#folder, "flash"), join(this.#folder, "in.log")];
		mkdirSync(flash);
		writeFileSync(join(flash, "settings.json"), JSON.stringify({ format: 1, generation: 5, mode }));
		this.#sent = writeFullBuses(log, seconds, kmh);
		const args = ["--flash", flash, "--flash-pace", pace, "--replay", log, "--record", this.#record];
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

	/** Lets the rest of the frames pass, and judges them all. @returns what is told of them */
	async judge(seconds: number): Promise<string> {
		await this.run(seconds * 1000 - this.ms + 100);
		const { gateway } = await this.status();
		const [chassis, coupling] = this.#sent;
		assert.deepEqual([gateway["receivedChassis"], gateway["receivedCoupling"]], [chassis, coupling]);
		assert.deepEqual([gateway["forwardedToCoupling"], gateway["forwardedToChassis"]], [chassis, coupling]);
		assert.equal(gateway["late"], 0);
		await this.#lockstep.end();
		const { count, oldestMs } = readFillers(this.#record);
		assert.ok(count > 1000 && oldestMs <= OLDEST_MS, `${count} frames, the oldest ${oldestMs} ms`);
		return `of ${chassis + coupling} frames 0 lost, the oldest ${oldestMs.toFixed(1)} ms; ${gateway["leaseExpiries"]} leases ran out`;
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
): Promise<void> {
	const controller = new PacedController();
	try {
		await controller.start(pace, seconds, kmh, kmh > 0 ? "MAP" : "STOCK");
		if (kmh > 0) await controller.until(({ controlActive }) => controlActive, 3000);
		else await controller.run(1000); // it is known that the car stands
		const fromMs = controller.ms;
		const told = await work(controller);
		const tookMs = controller.ms - fromMs;
		assert.ok(controller.ms < seconds * 1000, `${controller.ms} ms: frames came to an end before the work did`);
		console.log(`      ${pace}: ${told}, ${(tookMs / 1000).toFixed(1)} s; ${await controller.judge(seconds)}`);
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

/** A setting and the line about it while each erase takes as long as the flash chips permit: control gives way, and is back at once. */
async function writeSlowly(controller: PacedController): Promise<string> {
	await controller.ask("POST", "/api/settings", { disableSpeed: 140 });
	await controller.until(({ storageWaiting }) => !storageWaiting, 30_000);
	await controller.run(TICK_MS);
	const { controlActive, gateway } = await controller.status();
	assert.ok(controlActive, "control is back");
	assert.ok((gateway["leaseExpiries"] as number) > 0, "no erase is as short as the lease");
	return "a setting, logs";
}

/** All but the end of it, after which the controller would start anew. */
async function update(controller: PacedController): Promise<string> {
	const image = anImage({ segments: [1_200_000] });
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
	return "an update of 1.2 MB";
}

describe("system: the flash at a board's pace, both buses full", function () {
	this.timeout(200_000);

	for (const [pace, what, seconds, kmh, work] of [
		["c6", "settings, maps and logs leave the lease alone", 12, 50, writeMuch],
		["t2can", "settings, maps and logs leave the lease alone", 12, 50, writeMuch],
		["c6:600", "control gives way to erases at their slowest, and is back at once", 20, 50, writeSlowly],
		["c6", "an update of 1.2 MB", 28, 0, update],
		["t2can", "an update of 1.2 MB", 28, 0, update],
	] as const)
		it(`${pace}: no frame is lost or late: ${what}`, () => paced(pace, seconds, kmh, work));
});
