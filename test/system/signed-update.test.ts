/**
 * Updates of a controller that has its owner's key, over real sockets: what it takes, and what a stranger on
 * its network can't have it take.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { publicKeyOf, signImage } from "../../tools/device/sign.mjs";
import { anImage, aSignedImage, OTHER_KEY, OWN_KEY } from "../support/update-bench.js";
import { type Bench, withBench, withFlash } from "./bench-car.js";
import { ReleaseServer } from "./release-server.js";
import { beginUpload, freePort, untilUpdate, updateState, upload } from "./update-client.js";
import { sleep, until } from "./wait.js";

const TRAILER = 200;
const DIGEST = 32;
const LARGE = { segments: [600, 40, 30_000] };
const KEY = publicKeyOf(OWN_KEY);
const POWER_CUT_CODE = 9;
/** Controllers without a car, which mostly wait. */
/** Longer than a change waits for its write. */
const QUIET_MS = 2300;

interface Options {
	readonly flash?: string;
	readonly args?: readonly string[];
	readonly key?: string;
}

/** A controller with a key, without a car, on a port that it keeps. */
async function withKey({ flash, args = [], key = KEY }: Options, test: (bench: Bench) => Promise<void>): Promise<void> {
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
	it("takes what the key has signed, starts it, keeps it, and says which key that is", () =>
		withKey({}, async (bench) => {
			assert.deepEqual([(await updateState(bench))["updateKey"], (await updateState(bench))["newestKept"]], [KEY, "v0.1.0"]);
			assert.equal(await upload(bench, aSignedImage(LARGE)), "200 OK");
			await untilKept(bench, "v0.2.0");
			assert.deepEqual(readFileSync(join(bench.flash, "partitions/ota_1")), anImage(LARGE), "stored without its trailer");
			assert.equal((await updateState(bench))["newestKept"], "v0.2.0");
		}));

	it("takes none of 40 images that were altered and re-hashed, then the signed one", () =>
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

	it("goes back to no version before the newest that it has kept, unless its owner presses BOOT at the board", () =>
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

	it("takes from a server only what the key has signed, manifest and image", async () => {
		const server = await ReleaseServer.start();
		server.key = OWN_KEY;
		server.image = aSignedImage({ version: "v0.2.0", segments: [600, 40, 60_000] });
		try {
			await withKey({ args: ["--wifi", "home:password1", "--update-url", server.url] }, async (bench) => {
				await bench.ask("POST", "/api/wifi", '{"ssid":"home","password":"password1"}');
				const isOnline = async () => JSON.parse((await bench.ask("GET", "/api/network")).text).staConnected === true;
				await until(isOnline, 60_000, "the network");
				const look = async () => {
					await bench.ask("POST", "/api/update/check");
					return untilUpdate(bench, (state) => state["checking"] === false, "the check", 60_000);
				};
				const path = new URL(server.url).origin;
				for (const changes of [
					...[{ version: "v0.9.0" }, { sha256: "00".repeat(32) }, { firmware: `${path}/evil.bin` }, { size: 1 }],
					...[{ board: "opencoupling-c6" }, { minVersion: "v0.0.1" }, { signature: "00".repeat(64) }, { signature: "" }],
				]) {
					server.changes = changes;
					const state = await look();
					assert.deepEqual(
						[state["error"], state["available"]],
						["not signed with this controller's key", false],
						JSON.stringify(changes),
					);
				}
				server.changes = {};
				assert.deepEqual([(await look())["error"], (await updateState(bench))["available"]], ["", true]);
				// the file behind a good manifest
				const { image } = server;
				server.image = anImage({ version: "v0.2.0", segments: [600, 40, 60_000] });
				await bench.ask("POST", "/api/update/install");
				const failed = await untilUpdate(bench, ({ installing }) => installing === false, "the end of the installation");
				assert.deepEqual([failed["installDetail"], failed["current"]], ["image is damaged", "v0.1.0"]);
				server.image = image;
				await bench.ask("POST", "/api/update/install");
				await untilUpdate(bench, (state) => state["current"] === "v0.2.0", "the new version");
			});
		} finally {
			server.close();
		}
	});

	it("takes no manifest again that was signed before a newer one, at the next starts too, unless BOOT is pressed", () =>
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
				await bench.ask("POST", "/api/wifi", '{"ssid":"home","password":"password1"}');
				const isOnline = async () => JSON.parse((await bench.ask("GET", "/api/network")).text).staConnected === true;
				await until(isOnline, 60_000, "the network");
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

	it("a power cut after any storage operation until it starts leaves the old version or the new one, whole", async () => {
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

	it("a power cut after each third storage operation of its first start does, too", () =>
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

	it("looks at a signature beside its control loop, in short turns, for a client that has gone as well", () =>
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
