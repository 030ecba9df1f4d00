/** When the updater does what, and what it counts meanwhile, to the millisecond and byte. */
import assert from "node:assert/strict";
import { IMAGE_PROBLEM } from "../../src/update/firmware-image.js";
import { anImage, sha256, UpdateBench } from "../support/update-bench.js";

const IMAGE = anImage();
const MANIFEST = { version: "v0.2.0", firmware: "fw.bin", sha256: sha256(IMAGE), size: IMAGE.length, board: "opencoupling-host" };

/** A bench that knows of a new version. */
function ready(manifest: object = MANIFEST): UpdateBench {
	const bench = new UpdateBench();
	bench.check(manifest);
	return bench;
}

describe("update/updater: times and figures", () => {
	it("looks 5 s after the network has come, 10 minutes after a failure, 6 hours after it has heard, not before", () => {
		const bench = new UpdateBench();
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

	it("tells of a check in the first millisecond that there was one", () => {
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

	it("takes the size from the answer, else from the manifest, else for unknown", () => {
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

	it("restarts 500 ms after it was first asked to, and not because somebody asked before the image was complete", () => {
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
