import assert from "node:assert/strict";
import { ImageProblem } from "../../src/update/firmware-image.js";
import { STANDS_MS, UpdateProblem } from "../../src/update/rejection.js";
import { anImage, sha256 } from "../../tools/device/sample-image.js";
import { UpdateBench } from "../support/update-bench.js";

const IMAGE = anImage();
const MANIFEST = { version: "v0.2.0", firmware: "fw.bin", sha256: sha256(IMAGE), size: IMAGE.length, board: "opencoupling-host" };

/** A bench that knows of a new version. */
function ready(manifest: object = MANIFEST): UpdateBench {
	const bench = new UpdateBench();
	bench.check(manifest);
	return bench;
}

/** A bench that downloads. */
function downloading(manifest: object = MANIFEST): UpdateBench {
	const bench = ready(manifest);
	assert.equal(bench.updater.install(), "");
	bench.pass(100);
	assert.equal(bench.fetch.url, "http://127.0.0.1/release/v0.2.0/fw.bin");
	return bench;
}

/** Nothing but the idle slot has changed. */
function assertUntouched(bench: UpdateBench, detail: string): void {
	const { updater, firmware } = bench;
	assert.equal(updater.installDetail, detail);
	bench.car.vehicle.motion = "stands";
	bench.pass(4000);
	assert.deepEqual([updater.phase, firmware.activated, firmware.restarts, bench.updating], ["idle", false, 0, false]);
	assert.deepEqual(
		[updater.stage, updater.bytesDone, updater.bytesTotal, updater.progressMs, updater.installing],
		["", 0, 0, 0, false],
	);
}

describe("update/updater: check", () => {
	it("begins at once and has the result later", () => {
		const bench = new UpdateBench();
		const { updater } = bench;
		bench.nowMs = 0;
		updater.check();
		assert.deepEqual([updater.phase, updater.lastCheckMs, updater.available], ["checking", 1, false]);
		bench.fetch.answer(Buffer.from(JSON.stringify(MANIFEST)), { pieceBytes: 7 });
		assert.deepEqual([updater.phase, updater.error, updater.manifest?.version, updater.available], ["idle", "", "v0.2.0", true]);
		assert.equal(updater.reachedInternet, true);
	});

	it("offers only what is newer, for this board and installable over the running version", () => {
		for (const [changes, isOffered] of [
			[{}, true],
			[{ version: "v0.1.0" }, false],
			[{ version: "v0.1.0-rc.1" }, false],
			[{ board: "opencoupling-c6" }, false],
			[{ minVersion: "v0.1.1" }, false],
			[{ minVersion: "v0.1.0" }, true],
			[{ firmware: "" }, false],
		] as const)
			assert.equal(ready({ ...MANIFEST, ...changes }).updater.available, isOffered, JSON.stringify(changes));
	});

	it("says how it failed, logs it, and keeps what the last good check found", () => {
		const bench = ready();
		for (const [error, answer] of [
			["http 404", () => bench.fetch.answer(Buffer.from("no"), { status: 404 })],
			["invalid json", () => bench.fetch.answer(Buffer.from("{}"))],
			["http -5", () => bench.fetch.answer(Buffer.from("{"), { code: -5 })],
			["offline", () => {}],
		] as const) {
			bench.online = error !== "offline";
			bench.updater.check();
			answer();
			const { phase, manifest } = bench.updater;
			assert.deepEqual([bench.updater.error, phase, manifest?.version], [error, "idle", "v0.2.0"]);
			assert.equal(bench.log.at(-1), `update check: ${error}`);
		}
		assert.equal(bench.updater.reachedInternet, false);
		bench.online = true;
		bench.check({ ...MANIFEST, version: "v0.1.0" });
		assert.deepEqual(
			[bench.log[0], bench.log.at(-1)],
			["update check: v0.2.0 is available", "update check: v0.1.0 is known, nothing to install"],
		);
	});

	it("does not check by itself without an address or where that is switched off, and says why a requested check can't begin", () => {
		for (const [url, checksByItself] of [
			["", true],
			["http://127.0.0.1/release/version.json", false],
		] as const) {
			const bench = new UpdateBench(url);
			bench.checksByItself = checksByItself;
			bench.pass(700_000);
			assert.deepEqual([bench.updater.lastCheckMs, bench.log], [0, []]);
			bench.check(MANIFEST);
			assert.equal(bench.updater.error, url === "" ? "begin failed" : "");
		}
		const bench = new UpdateBench("https://example.invalid/version.json");
		bench.updater.check();
		assert.deepEqual([bench.updater.error, bench.updater.phase], ["begin failed", "idle"]);
	});

	it("looks 5 s after the network has come, 10 minutes after a failure, 6 hours after an answer, not before", () => {
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
});

describe("update/updater: install", () => {
	it("downloads 100 ms after the request, once the gateway forwards unmodified, and restarts 500 ms after the image", () => {
		const bench = ready();
		const { updater, firmware, fetch } = bench;
		updater.install();
		const asked = fetch.url;
		bench.step(99);
		assert.deepEqual([fetch.url, updater.stage], [asked, ""]);
		bench.step(1);
		assert.notEqual(fetch.url, asked);
		assert.deepEqual([updater.installing, updater.stage, bench.updating], [true, "firmware", true]);
		fetch.answer(IMAGE, { pieceBytes: 64 });
		assert.deepEqual([updater.phase, updater.installing, updater.bytesDone], ["restarting", true, IMAGE.length]);
		assert.deepEqual([firmware.activated, firmware.slot], [true, IMAGE]);
		bench.step(499);
		assert.equal(firmware.restarts, 0);
		bench.step(1);
		assert.equal(firmware.restarts, 1);
	});

	it("rejects, and says why", () => {
		assert.equal(new UpdateBench().updater.install(), UpdateProblem.NO_URL);
		assert.equal(ready({ ...MANIFEST, version: "v0.1.0" }).updater.install(), UpdateProblem.NOT_NEWER);
		const bench = ready();
		bench.car.vehicle.motion = "moves";
		assert.equal(bench.updater.install(), UpdateProblem.CAR_MOVES);
		assert.equal(bench.updating, false);
		bench.car.vehicle.motion = "stands";
		bench.firmware.pendingVerify = true;
		assert.equal(bench.updater.install(), UpdateProblem.SELF_TEST);
		bench.firmware.pendingVerify = false;
		assert.equal(bench.updater.install(), "");
		for (const again of [bench.updater.install(), bench.updater.beginUpload(0)]) assert.equal(again, UpdateProblem.INSTALLING);
		bench.pass(100);
		bench.fetch.answer(IMAGE);
		assert.equal(bench.updater.install(), UpdateProblem.RESTARTING);
	});

	it("leaves the running firmware alone when the download breaks off anywhere, and can be tried again", () => {
		for (let length = 0; length < IMAGE.length; length += 61) {
			const bench = downloading();
			bench.fetch.answer(IMAGE.subarray(0, length), { lengthBytes: IMAGE.length, code: -5 });
			assert.equal(bench.updater.installError, "firmware update failed");
			assertUntouched(bench, "http -5");
			assert.equal(bench.updater.install(), "");
			assert.deepEqual([bench.updater.installError, bench.updater.installDetail], ["", ""]);
			bench.pass(100);
			bench.fetch.answer(IMAGE);
			assert.deepEqual([bench.firmware.activated, bench.firmware.slot.length], [true, IMAGE.length]);
		}
	});

	it("leaves the running firmware alone if image, size, slot, file or network is wrong", () => {
		const flipped = Buffer.from(IMAGE);
		flipped[1200] ^= 4;
		for (const [image, problem, begun, answer = {}] of [
			[Buffer.from("<html>"), ImageProblem.NOT_AN_IMAGE, 0],
			[anImage({ version: "v0.3.0" }), ImageProblem.OTHER_VERSION, 0],
			[IMAGE.subarray(0, 1000), ImageProblem.INCOMPLETE, 1],
			[anImage({ segments: [600, 44, 1000] }), ImageProblem.DAMAGED, 1],
			[Buffer.alloc(0), ImageProblem.NO_IMAGE, 0],
			[flipped, ImageProblem.DAMAGED, 1],
			// not of the announced size
			[IMAGE, ImageProblem.DAMAGED, 0, { lengthBytes: 0 }],
			[IMAGE, ImageProblem.DAMAGED, 0, { lengthBytes: IMAGE.length + 16 }],
			[Buffer.from("no"), "http 404", 0, { status: 404 }],
		] as const) {
			const bench = downloading();
			bench.fetch.answer(image, { lengthBytes: -1, ...answer });
			assert.equal(bench.firmware.begun, begun);
			assertUntouched(bench, problem);
		}
		for (const failing of ["begin", "write", "complete"] as const) {
			const bench = downloading();
			bench.firmware.failing = failing;
			bench.fetch.answer(IMAGE);
			assert.ok(bench.log.includes(`${failing} failed`));
			assertUntouched(bench, UpdateProblem.SLOT_FAILED);
		}
		const offline = ready();
		offline.updater.install();
		offline.online = false;
		offline.pass(100);
		assert.equal(offline.updater.installError, "offline");
		assertUntouched(offline, "offline");
	});

	it("returns control to the driver as soon as the car moves", () => {
		for (const act of [
			(bench: UpdateBench) => bench.pass(100),
			(bench: UpdateBench) => {
				bench.fetch.download?.onHead(200, IMAGE.length);
				bench.pass(100);
			},
			// the last byte comes before the next look
			(bench: UpdateBench) => bench.fetch.answer(IMAGE),
		]) {
			const bench = downloading();
			bench.car.vehicle.motion = "moves";
			act(bench);
			assertUntouched(bench, UpdateProblem.CAR_MOVES);
		}
	});

	it("waits with the restart until the car has stood for 3 s", () => {
		const bench = downloading();
		bench.fetch.answer(IMAGE);
		const { car, firmware } = bench;
		car.vehicle.motion = "moves";
		bench.pass(60_000);
		assert.deepEqual([firmware.restarts, bench.updater.phase, bench.updating], [0, "restarting", false]);
		assert.equal(bench.log.filter((line) => line.startsWith("the restart waits")).length, 1);
		// a speed that is wrong for a moment
		car.vehicle.motion = "stands";
		bench.pass(STANDS_MS - 200);
		car.vehicle.motion = "moves";
		bench.pass(100);
		car.vehicle.motion = "stands";
		bench.pass(STANDS_MS - 200);
		assert.equal(firmware.restarts, 0);
		bench.pass(300);
		assert.equal(firmware.restarts, 1);
	});

	it("measures the speed of the download every 250 ms", () => {
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
		const unsized = { ...MANIFEST, size: undefined };
		for (const [lengthBytes, manifest, total] of [
			[-1, MANIFEST, IMAGE.length],
			[IMAGE.length, MANIFEST, IMAGE.length],
			[-1, unsized, 0],
			[0, unsized, 0],
			[123, unsized, 123],
		] as const) {
			const bench = downloading(manifest);
			bench.fetch.download?.onHead(200, lengthBytes);
			assert.equal(bench.updater.bytesTotal, total);
		}
		const small = downloading({ ...MANIFEST, size: 1 });
		small.fetch.download?.onHead(200, IMAGE.length);
		assertUntouched(small, ImageProblem.DAMAGED);
	});
});

describe("update/updater: upload", () => {
	it("activates a good image and restarts 500 ms after the first request for it, which follows the answer", () => {
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
		assert.deepEqual([bench.firmware.activated, bench.firmware.slot], [true, IMAGE]);
		bench.pass(30_000);
		assert.equal(bench.firmware.restarts, 0, "the answer is still on its way");
		bench.updater.restart();
		bench.step(400);
		bench.updater.restart();
		bench.step(99);
		assert.equal(bench.firmware.restarts, 0);
		bench.step(1);
		assert.equal(bench.firmware.restarts, 1);
	});

	it("rejects an installation, a check and another upload while it runs", () => {
		const bench = ready();
		bench.updater.beginUpload(0);
		for (const other of [bench.updater.install(), bench.updater.beginUpload(0)]) assert.equal(other, UpdateProblem.UPLOADING);
		bench.updater.check();
		assert.deepEqual([bench.updater.phase, bench.updating], ["uploading", true]);
	});

	it("leaves nothing to complete after an abort, and can be begun again", () => {
		const bench = new UpdateBench();
		bench.updater.beginUpload(0);
		bench.updater.writeUpload(IMAGE, 0, 700);
		bench.updater.abortUpload("gone");
		let outcome = "";
		bench.updater.endUpload((problem) => (outcome = problem));
		assert.notEqual(outcome, "");
		assertUntouched(bench, "gone");
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
		assert.deepEqual(told.splice(0), [UpdateProblem.CAR_MOVES]);
		assertUntouched(bench, UpdateProblem.CAR_MOVES);
		begin();
		bench.updater.abortUpload("gone");
		bench.car.vehicle.motion = "moves";
		bench.pass(200);
		assert.deepEqual(told, []);
	});

	it("installs an older version, unless it is older than the oldest allowed", () => {
		assert.equal(new UpdateBench().upload(anImage({ version: "v0.1.0" })), "");
		assert.equal(new UpdateBench().upload(anImage({ version: "v0.0.9" })), ImageProblem.TOO_OLD);
	});
});
