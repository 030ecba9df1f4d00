/**
 * Makes a release of a board's firmware: `npm run release -- BOARD [--key FILE|none]`, after
 * `npm run build -- BOARD`. `npm run release -- --new-key [FILE]` makes the owner's key before, once.
 * The key is --key, else OPENCOUPLING_KEY, else ~/.opencoupling/update-key.pem; if there is none the release
 * is not signed.
 *
 * In build/release/BOARD: `version.json`, the update manifest that controllers read (src/update/manifest.ts),
 * and a folder named by the version with `firmware.bin` (updates), `first-flash.bin` (a board without ours),
 * `web-flash.json` (ESP Web Tools, so that a browser can flash) and `SHA256SUMS`. The folder can be copied as
 * it is to where `updateUrl` of hal/esp32/boards/BOARD/manifest.json points.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DeviceError, findBoard, ROOT } from "./device/boards.mjs";
import { finishFirmware, firmwareFolder, firmwareVersion } from "./device/firmware.mjs";
import { sha256 } from "./device/image.mjs";
import { keyPath, makeKey, publicKeyOf, readKey, shortKey, signImage, signManifest } from "./device/sign.mjs";

/** The oldest version that may take this one: raise it when a release needs what an earlier one leaves. */
const OLDEST_UPDATABLE = "v0.1.0";
/** As esptool-js names chips. @type {Record<string, string>} */
const CHIP_FAMILIES = { esp32s3: "ESP32-S3", esp32c3: "ESP32-C3", esp32c6: "ESP32-C6" };

/**
 * @param {string} name board
 * @param {string} linked folder with mcconfig's products
 * @param {string} [target] default build/release
 * @param {import("node:crypto").KeyObject} [key] signs image and manifest
 * @returns {string} folder of the release
 * @throws {DeviceError}
 */
export function makeRelease(name, linked, target = `${ROOT}build/release`, key = undefined) {
	const board = findBoard(name);
	const version = firmwareVersion();
	const { firmware: image, firstFlash } = finishFirmware(name, linked);
	const firmware = key === undefined ? image : signImage(image, { projectName: board.projectName, version }, key);
	const folder = `${target}/${name}/${version}`;
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const webFlash = {
		name: `OpenCoupling for ${name}`,
		version,
		new_install_prompt_erase: true,
		new_install_improv_wait_time: 0,
		builds: [{ chipFamily: CHIP_FAMILIES[board.chip], parts: [{ path: "first-flash.bin", offset: 0 }] }],
	};
	const files = [
		{ name: "firmware.bin", bytes: firmware },
		{ name: "first-flash.bin", bytes: firstFlash },
		{ name: "web-flash.json", bytes: Buffer.from(`${JSON.stringify(webFlash, null, "\t")}\n`) },
	].map((file) => ({ ...file, sha256: sha256(file.bytes).toString("hex") }));
	for (const file of files) writeFileSync(`${folder}/${file.name}`, file.bytes);
	writeFileSync(`${folder}/SHA256SUMS`, files.map((file) => `${file.sha256}  ${file.name}\n`).join(""));
	const manifest = {
		version,
		board: board.projectName,
		minVersion: OLDEST_UPDATABLE,
		firmware: "firmware.bin",
		size: firmware.length,
		sha256: files[0].sha256,
		files: files.map((file) => ({ name: file.name, size: file.bytes.length, sha256: file.sha256 })),
	};
	const signed = key === undefined ? manifest : signManifest(manifest, key);
	writeFileSync(`${target}/${name}/version.json`, `${JSON.stringify(signed, null, "\t")}\n`);
	return folder;
}

const USAGE = "usage: npm run release -- BOARD [--key FILE|none] | npm run release -- --new-key [FILE]";

/** @param {string[]} args */
function parse(args) {
	try {
		return parseArgs({ args, options: { key: { type: "string" }, "new-key": { type: "boolean" } }, allowPositionals: true });
	} catch (error) {
		throw new DeviceError(`${error.message}\n${USAGE}`);
	}
}

/**
 * @param {string[]} args
 * @returns {string} what was done
 */
function main(args) {
	const { values, positionals } = parse(args);
	if (values["new-key"]) {
		const { path, publicKey } = makeKey(positionals[0] ?? values.key);
		return `${path}: the key that signs your updates. Keep a copy where nobody else reads it: without it only USB installs.\n${publicKey}: what the next npm run build puts into the firmware; from then on the controller takes only what this key has signed.`;
	}
	const [name] = positionals;
	findBoard(name);
	const path = keyPath(values.key);
	const key = path === "" ? undefined : readKey(path);
	const linked = `${firmwareFolder(name)}/bin/esp32/${name}/release/${basename(ROOT)}`;
	const folder = makeRelease(name, linked, undefined, key);
	return `${folder}: ${key === undefined ? "not signed, there is no key (npm run release -- --new-key)" : `signed with key ${shortKey(publicKeyOf(key))}`}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	try {
		console.log(main(process.argv.slice(2)));
	} catch (error) {
		if (!(error instanceof DeviceError)) throw error;
		console.error(error.message);
		process.exitCode = 1;
	}
}
