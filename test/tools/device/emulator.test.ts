/** The emulator's check of frames, on the host program, whose sockets have the same records. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { passFrames } from "../../../tools/device/emulator.mjs";
import { PROGRAM } from "../../hal/host/host-program.js";

describe("tools/device/emulator.mjs", () => {
	let folder: string;
	let program: ChildProcess;

	before(async () => {
		folder = mkdtempSync(join(tmpdir(), "emulator-test-"));
		const buses = ["chassis", "coupling"].flatMap((bus) => [`--${bus}`, `unix:${join(folder, bus)}`]);
		program = spawn(PROGRAM, ["--http", "0", "--flash", folder, ...buses], { stdio: ["ignore", "pipe", "inherit"] });
		await once(program.stdout!, "data");
	});
	after(() => {
		program.kill();
		rmSync(folder, { recursive: true });
	});

	it("sees all frames pass, in order", () => passFrames(folder));
});
