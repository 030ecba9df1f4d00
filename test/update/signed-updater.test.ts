/** What an updater with a key takes and rejects, and when it tells. */
import assert from "node:assert/strict";
import { ImageProblem } from "../../src/update/firmware-image.js";
import { UpdateProblem } from "../../src/update/rejection.js";
import { anImage, sha256 } from "../../tools/device/sample-image.js";
import { signManifest } from "../../tools/device/sign.mjs";
import { aSignedImage, OTHER_KEY, OWN_KEY, UpdateBench } from "../support/update-bench.js";

const IMAGE = aSignedImage();
const URL = "http://127.0.0.1/release/version.json";
const { NOT_SIGNED, REPLAYED } = UpdateProblem;
const MANIFEST = { version: "v0.2.0", firmware: "fw.bin", sha256: sha256(IMAGE), size: IMAGE.length, board: "opencoupling-host" };

const aBench = () => new UpdateBench(URL, OWN_KEY);

function assertNothingStarts(bench: UpdateBench): void {
	bench.pass(4000);
	const { firmware, updater } = bench;
	assert.deepEqual([firmware.activated, firmware.restarts, updater.phase, bench.updating], [false, 0, "idle", false]);
	assert.ok(
		bench.checks.every(({ closed }) => closed),
		"no check is left over",
	);
}

describe("update/updater with a key: upload", () => {
	it("activates a signed image once the check has ended, and stores it without its trailer", () => {
		const bench = aBench();
		bench.looks = 30;
		bench.updater.beginUpload(IMAGE.length);
		bench.updater.writeUpload(IMAGE, 0, IMAGE.length);
		const told: string[] = [];
		bench.updater.endUpload((problem) => told.push(problem));
		bench.pass(2000);
		assert.deepEqual([told, bench.firmware.activated, bench.updater.phase, bench.updating], [[], false, "uploading", true]);
		assert.equal(bench.updater.beginUpload(0), UpdateProblem.UPLOADING);
		bench.pass(2000);
		assert.deepEqual([told, bench.firmware.activated, bench.updater.phase], [[""], true, "restarting"]);
		assert.deepEqual(bench.firmware.slot, anImage());
	});

	it("rejects an unsigned image, another key and a wrong signature, and says how to go on", () => {
		for (const [image, problem] of [
			[anImage(), ImageProblem.UNSIGNED],
			[aSignedImage({}, OTHER_KEY), ImageProblem.OTHER_KEY],
			[Buffer.concat([IMAGE.subarray(0, -1), Buffer.of(IMAGE.at(-1)! ^ 1)]), ImageProblem.WRONG_SIGNATURE],
			[IMAGE.subarray(0, -1), ImageProblem.CUT_OR_FOLLOWED],
		] as const) {
			const bench = aBench();
			assert.equal(bench.upload(image), problem);
			assert.equal(bench.updater.installDetail, problem);
			assertNothingStarts(bench);
			assert.equal(bench.upload(IMAGE), "", `a good one after ${problem}`);
		}
	});

	it("rejects an image if there is no memory to check its signature, or the speed is unknown after the check", () => {
		for (const [problem, arm] of [
			[ImageProblem.WRONG_SIGNATURE, (bench: UpdateBench) => (bench.checksFail = true)],
			[UpdateProblem.SPEED_UNKNOWN, (bench: UpdateBench) => (bench.car.vehicle.motion = "unknown")],
		] as const) {
			const bench = aBench();
			arm(bench);
			assert.equal(bench.upload(IMAGE), problem);
			assertNothingStarts(bench);
		}
	});

	it("ends the upload when the car moves during the check", () => {
		const bench = aBench();
		bench.looks = 20;
		const told: string[] = [];
		bench.updater.beginUpload(IMAGE.length, (problem) => told.push(problem));
		bench.updater.writeUpload(IMAGE, 0, IMAGE.length);
		bench.updater.endUpload((problem) => told.push(`end ${problem}`));
		bench.car.vehicle.motion = "moves";
		bench.pass(100);
		assert.deepEqual([told, bench.updating], [[UpdateProblem.CAR_MOVES], false]);
		bench.car.vehicle.motion = "stands";
		assertNothingStarts(bench);
		assert.deepEqual(told, [UpdateProblem.CAR_MOVES], "told once");
	});

	it("rejects an older version before it touches the slot, unless the owner is at the board", () => {
		const bench = new UpdateBench(URL, OWN_KEY, { version: "v0.3.0", announced: "" });
		assert.equal(bench.upload(IMAGE), ImageProblem.OLDER);
		assert.equal(bench.firmware.begun, 0);
		assertNothingStarts(bench);
		bench.updater.allowOlder();
		assert.equal(bench.upload(IMAGE), "");
		assert.equal(bench.firmware.activated, true);
	});
});

describe("update/updater with a key: from a server", () => {
	const checked = (manifest: object): UpdateBench => {
		const bench = aBench();
		bench.check(manifest);
		assert.equal(bench.updater.phase, bench.checks.length > 0 ? "checking" : "idle");
		bench.pass(300);
		return bench;
	};

	it("accepts a manifest and an image that the key has signed", () => {
		const bench = checked(signManifest(MANIFEST, OWN_KEY));
		assert.deepEqual([bench.updater.error, bench.updater.available], ["", true]);
		assert.equal(bench.updater.install(), "");
		bench.pass(100);
		bench.fetch.answer(IMAGE);
		assert.equal(bench.firmware.activated, false);
		bench.pass(300);
		assert.equal(bench.firmware.activated, true);
		bench.pass(600);
		assert.equal(bench.firmware.restarts, 1);
		assert.equal(bench.log.at(-1), "stored before restart 1");
	});

	it("rejects a manifest that the key has not signed, and keeps the earlier one", () => {
		const changed = { ...signManifest(MANIFEST, OWN_KEY), version: "v0.9.0" };
		for (const manifest of [
			MANIFEST,
			changed,
			signManifest(MANIFEST, OTHER_KEY),
			signManifest({ version: "v0.2.0", firmware: "f" }, OWN_KEY),
		]) {
			const bench = checked(manifest);
			assert.deepEqual([bench.updater.error, bench.updater.available, bench.updater.phase], [NOT_SIGNED, false, "idle"]);
			assert.equal(bench.updater.install(), UpdateProblem.NO_URL);
		}
		const bench = checked(signManifest(MANIFEST, OWN_KEY));
		bench.check(changed);
		bench.pass(300);
		assert.deepEqual([bench.updater.error, bench.updater.manifest?.version], [NOT_SIGNED, "v0.2.0"]);
	});

	it("rejects an unsigned image of a signed manifest", () => {
		const unsigned = anImage();
		const bench = checked(signManifest({ ...MANIFEST, sha256: sha256(unsigned), size: unsigned.length }, OWN_KEY));
		assert.equal(bench.updater.install(), "");
		bench.pass(100);
		bench.fetch.answer(unsigned);
		assert.equal(bench.updater.installDetail, ImageProblem.UNSIGNED);
		assertNothingStarts(bench);
	});

	it("rejects an older signed manifest once a newer one was announced, unless the owner has pressed BOOT", () => {
		const signed = (version: string, more: object = {}) => signManifest({ ...MANIFEST, version, ...more }, OWN_KEY);
		const bench = checked(signed("v0.4.0"));
		const look = (manifest: object): (string | undefined)[] => {
			bench.check(manifest);
			bench.pass(300);
			return [bench.updater.error, bench.updater.manifest?.version];
		};
		assert.equal(bench.newest.announced, "v0.4.0");
		assert.deepEqual(look(signed("v0.3.9")), [REPLAYED, "v0.4.0"], "the one that it hides stays to be installed");
		assert.equal(bench.updater.available, true);
		assert.deepEqual(look(signed("v0.4.0")), ["", "v0.4.0"]);
		assert.equal(bench.saves, 2, "the same one is no news");
		bench.updater.allowOlder();
		assert.deepEqual(look(signed("v0.3.9")), ["", "v0.3.9"]);
		assert.equal(bench.newest.announced, "v0.4.0", "it stays the newest");
		bench.pass(600_000);
		assert.deepEqual(look(signed("v0.3.8")), [REPLAYED, "v0.3.9"], "10 minutes are over");
		assert.deepEqual(look(signed("v0.9.0", { board: "opencoupling-c6" })), ["", "v0.9.0"]);
		assert.equal(bench.newest.announced, "v0.4.0", "another board's says nothing of this one's");
		assert.deepEqual(look(signed("v0.4.1")), ["", "v0.4.1"]);
		assert.deepEqual([bench.newest.announced, bench.saves], ["v0.4.1", 3]);
	});

	it("rejects a signed manifest that is older than the running or the kept version", () => {
		const bench = checked(signManifest({ ...MANIFEST, version: "v0.0.9" }, OWN_KEY));
		assert.deepEqual([bench.updater.error, bench.updater.manifest], [REPLAYED, undefined], "v0.1.0 runs");
		const kept = new UpdateBench(URL, OWN_KEY, { version: "v0.3.0", announced: "" });
		kept.check(signManifest(MANIFEST, OWN_KEY));
		kept.pass(300);
		assert.equal(kept.updater.error, REPLAYED);
	});

	it("forgets a manifest whose signature is being checked when an installation or an upload begins", () => {
		for (const begin of [(bench: UpdateBench) => bench.updater.install(), (bench: UpdateBench) => bench.updater.beginUpload(0)]) {
			const bench = checked(signManifest(MANIFEST, OWN_KEY));
			bench.looks = 50;
			bench.check(signManifest({ ...MANIFEST, version: "v0.5.0" }, OWN_KEY));
			assert.equal(bench.updater.phase, "checking");
			assert.equal(begin(bench), "");
			bench.pass(6000);
			assert.deepEqual([bench.updater.manifest?.version, bench.checks.at(-1)?.closed], ["v0.2.0", true]);
		}
	});

	it("keeps the version that runs if it is the newest; without a key it keeps nothing, and accepts older ones", () => {
		const kept = (newest: string, key?: typeof OWN_KEY) =>
			new UpdateBench(URL, key, { version: newest, announced: "" }).newest.version;
		const all = [kept("", OWN_KEY), kept("v0.0.9", OWN_KEY), kept("v0.3.0", OWN_KEY), kept("")];
		assert.deepEqual(all, ["v0.1.0", "v0.1.0", "v0.3.0", ""]);
		const bench = new UpdateBench(URL);
		for (const version of ["v0.4.0", "v0.0.9"]) {
			bench.check({ ...MANIFEST, version });
			assert.deepEqual([bench.updater.error, bench.updater.manifest?.version, bench.newest.announced], ["", version, ""]);
		}
	});
});
