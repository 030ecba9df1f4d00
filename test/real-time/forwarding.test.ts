/**
 * The gateway's own thread, which virtual time has not: it forwards while requests are answered and while the
 * script stands still.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFlash, start, waitForLine } from "../hal/host/host-program.js";
import { loadBuses } from "./bus-load.js";

/** Of a full bus: 500 kbit/s with 8-byte frames of 111 bits. */
const FRAMES_PER_SECOND = 4504;
const LOAD_S = 4;
/** Of the controller's clock: its script stands still for 700 ms. */
const STALL_MS = 2500;
/**
 * A machine that holds this process up for longer may hold the gateway's thread up, too, whose queue has 57 ms of
 * frames: what was lost says nothing then.
 */
const HELD_UP_LIMIT_MS = 200;

describe("real time: forwarding", () => {
	it("loses no frame of two full buses beside a client that polls and a script that stalls", async () => {
		const flash = makeFlash();
		writeFileSync(join(flash, "settings.json"), JSON.stringify({ format: 1, generation: 5, mode: "MAP" }));
		const [chassis, coupling] = ["chassis", "coupling"].map((name) => join(flash, name)) as [string, string];
		const buses = ["--chassis", `unix:${chassis}`, "--coupling", `unix:${coupling}`];
		const controller = start(["--http", "0", "--flash", flash, ...buses, "--fault", `script-stalled=${STALL_MS}:700`]);
		let report = "";
		controller.stderr.on("data", (text) => (report += text));
		try {
			const [, port] = await waitForLine(controller, /listening on http:\/\/[\d.]+:(\d+)/);
			let loaded = true;
			const ended = loadBuses([chassis, coupling], FRAMES_PER_SECOND, LOAD_S).finally(() => (loaded = false));
			let polls = 0;
			let commandedBefore = false;
			for (; loaded; polls++) {
				const answer = await fetch(`http://127.0.0.1:${port}/api/status`);
				assert.equal(answer.status, 200);
				const { uptimeMs, effectiveMode } = (await answer.json()) as { uptimeMs: number; effectiveMode: string };
				if (uptimeMs < STALL_MS && effectiveMode === "MAP") commandedBefore = true;
			}
			const result = await ended;
			console.log(`      held up for ${result.longestHeldUpMs.toFixed(0)} ms at the most`);
			assert.ok(polls > 5, `${polls} polls`);
			assert.ok(result.rewritten > 100, `${result.rewritten} frames rewritten`);
			controller.kill("SIGUSR1");
			while (!/^\{"heap".*\}\n/m.test(report)) await once(controller.stderr, "data");
			const { leaseExpiries } = JSON.parse(/^\{"heap".*$/m.exec(report)![0]).gateway;
			if (result.longestHeldUpMs <= HELD_UP_LIMIT_MS) {
				assert.deepEqual([result.lost, result.wrong], [0, 0]);
				// where the start took so long that the stall came first, there was no lease to expire
				if (commandedBefore) assert.ok(leaseExpiries >= 1, `${leaseExpiries} leases expired`);
			}
		} finally {
			controller.kill("SIGKILL");
		}
	});
});
