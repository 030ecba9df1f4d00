// Forwarding on the real program: a full bus (4,504 frames a second) both ways for 60 s through two UNIX sockets, with a
// generation 5 plan active and the control loop running. None may be lost or reordered, and 99 of 100 frames must take less than 1 ms from write() to read().
// Usage: node tools/bench/forwarding.mjs [SECONDS]. Prints one JSON line; exit code 1 when a limit is missed.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const FRAMES_PER_SECOND = "4504"; // 500 kbit/s, 8-byte frames of 111 bits with stuffing left out
const P99_LIMIT_US = 1000;
const seconds = process.argv[2] ?? "60";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const program = join(root, "build/host/opencoupling");
if (!existsSync(program)) {
	console.error("forwarding: build/host/opencoupling is missing: run npm run setup first");
	process.exit(2);
}
mkdirSync(join(root, "build/bench"), { recursive: true });
const load = join(root, "build/bench/forwarding_load");
execFileSync(process.env.CC ?? "cc", ["-std=gnu11", "-O2", "-o", load, join(root, "tools/bench/forwarding_load.c")]);

const folder = mkdtempSync(join(tmpdir(), "forwarding-"));
mkdirSync(join(folder, "flash"));
writeFileSync(join(folder, "flash/settings.json"), JSON.stringify({ format: 1, generation: 5, mode: "MAP" }));
const sockets = [join(folder, "chassis"), join(folder, "coupling")];
const controller = spawn(
	program,
	["--http", "0", "--flash", join(folder, "flash"), "--chassis", `unix:${sockets[0]}`, "--coupling", `unix:${sockets[1]}`],
	{ stdio: ["ignore", "ignore", "inherit"] },
);
try {
	const { stdout } = await promisify(execFile)(load, [...sockets, FRAMES_PER_SECOND, seconds]);
	const result = JSON.parse(stdout);
	console.log(JSON.stringify({ bench: "forwarding", seconds: Number(seconds), p99LimitUs: P99_LIMIT_US, ...result }));
	if (result.lost || result.wrong || result.rewritten === 0 || result.p99Us >= P99_LIMIT_US) process.exitCode = 1;
} catch (error) {
	console.error(`forwarding: ${error.stderr || error.message}`.trim());
	process.exitCode = 2;
} finally {
	if (controller.exitCode === null) {
		controller.kill("SIGTERM");
		await once(controller, "exit");
	}
	rmSync(folder, { recursive: true, force: true });
}
