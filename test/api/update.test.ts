import assert from "node:assert/strict";
import { request } from "../support/api-client.js";
import { anImage, UpdateBench } from "../support/update-bench.js";

const MANIFEST = { version: "v0.2.0", firmware: "fw.bin", filesystem: "fs.bin" };

const ask = (bench: UpdateBench, method: string, path: string) => request({ updater: bench.updater }, method, path);

describe("api/update", () => {
	it("tells every field of the contract, and ours", () => {
		const bench = new UpdateBench();
		const resting = ask(bench, "GET", "/api/update");
		assert.equal(resting.status, 200);
		assert.deepEqual(Object.entries(resting.json()), [
			["current", "v0.1.0"],
			["latest", ""],
			["available", false],
			["lastCheckMs", 0],
			["error", ""],
			["url", "http://127.0.0.1/release/version.json"],
			["firmwareUrl", ""],
			["filesystemUrl", ""],
			["installing", false],
			["installError", ""],
			["bytesTotal", 0],
			["bytesDone", 0],
			["speedBps", 0],
			["progressMs", 0],
			["stage", ""],
			["checking", false],
			["uploading", false],
			["restarting", false],
			["installDetail", ""],
			["confirmed", true],
			["rolledBack", false],
			["refusal", ""],
			["olderAllowed", false],
			["updateKey", ""],
			["newestKept", ""],
		]);
		bench.car.vehicle.motion = "moves";
		assert.equal(ask(bench, "GET", "/api/update").json()["refusal"], "the car is moving");
		bench.firmware.pendingVerify = bench.firmware.rolledBack = true;
		const pending = ask(bench, "GET", "/api/update").json();
		assert.deepEqual([pending["confirmed"], pending["rolledBack"]], [false, true]);
	});

	it("begins a check and answers at once", () => {
		const bench = new UpdateBench();
		const answer = ask(bench, "POST", "/api/update/check");
		assert.deepEqual([answer.status, answer.json()["checking"], answer.json()["latest"]], [200, true, ""]);
		bench.fetch.answer(Buffer.from(JSON.stringify(MANIFEST)));
		const checked = ask(bench, "GET", "/api/update").json();
		assert.deepEqual(
			[checked["checking"], checked["latest"], checked["available"], checked["firmwareUrl"], checked["filesystemUrl"]],
			[false, "v0.2.0", true, "http://127.0.0.1/release/v0.2.0/fw.bin", "http://127.0.0.1/release/v0.2.0/fs.bin"],
		);
	});

	it("fits its answer into sections whatever the manifest says", () => {
		const bench = new UpdateBench(`http://127.0.0.1/${"u".repeat(230)}/v.json`);
		bench.check({ version: "v0.2.0", firmware: `http://a/${"f".repeat(245)}`, filesystem: `http://a/${"s".repeat(245)}` });
		assert.equal(String(ask(bench, "GET", "/api/update").json()["firmwareUrl"]).length, 254);
	});

	it("starts an installation once, and says why it does not", () => {
		const bench = new UpdateBench();
		const install = () => {
			const answer = ask(bench, "POST", "/api/update/install");
			return [answer.status, answer.text];
		};
		assert.deepEqual(install(), [409, '{"started":false,"error":"missing firmware url"}']);
		bench.check(MANIFEST);
		bench.car.vehicle.motion = "moves";
		assert.deepEqual(install(), [409, '{"started":false,"error":"the car is moving"}']);
		bench.car.vehicle.motion = "stands";
		assert.deepEqual(install(), [200, '{"started":true}']);
		assert.deepEqual(install(), [409, '{"started":false,"error":"already installing"}']);
		bench.pass(100);
		bench.fetch.answer(anImage());
		const state = ask(bench, "GET", "/api/update").json();
		assert.deepEqual(
			[state["installing"], state["stage"], state["restarting"], state["installError"]],
			[true, "firmware", true, ""],
		);
	});
});
