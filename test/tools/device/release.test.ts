import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClientConstructor } from "../../../hal/network-ports.js";
import type { Download } from "../../../hal/update-port.js";
import { STORED_MAPS_MAX } from "../../../src/maps/map-store.js";
import { HttpFetch } from "../../../src/runtime/http-fetch.js";
import { ImageProblem } from "../../../src/update/firmware-image.js";
import { readManifest } from "../../../src/update/manifest.js";
import { MINIMUM_VERSION, VERSION } from "../../../src/version.js";
import { BOARDS, type Board, DeviceError, findBoard, partitionsOf, ROOT } from "../../../tools/device/boards.mjs";
import { mergeParts, stampImage } from "../../../tools/device/image.mjs";
import { anImage, sha256 } from "../../../tools/device/sample-image.js";
import { makeRelease } from "../../../tools/release.mjs";
import { anImageCheck, bytesOfKey, OTHER_KEY, OWN_KEY } from "../../support/update-bench.js";

/** As Moddable's project leaves it. */
const linkedImage = (board: Board, segments = [600, 40, 60_000]) =>
	anImage({ chipId: board.chipId, projectName: "xs_esp32", version: "8.2.3-dirty", segments });

/** What is wrong with an image in the eyes of the controller of this board. */
function refusal(board: Board, image: Uint8Array, updateKey: Uint8Array = new Uint8Array(0)): string {
	const slot = partitionsOf(board.folder).find(({ subtype }) => subtype === "ota_1")!;
	const { chipId, projectName } = board;
	const rules = {
		chipId,
		projectName,
		minimumVersion: MINIMUM_VERSION,
		maxBytes: slot.size,
		newestVersion: "",
		updateKey,
	};
	const checked = anImageCheck(rules, { version: VERSION, sizeBytes: image.length, sha256: sha256(image) });
	return checked.write(image) || checked.end();
}

describe("tools/release.mjs", () => {
	let folder: string;
	let linked: string;

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), "release-test-"));
		linked = join(folder, "linked");
		mkdirSync(linked);
		for (const [name, bytes] of [
			["bootloader.bin", 0x5000],
			["partition-table.bin", 0xc00],
			["ota_data_initial.bin", 0x2000],
		] as const)
			writeFileSync(join(linked, name), Buffer.alloc(bytes, name));
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	const release = (board: Board, image = linkedImage(board), key?: KeyObject) => {
		writeFileSync(join(linked, "xs_esp32.bin"), image);
		return makeRelease(board.name, linked, folder, key);
	};

	for (const name of BOARDS) {
		it(`makes an image that the controller of ${name} takes, and no other's`, () => {
			const board = findBoard(name);
			const image = readFileSync(join(release(board), "firmware.bin"));
			assert.equal(refusal(board, image), "");
			for (const other of BOARDS.filter((board) => board !== name))
				assert.equal(refusal(findBoard(other), image), ImageProblem.OTHER_BOARD);
		});

		it(`makes the same image of ${name} of what was linked in another folder and commit`, () => {
			const board = findBoard(name);
			const image = linkedImage(board);
			const other = anImage({ chipId: board.chipId, projectName: "xs_esp32", version: "1234567", segments: [600, 40, 60_000] });
			const digestAt = 32 + 144;
			for (let at = digestAt; at < digestAt + 32; at++) {
				other[at] = 0xa5 ^ at;
				other[other.length - 33] ^= other[at];
			}
			const once = readFileSync(join(release(board, image), "firmware.bin"));
			assert.deepEqual(readFileSync(join(release(board, other), "firmware.bin")), once);
		});

		it(`leaves a manifest that the updater of ${name} reads, and that fits the file`, () => {
			const board = findBoard(name);
			const image = readFileSync(join(release(board), "firmware.bin"));
			const text = readFileSync(join(folder, name, "version.json"));
			const url = `http://192.168.1.10:8000/${name}/version.json`;
			const manifest = readManifest(new Uint8Array(text), url);
			assert.deepEqual(manifest, {
				version: VERSION,
				firmwareUrl: url.replace("version.json", `${VERSION}/firmware.bin`),
				filesystemUrl: "",
				sha256: sha256(image),
				sizeBytes: image.length,
				board: board.projectName,
				minVersion: "v0.1.0",
				signed: undefined,
			});
		});

		it(`merges what a first flash of ${name} needs, each part where the partition table has it`, () => {
			const board = findBoard(name);
			const at = release(board);
			const flash = readFileSync(join(at, "first-flash.bin"));
			const image = readFileSync(join(at, "firmware.bin"));
			assert.deepEqual(flash.subarray(0, 0x5000), readFileSync(join(linked, "bootloader.bin")));
			assert.deepEqual(flash.subarray(0x8000, 0x8c00), readFileSync(join(linked, "partition-table.bin")));
			assert.deepEqual(flash.subarray(0xe000, 0x10000), readFileSync(join(linked, "ota_data_initial.bin")));
			assert.deepEqual(flash.subarray(0x10000), image);
			assert.ok(
				flash.subarray(0x9000, 0xe000).every((byte) => byte === 0xff),
				"nvs is to be empty",
			);
		});

		it(`says for ESP Web Tools what ${name} is, and gives the digest of each file`, () => {
			const board = findBoard(name);
			const at = release(board);
			const web = JSON.parse(readFileSync(join(at, "web-flash.json"), "utf8"));
			assert.equal(web.version, VERSION);
			assert.equal(web.new_install_improv_wait_time, 0, "it does not speak Improv");
			assert.equal(web.builds[0].chipFamily.replace("-", "").toLowerCase(), board.chip);
			for (const { path, offset } of web.builds[0].parts) {
				assert.ok(readdirSync(at).includes(path));
				assert.equal(offset, 0);
			}
			execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: at });
			const { files } = JSON.parse(readFileSync(join(folder, name, "version.json"), "utf8"));
			assert.deepEqual(
				files.map((file: { name: string }) => file.name).sort(),
				readdirSync(at)
					.filter((name) => name !== "SHA256SUMS")
					.sort(),
			);
			for (const file of files) assert.equal(file.sha256, sha256(readFileSync(join(at, file.name))));
		});
	}

	it("signs image and manifest with the owner's key, for the controller that has its public half", () => {
		const board = findBoard("c6");
		const image = readFileSync(join(release(board, undefined, OWN_KEY), "firmware.bin"));
		assert.equal(refusal(board, image, bytesOfKey(OWN_KEY)), "");
		assert.equal(refusal(board, image, bytesOfKey(OTHER_KEY)), ImageProblem.OTHER_KEY);
		assert.equal(refusal(board, image.subarray(0, -200), bytesOfKey(OWN_KEY)), ImageProblem.UNSIGNED);
		assert.equal(refusal(board, image), "", "a controller without a key takes it, too");
		const manifest = readManifest(
			new Uint8Array(readFileSync(join(folder, "c6", "version.json"))),
			"http://10.0.0.1/version.json",
		);
		const { message, signature } = manifest!.signed!;
		assert.ok(verify(null, message, createPublicKey(OWN_KEY), signature));
		assert.deepEqual([manifest!.sizeBytes, manifest!.sha256], [image.length, sha256(image)]);
	});

	it("rejects an image that leaves less than 32 KB of its slot free", () => {
		const c6 = findBoard("c6");
		const slot = partitionsOf(c6.folder).find(({ subtype }) => subtype === "ota_0")!;
		const most = slot.size - 32 * 1024;
		const empty = linkedImage(c6, [600, 0]).length;
		assert.equal(readFileSync(join(release(c6, linkedImage(c6, [600, most - empty])), "firmware.bin")).length, most);
		assert.throws(
			() => release(c6, linkedImage(c6, [600, most - empty + 16])),
			new RegExp(`at most ${most} of ${slot.size} are allowed`),
		);
	});

	it("rejects what it can't release", () => {
		const c6 = findBoard("c6");
		const refused = (image: Buffer) => {
			assert.throws(() => release(c6, image), DeviceError);
		};
		refused(linkedImage(findBoard("t2can")));
		refused(linkedImage(c6, [256, 0x1a0000]));
		refused(linkedImage(c6, [200]));
		refused(Buffer.alloc(1000));
		rmSync(join(linked, "bootloader.bin"));
		refused(linkedImage(c6));
		assert.throws(
			() =>
				mergeParts([
					{ offset: 0, bytes: Buffer.alloc(9) },
					{ offset: 8, bytes: Buffer.alloc(1) },
				]),
			DeviceError,
		);
		const long = { chipId: c6.chipId, projectName: "x".repeat(32), version: VERSION };
		assert.throws(() => stampImage(linkedImage(c6), long), DeviceError);
	});
});

describe("tools/device.mjs", () => {
	/** Without what the machine may have installed. */
	const run = (arguments_: string[], environment: NodeJS.ProcessEnv = {}) => {
		const { MODDABLE: _sdk, IDF_PATH: _idf, ...rest } = process.env;
		const options = { encoding: "utf8", env: { ...rest, ...environment }, cwd: ROOT } as const;
		const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/device.mjs", ...arguments_], options);
		return { status, stdout, stderr };
	};

	it("says in one line what is missing, and how to get it", () => {
		for (const command of ["build c6", "flash c6", "link c6", "emulator"]) {
			const { status, stdout, stderr } = run(command.split(" "));
			assert.deepEqual([status, stdout], [1, ""]);
			assert.match(stderr, /^MODDABLE is not set: install Moddable SDK 8\.2 .*\n$/);
		}
		assert.match(run(["build", "c6"], { MODDABLE: "/nowhere" }).stderr, /^no Moddable SDK in MODDABLE=\/nowhere: install .*\n$/);
		const sdk = mkdtempSync(join(tmpdir(), "sdk-test-"));
		mkdirSync(join(sdk, "examples"));
		writeFileSync(join(sdk, "examples/manifest_base.json"), "{}");
		assert.match(run(["build", "c6"], { MODDABLE: sdk }).stderr, /^the tools of the Moddable SDK are not built .*\n$/);
		for (const host of ["lin", "mac"]) {
			mkdirSync(join(sdk, `build/bin/${host}/release`), { recursive: true });
			writeFileSync(join(sdk, `build/bin/${host}/release/mcconfig`), "");
		}
		for (const command of ["build c6", "emulator"])
			assert.match(run(command.split(" "), { MODDABLE: sdk }).stderr, /^IDF_PATH is not set: install ESP-IDF v6\.0 .*\n$/);
		rmSync(sdk, { recursive: true });
	});

	it("names the boards there are", () => {
		for (const name of [[], ["c3"], ["../.."]])
			assert.match(run(["build", ...name]).stderr, /^which board\? one of: c6, emulator, t2can\n$/);
		assert.match(run([]).stderr, /^usage: /);
	});
});

describe("hal/esp32/boards", () => {
	const FLASH_BYTES: Record<string, number> = { t2can: 16 << 20, c6: 4 << 20, emulator: 4 << 20 };
	/** Three, each with four copies. */
	const LOGS = 15;
	const LITTLEFS_BLOCK = 4096;
	/** Settings, the active map, Wi-Fi, what is just being replaced, directories: 32 blocks. */
	const OTHER_FILES_BYTES = 32 * LITTLEFS_BLOCK;

	for (const name of BOARDS) {
		it(`has ${name} look for updates where it can, or nowhere`, () => {
			const { updateUrl } = findBoard(name);
			const TCP = class {} as unknown as ClientConstructor;
			if (updateUrl !== "")
				assert.doesNotThrow(() => new HttpFetch(TCP, { ticks: 0 }, () => {}).open(updateUrl, {} as Download), updateUrl);
		});

		it(`has all but the slots of ${name} where it is in a build for xsbug, too`, () => {
			const { folder } = findBoard(name);
			const rest = (debug: boolean) => partitionsOf(folder, debug).filter(({ type }) => type !== "app");
			assert.deepEqual(rest(true), rest(false));
			const slots = partitionsOf(folder, true).filter(({ type }) => type === "app");
			const whole = partitionsOf(folder, false).filter(({ type }) => type === "app");
			const end = (rows: typeof slots) => Math.max(...rows.map(({ offset, size }) => offset + size));
			assert.deepEqual([slots[0].offset, end(slots)], [whole[0].offset, end(whole)]);
		});

		it(`has partitions that fit the flash of ${name}: two equal slots, storage for logs and maps`, () => {
			const partitions = partitionsOf(findBoard(name).folder);
			let from = 0x9000;
			for (const { name, type, offset, size } of partitions) {
				assert.ok(offset >= from && size > 0, name);
				assert.equal(offset % (type === "app" ? 0x10000 : 0x1000), 0, name);
				assert.equal(size % 0x1000, 0, name);
				from = offset + size;
			}
			assert.ok(from <= FLASH_BYTES[name]!);
			const size = (subtype: string) => partitions.find((row) => row.subtype === subtype)?.size;
			assert.equal(size("ota_0"), size("ota_1"));
			assert.equal(size("ota"), 0x2000);
			assert.ok(size("nvs")! >= 0x3000 && size("coredump")! >= 0x10000);
			const { logFileBytes } = JSON.parse(readFileSync(join(findBoard(name).folder, "manifest.json"), "utf8")).config;
			const logs = LOGS * logFileBytes;
			const maps = STORED_MAPS_MAX * LITTLEFS_BLOCK;
			assert.ok(
				partitions.some((row) => row.name === "storage" && row.size >= logs + maps + OTHER_FILES_BYTES),
				"Moddable's files look for that name",
			);
		});
	}
});
