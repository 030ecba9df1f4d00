/** Updates over real sockets, on slots that are files: what is installed, what is rejected, what a power cut leaves. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ReleaseServer } from "../../tools/device/release-server.js";
import { anImage } from "../../tools/device/sample-image.js";
import { publicKeyOf } from "../../tools/device/sign.mjs";
import { aSignedImage, OWN_KEY } from "../support/update-bench.js";
import { type Bench, type BenchOptions, withBench, withFlash } from "./bench-car.js";
import { marker } from "./car-rows.js";
import { beginUpload, freePort, untilUpdate, updateState, upload, uploadForm } from "./update-peers.js";
import { now, sleep, until } from "./wait.js";

const IMAGE = anImage({ version: "v0.2.0", segments: [600, 40, 3000] });

interface Options {
	readonly args?: readonly string[];
	readonly flash?: string;
	/** That updates must be signed with; none as default. */
	readonly key?: string;
}

/** A controller without a car, on a port that it keeps. */
async function withController({ args = [], flash, key }: Options, test: (bench: Bench) => Promise<void>): Promise<void> {
	const more = key === undefined ? args : ["--update-key", key, ...args];
	const options: BenchOptions = { settings: null, connected: false, args: ["--http", await freePort(), ...more] };
	await withBench(flash === undefined ? options : { ...options, flash }, test);
}

/** The version that runs after another start. */
async function versionAfterRestart(flash: string): Promise<string> {
	let version = "";
	await withController({ flash }, async (bench) => {
		const { current, confirmed, rolledBack } = await updateState(bench);
		version = `${current}${confirmed === true ? "" : " unconfirmed"}${rolledBack === true ? " after a rollback" : ""}`;
	});
	return version;
}

const untilRuns = (bench: Bench, version: string) => untilUpdate(bench, ({ current }) => current === version, version);
const untilKept = (bench: Bench, version: string) =>
	untilUpdate(bench, ({ current, confirmed }) => current === version && confirmed === true, `${version} to be kept`);

describe("system: update", () => {
	it("downloads, verifies, installs and keeps an update that has passed its self-test", async () => {
		const server = await ReleaseServer.start();
		try {
			await withController({ args: ["--wifi", "home:password1", "--update-url", server.url] }, async (bench) => {
				await bench.joinHome();
				assert.equal((await bench.post("/api/update/check")).answer.checking, true);
				await untilUpdate(bench, ({ available }) => available === true, "the update to be known", 8000);
				assert.deepEqual(await bench.post("/api/update/install"), { code: 200, answer: { started: true } });
				const unconfirmed = await untilRuns(bench, "v0.2.0");
				assert.deepEqual([unconfirmed["installing"], unconfirmed["url"]], [false, server.url]);
				await untilKept(bench, "v0.2.0");
				assert.deepEqual(readFileSync(join(bench.flash, "partitions/ota_1")), server.image);
				assert.equal((await bench.status()).mode, "STOCK");
				assert.equal((await bench.get("/api/network")).staConnected, true, "what was set is still there");
			});
		} finally {
			server.close();
		}
	});

	it("survives uploads that break off, and those that are too large", () =>
		withController({}, async (bench) => {
			for (const length of [1, 113, IMAGE.length - 1]) {
				const { message } = beginUpload(bench, IMAGE.length);
				await new Promise((resolve) => message.write(IMAGE.subarray(0, length), resolve));
				await untilUpdate(bench, ({ uploading }) => uploading === true, "the upload to begin", 8000);
				assert.equal(await upload(bench, IMAGE), "409 FAIL: busy");
				message.destroy();
				const { installDetail, current } = await untilUpdate(bench, ({ uploading }) => uploading === false, "its end", 8000);
				assert.deepEqual([installDetail, current], ["the upload was broken off", "v0.1.0"]);
			}
			assert.equal(await upload(bench, Buffer.alloc(2_000_000, "x")), "400 FAIL: not an image");
			assert.equal(await upload(bench, Buffer.alloc(5_000_000)), "413 FAIL: too large");
			assert.equal(await upload(bench, IMAGE), "200 OK");
			await untilRuns(bench, "v0.2.0");
		}));

	it("installs the image of a form after a field, and rejects one before a field", () =>
		withController({}, async (bench) => {
			assert.match(await uploadForm(bench, ["update", IMAGE], ["MD5", "x"]), /^400 FAIL: bytes follow the image: /);
			assert.equal((await updateState(bench))["installDetail"], "bytes follow the image: in a form it must be the last field");
			assert.equal(await uploadForm(bench, ["MD5", "x"], ["update", IMAGE]), "200 OK");
			await untilRuns(bench, "v0.2.0");
		}));

	it("rejects while control is active or the car moves; while it updates, frames leave as they came", () =>
		withBench({}, async (bench) => {
			bench.show(30, 50);
			await bench.untilCommand();
			assert.equal(await upload(bench, IMAGE), "409 FAIL: control is active: select mode STOCK first");
			await bench.mode("STOCK");
			await bench.untilStock();
			assert.equal(await upload(bench, IMAGE), "409 FAIL: the car is moving");
			bench.show(0, 0);
			await untilUpdate(bench, ({ refusal }) => refusal === "", "the car to stand");
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

	it("a kill after the installation starts the new version, a kill before its self-test the old one", () =>
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
				await untilKept(bench, "v0.2.0");
			});
			assert.equal(await versionAfterRestart(flash), "v0.2.0");
		}));
});

const LARGE = { segments: [600, 40, 30_000] };
const KEY = publicKeyOf(OWN_KEY);
const POWER_CUT_CODE = 9;
/** Longer than a change waits for its write. */
const QUIET_MS = 2300;

const withKey = (options: Options, test: (bench: Bench) => Promise<void>) => withController({ key: KEY, ...options }, test);

const refusalOf = async (bench: Bench, image: Uint8Array): Promise<string> => {
	const answer = await upload(bench, image);
	const state = await updateState(bench);
	assert.deepEqual([state["current"], state["restarting"]], ["v0.1.0", false], answer);
	return answer;
};

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

describe("system: signed update", () => {
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
				await untilKept(bench, "v0.2.0");
				assert.equal((await updateState(bench))["newestKept"], "v0.3.0", "it stays the newest");
			});
			await withKey({ flash }, async (bench) => assert.equal(await upload(bench, aSignedImage({ version: "v0.2.5" })), older));
		}));

	const install = async (bench: Bench): Promise<void> => {
		assert.equal(await upload(bench, aSignedImage()), "200 OK");
		await bench.cutPower();
	};

	for (const [when, every, isInstalled, act] of [
		["any storage operation of an installation", 1, false, install],
		["each third storage operation of the first start", 3, true, (bench: Bench) => untilKept(bench, "v0.2.0")],
	] as const)
		it(`has the old or the new version whole after a power cut at ${when}`, () =>
			withFlash(async (before) => {
				if (isInstalled) await withKey({ flash: before }, install);
				const versions: string[] = [];
				for (let n = 1, cut = true; cut; n += every)
					await withFlash(async (flash) => {
						cpSync(before, flash, { recursive: true });
						cut = await cutAfter(n, flash, act);
						versions.push(await assertStateWhole(flash));
					});
				assert.ok(versions.length > 3, `${versions.length - 1} cuts`);
				assert.deepEqual([...new Set(versions)].sort(), ["v0.1.0", "v0.2.0"]);
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
