/**
 * The update over real sockets, on slots that are files: what is installed, what is rejected, and what a
 * crash in any phase leaves.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { anImage } from "../support/update-bench.js";
import { type Bench, type BenchOptions, withBench, withFlash } from "./bench-car.js";
import { marker } from "./car-rows.js";
import { ReleaseServer } from "./release-server.js";
import { beginUpload, freePort, RESTART_TIMEOUT_MS, untilUpdate, updateState, upload } from "./update-client.js";
import { now, sleep, until } from "./wait.js";

const IMAGE = anImage({ version: "v0.2.0", segments: [600, 40, 3000] });
const WIFI = ["--wifi", "home:password1"];

interface Options {
	readonly args?: readonly string[];
	readonly flash?: string;
}

/** A controller without a car, on a port that it keeps. */
async function withController({ args = [], flash }: Options, test: (bench: Bench) => Promise<void>): Promise<void> {
	const options: BenchOptions = { settings: null, connected: false, args: ["--http", await freePort(), ...args] };
	await withBench(flash === undefined ? options : { ...options, flash }, test);
}

/** A controller that knows of an update, and the server that has it. */
async function withRelease(options: Options, test: (bench: Bench, server: ReleaseServer) => Promise<void>): Promise<void> {
	const server = await ReleaseServer.start();
	try {
		const args = [...WIFI, "--update-url", server.url, ...(options.args ?? [])];
		await withController({ ...options, args }, async (bench) => {
			await bench.ask("POST", "/api/wifi", '{"ssid":"home","password":"password1"}');
			await until(
				async () => JSON.parse((await bench.ask("GET", "/api/network")).text).staConnected === true,
				8000,
				"the network",
			);
			const checking = JSON.parse((await bench.ask("POST", "/api/update/check")).text);
			assert.equal(checking.checking, true);
			await untilUpdate(bench, (state) => state["available"] === true, "the update to be known", 8000);
			await test(bench, server);
		});
	} finally {
		server.close();
	}
}

const install = async (bench: Bench): Promise<string> => {
	const { code, text } = await bench.ask("POST", "/api/update/install");
	return `${code} ${text}`;
};

/** The version that runs after another start. */
async function versionAfterRestart(flash: string): Promise<string> {
	let version = "";
	await withController({ flash }, async (bench) => {
		const state = await updateState(bench);
		version = `${state["current"]}${state["confirmed"] === true ? "" : " unconfirmed"}${state["rolledBack"] === true ? " after a rollback" : ""}`;
	});
	return version;
}

describe("system: update", () => {
	it("checks, downloads, verifies, installs, restarts and keeps what has passed its self-test", () =>
		withRelease({}, async (bench, server) => {
			assert.equal(await install(bench), '200 {"started":true}');
			const unconfirmed = await untilUpdate(bench, (state) => state["current"] === "v0.2.0", "the new version");
			assert.deepEqual([unconfirmed["installing"], unconfirmed["url"]], [false, server.url]);
			await untilUpdate(bench, (state) => state["confirmed"] === true, "the new version to be kept");
			assert.deepEqual(readFileSync(join(bench.flash, "partitions/ota_1")), server.image);
			assert.equal((await bench.status()).mode, "STOCK");
			assert.equal(JSON.parse((await bench.ask("GET", "/api/network")).text).staConnected, true, "what was set is still there");
		}));

	it("takes an upload, answers OK, restarts, and takes the next one into the other slot", () =>
		withController({}, async (bench) => {
			assert.equal(await upload(bench, IMAGE), "200 OK");
			const refused = await untilUpdate(bench, (state) => state["current"] === "v0.2.0", "the new version");
			if (refused["confirmed"] === false)
				assert.equal(await upload(bench, IMAGE), "409 FAIL: the running firmware is still being tested");
			await untilUpdate(bench, (state) => state["confirmed"] === true, "the new version to be kept");
			assert.equal(await upload(bench, anImage({ version: "v0.3.0" })), "200 OK");
			await untilUpdate(bench, (state) => state["current"] === "v0.3.0", "the next version");
		}));

	it("leaves the running firmware alone when the download is broken off, held up, damaged or not what was announced", () =>
		withRelease({}, async (bench, server) => {
			const fails = async (detail: string | RegExp) => {
				assert.equal(await install(bench), '200 {"started":true}');
				const state = await untilUpdate(bench, ({ installing }) => installing === false, "the end of the installation");
				assert.equal(state["installError"], "firmware update failed");
				assert.match(String(state["installDetail"]), typeof detail === "string" ? new RegExp(`^${detail}$`) : detail);
				assert.equal(state["current"], "v0.1.0");
			};
			for (const cutAt of [0, 50, 5000, server.image.length - 1]) {
				server.cutAt = cutAt;
				await fails("http -5");
			}
			server.cutAt = Number.POSITIVE_INFINITY;
			const { image } = server;
			server.image = Buffer.from(image);
			server.image[30_000] ^= 0x10;
			await fails("image is damaged");
			const segments = [600, 40, 60_000];
			server.image = anImage({ projectName: "opencoupling-c6", segments });
			await fails("image is for another board");
			server.image = anImage({ version: "v0.1.9", segments });
			await fails("image is not the announced version");
			const [slot, last] = [join(bench.flash, "partitions/ota_1"), join(bench.flash, "last")];
			const before = existsSync(slot) ? readFileSync(slot) : last;
			server.image = anImage({ segments: [600, 40, 50_000] });
			await fails("image is damaged");
			assert.deepEqual(existsSync(slot) ? readFileSync(slot) : last, before, "its size was wrong: the slot is as it was");
			server.image = image;
			assert.equal(await install(bench), '200 {"started":true}');
			await untilUpdate(bench, (state) => state["current"] === "v0.2.0", "the update after all these failures");
		}));

	it("survives uploads that break off anywhere, and takes a good one then", () =>
		withController({}, async (bench) => {
			for (const length of [0, 1, 100, 112, 113, 2000, IMAGE.length - 1]) {
				const { message } = beginUpload(bench, IMAGE.length);
				await new Promise((resolve) => message.write(IMAGE.subarray(0, Math.max(1, length)), resolve));
				await untilUpdate(bench, (state) => state["uploading"] === true, "the upload to begin", 8000);
				const { message: second, answer } = beginUpload(bench, IMAGE.length);
				second.end(IMAGE);
				assert.equal(await answer, "409 FAIL: busy");
				message.destroy();
				const state = await untilUpdate(bench, (now) => now["uploading"] === false, "the upload to be given up", 8000);
				assert.deepEqual([state["installDetail"], state["current"]], ["the upload was broken off", "v0.1.0"]);
			}
			assert.equal(await upload(bench, IMAGE), "200 OK");
			await untilUpdate(bench, (state) => state["current"] === "v0.2.0", "the new version");
		}));

	it("says what is wrong with an upload, even a large one that goes on being sent", () =>
		withController({}, async (bench) => {
			assert.equal(await upload(bench, Buffer.alloc(0)), "400 FAIL: no image");
			assert.equal(await upload(bench, Buffer.from("<html>")), "400 FAIL: not an image");
			assert.equal(await upload(bench, Buffer.alloc(2_000_000, "x")), "400 FAIL: not an image");
			assert.equal(await upload(bench, Buffer.alloc(5_000_000)).catch(() => "cut"), "413 FAIL: too large");
			assert.equal((await updateState(bench))["current"], "v0.1.0");
		}));

	it("takes an image of 1.5 MB, and control ticks go on meanwhile", () =>
		withController({}, async (bench) => {
			const image = anImage({ version: "v0.2.0", segments: [1_500_000] });
			const before = await bench.status();
			const { message, answer } = beginUpload(bench, image.length);
			// as fast as a phone's Wi-Fi sends
			for (let at = 0; at < image.length - 1; at += 16_384) {
				message.write(image.subarray(at, Math.min(at + 16_384, image.length - 1)));
				await sleep(5);
			}
			await untilUpdate(bench, (state) => Number(state["bytesDone"]) > 1_400_000, "nearly all of the image");
			const after = await bench.status();
			message.end(image.subarray(-1));
			assert.equal(await answer, "200 OK");
			await bench.assertShortTurns();
			const ticks = after.loop["ticks"] - before.loop["ticks"];
			const ms = after.uptimeMs - before.uptimeMs;
			console.log(`      1.5 MB: ${ms} ms, ${ticks} control ticks`);
			assert.ok(ticks >= (ms / 10) * 0.25, `${ticks} ticks in ${ms} ms`);
			await untilUpdate(bench, (state) => state["current"] === "v0.2.0", "the new version");
		}));

	it("rejects while control is active or the car moves; while it updates, frames leave as they came", () =>
		withBench({}, async (bench) => {
			bench.show(30, 50);
			await bench.untilCommand();
			assert.equal(await upload(bench, IMAGE), "409 FAIL: control is active: select mode STOCK first");
			await bench.mode("STOCK");
			await bench.untilStock();
			assert.equal(await upload(bench, IMAGE), "409 FAIL: the car is moving");
			assert.equal((await bench.ask("POST", "/api/update/install")).code, 409);
			bench.show(0, 0);
			await bench.untilStatus((status) => status.telemetry["speed"] === 0, 3000, "the car to stand");
			const { message, answer } = beginUpload(bench, IMAGE.length);
			message.write(IMAGE.subarray(0, 1000));
			await untilUpdate(bench, (state) => state["uploading"] === true, "the upload to begin", 8000);
			await bench.mode("5050");
			await bench.untilStatus((status) => status.reason === "an update is in progress", 3000, "the update to be the reason");
			const since = now();
			await sleep(500);
			assert.ok(bench.passed(marker(5).id, since).every((passage) => !passage.rewritten));
			bench.show(30, 50);
			assert.equal(await answer, "409 FAIL: the car is moving", "without another byte from us");
			message.destroy();
			await bench.untilCommand(0xfa);
			assert.equal((await updateState(bench))["current"], "v0.1.0");
		}));

	it("killed while it downloads, it starts as it was", () =>
		withFlash(async (flash) => {
			await withRelease({ flash }, async (bench, server) => {
				server.stallAt = 20_000;
				await install(bench);
				await untilUpdate(bench, (state) => Number(state["bytesDone"]) > 15_000, "part of the image");
				await bench.cutPower();
			});
			assert.equal(await versionAfterRestart(flash), "v0.1.0");
		}));

	it("killed between installation and restart, it starts the new version; killed again before that has proven itself, the old one", () =>
		withFlash(async (flash) => {
			await withController({ flash }, async (bench) => {
				assert.equal(await upload(bench, IMAGE), "200 OK");
				await bench.cutPower();
			});
			await withController({ flash }, async (bench) => {
				const state = await updateState(bench);
				assert.deepEqual([state["current"], state["confirmed"]], ["v0.2.0", false]);
				await bench.cutPower();
			});
			assert.equal(await versionAfterRestart(flash), "v0.1.0 after a rollback");
			await withController({ flash }, async (bench) => {
				const path = join(flash, "logs/all.txt");
				await until(
					() => existsSync(path) && /the last update did not pass its self-test/.test(readFileSync(path, "utf8")),
					8000,
					"a line in the log",
				);
				assert.equal(await upload(bench, IMAGE), "200 OK");
				await untilUpdate(
					bench,
					(now) => now["current"] === "v0.2.0" && now["confirmed"] === true,
					"the second try",
					RESTART_TIMEOUT_MS,
				);
			});
			assert.equal(await versionAfterRestart(flash), "v0.2.0");
		}));
});
