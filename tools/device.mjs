/**
 * For the boards: `node tools/device.mjs build|flash|link BOARD`. `--key FILE|none`: takes only updates that
 * this key has signed (tools/device/sign.mjs); default: the key of `npm run release`, if there is one. build:
 * the firmware and what a first flash needs, in build/device/BOARD. flash: builds, and writes it by USB
 * (`--port`). link: only the half that needs no ESP-IDF, with its figures. `--debug`: as it stands in the
 * sources, for xsbug. `node tools/device.mjs emulator`: builds the board of that name and tries it in QEMU.
 */
import { parseArgs } from "node:util";
import { checkIdf, DeviceError, findBoard, sdkEnvironment } from "./device/boards.mjs";
import { SetupError, setUpSources } from "./setup.mjs";

const USAGE =
	"usage: npm run build -- BOARD [--key FILE|none] [--debug] | npm run flash -- BOARD [--port PORT] [--key FILE|none] [--debug] | node tools/device.mjs link BOARD [--debug]";

/**
 * @throws {DeviceError} an option that the command does not have
 * @param {string} command
 * @param {string[]} rest
 */
function optionsOf(command, rest) {
	try {
		const { values } = parseArgs({
			args: rest,
			options: { debug: { type: "boolean", default: false }, port: { type: "string" }, key: { type: "string" } },
		});
		if (command !== "flash" && values.port !== undefined) throw new Error("--port is an option of flash");
		if (command === "link" && values.key !== undefined) throw new Error("--key is an option of build and flash");
		return values;
	} catch (error) {
		throw new DeviceError(`${error.message}\n${USAGE}`);
	}
}

/** @param {string[]} words */
async function main([command = "", board = "", ...rest]) {
	if (command === "emulator") {
		sdkEnvironment();
		checkIdf();
		const { checkQemu, runEmulator } = await import("./device/emulator.mjs");
		checkQemu();
		await setUpSources();
		process.exitCode = await runEmulator();
		return;
	}
	if (!["build", "flash", "link"].includes(command)) throw new DeviceError(USAGE);
	findBoard(board);
	const { debug, port, key } = optionsOf(command, rest);
	sdkEnvironment();
	if (command !== "link") checkIdf();
	await setUpSources();
	if (command === "link") {
		const { linkJavaScript } = await import("./device/javascript-half.mjs");
		const { estimateImage } = await import("./device/c-half.mjs");
		const { bytes, slots, aliases, warnings } = await linkJavaScript(board, { debug });
		console.log(
			`${board}: ${bytes} bytes of flash for JavaScript, ${slots} slots, ${aliases} aliases, ${warnings.length} warnings`,
		);
		const whole = estimateImage(board, bytes, debug);
		if (whole)
			console.log(
				`${board}: ${whole.cBytes} bytes of our C; ${whole.least} to ${whole.most} in all, in a slot of ${whole.slotBytes}: ${whole.slotBytes - whole.most} to ${whole.slotBytes - whole.least} free`,
			);
		return;
	}
	const { buildFirmware, flashFirmware } = await import("./device/firmware.mjs");
	if (command === "build") console.log((await buildFirmware(board, { debug, key })).join("\n"));
	else await flashFirmware(board, { port, debug, key });
}

try {
	await main(process.argv.slice(2));
} catch (error) {
	if (!(error instanceof DeviceError || error instanceof SetupError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
