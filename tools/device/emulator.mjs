/** Runs the emulator board's firmware in Espressif's QEMU, with frames and with the contract's tables that need no car. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DeviceError, ROOT } from "./boards.mjs";
import { buildFirmware, firmwareFolder } from "./firmware.mjs";

const QEMU = "qemu-system-riscv32";
const MACHINE = "esp32c3";
const FLASH_BYTES = 4 << 20;
const PORT = 8090;
const START_MS_MAX = 60_000;
const FRAMES = 1000;
const FRAME_ID = 0x123;
const PROBE_ID = 0x124;
const PROBE_MS = 50;
const BATCH_FRAMES = 100;
const BATCH_MS_MAX = 5000;
const RECORD_BYTES = 16; // struct gateway_frame
const TABLES = ["state", "map", "network", "settings", "logs", "diagnosis"].map((name) => `test/contract/${name}.test.ts`);

/** @throws {DeviceError} it is not there, or is another one's */
export function checkQemu() {
	const { stdout } = spawnSync(QEMU, ["-M", "help"], { encoding: "utf8" });
	if (!stdout?.includes(MACHINE))
		throw new DeviceError(
			`no ${QEMU} with machine ${MACHINE}: run "idf_tools.py install qemu-riscv32", then ". $IDF_PATH/export.sh"`,
		);
}

/**
 * @param {string} folder
 * @param {Buffer} firstFlash
 */
function startQemu(folder, firstFlash) {
	writeFileSync(join(folder, "flash.bin"), Buffer.concat([firstFlash], FLASH_BYTES).fill(0xff, firstFlash.length));
	const bus = (/** @type {string} */ name) => ["-serial", `unix:${join(folder, name)},server=on,wait=off`];
	return spawn(
		QEMU,
		[
			...["-M", MACHINE, "-display", "none", "-monitor", "none"],
			...["-icount", "shift=3"], // 8 ns an instruction, however busy this computer is: late frames are dropped
			...["-drive", `file=${join(folder, "flash.bin")},if=mtd,format=raw`],
			...["-nic", `user,model=open_eth,hostfwd=tcp:127.0.0.1:${PORT}-:80`],
			...["-global", "driver=timer.esp32c3.timg,property=wdt_disable,value=true"],
			...bus("chassis"),
			...bus("coupling"),
		],
		{ stdio: "inherit" },
	);
}

/**
 * @param {import("node:child_process").ChildProcess} qemu
 * @param {number} port
 * @throws {DeviceError} it does not answer
 */
export async function answers(qemu, port) {
	for (const end = Date.now() + START_MS_MAX; Date.now() < end && qemu.exitCode === null; await sleep(200)) {
		const response = await fetch(`http://127.0.0.1:${port}/api/status`, { signal: AbortSignal.timeout(5000) }).catch(
			() => undefined,
		);
		if (response?.ok) return;
	}
	throw new DeviceError(qemu.exitCode === null ? `no answer within ${START_MS_MAX / 1000} s` : "QEMU ended");
}

/**
 * @param {number} id
 * @param {number} number
 */
function record(id, number) {
	const bytes = Buffer.alloc(RECORD_BYTES);
	bytes.writeUInt32LE(id);
	bytes.writeUInt8(8, 4);
	bytes.writeUInt32LE(number, 8);
	return bytes;
}

/**
 * Numbered frames from the chassis to the coupling.
 * @param {string} folder of the sockets
 * @throws {DeviceError} one was lost or changed
 */
export async function passFrames(folder) {
	const [chassis, coupling] = ["chassis", "coupling"].map((name) => connect(join(folder, name)));
	try {
		await Promise.all([once(chassis, "connect"), once(coupling, "connect")]);
		const sent = Array.from({ length: FRAMES }, (_, number) => record(FRAME_ID, number));
		let bytes = Buffer.alloc(0);
		coupling.on("data", (chunk) => {
			bytes = Buffer.concat([bytes, chunk]);
		});
		const end = Date.now() + BATCH_MS_MAX;
		// QEMU accepts a connection when it has time, and throws away what it sends until then
		while (bytes.length === 0 && Date.now() < end) {
			chassis.write(record(PROBE_ID, 0));
			await sleep(PROBE_MS);
		}
		const arrived = () =>
			Array.from({ length: Math.floor(bytes.length / RECORD_BYTES) }, (_, i) =>
				bytes.subarray(i * RECORD_BYTES, (i + 1) * RECORD_BYTES),
			).filter((one) => one.readUInt32LE() === FRAME_ID);
		// the gateway's queue takes 256
		for (let at = 0; at < FRAMES && arrived().length === at; at += BATCH_FRAMES) {
			chassis.write(Buffer.concat(sent.slice(at, at + BATCH_FRAMES)));
			const end = Date.now() + BATCH_MS_MAX;
			while (Date.now() < end && arrived().length < at + BATCH_FRAMES) await sleep(1);
		}
		const found = arrived();
		if (!Buffer.concat(found).equals(Buffer.concat(sent)))
			throw new DeviceError(`${found.length} of ${FRAMES} frames arrived, or other ones`);
	} finally {
		chassis.destroy();
		coupling.destroy();
	}
}

/**
 * After `setUpSources`.
 * @returns {Promise<number>} exit code
 * @throws {DeviceError}
 */
export async function runEmulator() {
	console.log((await buildFirmware("emulator", { key: "none" })).join("\n"));
	const folder = mkdtempSync(join(tmpdir(), "opencoupling-emulator-"));
	const qemu = startQemu(folder, readFileSync(`${firmwareFolder("emulator")}/first-flash.bin`));
	try {
		const startMs = Date.now();
		await answers(qemu, PORT);
		console.log(`answers after ${Date.now() - startMs} ms`);
		await passFrames(folder);
		console.log(`${FRAMES} of ${FRAMES} frames arrived in order`);
		const env = { ...process.env, OPENCOUPLING_PORT: String(PORT) };
		return (
			spawnSync(process.execPath, ["node_modules/mocha/bin/mocha.js", ...TABLES], { cwd: ROOT, env, stdio: "inherit" }).status ??
			1
		);
	} finally {
		qemu.kill();
		rmSync(folder, { recursive: true, force: true });
	}
}
