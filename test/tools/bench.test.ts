import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

interface Measured {
	readonly lines: Record<string, number>[];
	readonly output: string;
}

/** Runs a measurement and returns its JSON lines; it fails by itself when a budget is exceeded. */
async function bench(name: string, ...args: string[]): Promise<Measured> {
	const { stdout, stderr } = await promisify(execFile)(process.execPath, [`tools/bench/${name}`, ...args]);
	if (stderr !== "") console.log(stderr.trim().replace(/^/gm, "      "));
	const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
	return { lines: lines.map((line) => JSON.parse(line)), output: stdout };
}

describe("the budgets", () => {
	const counted = new Map<string, Promise<Measured>>();

	before(() => {
		// what counts work does not mind neighbours
		for (const name of ["gateway", "interrupt", "instructions"]) {
			counted.set(name, bench(`${name}.mjs`, "--short"));
			counted.get(name)?.catch(() => undefined); // its test reports it
		}
	});

	it("hold for what a car on the road meets: ticks, status, events, requests", async function () {
		const { output } = (await counted.get("instructions")) as Measured;
		if (/^skipped/m.test(output)) {
			console.log(`      ${output.trim()}`);
			this.skip();
		}
		for (const row of [
			"nobody connected, MAP",
			"GET /api/status",
			"POST /api/map",
			"event of a stream",
			"tick, generation 5, MAP",
		])
			assert.match(output, new RegExp(`^${row}.* [\\d,]{4,} `, "m"));
	});

	for (const [name, title] of [
		["gateway", "the gateway: at most 200 instructions per forwarded frame"],
		[
			"interrupt",
			"the boards: at most 1,650 instructions of the C6 per forwarded frame all in, a quarter of it for two full buses",
		],
	] as const)
		it(`hold for ${title}`, async function () {
			const { lines, output } = (await counted.get(name)) as Measured;
			if (/^skipped/m.test(output)) {
				console.log(`      ${output.trim()}`);
				this.skip();
			}
			assert.equal(lines.length, 1);
		});
});
