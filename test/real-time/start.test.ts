/** `npm start` as a user has it: the real controller, the simulated car on both buses, no terminal. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../system/wait.js";

const START = fileURLToPath(new URL("../../tools/start.mjs", import.meta.url));

describe("real time: npm start", () => {
	it("shows the lock of the map at 40 km/h and 60 % pedal, engagement that follows, the mode that is asked for, STOCK while a button is held, and ends on Ctrl-C", async () => {
		const folder = mkdtempSync(join(tmpdir(), "oc-start-"));
		const args = [START, "--http", "0", "--flash", join(folder, "flash"), "--speed", "40", "--pedal", "60", "--controls"];
		const child = spawn(process.execPath, args, { env: { ...process.env, TMPDIR: folder } });
		let output = "";
		for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
		const ended = new Promise<unknown[]>((resolve) => child.once("close", (...result) => resolve(result)));
		const shown = (what: RegExp) =>
			until(
				() => what.exec(output) ?? undefined,
				120_000,
				() => `${what} in ${output}`,
			);
		try {
			const [, url] = await shown(/^open (http:\S+)$/m);
			await shown(/^ 40 km\/h {2}pedal {2}60 % .* rpm {2}MAP +lock {2}40 % {2}engaged {2}40 % +1\d\d\d fr\/s of 1\d\d\d sent$/m);
			const answer = await fetch(`${url}/api/mode`, { method: "POST", body: '{"mode":"5050"}' });
			assert.equal(answer.status, 200);
			await shown(/ 5050 +lock 100 % {2}engaged (99|100) % /);
			child.stdin.write("button external down\n");
			await shown(/ STOCK \(5050\) +lock {3}0 % /);
			child.stdin.write("button external up\n");
			output = "";
			await shown(/ 5050 +lock 100 % /);
			child.stdin.write("button left down\n");
			await shown(/^button left down: no such command$/m);
			child.kill("SIGINT");
			assert.deepEqual(await ended, [0, null]);
			assert.deepEqual(readdirSync(folder), ["flash"]);
			assert.doesNotMatch(output, /dropped/);
		} finally {
			child.kill("SIGKILL");
			await ended;
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
