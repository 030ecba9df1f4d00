import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { locked } from "../../tools/lock.mjs";

const LOCK = pathToFileURL("tools/lock.mjs").href;

describe("tools/lock.mjs", () => {
	let folder: string;
	let path: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), "lock-test-"));
		path = join(folder, "a", "b.lock");
	});
	afterEach(() => rmSync(folder, { recursive: true }));
	const neverWaits = (): never => assert.fail("it waits");

	/** A process of its own that notes when it begins and ends its work. */
	const worker = (workMs: number): Promise<string> => {
		const script = `import { appendFileSync } from "node:fs";
			import { locked } from ${JSON.stringify(LOCK)};
			const note = (word) => appendFileSync(${JSON.stringify(join(folder, "notes"))}, word + process.pid + "\\n");
			await locked(${JSON.stringify(path)}, async () => {
				note("begin ");
				await new Promise((resolve) => setTimeout(resolve, ${workMs}));
				note("end ");
			}, (pid) => console.log("waits for " + pid));`;
		const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
		let output = "";
		child.stdout.on("data", (data) => (output += data));
		child.stderr.on("data", (data) => (output += data));
		return new Promise((resolve) => child.once("close", () => resolve(output)));
	};

	it("lets one process work at a time, and tells the others whom they wait for", async () => {
		const outputs = await Promise.all([worker(300), worker(300), worker(300)]);
		const notes = readFileSync(join(folder, "notes"), "utf8").trim().split("\n");
		assert.equal(notes.length, 6);
		for (let i = 0; i < 6; i += 2) assert.equal(notes[i].replace("begin ", ""), notes[i + 1].replace("end ", ""), notes.join());
		assert.equal(outputs.filter((output) => /^waits for \d+\n$/.test(output)).length, 2, outputs.join());
		assert.deepEqual(readdirSync(join(folder, "a")), []);
	});

	it("is free again when the work fails", async () => {
		const fails = (): Promise<void> => Promise.reject(new Error("no"));
		await assert.rejects(locked(path, fails, neverWaits), /no/);
		let worked = false;
		await locked(
			path,
			async () => {
				worked = existsSync(path);
			},
			neverWaits,
		);
		assert.ok(worked);
	});

	it("takes the lock of a process that is no more", async () => {
		const { pid } = spawnSync(process.execPath, ["-e", ""]);
		await locked(path, async () => {}, neverWaits);
		writeFileSync(path, String(pid));
		const waits: number[] = [];
		await locked(
			path,
			async () => assert.equal(readFileSync(path, "utf8"), String(process.pid)),
			(holder) => waits.push(holder),
		);
		assert.deepEqual(waits, []);
	});
});
