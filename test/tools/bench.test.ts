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

describe("the budgets", function () {
	this.timeout(600_000); // minutes, beside others on a slow machine
	const counted = new Map<string, Promise<Measured>>();

	before(() => {
		// what counts work does not mind neighbours
		for (const name of ["tick", "gateway", "interrupt", "instructions", "every-turn"]) {
			counted.set(name, bench(`${name}.mjs`, "--short"));
			counted.get(name)?.catch(() => undefined); // its test reports it
		}
	});

	it("hold for a control tick: at most 2,800 bytecodes, nothing taken from the heap in 10,000", async () => {
		const { lines } = (await counted.get("tick")) as Measured;
		assert.equal(lines.length, 2);
		for (const { mostBytecodes, slots, chunkBytes, collections } of lines) {
			assert.ok(mostBytecodes > 500 && mostBytecodes <= 2800, `${mostBytecodes} bytecodes`);
			assert.deepEqual([slots, chunkBytes, collections], [0, 0, 0]);
		}
	});

	it("hold for all work: no count has grown by more than 3 %", async function () {
		const { output } = (await counted.get("instructions")) as Measured;
		if (/^skipped/m.test(output)) {
			console.log(`      ${output.trim()}`);
			this.skip();
		}
		for (const row of [
			"GET /api/status",
			"POST /api/map",
			"dump row, candump",
			"CAN log row",
			"upload",
			"tick, generation 5, MAP",
		])
			assert.match(output, new RegExp(`^${row} +[\\d,]{4,} `, "m"));
	});

	it("hold for every turn of what is no request: at most 1.2 million instructions", async function () {
		const { output } = (await counted.get("every-turn")) as Measured;
		if (/^skipped/m.test(output)) {
			console.log(`      ${output.trim()}`);
			this.skip();
		}
		for (const [row, kind] of [
			["SavvyCAN connects, looks and sends", "timer0"],
			["the control unit answers /api/uds/identity", "timer0"],
			["wrong keys", "socket"],
			["parameters that nobody asks for", "socket"],
			["a hostile update server", "socket"],
			["a boot loop", "socket"],
		])
			assert.match(output, new RegExp(`^${row} +${kind} +[\\d,]{6,} `, "m"));
	});

	for (const [name, title] of [
		["gateway", "the gateway: at most 200 instructions per forwarded frame"],
		[
			"interrupt",
			"the boards: at most 1,500 instructions of the C6 per forwarded frame all in, a quarter of it for two full buses",
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

	it("hold for requests: the heap is where it was after 250 of all kinds, and no frame lost", async () => {
		const { lines } = await bench("requests.mjs", "250");
		assert.equal(lines[0]["requests"], 250);
		console.log(`      ${lines[0]["statusBytecodes"]} bytecodes for a status, ${lines[0]["statusPerSecond"]} a second`);
	});
});
