import { strict as assert } from "node:assert";
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

describe("the budgets", () => {
	const TITLES = {
		gateway: "the gateway: at most 200 instructions per forwarded frame",
		interrupt: "the boards: at most 1,650 instructions of the C6 per forwarded frame all in, a quarter of it for two full buses",
		instructions: "what a car on the road meets: ticks, status, events, requests",
	};
	const ROWS = {
		gateway: ["pq", "mqb", "pqCorrected", "mqbCorrected"],
		interrupt: ["mqb", "mqbCorrected"],
		instructions: ["nobody connected, MAP", "GET /api/status", "POST /api/map", "event of a stream", "tick, generation 5, MAP"],
	};
	const measured = new Map<string, Promise<{ stdout: string; stderr: string }>>();

	before(() => {
		// what counts work does not mind neighbours
		for (const name of Object.keys(TITLES)) {
			const output = promisify(execFile)(process.execPath, ["tools/bench.mjs", "--short", name]);
			measured.set(name, output);
			output.catch(() => undefined); // its test reports it
		}
	});

	for (const [name, title] of Object.entries(TITLES))
		it(`hold for ${title}`, async function () {
			const { stdout } = await measured.get(name)!; // fails by itself when a budget is exceeded
			if (/^skipped/m.test(stdout)) {
				console.log(`      ${stdout.trim()}`);
				this.skip();
			}
			for (const row of ROWS[name as keyof typeof ROWS]) assert.match(stdout, new RegExp(`^${row}\\b.* [\\d,.]{3,} `, "m"));
		});

	it("are told how to be measured, before anything is set up", () => {
		const options = { encoding: "utf8", env: { PATH: "" } } as const; // no compiler, no make, no npm
		const bench = (argument: string) => spawnSync(process.execPath, ["tools/bench.mjs", argument], options);
		const help = bench("--help");
		assert.deepEqual([help.status, help.stderr], [0, ""]);
		assert.match(help.stdout, /^usage: .*bench[\s\S]*--help/);
		const { status, stdout, stderr } = bench("--fast");
		assert.deepEqual([status, stdout, stderr.split("\n").slice(1).join("\n")], [2, "", help.stdout]);
	});
});
