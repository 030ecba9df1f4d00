/** Updates over real sockets, on slots that are files: what is installed, what is rejected, what a power cut leaves. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { publicKeyOf, signImage } from "../../tools/device/sign.mjs";
import { anImage, aSignedImage, OTHER_KEY, OWN_KEY } from "../support/update-bench.js";
import { type Bench, type BenchOptions, withBench, withFlash } from "./bench-car.js";
import { marker } from "./car-rows.js";
import { beginUpload, freePort, RESTART_TIMEOUT_MS, ReleaseServer, untilUpdate, updateState, upload } from "./update-peers.js";
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
			await bench.joinHome();
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
	it("downloads, verifies, installs and keeps an update that has passed its self-test", () =>
		withRelease({}, async (bench, server) => {
			assert.equal(await install(bench), '200 {"started":true}');
			const unconfirmed = await untilUpdate(bench, (state) => state["current"] === "v0.2.0", "the new version");
			assert.deepEqual([unconfirmed["installing"], unconfirmed["url"]], [false, server.url]);
			await untilUpdate(bench, (state) => state["confirmed"] === true, "the new version to be kept");
			assert.deepEqual(readFileSync(join(bench.flash, "partitions/ota_1")), server.image);
			assert.equal((await bench.status()).mode, "STOCK");
			assert.equal((await bench.get("/api/network")).staConnected, true, "what was set is still there");
		}));

	it("installs an upload, and the next one in the other slot", () =>
		withController({}, async (bench) => {
			assert.equal(await upload(bench, IMAGE), "200 OK");
			const refused = await untilUpdate(bench, (state) => state["current"] === "v0.2.0", "the new version");
			if (refused["confirmed"] === false)
				assert.equal(await upload(bench, IMAGE), "409 FAIL: the running firmware is still being tested");
			await untilUpdate(bench, (state) => state["confirmed"] === true, "the new version to be kept");
			assert.equal(await upload(bench, anImage({ version: "v0.3.0" })), "200 OK");
			await untilUpdate(bench, (state) => state["current"] === "v0.3.0", "the next version");
		}));

	it("survives uploads that break off anywhere", () =>
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

	it("names the fault of an upload, also of a large one", () =>
		withController({}, async (bench) => {
			assert.equal(await upload(bench, Buffer.alloc(0)), "400 FAIL: no image");
			assert.equal(await upload(bench, Buffer.from("<html>")), "400 FAIL: not an image");
			assert.equal(await upload(bench, Buffer.alloc(2_000_000, "x")), "400 FAIL: not an image");
			assert.equal(await upload(bench, Buffer.alloc(5_000_000)).catch(() => "cut"), "413 FAIL: too large");
			assert.equal((await updateState(bench))["current"], "v0.1.0");
		}));

	it("receives an image of 1.5 MB while control ticks go on", () =>
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

	it("a kill during a download changes nothing", () =>
		withFlash(async (flash) => {
			await withRelease({ flash }, async (bench, server) => {
				server.stallAt = 20_000;
				await install(bench);
				await untilUpdate(bench, (state) => Number(state["bytesDone"]) > 15_000, "part of the image");
				await bench.cutPower();
			});
			assert.equal(await versionAfterRestart(flash), "v0.1.0");
		}));

	it("after a kill the new version starts, and after another one before its self-test the old one", () =>
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

const TRAILER = 200;
const DIGEST = 32;
const LARGE = { segments: [600, 40, 30_000] };
const KEY = publicKeyOf(OWN_KEY);
const POWER_CUT_CODE = 9;
/** Controllers without a car, which mostly wait. */
/** Longer than a change waits for its write. */
const QUIET_MS = 2300;

interface KeyOptions {
	readonly flash?: string;
	readonly args?: readonly string[];
	readonly key?: string;
}

/** A controller with a key, without a car, on a port that it keeps. */
async function withKey({ flash, args = [], key = KEY }: KeyOptions, test: (bench: Bench) => Promise<void>): Promise<void> {
	const options = { settings: null, connected: false, args: ["--http", await freePort(), "--update-key", key, ...args] };
	await withBench(flash === undefined ? options : { ...options, flash }, test);
}

const refusalOf = async (bench: Bench, image: Uint8Array): Promise<string> => {
	const answer = await upload(bench, image);
	const state = await updateState(bench);
	assert.deepEqual([state["current"], state["restarting"]], ["v0.1.0", false], answer);
	return answer;
};

/** An image with a byte changed and its digest put right, as a stranger would. */
function rehashed(image: Buffer, at: number): Buffer {
	const changed = Buffer.from(image);
	changed[at] ^= 1 << (at % 8);
	createHash("sha256")
		.update(changed.subarray(0, -DIGEST))
		.digest()
		.copy(changed, changed.length - DIGEST);
	return changed;
}

const untilKept = (bench: Bench, version: string) =>
	untilUpdate(bench, (state) => state["current"] === version && state["confirmed"] === true, `${version} to be kept`);

/**
 * Starts with the power cut after storage operation `n`.
 * @returns whether it was cut before `act` had ended
 */
async function cutAfter(n: number, flash: string, act: (bench: Bench) => Promise<unknown>): Promise<boolean> {
	let cut = false;
	await withKey({ flash, args: ["--fault", `power-cut=${n}`] }, async (bench) => {
		const ended = bench.ended.then((code) => code === POWER_CUT_CODE);
		cut = await Promise.race([
			ended,
			act(bench).then(
				() => Promise.race([ended, sleep(QUIET_MS).then(() => false)]),
				() => ended,
			),
		]);
	}).catch((error) => {
		if (!/ended at start/.test(String(error))) throw error;
		cut = true;
	});
	return cut;
}

/** What starts from each state of the flash that a cut has left. */
const judged = new Map<string, string>();

/** @returns a digest of the names and contents of all files */
function stateOf(flash: string): string {
	const files = readdirSync(flash, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const hash = createHash("sha256");
	for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort()) {
		const contents = readFileSync(path);
		hash.update(`${path.slice(flash.length)} ${contents.length}\n`).update(contents);
	}
	return hash.digest("hex");
}

/** `assertWhole`, once for each state: the same state starts the same. */
async function assertStateWhole(flash: string): Promise<string> {
	const state = stateOf(flash);
	const version = judged.get(state) ?? (await assertWhole(flash));
	judged.set(state, version);
	return version;
}

/**
 * What starts after a power cut is the old version or the new one, whole, and it can be updated as before.
 * @returns its version
 */
async function assertWhole(flash: string): Promise<string> {
	let version = "";
	await withKey({ flash }, async (bench) => {
		const state = await updateState(bench);
		version = String(state["current"]);
		if (version === "v0.2.0") assert.deepEqual(readFileSync(join(flash, "partitions/ota_1")), anImage());
		else assert.deepEqual([version, state["confirmed"]], ["v0.1.0", true]);
		if (state["confirmed"] === true) assert.equal(state["newestKept"], version);
		else assert.match(String(state["newestKept"]), /^(v0\.1\.0)?$/, "what has not proven itself counts for nothing");
		if (version === "v0.1.0") assert.equal(await upload(bench, aSignedImage()), "200 OK");
	});
	return version;
}

/** @param versions after each cut, and after none at last */
function assertBoth(versions: readonly string[]): void {
	assert.ok(versions.length > 3, `${versions.length - 1} cuts`);
	assert.deepEqual([...new Set(versions)].sort(), ["v0.1.0", "v0.2.0"]);
	console.log(`      ${versions.length - 1} cuts, then ${versions.join(" ")}`);
}

describe("system: signed update", () => {
	it("installs and keeps an image that the key has signed", () =>
		withKey({}, async (bench) => {
			assert.deepEqual([(await updateState(bench))["updateKey"], (await updateState(bench))["newestKept"]], [KEY, "v0.1.0"]);
			assert.equal(await upload(bench, aSignedImage(LARGE)), "200 OK");
			await untilKept(bench, "v0.2.0");
			assert.deepEqual(readFileSync(join(bench.flash, "partitions/ota_1")), anImage(LARGE), "stored without its trailer");
			assert.equal((await updateState(bench))["newestKept"], "v0.2.0");
		}));

	it("rejects 40 images that were altered and re-hashed, then accepts the signed one", () =>
		withKey({}, async (bench) => {
			const image = anImage(LARGE);
			const trailer = aSignedImage(LARGE).subarray(-TRAILER);
			const outcomes = new Map<string, number>();
			for (let n = 0; n < 40; n++) {
				// code and data of all segments, behind the description
				const changed = rehashed(image, 300 + Math.floor((n * 30_000) / 40));
				const fitting = Buffer.from(trailer);
				changed.copy(fitting, 72, changed.length - DIGEST);
				const forms = [
					changed,
					Buffer.concat([changed, trailer]),
					Buffer.concat([changed, fitting]),
					signImage(changed, { projectName: "opencoupling-host", version: "v0.2.0" }, OTHER_KEY),
				];
				const answer = await refusalOf(bench, forms[n % forms.length] as Buffer);
				outcomes.set(answer, (outcomes.get(answer) ?? 0) + 1);
			}
			const [unsigned, wrong, other] = [
				"image is not signed",
				"image's signature is wrong",
				"image is signed with another key",
			].map((words) =>
				[...outcomes].filter(([answer]) => answer.startsWith(`400 FAIL: ${words}`)).reduce((sum, [, count]) => sum + count, 0),
			);
			assert.deepEqual([unsigned, wrong, other], [10, 20, 10], JSON.stringify([...outcomes]));
			assert.equal(await upload(bench, aSignedImage(LARGE)), "200 OK");
			await untilUpdate(bench, (state) => state["current"] === "v0.2.0", "the signed one");
		}));

	it("rejects a version older than the newest kept one, unless BOOT is pressed", () =>
		withFlash(async (flash) => {
			const older =
				"400 FAIL: image is older than one that was kept here: press BOOT at the board for 2 s, and send it again within 10 minutes";
			await withKey({ flash }, async (bench) => {
				assert.equal(await upload(bench, aSignedImage({ version: "v0.3.0" })), "200 OK");
				await untilKept(bench, "v0.3.0");
				assert.equal(await upload(bench, aSignedImage({ version: "v0.2.0" })), older);
				assert.equal((await updateState(bench))["newestKept"], "v0.3.0");
			});
			await withKey({ flash, args: ["--fault", "boot-key=500:3000"] }, async (bench) => {
				assert.equal(await upload(bench, aSignedImage({ version: "v0.2.0" })), older, "not before he has let go of it");
				await untilUpdate(bench, (state) => state["olderAllowed"] === true, "the press", 60_000);
				assert.match(
					await upload(bench, anImage({ version: "v0.2.0" })),
					/^400 FAIL: image is not signed/,
					"a press signs nothing",
				);
				assert.equal(await upload(bench, aSignedImage({ version: "v0.2.0" })), "200 OK");
				await untilUpdate(bench, (state) => state["current"] === "v0.2.0" && state["confirmed"] === true, "the older one");
				assert.equal((await updateState(bench))["newestKept"], "v0.3.0", "it stays the newest");
			});
			await withKey({ flash }, async (bench) => assert.equal(await upload(bench, aSignedImage({ version: "v0.2.5" })), older));
		}));

	it("ignores a manifest older than the newest one, after restarts too, unless BOOT is pressed", () =>
		withFlash(async (flash) => {
			const server = await ReleaseServer.start();
			server.key = OWN_KEY;
			const args = ["--wifi", "home:password1", "--update-url", server.url];
			const look = async (bench: Bench, version: string) => {
				server.announces = { version, releasePath: "v0.2.0" };
				await bench.ask("POST", "/api/update/check");
				const state = await untilUpdate(bench, (last) => last["checking"] === false, "the check", 60_000);
				return [state["error"], state["latest"], state["available"]];
			};
			const online = async (bench: Bench) => {
				await bench.joinHome();
			};
			const replayed =
				"older than what was announced or runs here: press BOOT at the board for 2 s, and look again within 10 minutes";
			try {
				await withKey({ flash, args }, async (bench) => {
					await online(bench);
					assert.deepEqual(await look(bench, "v0.4.0"), ["", "v0.4.0", true]);
					assert.deepEqual(await look(bench, "v0.2.0"), [replayed, "v0.4.0", true]);
					const stored = () => readFileSync(join(flash, "newest-version.json"), "utf8");
					await until(async () => stored().includes('"announced":"v0.4.0"'), 20_000, "the file");
				});
				await withKey({ flash, args }, async (bench) => {
					await online(bench);
					assert.deepEqual(await look(bench, "v0.2.0"), [replayed, "", false], "a start forgets nothing");
				});
				await withKey({ flash, args: [...args, "--fault", "boot-key=500:3000"] }, async (bench) => {
					await online(bench);
					await untilUpdate(bench, (state) => state["olderAllowed"] === true, "the press", 60_000);
					assert.deepEqual(await look(bench, "v0.2.0"), ["", "v0.2.0", true]);
				});
			} finally {
				server.close();
			}
		}));

	it("has the old or the new version whole after a power cut at any storage operation of an installation", async () => {
		const versions: string[] = [];
		for (let n = 1, cut = true; cut; n++)
			await withFlash(async (flash) => {
				cut = await cutAfter(n, flash, async (bench) => {
					await upload(bench, aSignedImage());
					await bench.cutPower();
				});
				versions.push(await assertStateWhole(flash));
			});
		assertBoth(versions);
	});

	it("has it so after a power cut at each third storage operation of the first start", () =>
		withFlash(async (installed) => {
			await withKey({ flash: installed }, async (bench) => {
				assert.equal(await upload(bench, aSignedImage()), "200 OK");
				await bench.cutPower();
			});
			const versions: string[] = [];
			for (let n = 1, cut = true; cut; n += 3)
				await withFlash(async (flash) => {
					cpSync(installed, flash, { recursive: true });
					cut = await cutAfter(n, flash, (bench) => untilKept(bench, "v0.2.0"));
					versions.push(await assertStateWhole(flash));
				});
			assertBoth(versions);
		}));

	it("verifies a signature in short turns, also for a client that has gone", () =>
		withKey({}, async (bench) => {
			const image = aSignedImage(LARGE);
			await bench.report();
			for (let i = 0; i < 10; i++) await refusalOf(bench, Buffer.concat([image.subarray(0, -1), Buffer.of(image.at(-1)! ^ 1)]));
			await bench.assertShortTurns();
			const { message, answer } = beginUpload(bench, image.length);
			await new Promise((resolve) => message.end(image, () => resolve(undefined)));
			message.destroy();
			assert.match(await answer.catch(() => "gone"), /gone|200 OK/);
			await untilUpdate(bench, (state) => state["current"] === "v0.2.0" || state["uploading"] === false, "an end of it");
		}));
});
