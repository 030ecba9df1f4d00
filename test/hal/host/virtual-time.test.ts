import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFlash, runScript } from "./host-program.js";

const LOG = "(1700000000.000000) can0 280#00\n(1700000000.010000) can0 280#01\n(1700000000.500000) can0 280#02\n";
const TICKS = `
	import Timer from "timer";
	import Time from "time";
	Timer.repeat(() => print(Time.microseconds + " " + new Date().toISOString()), 100);
`;

async function replay(...args: string[]) {
	const log = join(makeFlash(), "replay.log");
	writeFileSync(log, LOG);
	return runScript(TICKS, "--replay", log, ...args);
}

describe("hal/host virtual time", () => {
	it("advances from event to event, exactly, and ends 100 ms after the last frame", async () => {
		const { code, lines } = await replay("--pace", "max");
		assert.equal(code, 0);
		assert.deepEqual(
			lines,
			[1, 2, 3, 4, 5, 6].map((tick) => `${tick * 100000} 2026-01-01T00:00:00.${tick}00Z`),
		);
	});

	it("is the same at the pace of real time, but takes as long", async () => {
		const { lines } = await replay("--pace", "max");
		const startedAt = Date.now();
		assert.deepEqual((await replay()).lines, lines);
		assert.ok(Date.now() - startedAt >= 590);
	});

	it("runs on while the script is stalled", async () => {
		const { lines } = await replay("--pace", "max", "--fault", "script-stalled=150:200");
		assert.deepEqual(
			lines.map((line) => line.split(" ")[0]),
			["100000", "350000", "400000", "500000", "600000"],
		);
	});
});
