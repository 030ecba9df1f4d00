import assert from "node:assert/strict";
import { atOnce } from "../../src/storage/write-queue.js";
import { STANDS_MS } from "../../src/update/refusal.js";
import { SelfTest } from "../../src/update/self-test.js";
import { MemoryFiles } from "../support/memory-files.js";
import { FakeFetch, FakeFirmware } from "../support/update-bench.js";

function failsToWrite(files: MemoryFiles): void {
	files.onWrite = () => {
		throw new Error("write failed");
	};
}

class Bench {
	readonly firmware = new FakeFirmware();
	readonly fetch = new FakeFetch();
	readonly log: string[] = [];
	/** How often it was confirmed when somebody was told that it is kept. */
	readonly kept: number[] = [];
	nowMs = 0;
	readonly car = {
		controlActive: false,
		supervisor: { disabled: false },
		vehicle: { motion: "stands" as "stands" | "moves" },
		sample: { chassisAgeMs: 5 },
		loop: { ticks: 0 },
	};
	ticksPerS = 100;
	readonly files = new MemoryFiles();
	serverStatus = 200;
	readonly selfTest: SelfTest;

	constructor(pendingVerify = true) {
		this.firmware.pendingVerify = pendingVerify;
		const bench = this;
		const options = {
			car: this.car,
			files: this.files,
			writes: { add: atOnce },
			firmware: this.firmware,
			ownFetch: this.fetch,
			ownUrl: () => "http://127.0.0.1/",
			clock: {
				get ticks() {
					return bench.nowMs;
				},
			},
			log: (_level: string, message: string) => this.log.push(message),
		};
		this.selfTest = new SelfTest(
			options,
			() => this.kept.push(this.firmware.confirmed),
			() => this.firmware.restart(),
		);
	}

	/** One step, in which so many control ticks come. */
	step(ms: number, ticks = ms / 10): void {
		this.nowMs += ms;
		this.car.loop.ticks += ticks;
		this.selfTest.tick();
	}

	pass(ms: number): void {
		for (let left = ms; left > 0; left -= 100) {
			this.nowMs += 100;
			this.car.loop.ticks += this.ticksPerS / 10;
			this.selfTest.tick();
			if (this.serverStatus !== 0) this.fetch.answer(Buffer.from("{}"), { status: this.serverStatus });
		}
	}
}

describe("update/self-test", () => {
	it("keeps the new firmware once loop, files and server have been seen to work", () => {
		const bench = new Bench();
		bench.pass(2000);
		assert.deepEqual([bench.firmware.confirmed, bench.kept], [0, []]);
		bench.pass(8000);
		assert.equal(bench.firmware.confirmed, 1);
		assert.deepEqual(bench.kept, [1], "told once");
		assert.equal(bench.firmware.restarts, 0);
	});

	it("leaves firmware that is confirmed alone", () => {
		const bench = new Bench(false);
		bench.ticksPerS = 0;
		bench.pass(100_000);
		assert.deepEqual([bench.firmware.confirmed, bench.firmware.restarts, bench.fetch.url], [0, 0, ""]);
	});

	for (const [what, broken, message] of [
		["the loop is late", (bench: Bench) => (bench.ticksPerS = 40), "the control loop is late"],
		["files can't be written", (bench: Bench) => failsToWrite(bench.files), "files can't be written: write failed"],
		["the server answers with an error", (bench: Bench) => (bench.serverStatus = 500), "the server does not answer"],
		["the server does not answer", (bench: Bench) => (bench.serverStatus = 0), "the server does not answer"],
		["there is no socket to ask it", (bench: Bench) => (bench.fetch.failing = true), "the server does not answer"],
		["the platform does not take it", (bench: Bench) => (bench.firmware.failing = "confirm"), "confirm failed"],
	] as const)
		it(`goes back when ${what}, but not while the car moves`, () => {
			const bench = new Bench();
			broken(bench);
			bench.car.vehicle.motion = "moves";
			bench.pass(120_000);
			assert.deepEqual([bench.firmware.confirmed, bench.firmware.restarts], [0, 0]);
			assert.equal(bench.log.length, 1);
			assert.ok(bench.log[0].endsWith(message), bench.log[0]);
			bench.car.vehicle.motion = "stands";
			bench.pass(STANDS_MS - 200);
			assert.equal(bench.firmware.restarts, 0, "one speed of 0 says little");
			bench.pass(300);
			assert.ok(bench.firmware.restarts > 0);
		});

	it("keeps the new firmware when the file system is full, which is not its fault", () => {
		const bench = new Bench();
		bench.files.capacity = 0;
		bench.pass(10_000);
		assert.deepEqual([bench.firmware.confirmed, bench.log.length], [1, 1]);
	});

	it("checks after 3 s, not before, and needs half of the ticks", () => {
		for (const [ticks, isEnough] of [
			[150, true],
			[149, false],
		] as const) {
			const bench = new Bench();
			bench.step(2999, 0);
			assert.equal(bench.fetch.url, "");
			bench.step(1, ticks);
			assert.equal(bench.fetch.url !== "", isEnough, `${ticks} ticks`);
		}
	});

	it("fails after 60 s, not before", () => {
		const bench = new Bench();
		failsToWrite(bench.files);
		bench.step(30_000);
		bench.step(29_999);
		assert.deepEqual([bench.firmware.restarts, bench.log], [0, []]);
		bench.step(1);
		assert.deepEqual([bench.firmware.restarts, bench.log.length], [1, 1]);
	});

	it("waits up to 60 s for a slow loop and server", () => {
		const bench = new Bench();
		bench.ticksPerS = 40;
		bench.serverStatus = 0;
		bench.pass(30_000);
		bench.fetch.failing = true;
		bench.ticksPerS = 100;
		bench.pass(10_000);
		bench.fetch.failing = false;
		bench.serverStatus = 200;
		bench.pass(12_000);
		assert.deepEqual([bench.firmware.confirmed, bench.firmware.restarts, bench.log.length], [1, 0, 1]);
	});
});
