import assert from "node:assert/strict";
import { IMAGE_PROBLEM, SLOT_FAILED } from "../../src/update/firmware-image.js";
import { STANDS_MS } from "../../src/update/refusal.js";
import { anImage, sha256, UpdateBench } from "../support/update-bench.js";

const IMAGE = anImage();
const MANIFEST = { version: "v0.2.0", firmware: "fw.bin", sha256: sha256(IMAGE), size: IMAGE.length, board: "opencoupling-host" };

/** A bench that knows of a new version. */
function ready(manifest: object = MANIFEST): UpdateBench {
	const bench = new UpdateBench();
	bench.check(manifest);
	return bench;
}

/** A bench that downloads. */
function downloading(): UpdateBench {
	const bench = ready();
	assert.equal(bench.updater.install(), "");
	bench.pass(100);
	assert.equal(bench.fetch.url, "http://127.0.0.1/release/v0.2.0/fw.bin");
	return bench;
}

/** Nothing but the idle slot may have changed. */
function assertUntouched(bench: UpdateBench): void {
	const { updater, firmware } = bench;
	bench.pass(4000);
	assert.deepEqual([updater.phase, firmware.activated, firmware.restarts, bench.updating], ["idle", false, 0, false]);
	assert.deepEqual(
		[updater.stage, updater.bytesDone, updater.bytesTotal, updater.progressMs, updater.installing],
		["", 0, 0, 0, false],
	);
}

describe("update/updater: check", () => {
	it("answers at once and has the result later", () => {
		const bench = new UpdateBench();
		const { updater } = bench;
		updater.check();
		assert.deepEqual([updater.phase, updater.lastCheckMs, updater.available], ["checking", 1000, false]);
		bench.fetch.answer(Buffer.from(JSON.stringify(MANIFEST)), { pieceBytes: 7 });
		assert.deepEqual([updater.phase, updater.error, updater.manifest?.version, updater.available], ["idle", "", "v0.2.0", true]);
		assert.equal(updater.reachedInternet, true);
	});

	it("offers only what is newer, for this board and installable over the running version", () => {
		const offers = (changes: object) => ready({ ...MANIFEST, ...changes }).updater.available;
		assert.equal(offers({}), true);
		for (const version of ["v0.1.0", "0.1", "v0.0.9", "v0.1.0-rc.1"]) assert.equal(offers({ version }), false, version);
		assert.equal(offers({ board: "opencoupling-c6" }), false);
		assert.equal(offers({ minVersion: "v0.1.1" }), false);
		assert.equal(offers({ minVersion: "v0.1.0" }), true);
		assert.equal(offers({ firmware: "" }), false);
	});

	it("says how it failed and keeps what the last good check found", () => {
		const bench = ready();
		const failsWith = (act: () => void, error: string) => {
			bench.updater.check();
			act();
			assert.deepEqual([bench.updater.error, bench.updater.phase], [error, "idle"]);
			assert.equal(bench.updater.manifest?.version, "v0.2.0");
		};
		failsWith(() => bench.fetch.answer(Buffer.from("no"), { status: 404 }), "http 404");
		failsWith(() => bench.fetch.answer(Buffer.from("{}")), "invalid json");
		failsWith(() => bench.fetch.answer(Buffer.from(" ".repeat(4096) + JSON.stringify(MANIFEST))), "invalid json");
		failsWith(() => bench.fetch.answer(Buffer.from("{"), { code: -5 }), "http -5");
		bench.online = false;
		failsWith(() => {}, "offline");
		assert.equal(bench.updater.reachedInternet, false);
	});

	it("says that an address can't be fetched from here", () => {
		const bench = new UpdateBench("https://example.invalid/version.json");
		bench.updater.check();
		assert.deepEqual([bench.updater.error, bench.updater.phase], ["begin failed", "idle"]);
	});

	it("logs what it found, or how it failed", () => {
		const bench = ready();
		bench.check({ ...MANIFEST, version: "v0.1.0" });
		bench.online = false;
		bench.updater.check();
		assert.deepEqual(bench.log, [
			"update check: v0.2.0 is available",
			"update check: v0.1.0 is known, nothing to install",
			"update check: offline",
		]);
	});

	it("checks only on request if it may not check by itself", () => {
		const bench = new UpdateBench();
		bench.checksByItself = false;
		bench.pass(700_000);
		assert.equal(bench.updater.lastCheckMs, 0);
		bench.check(MANIFEST);
		assert.equal(bench.updater.available, true);
	});

	it("does not check without an address, and says so when asked", () => {
		const bench = new UpdateBench("");
		bench.pass(20_000);
		assert.deepEqual([bench.updater.lastCheckMs, bench.log], [0, []]);
		bench.updater.check();
		assert.equal(bench.updater.error, "begin failed");
	});
});

describe("update/updater: install", () => {
	it("downloads, verifies, activates and restarts", () => {
		const bench = downloading();
		const { updater, firmware, fetch } = bench;
		assert.deepEqual([updater.installing, updater.stage, bench.updating], [true, "firmware", true]);
		fetch.answer(IMAGE, { pieceBytes: 64 });
		assert.deepEqual([updater.phase, updater.installing, updater.bytesDone], ["restarting", true, IMAGE.length]);
		assert.deepEqual([firmware.activated, firmware.restarts], [true, 0]);
		assert.deepEqual(firmware.slot, IMAGE);
		bench.pass(400);
		assert.equal(firmware.restarts, 0);
		bench.pass(200);
		assert.equal(firmware.restarts, 1);
	});

	it("rejects, and says why", () => {
		assert.equal(new UpdateBench().updater.install(), "missing firmware url");
		assert.equal(ready({ ...MANIFEST, version: "v0.1.0" }).updater.install(), "no newer firmware for this board");
		const bench = ready();
		bench.car.vehicle.motion = "moves";
		assert.equal(bench.updater.install(), "the car is moving");
		assert.equal(bench.updating, false);
		bench.car.vehicle.motion = "stands";
		bench.firmware.pendingVerify = true;
		assert.equal(bench.updater.install(), "the running firmware is still being tested");
		bench.firmware.pendingVerify = false;
		assert.equal(bench.updater.install(), "");
		assert.equal(bench.updater.install(), "already installing");
		assert.equal(bench.updater.beginUpload(0), "already installing");
		bench.pass(100);
		bench.fetch.answer(IMAGE);
		assert.equal(bench.updater.install(), "a restart is due");
	});

	it("leaves the running firmware alone when the download breaks off anywhere", () => {
		for (let length = 0; length < IMAGE.length; length += 61) {
			const bench = downloading();
			bench.fetch.answer(IMAGE.subarray(0, length), { lengthBytes: IMAGE.length, code: -5 });
			assert.deepEqual([bench.updater.installError, bench.updater.installDetail], ["firmware update failed", "http -5"]);
			assertUntouched(bench);
		}
	});

	it("rejects a wrong image, without touching the slot if its head is wrong", () => {
		const wrong: [Buffer, string, number][] = [
			[Buffer.from("<html>"), IMAGE_PROBLEM.NOT_AN_IMAGE, 0],
			[anImage({ projectName: "opencoupling-c6" }), IMAGE_PROBLEM.OTHER_BOARD, 0],
			[anImage({ chipId: 9 }), IMAGE_PROBLEM.OTHER_BOARD, 0],
			[anImage({ version: "v0.0.9" }), IMAGE_PROBLEM.TOO_OLD, 0],
			[anImage({ version: "v0.3.0" }), IMAGE_PROBLEM.OTHER_VERSION, 0],
			[IMAGE.subarray(0, 1000), IMAGE_PROBLEM.INCOMPLETE, 1],
			[anImage({ segments: [600, 44, 1000] }), IMAGE_PROBLEM.DAMAGED, 1],
			[Buffer.alloc(0), IMAGE_PROBLEM.NO_IMAGE, 0],
		];
		for (const [image, problem, begun] of wrong) {
			const bench = downloading();
			bench.fetch.answer(image, { lengthBytes: -1 });
			assert.deepEqual([bench.updater.installDetail, bench.firmware.begun], [problem, begun]);
			assertUntouched(bench);
		}
		for (const lengthBytes of [0, IMAGE.length - 1, IMAGE.length + 16]) {
			const bench = downloading();
			bench.fetch.answer(IMAGE, { lengthBytes });
			const { updater, firmware } = bench;
			assert.deepEqual([updater.installDetail, firmware.begun], [IMAGE_PROBLEM.DAMAGED, 0], "not of the announced size");
			assertUntouched(bench);
		}
		const flipped = Buffer.from(IMAGE);
		flipped[1200] ^= 4;
		const bench = downloading();
		bench.fetch.answer(flipped);
		assert.equal(bench.updater.installDetail, IMAGE_PROBLEM.DAMAGED);
		assertUntouched(bench);
	});

	it("leaves the running firmware alone if the slot fails, the file is missing or the network is lost", () => {
		for (const failing of ["begin", "write", "complete"] as const) {
			const bench = downloading();
			bench.firmware.failing = failing;
			bench.fetch.answer(IMAGE);
			assert.equal(bench.updater.installDetail, SLOT_FAILED);
			assert.ok(bench.log.includes(`${failing} failed`));
			assertUntouched(bench);
		}
		const missing = downloading();
		missing.fetch.answer(Buffer.from("no"), { status: 404 });
		assert.equal(missing.updater.installDetail, "http 404");
		assertUntouched(missing);
		const offline = ready();
		offline.updater.install();
		offline.online = false;
		offline.pass(100);
		assert.equal(offline.updater.installError, "offline");
		assertUntouched(offline);
	});

	it("does not activate in a car that has begun to move, and waits with the restart", () => {
		const moving = downloading();
		moving.car.vehicle.motion = "moves";
		moving.fetch.answer(IMAGE);
		assert.equal(moving.updater.installDetail, "the car is moving");
		moving.car.vehicle.motion = "stands";
		assertUntouched(moving);
		const later = downloading();
		later.fetch.answer(IMAGE);
		later.car.vehicle.motion = "moves";
		later.pass(60_000);
		assert.deepEqual([later.firmware.restarts, later.updater.phase, later.updating], [0, "restarting", false]);
		assert.equal(later.log.filter((line) => line.startsWith("the restart waits")).length, 1);
		// a speed that is wrong for a moment
		later.car.vehicle.motion = "stands";
		later.pass(STANDS_MS - 200);
		later.car.vehicle.motion = "moves";
		later.pass(100);
		later.car.vehicle.motion = "stands";
		later.pass(STANDS_MS - 200);
		assert.equal(later.firmware.restarts, 0);
		later.pass(300);
		assert.equal(later.firmware.restarts, 1);
	});

	it("returns control to the driver as soon as the car moves", () => {
		for (const begun of [false, true]) {
			const bench = downloading();
			if (begun) bench.fetch.download?.onHead(200, IMAGE.length);
			bench.car.vehicle.motion = "moves";
			bench.pass(100);
			assert.equal(bench.updater.installDetail, "the car is moving");
			assertUntouched(bench);
		}
		const done = downloading();
		done.fetch.answer(IMAGE);
		done.car.vehicle.motion = "moves";
		done.pass(100);
		assert.deepEqual([done.updater.phase, done.updating], ["restarting", false]);
		done.car.vehicle.motion = "stands";
		done.pass(STANDS_MS);
		assert.equal(done.firmware.restarts, 1);
	});

	it("can be tried again after a failure", () => {
		const bench = downloading();
		bench.fetch.answer(IMAGE.subarray(0, 700), { code: -11 });
		assert.equal(bench.updater.install(), "");
		assert.deepEqual([bench.updater.installError, bench.updater.installDetail], ["", ""]);
		bench.pass(100);
		bench.fetch.answer(IMAGE);
		assert.deepEqual([bench.firmware.activated, bench.firmware.slot.length], [true, IMAGE.length]);
	});
});

describe("update/updater: upload", () => {
	it("activates a good image and restarts when the client has its answer", () => {
		const bench = new UpdateBench();
		assert.equal(bench.upload(IMAGE, 1), "");
		assert.deepEqual([bench.firmware.activated, bench.firmware.slot.equals(IMAGE)], [true, true]);
		bench.pass(30_000);
		assert.equal(bench.firmware.restarts, 0, "the answer is still on its way");
		bench.updater.restart();
		bench.pass(600);
		assert.equal(bench.firmware.restarts, 1);
	});

	it("excludes everything else while it runs", () => {
		const bench = ready();
		bench.updater.beginUpload(0);
		assert.equal(bench.updater.install(), "an upload is running");
		assert.equal(bench.updater.beginUpload(0), "an upload is running");
		bench.updater.check();
		assert.equal(bench.updater.phase, "uploading");
		assert.equal(bench.updating, true);
	});

	it("cleans up after itself when it is broken off", () => {
		const bench = new UpdateBench();
		bench.updater.beginUpload(0);
		bench.updater.writeUpload(IMAGE, 0, 700);
		bench.updater.abortUpload("gone");
		assert.equal(bench.updater.installDetail, "gone");
		let outcome = "";
		bench.updater.endUpload((problem) => (outcome = problem));
		assert.notEqual(outcome, "", "nothing is left to complete");
		assertUntouched(bench);
		assert.equal(bench.upload(IMAGE), "");
		assert.deepEqual(bench.firmware.slot, IMAGE);
	});

	it("ends when the car moves, and tells the client of an upload that still runs", () => {
		const bench = new UpdateBench();
		const told: string[] = [];
		const begin = () => bench.updater.beginUpload(0, (problem) => told.push(problem));
		begin();
		bench.updater.writeUpload(IMAGE, 0, 700);
		bench.car.vehicle.motion = "moves";
		bench.pass(200);
		assert.deepEqual(told.splice(0), ["the car is moving"]);
		assertUntouched(bench);
		bench.car.vehicle.motion = "stands";
		begin();
		bench.updater.abortUpload("gone");
		bench.car.vehicle.motion = "moves";
		bench.pass(200);
		assert.deepEqual(told, []);
	});

	it("installs an older version by hand, unless it is older than the oldest allowed", () => {
		assert.equal(new UpdateBench().upload(anImage({ version: "v0.1.0" })), "");
		assert.equal(new UpdateBench().upload(anImage({ version: "v0.0.9" })), IMAGE_PROBLEM.TOO_OLD);
	});
});

describe("update/updater: times and figures", () => {
	it("looks 5 s after the network has come, 10 minutes after a failure, 6 hours after it has heard, not before", () => {
		const bench = new UpdateBench();
		bench.online = false;
		bench.step(20_000);
		assert.equal(bench.updater.lastCheckMs, 0);
		bench.online = true;
		const isAsked = (afterMs: number): boolean => {
			bench.step(afterMs);
			return bench.updater.phase === "checking";
		};
		bench.step(1);
		assert.deepEqual([isAsked(4999), isAsked(1)], [false, true]);
		bench.fetch.answer(Buffer.from("{}"), { status: 500 });
		assert.deepEqual([isAsked(599_999), isAsked(1)], [false, true]);
		bench.fetch.answer(Buffer.from(JSON.stringify(MANIFEST)));
		assert.deepEqual([isAsked(6 * 3600_000 - 1), isAsked(1)], [false, true]);
	});

	it("reports a check in the first millisecond as one at 1 ms", () => {
		const bench = new UpdateBench();
		bench.nowMs = 0;
		assert.equal(bench.updater.lastCheckMs, 0);
		bench.updater.check();
		assert.equal(bench.updater.lastCheckMs, 1);
	});

	it("shows nothing before it has begun, and counts its speed every 250 ms", () => {
		const bench = ready();
		const { updater, fetch } = bench;
		const shown = () => [updater.bytesTotal, updater.bytesDone, updater.bytesPerS, updater.progressMs];
		assert.deepEqual(shown(), [0, 0, 0, 0]);
		updater.install();
		bench.step(100);
		fetch.download?.onHead(200, IMAGE.length);
		fetch.download?.onData(IMAGE.subarray(0, 500));
		bench.step(149);
		assert.deepEqual(shown(), [IMAGE.length, 500, 0, 0]);
		bench.step(1);
		assert.deepEqual(shown(), [IMAGE.length, 500, 2000, bench.nowMs]);
		fetch.download?.onData(IMAGE.subarray(500, 600));
		bench.step(500);
		assert.deepEqual(shown(), [IMAGE.length, 600, 200, bench.nowMs]);
		fetch.download?.onData(IMAGE.subarray(600));
		fetch.download?.onEnd(0);
		assert.deepEqual([updater.phase, updater.bytesPerS], ["restarting", 0]);
		bench.step(300);
		assert.equal(updater.bytesPerS, 0);
	});

	it("takes the size from the answer, else from the manifest; else it is unknown", () => {
		const total = (lengthBytes: number, manifest: object): number => {
			const bench = ready(manifest);
			bench.updater.install();
			bench.pass(100);
			bench.fetch.download?.onHead(200, lengthBytes);
			return bench.updater.bytesTotal;
		};
		const unsized = { ...MANIFEST, size: undefined };
		assert.deepEqual(
			[total(-1, MANIFEST), total(IMAGE.length, MANIFEST), total(-1, unsized), total(0, unsized), total(123, unsized)],
			[IMAGE.length, IMAGE.length, 0, 0, 123],
		);
		const small = ready({ ...MANIFEST, size: 1 });
		small.updater.install();
		small.pass(100);
		small.fetch.download?.onHead(200, IMAGE.length);
		assert.equal(small.updater.installDetail, IMAGE_PROBLEM.DAMAGED);
	});

	it("begins 100 ms after it was asked, once the gateway forwards unmodified, and restarts 500 ms after the image", () => {
		const bench = ready();
		bench.updater.install();
		const asked = bench.fetch.url;
		bench.step(99);
		assert.equal(bench.fetch.url, asked);
		bench.step(1);
		assert.notEqual(bench.fetch.url, asked);
		bench.fetch.answer(IMAGE);
		bench.step(499);
		assert.equal(bench.firmware.restarts, 0);
		bench.step(1);
		assert.equal(bench.firmware.restarts, 1);
	});

	it("restarts 500 ms after the first request for it, ignoring requests before the image was complete", () => {
		const bench = new UpdateBench();
		bench.updater.beginUpload(0);
		bench.updater.restart();
		for (const [start, end] of [
			[0, 700],
			[700, IMAGE.length],
		] as const) {
			assert.equal(bench.updater.writeUpload(IMAGE, start, end), "");
			assert.equal(bench.updater.bytesDone, end);
		}
		bench.updater.endUpload((problem) => assert.equal(problem, ""));
		bench.pass(10_000);
		assert.equal(bench.firmware.restarts, 0);
		bench.updater.restart();
		bench.step(400);
		bench.updater.restart();
		bench.step(99);
		assert.equal(bench.firmware.restarts, 0);
		bench.step(1);
		assert.equal(bench.firmware.restarts, 1);
	});
});
