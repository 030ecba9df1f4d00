import { strict as assert } from "node:assert";
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";
import { EVERYTHING } from "../../tools/bench/driver.js";
import { limitOf, TICK_INSTRUCTIONS, tooLong, tooMuch } from "../../tools/bench/limits.js";
import { ignored } from "../../tools/campaign/drive.js";
import { skip } from "../support/skip.js";

describe("the budgets", () => {
	const TITLES = {
		interrupt: "the boards: at most 1,500 instructions of the C6 per forwarded frame all in, a quarter of it for two full buses",
		instructions: "what a car on the road meets: ticks, status, events, requests",
	};
	const ROWS = {
		interrupt: ["pq", "pqCorrected", "mqb", "mqbCorrected"],
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
			const reason = /^skipped: (.*)/m.exec(stdout)?.[1];
			if (reason !== undefined) skip(this, reason);
			for (const row of ROWS[name as keyof typeof ROWS]) assert.match(stdout, new RegExp(`^${row}\\b.* [\\d,.]{3,} `, "m"));
		});

	it("count a start with settings of which the controller knows each", () => {
		const stored = SETTINGS_DOCUMENT.write(SETTINGS_DOCUMENT.read(EVERYTHING));
		assert.deepEqual(ignored(EVERYTHING, stored), []);
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

const row = (name: string, instructions: number) => ({
	name,
	per: "request",
	instructions,
	turnInstructions: instructions,
	bytecodes: 0,
	turnHeapBytes: 0,
	collections: 0,
});

describe("tools/bench/limits.ts", () => {
	it("gives each row the limit of its kind", () => {
		assert.equal(limitOf("tick that takes a frame plan, generation 5"), TICK_INSTRUCTIONS);
		assert.ok(limitOf("tick, generation 5, MAP") < TICK_INSTRUCTIONS);
		assert.ok(limitOf("start, everything stored") > limitOf("start, generation 5"));
		assert.ok(limitOf("GET /api/status") > limitOf("GET /api/map"));
	});

	it("complains of what costs more, and of nothing else", () => {
		const [map, tick] = [limitOf("GET /api/map"), limitOf("tick")];
		assert.deepEqual(tooMuch([row("GET /api/map", map), row("tick", tick + 1)]), [
			`tick: ${tick + 1} instructions, ${tick} are allowed`,
		]);
	});

	it("complains of a turn that takes longer than its kind may, and not of a start, which has a row", () => {
		const turn = (kind: string, instructions: number, inStock = false) => ({ kind, instructions, during: "a drive", inStock });
		const allowed = [turn("timer0", TICK_INSTRUCTIONS + 1), turn("timer0", 12_000_000, true), turn("start", 4_000_000)];
		assert.deepEqual(tooLong(allowed), []);
		for (const [most, inStock] of [
			[3_600_000, false],
			[12_000_000, true],
		] as const)
			assert.deepEqual(tooLong([turn("timer0", most + 1, inStock)]), [
				`a turn of a timer0, a drive: ${most + 1} instructions, ${most} are allowed`,
			]);
		assert.deepEqual(tooLong([turn("timer10", TICK_INSTRUCTIONS + 1)]), [
			"a turn of a timer10, a drive: 1000001 instructions, 1000000 are allowed",
		]);
	});

	it("complains of a control tick that takes from the heap", () => {
		const ticks = { ...row("tick, generation 5, MAP", 1000), per: "tick" };
		assert.deepEqual(tooMuch([ticks]), []);
		assert.deepEqual(tooMuch([{ ...ticks, turnHeapBytes: 16 }]), [
			"tick, generation 5, MAP: 16 bytes of the heap, and 0 collections, none are allowed",
		]);
	});
});
