import assert from "node:assert/strict";
import { request } from "../support/api-client.js";
import { OwnerBench } from "../support/owner-bench.js";
import { anImage, RULES, UpdateBench } from "../support/update-bench.js";

const IMAGE = anImage();
const OCTETS = "Content-Type: application/octet-stream";

function upload(bench: UpdateBench, body: Uint8Array | string, ...lines: string[]): string {
	const answer = request({ updater: bench.updater }, "POST", "/ota/update", body, ...lines);
	assert.equal(answer.headers["content-type"], "text/plain");
	return `${answer.status} ${answer.text}`;
}

function multipart(file: Uint8Array | undefined, boundary = "----WebKitFormBoundaryX", field = "update"): [Buffer, string] {
	const disposition = `Content-Disposition: form-data; name="${field}"${file === undefined ? "" : '; filename="fw.bin"'}`;
	const head = `--${boundary}\r\n${disposition}\r\n\r\n`;
	const body = Buffer.concat([Buffer.from(head), file ?? Buffer.from("text"), Buffer.from(`\r\n--${boundary}--\r\n`)]);
	return [body, `Content-Type: multipart/form-data; boundary=${boundary}`];
}

const TWO_FILES = Buffer.concat([multipart(IMAGE)[0].subarray(0, -4), Buffer.from("\r\n"), multipart(IMAGE)[0]]);

describe("api/update: openUpload", () => {
	it("installs an image sent as a form, as octets or without a type, and restarts after the answer", () => {
		for (const [body, ...lines] of [multipart(IMAGE), multipart(IMAGE, "x", "any"), [IMAGE, OCTETS], [IMAGE]] as [
			Buffer,
			string,
		][]) {
			const bench = new UpdateBench();
			assert.equal(upload(bench, body, ...lines), "200 OK");
			assert.deepEqual(bench.firmware.slot, IMAGE);
			assert.deepEqual([bench.firmware.activated, bench.firmware.restarts], [true, 0]);
			bench.pass(600);
			assert.equal(bench.firmware.restarts, 1);
		}
	});

	it("neither says OK nor restarts without a good image", () => {
		const flipped = Buffer.from(IMAGE);
		flipped[900] ^= 1;
		for (const [body, lines, expected] of [
			["", [OCTETS], "400 FAIL: no image"],
			["", [], "400 FAIL: no image"],
			[multipart(undefined)[0], [multipart(undefined)[1]], "400 FAIL: no image"],
			[multipart(Buffer.alloc(0))[0], [multipart(Buffer.alloc(0))[1]], "400 FAIL: no image"],
			["", [multipart(IMAGE)[1]], "400 FAIL: no image"],
			["hello", [OCTETS], "400 FAIL: not an image"],
			[multipart(Buffer.from("<html>"))[0], [multipart(IMAGE)[1]], "400 FAIL: not an image"],
			[multipart(IMAGE)[0].subarray(0, -10), [multipart(IMAGE)[1]], "400 FAIL: not an image"],
			[TWO_FILES, [multipart(IMAGE)[1]], "400 FAIL: not an image"],
			[IMAGE.subarray(0, 1500), [OCTETS], "400 FAIL: image is incomplete"],
			[flipped, [OCTETS], "400 FAIL: image is damaged"],
			[anImage({ chipId: 13 }), [OCTETS], "400 FAIL: image is for another board"],
			[anImage({ version: "v0.0.1" }), [OCTETS], "400 FAIL: image is too old"],
			[Buffer.alloc(RULES.maxBytes + 1), [OCTETS], "413 FAIL: too large"],
			[anImage({ segments: [RULES.maxBytes] }).subarray(0, 2000), [OCTETS], "413 FAIL: too large"],
			[IMAGE, ["Content-Type: application/json"], "415 FAIL: unsupported media type"],
			[IMAGE, ["Content-Type: multipart/form-data"], "415 FAIL: unsupported media type"],
		] as [string | Buffer, string[], string][]) {
			const bench = new UpdateBench();
			assert.equal(upload(bench, body, ...lines), expected);
			bench.pass(4000);
			assert.deepEqual([bench.firmware.activated, bench.firmware.restarts, bench.updating], [false, 0, false], expected);
			assert.equal(upload(bench, IMAGE, OCTETS), "200 OK", `a good one after ${expected}`);
		}
	});

	it("rejects while something else goes on, and while the car forbids it", () => {
		const bench = new UpdateBench();
		bench.car.vehicle.motion = "moves";
		assert.equal(upload(bench, IMAGE, OCTETS), "409 FAIL: the car is moving");
		assert.equal(upload(bench, IMAGE, OCTETS, "Expect: 100-continue"), "409 FAIL: the car is moving");
		bench.car.vehicle.motion = "stands";
		bench.updater.beginUpload(0);
		assert.equal(upload(bench, IMAGE, OCTETS), "409 FAIL: busy");
		assert.equal(bench.updater.phase, "uploading", "the other one goes on");
		bench.updater.abortUpload("");
		bench.firmware.pendingVerify = true;
		assert.equal(upload(bench, IMAGE, OCTETS), "409 FAIL: the running firmware is still being tested");
	});

	it("installs nothing if the upload began before the owner set a password", () => {
		const owner = new OwnerBench();
		for (const key of [undefined, owner.set("correct horse")]) {
			const bench = new UpdateBench();
			const { updater } = bench;
			const write = updater.writeUpload.bind(updater);
			updater.writeUpload = (...of) => {
				if (bench.firmware.slot.length === 0) owner.set("another password");
				return write(...of);
			};
			const lines = [OCTETS, ...(key === undefined ? [] : [`Authorization: Bearer ${key}`])];
			const { status, json } = request({ updater, owner: owner.owner }, "POST", "/ota/update", IMAGE, ...lines);
			assert.deepEqual([status, json()["error"]], [401, "password required"]);
			bench.pass(4000);
			assert.deepEqual([bench.firmware.activated, bench.firmware.restarts, bench.updating], [false, 0, false]);
			assert.equal(updater.phase, "idle");
		}
	});

	it("answers FAIL when the slot can't be written", () => {
		for (const failing of ["begin", "write", "complete"] as const) {
			const bench = new UpdateBench();
			bench.firmware.failing = failing;
			assert.equal(upload(bench, IMAGE, OCTETS), "500 FAIL");
			assert.equal(bench.updater.phase, "idle");
		}
	});

	it("rejects another site's page", () => {
		const bench = new UpdateBench();
		const answer = request({ updater: bench.updater }, "POST", "/ota/update", IMAGE, "Origin: http://evil.example");
		assert.deepEqual([answer.status, bench.firmware.begun], [403, 0]);
	});
});
