/**
 * The host as a 32-bit program: slots, identifiers and pointers as wide as on a board. Skipped where the
 * compiler can't make one.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { compile, unitFiles } from "../../modules/can-gateway/build.js";
import { EventClient } from "../../system/event-client.js";
import { finish, makeFlash, waitForLine } from "./host-program.js";

const PROGRAM = "build/host-m32/opencoupling";
/**
 * Slots and chunks that are alive, with a generation chosen: 52.5 KB and a reserve. The machine's 5,632 slots
 * and 64 KB are its own from the start on, so this leaves heap for requests, no RAM.
 */
const RAM_BYTES_MAX = 54 * 1024;
const STREAMS = 4;

function compilerMakes32Bit(): boolean {
	const args = ["-m32", "-x", "c", "-o", "/dev/null", "-"];
	return spawnSync(process.env["CC"] ?? "cc", args, { input: "#include <stdio.h>\nint main(void) { return 0; }\n" }).status === 0;
}

describe("hal/host as a 32-bit program", function () {
	this.timeout(300_000);

	before(function () {
		if (compilerMakes32Bit()) return;
		console.log("      skipped: the compiler makes no 32-bit programs (Debian: apt-get install gcc-multilib)");
		this.skip();
	});

	it("runs the application, with four clients that get an event stream each, in the RAM meant for it", async () => {
		execFileSync("make", ["-s", "-j2", "-C", "hal/host", "m32"], { stdio: "pipe" });
		const flash = makeFlash();
		writeFileSync(`${flash}/settings.json`, JSON.stringify({ format: 1, generation: 5, mode: "MAP" }));
		const files = ["--core", "build/host/core.js", "--app", "build/host/main.js", "--flash", flash];
		const child = spawn(PROGRAM, [...files, "--http", "0", "--report"]);
		const outcome = finish(child);
		const [, url] = await waitForLine(child, /listening on (\S+)/);
		assert.equal((await fetch(`${url}/api/status`)).status, 200);
		const clients = Array.from({ length: STREAMS }, () => new EventClient(Number(new URL(url!).port), "?hz=20"));
		for (const client of clients) {
			assert.equal(await client.opened(), 200);
			await client.next(({ event }) => event === "telemetry", "telemetry");
		}
		child.kill("SIGTERM");
		const { code, stderr, report } = await outcome;
		for (const client of clients) client.close();
		assert.equal(code, 0, stderr);
		const { slotBytes = 0, slotsLive = 0, chunksLive = 0 } = report.heap;
		assert.equal(slotBytes, 16);
		const bytes = slotsLive * slotBytes + chunksLive;
		console.log(`      ${slotsLive} slots of ${slotBytes} bytes, ${chunksLive} bytes of chunks: ${bytes} bytes`);
		assert.ok(slotsLive > 0 && bytes <= RAM_BYTES_MAX, `${bytes} bytes`);
	});

	it("moves frames as a 64-bit one does", () => {
		const program = compile("unit-m32", unitFiles(), ["-O0", "-m32"]);
		execFileSync(program, { stdio: "pipe" });
	});
});
