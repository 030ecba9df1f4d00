import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeviceError, findBoard, ROOT } from "../../../tools/device/boards.mjs";
import { anImage } from "../../../tools/device/sample-image.js";
import { keyPath, makeKey, publicKeyOf, readKey, shortKey } from "../../../tools/device/sign.mjs";
import { makeRelease } from "../../../tools/release.mjs";

describe("tools/device/sign.mjs", () => {
	let folder: string;
	let path: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), "sign-test-"));
		path = join(folder, "deep/key.pem");
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	const release = (args: string[], environment: NodeJS.ProcessEnv = {}) => {
		const env = { ...process.env, HOME: folder, ...environment };
		const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/release.mjs", ...args], {
			cwd: ROOT,
			encoding: "utf8",
			env,
		});
		return { status, stdout, stderr };
	};

	it("makes a key that only its owner can read, and never overwrites one", () => {
		const { publicKey } = makeKey(path);
		assert.equal(statSync(path).mode & 0o777, 0o600);
		assert.equal(statSync(join(folder, "deep")).mode & 0o777, 0o700);
		assert.equal(publicKeyOf(readKey(path)), publicKey);
		assert.match(publicKey, /^[0-9a-f]{64}$/);
		assert.equal(shortKey(publicKey), publicKey.slice(0, 16).replace(/(.{4})(.{4})(.{4})(.{4})/, "$1 $2 $3 $4"));
		const text = readFileSync(path, "utf8");
		assert.throws(() => makeKey(path), /exists: a key is never replaced/);
		assert.equal(readFileSync(path, "utf8"), text);
	});

	it("keeps no key in the tree", () => {
		for (const place of ["key.pem", "build/key.pem", "tools/../key.pem"])
			assert.throws(() => makeKey(join(ROOT, place)), /is in the tree/, place);
		assert.equal(readdirSync(ROOT).includes("key.pem"), false);
	});

	it("rejects a key that others can read, an invalid one and another kind, without showing its content", () => {
		makeKey(path);
		for (const mode of [0o640, 0o604, 0o660]) {
			chmodSync(path, mode);
			assert.throws(() => readKey(path), /others can read the key/, mode.toString(8));
		}
		const secret = "this is a secret";
		const other = join(folder, "other.pem");
		const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
		for (const text of [secret, privateKey.export({ type: "pkcs8", format: "pem" })]) {
			writeFileSync(other, text, { mode: 0o600 });
			assert.throws(
				() => readKey(other),
				(error: Error) =>
					error instanceof DeviceError && /holds no Ed25519 key/.test(error.message) && !error.message.includes(secret),
			);
		}
		assert.throws(
			() => readKey(join(folder, "nowhere.pem")),
			/can't be read \(ENOENT\): make one with npm run release -- --new-key/,
		);
	});

	it("uses the named key, else the environment's, else the owner's, else none", () => {
		const before = process.env["OPENCOUPLING_KEY"];
		try {
			process.env["OPENCOUPLING_KEY"] = path;
			assert.deepEqual([keyPath(undefined), keyPath("none"), keyPath("/a/b")], [path, "", "/a/b"]);
			process.env["OPENCOUPLING_KEY"] = "none";
			assert.equal(keyPath(undefined), "");
		} finally {
			if (before === undefined) delete process.env["OPENCOUPLING_KEY"];
			else process.env["OPENCOUPLING_KEY"] = before;
		}
	});

	it("npm run release makes the key, prints its public half alone, and says what follows", () => {
		const { status, stdout, stderr } = release(["--new-key"]);
		assert.deepEqual([status, stderr], [0, ""]);
		const own = join(folder, ".opencoupling/update-key.pem");
		assert.equal(statSync(own).mode & 0o777, 0o600);
		assert.ok(stdout.includes(own) && stdout.includes(publicKeyOf(readKey(own))));
		const secret = readKey(own).export({ type: "pkcs8", format: "der" }).subarray(-32);
		for (const form of ["hex", "base64"] as const) assert.ok(!stdout.includes(secret.toString(form).slice(0, 40)));
		assert.deepEqual([release(["--new-key"]).status, release(["--new-key"]).stdout], [1, ""]);
		assert.match(release(["c6", "--key", join(folder, "none.pem")]).stderr, /^the key .* can't be read/);
		assert.match(release(["c6", "--wrong"]).stderr, /usage: npm run release/);
		assert.match(release([]).stderr, /^which board\?/);
	});

	it("leaves nothing of the key but its public half in a release", () => {
		const linked = join(folder, "linked");
		mkdirSync(linked);
		for (const name of ["bootloader.bin", "partition-table.bin", "ota_data_initial.bin"]) writeFileSync(join(linked, name), name);
		const { chipId } = findBoard("c6");
		writeFileSync(join(linked, "xs_esp32.bin"), anImage({ chipId, projectName: "xs_esp32", version: "8.2.3" }));
		makeKey(path);
		const key = readKey(path);
		makeRelease("c6", linked, folder, key);
		const secret = key.export({ type: "pkcs8", format: "der" }).subarray(-32);
		const files = readdirSync(join(folder, "c6"), { recursive: true, encoding: "utf8" }).map((name) => join(folder, "c6", name));
		let found = 0;
		for (const file of files.filter((name) => statSync(name).isFile())) {
			const bytes = readFileSync(file);
			for (const form of [secret, secret.toString("hex"), secret.toString("base64").slice(0, 40)])
				assert.equal(bytes.includes(form), false, file);
			found += bytes.includes(Buffer.from(publicKeyOf(key), "hex")) ? 1 : 0;
		}
		assert.equal(found, 1, "firmware.bin names the key");
	});
});
