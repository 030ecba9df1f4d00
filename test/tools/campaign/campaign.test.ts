/** The short form of the fault campaign: each eightieth drive. `node tools/campaign.mjs` makes all of them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { campaign } from "../../../tools/campaign/campaign.js";
import { FAULTS } from "../../../tools/campaign/faults.js";
import { PROGRAM, run } from "../../hal/host/host-program.js";

const FOLDER = "tools/campaign";

describe("tools/campaign", () => {
	it("has nothing to complain about, and is stock and back in time", async function () {
		this.timeout(900_000); // on a machine that does other things
		const result = await campaign({ seed: 1, part: [7, 80], sideBySide: 2, program: PROGRAM });
		assert.deepEqual(result.complaints, []);
		const { combinations, frames, commands, worstToStockMs, worstBackMs, worstAfterIntervention } = result;
		console.log(
			`      ${combinations} combinations, ${frames} frames; stock after ${worstToStockMs} ms, back after ${worstBackMs} ms`,
		);
		assert.ok(combinations > 50 && frames > 200_000 && commands > 20_000, JSON.stringify(result));
		assert.equal(worstAfterIntervention, 0);
	});

	it("lets each fault happen that the host has a switch for", async () => {
		const { lines } = await run("--help");
		const from = lines.findIndex((line) => line.startsWith("Faults;"));
		const switches = lines.slice(from + 1).map((line) => /^ {2}([a-z-]+)/.exec(line)?.[1] ?? "");
		assert.ok(switches.length > 15);
		const tried = FAULTS.map(({ name }) => name);
		assert.deepEqual(
			switches.filter((name) => !tried.some((fault) => fault.startsWith(name))),
			[],
		);
	});

	it("shares no code with the firmware", () => {
		for (const file of readdirSync(FOLDER))
			assert.doesNotMatch(readFileSync(`${FOLDER}/${file}`, "utf8"), /from "[^"]*\/src\//, file);
	});
});
