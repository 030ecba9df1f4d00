import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

interface Measured {
	readonly lines: Record<string, number>[];
	readonly output: string;
}

/** Runs a measurement and returns its JSON lines; it fails by itself when a budget is exceeded. */
async function bench(name: string, ...args: string[]): Promise<Measured> {
	const { stdout } = await promisify(execFile)(process.execPath, [`tools/bench/${name}`, ...args]);
	const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
	return { lines: lines.map((line) => JSON.parse(line)), output: stdout };
}

describe("the budgets", function () {
	this.timeout(120_000);
	const counted = new Map<string, Promise<Measured>>();

	before(() => {
		// what counts work does not mind neighbours
		for (const name of ["tick", "canview", "log", "gateway"]) {
			counted.set(name, bench(`${name}.mjs`));
			counted.get(name)?.catch(() => undefined); // its test reports it
		}
	});

	it("hold for a control tick: at most 2,500 bytecodes, nothing taken from the heap in 10,000", async () => {
		const { lines } = (await counted.get("tick")) as Measured;
		assert.equal(lines.length, 2);
		for (const { mostBytecodes, slots, chunkBytes, collections } of lines) {
			assert.ok(mostBytecodes > 500 && mostBytecodes <= 2500, `${mostBytecodes} bytecodes`);
			assert.deepEqual([slots, chunkBytes, collections], [0, 0, 0]);
		}
	});

	it("hold for the CAN view: no piece of an answer costs more than 100,000 bytecodes", async () => {
		const { lines } = (await counted.get("canview")) as Measured;
		assert.equal(lines.length, 16);
		for (const { bytes, pieces } of lines) assert.ok(bytes > 5000 && pieces > 5, `${bytes} bytes in ${pieces} pieces`);
	});

	it("hold for the log: no step of the CAN log costs more than 150,000 bytecodes, a line 5,000", async () => {
		const { lines } = (await counted.get("log")) as Measured;
		assert.equal(lines.length, 1);
		const { canRecords, bytecodesPerLine } = lines[0];
		assert.ok(canRecords > 1000 && bytecodesPerLine < 5000, JSON.stringify(lines[0]));
	});

	it("hold for the gateway: at most 200 instructions per forwarded frame", async function () {
		const { lines, output } = (await counted.get("gateway")) as Measured;
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
