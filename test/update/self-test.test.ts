import assert from "node:assert/strict";
import { atOnce, type Steps } from "../../src/storage/write-queue.js";
import { STANDS_MS } from "../../src/update/rejection.js";
import type { MemoryFiles } from "../support/memory-files.js";
import { FakeFirmware, OWN_KEY, UpdateBench } from "../support/update-bench.js";

function failsToWrite(files: MemoryFiles): void {
	files.onWrite = () => {
		throw new Error("write failed");
	};
}

/** An updater after the first start of new firmware. */
class Bench extends UpdateBench {
	ticksPerS = 100;
	serverStatus = 200;

	constructor(pendingVerify = true) {
		super("", OWN_KEY, undefined, Object.assign(new FakeFirmware(), { pendingVerify }));
	}

	/** @param ticks control ticks in this time */
	override step(ms: number, ticks = ms / 10): void {
		this.car.loop.ticks += ticks;
		super.step(ms);
	}

	override pass(ms: number): void {
		for (let left = ms; left > 0; left -= 100) {
			this.step(100, this.ticksPerS / 10);
			if (this.serverStatus !== 0) this.ownFetch.answer(Buffer.from("{}"), { status: this.serverStatus });
		}
	}
}

describe("update/self-test", () => {
	it("keeps the new firmware once loop, files and server have been seen to work", () => {
		const bench = new Bench();
		bench.pass(2000);
		assert.deepEqual([bench.firmware.confirmed, bench.newest.version], [0, ""]);
		bench.pass(8000);
		assert.deepEqual([bench.firmware.confirmed, bench.newest.version, bench.saves], [1, "v0.1.0", 1]);
		assert.equal(bench.firmware.restarts, 0);
	});

	it("leaves firmware that is confirmed alone", () => {
		const bench = new Bench(false);
		bench.ticksPerS = 0;
		bench.pass(100_000);
		assert.deepEqual([bench.firmware.confirmed, bench.firmware.restarts, bench.ownFetch.url], [0, 0, ""]);
	});

	for (const [what, broken, message] of [
		["the loop is late", (bench: Bench) => (bench.ticksPerS = 40), "the control loop is late"],
		["files can't be written", (bench: Bench) => failsToWrite(bench.files), "files can't be written: write failed"],
		["the server answers with an error", (bench: Bench) => (bench.serverStatus = 500), "the server does not answer"],
		["the server does not answer", (bench: Bench) => (bench.serverStatus = 0), "the server does not answer"],
		["there is no socket to ask it", (bench: Bench) => (bench.ownFetch.failing = true), "the server does not answer"],
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

	it("does not keep firmware whose last file is written after it has failed", () => {
		const bench = new Bench();
		const held: Steps[] = [];
		bench.pass(4000);
		bench.writes.add = (job) => void held.push(job);
		bench.car.vehicle.motion = "moves";
		bench.pass(60_000);
		for (const job of held) atOnce(job);
		bench.pass(10_000);
		assert.deepEqual([held.length, bench.firmware.confirmed, bench.firmware.restarts], [1, 0, 0]);
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
			assert.equal(bench.ownFetch.url, "");
			bench.step(1, ticks);
			assert.equal(bench.ownFetch.url !== "", isEnough, `${ticks} ticks`);
		}
	});

	it("fails after 60 s, not before", () => {
		const bench = new Bench();
		failsToWrite(bench.files);
		bench.step(30_000);
		bench.step(29_999);
		assert.deepEqual([bench.firmware.restarts, bench.log], [0, []]);
		bench.step(1);
		assert.equal(bench.firmware.restarts, 1);
		assert.match(bench.log[0], /^the new firmware fails its self-test/);
	});

	it("waits up to 60 s for a slow loop and server", () => {
		const bench = new Bench();
		bench.ticksPerS = 40;
		bench.serverStatus = 0;
		bench.pass(30_000);
		bench.ownFetch.failing = true;
		bench.ticksPerS = 100;
		bench.pass(10_000);
		bench.ownFetch.failing = false;
		bench.serverStatus = 200;
		bench.pass(12_000);
		assert.deepEqual([bench.firmware.confirmed, bench.firmware.restarts, bench.log.length], [1, 0, 1]);
	});
});
