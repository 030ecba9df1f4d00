/** The boards, as their folders in hal/esp32/boards describe them, and what is needed to build for them. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = `${ROOT}hal/esp32/boards/`;
/** Versions that manifest.json and hal/esp32 are written for. */
const SDK_VERSION = "8.2";
export const IDF_VERSION = "v6.0";

const SODIUM = "node_modules/sodium-native/libsodium/src/libsodium";
/** Where modules/signature/ed25519.c finds libsodium's files, below ROOT. */
export const SODIUM_FOLDERS = ["", "/include", "/include/sodium", "/crypto_core/ed25519/ref10", "/crypto_sign/ed25519/ref10"].map(
	(folder) => `${SODIUM}${folder}`,
);

/** Something is missing; the message is one line that says what and how to get it. */
export class DeviceError extends Error {}

export const BOARDS = Object.freeze(
	readdirSync(FOLDER, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map((entry) => entry.name),
);

/** @typedef {ReturnType<typeof findBoard>} Board */

/**
 * @param {string | undefined} name
 * @throws {DeviceError} there is no such board
 */
export function findBoard(name) {
	if (name === undefined || !BOARDS.includes(name)) throw new DeviceError(`which board? one of: ${BOARDS.join(", ")}`);
	const folder = `${FOLDER}${name}`;
	const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, "utf8"));
	/** @type {{ projectName: string, chipId: number, updateUrl: string }} */
	const { projectName, chipId, updateUrl } = manifest.config;
	/** @type {string} */
	const chip = manifest.build.ESP32_SUBCLASS;
	/** Its own, of which hal/ports.ts tells: those of one that has none are no code. */
	const controls = manifest.modules["*"].includes("../../controls");
	/** Without Wi-Fi it has Ethernet. */
	const wifi = "wifi" in manifest.modules;
	return { name, folder, chip, projectName, chipId, updateUrl, controls, wifi };
}

/** For mcconfig's -p, run in ROOT: relative, for mcconfig reads the path of a board in small letters. @param {string} name */
export const platformOf = (name) => `esp32:./hal/esp32/boards/${name}`;

/**
 * Name of a board's partition table: a build for xsbug may need one of its own.
 * @param {string} folder
 * @param {boolean} [debug]
 */
export function partitionTable(folder, debug = false) {
	return debug && existsSync(`${folder}/partitions-debug.csv`) ? "partitions-debug.csv" : "partitions.csv";
}

/**
 * Rows of a board's partition table: name, type, subtype, offset and size in bytes.
 * @param {string} folder
 * @param {boolean} [debug]
 */
export function partitionsOf(folder, debug) {
	return readFileSync(`${folder}/${partitionTable(folder, debug)}`, "utf8")
		.split("\n")
		.filter((line) => line.trim() !== "" && !line.startsWith("#"))
		.map((line) => {
			const [name, type, subtype, offset, size] = line.split(",").map((field) => field.trim());
			return { name, type, subtype, offset: Number(offset), size: Number(size) };
		});
}

/**
 * @param {string} folder
 * @param {string} subtype
 * @param {boolean} [debug]
 * @throws {DeviceError} the board has no such partition
 */
export function findPartition(folder, subtype, debug) {
	const found = partitionsOf(folder, debug).find((partition) => partition.subtype === subtype);
	if (found === undefined) throw new DeviceError(`${folder}/${partitionTable(folder, debug)} has no ${subtype}`);
	return found;
}

/**
 * Environment for Moddable's tools, with PATH and MODDABLE.
 * @returns {NodeJS.ProcessEnv & { MODDABLE: string }}
 * @throws {DeviceError} the SDK is not there, or its tools are not built
 */
export function sdkEnvironment() {
	const sdk = process.env.MODDABLE;
	const advice = `install Moddable SDK ${SDK_VERSION} (https://www.moddable.com: Getting Started) and set MODDABLE to its folder`;
	if (!sdk) throw new DeviceError(`MODDABLE is not set: ${advice}`);
	if (!existsSync(`${sdk}/examples/manifest_base.json`)) throw new DeviceError(`no Moddable SDK in MODDABLE=${sdk}: ${advice}`);
	/** @type {Partial<Record<NodeJS.Platform, string>>} */
	const hosts = { linux: "lin", darwin: "mac", win32: "win" };
	const tools = `${sdk}/build/bin/${hosts[process.platform]}/release`;
	if (!existsSync(`${tools}/mcconfig`))
		throw new DeviceError(`the tools of the Moddable SDK are not built (no ${tools}/mcconfig): ${advice}`);
	return { ...process.env, MODDABLE: sdk, PATH: `${tools}:${ROOT}node_modules/.bin:${process.env.PATH}` };
}

/**
 * Writes the C compiler's further options to a file, which the boards' manifests name: mcconfig would make one option of several.
 * @param {string} path without spaces
 * @param {string} name board
 * @param {string} idf ESP-IDF's folder
 */
export function writeCompilerOptions(path, name, idf) {
	const { chip } = findBoard(name);
	// smaller; ESP-IDF has the functions that it calls in IRAM, for interrupts. Without the second GCC puts
	// each text at a multiple of 4
	const smaller = /^esp32[ch]/.test(chip) ? ["-msave-restore", "-malign-data=natural"] : [];
	// the folders of public headers that Moddable's list lacks
	const folders = ["esp_hal_twai", `esp_hal_twai/${chip}`, "esp_hal_rmt", `esp_hal_rmt/${chip}`, "app_update", "nvs_flash"].map(
		(component) => `${idf}/components/${component}/include`,
	);
	const sodium = SODIUM_FOLDERS.map((folder) => `-isystem${ROOT}${folder}`);
	// an image that names a source file is to be the same in every folder
	/** @type {(string | undefined)[][]} */
	const places = [
		[ROOT.slice(0, -1), "."],
		[idf, "/idf"],
		[process.env.MODDABLE, "/moddable"],
	];
	const options = [
		`-DOPENCOUPLING_BOARD=gateway_board_${name}`,
		...smaller,
		...folders.map((folder) => `-I${folder}`),
		...sodium,
		...places.filter(([from]) => from).map(([from, to]) => `-ffile-prefix-map=${from}=${to}`),
	];
	writeFileSync(path, options.join("\n"));
}

/** @throws {DeviceError} ESP-IDF is not there, or not set up in this shell */
export function checkIdf() {
	const advice = `install ESP-IDF ${IDF_VERSION} for esp32s3 and esp32c6 (docs.espressif.com: Get Started), then run ". $IDF_PATH/export.sh"`;
	if (!process.env.IDF_PATH) throw new DeviceError(`IDF_PATH is not set: ${advice}`);
	if (spawnSync("idf.py", ["--version"], { stdio: "ignore" }).status !== 0)
		throw new DeviceError(`idf.py does not run: ${advice}`);
}

const WITH_BOTH = "multicastIP.u_addr.ip4";
const ALONE = "multicastIP";
const PLACES = 3;

/**
 * Moddable's UDP socket for lwIP without IPv6. Its C reaches into an address as lwIP lays it out with both
 * versions of the protocol; with one, an address is that of IPv4 itself. The SDK stays as it is: a build gets a
 * copy.
 * @param {string} sdk folder of Moddable's SDK
 * @param {string} [folder] gets udp.c and udp.js; boards' manifests name the default
 * @throws {DeviceError} the SDK's is another one
 */
export function writeUdpWithoutIpv6(sdk, folder = `${ROOT}build/device/without-ipv6`) {
	const from = `${sdk}/modules/io/socket/lwip`;
	const parts = readFileSync(`${from}/udp.c`, "utf8").split(WITH_BOTH);
	if (parts.length !== PLACES + 1)
		throw new DeviceError(`${from}/udp.c has ${WITH_BOTH} ${parts.length - 1} times, not ${PLACES}: look at it again`);
	mkdirSync(folder, { recursive: true });
	writeFileSync(`${folder}/udp.c`, parts.join(ALONE));
	copyFileSync(`${from}/udp.js`, `${folder}/udp.js`);
}
