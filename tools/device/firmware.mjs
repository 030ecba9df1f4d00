/** Builds a board's firmware with Moddable's mcconfig and ESP-IDF, and writes it to a board. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { DeviceError, findBoard, findPartition, platformOf, ROOT, sdkEnvironment } from "./boards.mjs";
import { mergeParts, stampImage } from "./image.mjs";
import { keyPath, publicKeyOf, readKey, shortKey } from "./sign.mjs";

const BOOTLOADER_AT = 0x0; // both chips
const PARTITION_TABLE_AT = 0x8000;
/** At least this many bytes of a slot must stay free, or a build fails. */
const FREE_BYTES_LEAST = 32 * 1024;

/** Of the sources. */
export function firmwareVersion() {
	return readFileSync(`${ROOT}src/version.ts`, "utf8").match(/const VERSION = "(v[^"]+)"/)?.[1] ?? "";
}

/** `firmware.bin` for updates, `first-flash.bin` for a board that has none. @param {string} name of the board */
export const firmwareFolder = (name) => `${ROOT}build/device/${name}`;

/**
 * Turns what mcconfig leaves into what is flashed and released.
 * @param {string} name board
 * @param {string} linked folder with xs_esp32.bin, bootloader.bin, partition-table.bin, ota_data_initial.bin
 * @param {boolean} [debug]
 * @returns {{ firmware: Buffer, firstFlash: Buffer }}
 * @throws {DeviceError} something is missing or does not fit
 */
export function finishFirmware(name, linked, debug) {
	const board = findBoard(name);
	/** @param {string} file */
	const part = (file) => {
		if (!existsSync(`${linked}/${file}`)) throw new DeviceError(`the build left no ${file} in ${linked}`);
		return readFileSync(`${linked}/${file}`);
	};
	const slot = findPartition(board.folder, "ota_0", debug);
	const otadata = findPartition(board.folder, "ota", debug);
	const firmware = stampImage(part("xs_esp32.bin"), { ...board, version: firmwareVersion() });
	const most = slot.size - (debug ? 0 : FREE_BYTES_LEAST);
	if (firmware.length > most)
		throw new DeviceError(
			`the firmware has ${firmware.length} bytes, at most ${most} of ${slot.size} are allowed in a slot of ${name}`,
		);
	const firstFlash = mergeParts([
		{ offset: BOOTLOADER_AT, bytes: part("bootloader.bin") },
		{ offset: PARTITION_TABLE_AT, bytes: part("partition-table.bin") },
		{ offset: otadata.offset, bytes: part("ota_data_initial.bin") },
		{ offset: slot.offset, bytes: firmware },
	]);
	return { firmware, firstFlash };
}

/**
 * After `setUpSources`.
 * @param {string} name board
 * @param {{ debug?: boolean, key?: string }} [options] debug: for xsbug; key: file of the key that updates
 * must be signed with, or "none"
 * @returns {Promise<string[]>} lines that say what was built
 * @throws {DeviceError}
 */
export async function buildFirmware(name, { debug = false, key } = {}) {
	const board = findBoard(name);
	const path = keyPath(key);
	const updateKey = path === "" ? "" : publicKeyOf(readKey(path));
	const environment = sdkEnvironment();
	const { prepareBuild } = await import("./bundle.mjs"); // slow to load, and a release needs none
	const folder = firmwareFolder(name);
	await prepareBuild(board, folder, environment, { debug });
	if (debug) environment.USE_USB ??= "2"; // xsbug by the chip's own USB
	const options = [
		"-m",
		...(debug ? ["-d"] : []),
		"-p",
		platformOf(name),
		"-t",
		"build",
		"-o",
		folder,
		`${ROOT}manifest.json`,
		`updateKey=${updateKey}`,
	];
	const { status } = spawnSync("mcconfig", options, { env: environment, stdio: "inherit", cwd: ROOT });
	if (status !== 0) throw new DeviceError("mcconfig failed, see above");
	const { firmware, firstFlash } = finishFirmware(
		name,
		`${folder}/bin/esp32/${name}/${debug ? "debug" : "release"}/${basename(ROOT)}`,
		debug,
	);
	writeFileSync(`${folder}/firmware.bin`, firmware);
	writeFileSync(`${folder}/first-flash.bin`, firstFlash);
	return [
		`${folder}/firmware.bin: ${board.projectName} ${firmwareVersion()}, ${firmware.length} bytes, for updates`,
		`${folder}/first-flash.bin: ${firstFlash.length} bytes, for a first flash at 0x0`,
		updateKey === ""
			? "it takes any update: there is no key (npm run release -- --new-key)"
			: `it takes only updates that key ${shortKey(updateKey)} has signed`,
	];
}

/**
 * Builds and writes by USB, after `setUpSources`. Settings and logs on flash stay.
 * @param {string} name board
 * @param {{ port?: string, debug?: boolean, key?: string }} [options] port: default esptool finds it
 * @throws {DeviceError}
 */
export async function flashFirmware(name, { port, debug = false, key } = {}) {
	const board = findBoard(name);
	console.log((await buildFirmware(name, { debug, key })).join("\n"));
	const where = port === undefined ? [] : ["--port", port];
	const options = [
		"-m",
		"esptool",
		"--chip",
		board.chip,
		...where,
		"write-flash",
		"0x0",
		`${firmwareFolder(name)}/first-flash.bin`,
	];
	if (spawnSync("python", options, { stdio: "inherit" }).status !== 0)
		throw new DeviceError(
			"esptool failed: is the board connected, and in download mode? (hold BOOT, press RESET; or give --port)",
		);
}
