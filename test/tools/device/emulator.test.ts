/** The emulator's checks, on the host program, whose sockets have the same records. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answers, passFrames } from "../../../tools/device/emulator.mjs";
import { start, waitForLine } from "../../hal/host/host-program.js";

describe("tools/device/emulator.mjs", () => {
	let folder: string;
	let program: ChildProcessWithoutNullStreams;
	let port: number;

	before(async () => {
		folder = mkdtempSync(join(tmpdir(), "emulator-test-"));
		const buses = ["chassis", "coupling"].flatMap((bus) => [`--${bus}`, `unix:${join(folder, bus)}`]);
		program = start(["--http", "0", "--flash", folder, ...buses]);
		port = Number((await waitForLine(program, /listening on http:\/\/127\.0\.0\.1:(\d+)/))[1]);
	});
	after(() => {
		program.kill();
		rmSync(folder, { recursive: true });
	});

	it("finds a controller that answers", () => answers(program, port));
	it("sees all frames pass, in order", () => passFrames(folder));
});
