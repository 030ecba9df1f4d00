import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

	/**
	 * Processes of their own that note when they begin and end their work. The first one's lasts until all
	 * others wait.
	 * @returns what each printed
	 */
	async function work(count: number): Promise<string[]> {
		const script = `import { once } from "node:events";
			import { appendFileSync } from "node:fs";
			import { locked } from ${JSON.stringify(LOCK)};
			const note = (word) => appendFileSync(${JSON.stringify(join(folder, "notes"))}, word + process.pid + "\\n");
			const toldToEnd = once(process.stdin.resume(), "end");
			await locked(${JSON.stringify(path)}, async () => {
				note("begin ");
				await toldToEnd;
				await new Promise((resolve) => setTimeout(resolve, 100));
				note("end ");
			}, (pid) => console.log("waits for " + pid));`;
		const workers = Array.from({ length: count }, () => spawn(process.execPath, ["--input-type=module", "-e", script]));
		const outputs = workers.map(() => "");
		const tellToEnd = (): void => {
			if (outputs.filter((output) => output !== "").length === count - 1) for (const { stdin } of workers) stdin.end();
		};
		const ends = workers.map((child, i) => {
			for (const stream of [child.stdout, child.stderr])
				stream.on("data", (data) => {
					outputs[i] += data;
					tellToEnd();
				});
			return once(child, "close");
		});
		await Promise.all(ends);
		return outputs;
	}

	it("lets one process work at a time, and tells the others whom they wait for", async () => {
		const outputs = await work(3);
		const notes = readFileSync(join(folder, "notes"), "utf8").trim().split("\n");
		assert.equal(notes.length, 6);
		for (let i = 0; i < 6; i += 2) assert.equal(notes[i].replace("begin ", ""), notes[i + 1].replace("end ", ""), notes.join());
		assert.equal(
			outputs.filter((output) => output === `waits for ${notes[0].replace("begin ", "")}\n`).length,
			2,
			outputs.join(),
		);
		assert.deepEqual(readdirSync(join(folder, "a")), []);
	});

	it("is free again when the work fails, and when the process that holds it has ended", async () => {
		const fails = (): Promise<void> => Promise.reject(new Error("no"));
		await assert.rejects(locked(path, fails, neverWaits), /no/);
		const { pid } = spawnSync(process.execPath, ["-e", ""]);
		// also where its number is this process's now
		for (const ended of [pid, process.pid]) {
			writeFileSync(path, String(ended));
			await locked(path, async () => assert.equal(readFileSync(path, "utf8"), String(process.pid)), neverWaits);
		}
	});
});
