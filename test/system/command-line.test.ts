/** What the program says when it can't start: one clear line and the right exit code. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../hal/host/host-program.js";
import { withBench } from "./bench-car.js";

async function refuses(args: string[], code: number, says: RegExp): Promise<void> {
	const outcome = await run(...args);
	const text = outcome.stderr + outcome.lines.join("\n");
	assert.equal(outcome.code, code, text);
	assert.match(text, says);
	assert.equal(text.trim().split("\n").length, 1, `one line, not: ${text}`);
}

describe("system: a start that fails", () => {
	let folder = "";
	before(() => {
		folder = mkdtempSync(join(tmpdir(), "oc-start-"));
	});
	after(() => rmSync(folder, { recursive: true, force: true }));

	it("names the port that is in use", () =>
		withBench({ connected: false }, (bench) =>
			refuses(["--http", String(bench.port), "--flash", join(folder, "flash")], 3, new RegExp(`${bench.port}`)),
		));

	it("names the option that it does not know", () => refuses(["--http", "0", "--warp", "9"], 2, /--warp/));

	it("names the flash folder that can't be used", async () => {
		const file = join(folder, "file");
		writeFileSync(file, "");
		await refuses(["--http", "0", "--flash", file], 4, /flash folder .*file/);
		await refuses(["--http", "0", "--flash", "/proc/opencoupling"], 4, /flash folder .*\/proc\/opencoupling/);
	});
});
