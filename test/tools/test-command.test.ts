/** `npm test` with arguments: what runs, and the line that it ends with. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync } from "node:fs";
import { FAILURES_MAX, mocha, onceMore } from "../../tools/mocha-run.mjs";
import { importsOf } from "../support/syntax.js";

const lastLine = (...given: string[]): string => {
	const { stdout } = spawnSync(process.execPath, ["tools/test.mjs", ...given], { encoding: "utf8" });
	return stdout.trimEnd().split("\n").at(-1)!;
};

describe("npm test --", function () {
	this.timeout(240_000); // all tests are loaded for the first

	it("finds the tests of a name anywhere", () => {
		assert.equal(lastLine("--grep", "decodes base64 of every length"), "1 passed, 0 failed");
	});

	it("looks for them in one kind of tests, or in a folder", () => {
		assert.equal(lastLine("unit", "--grep", "decodes base64 of every length"), "1 passed, 0 failed");
		assert.equal(lastLine("test/lock", "--grep", "decodes base64 of every length"), "0 passed, 0 failed");
	});

	it("counts a test that was run again", () => {
		const line = lastLine("test/support/once-flaky.mjs");
		assert.equal(line, "1 passed, 0 failed, 1 run a second time");
	});

	it("counts a file that can't be loaded as failed", () => {
		assert.equal(lastLine("test/support/no-test.mjs"), "0 passed, 1 failed");
	});

	it("runs what failed once more when nothing else runs, and that counts", async () => {
		const nowhere = openSync("/dev/null", "w");
		const run = await mocha("busy", ["test/support/busy-machine.mjs"], nowhere);
		assert.deepEqual([run.passed, run.failed, run.ended], [0, 3, true]);
		const failures = run.failures.slice(0, 2);
		const runs = await onceMore([{ ...run, failed: 2, failures }], nowhere);
		closeSync(nowhere);
		assert.deepEqual(
			runs.map(({ passed, failed, retried }) => [passed, failed, retried]),
			[
				[0, 0, 0],
				[1, 1, 2],
			],
		);
		assert.deepEqual(runs[1]!.failures, [
			{ file: "test/support/busy-machine.mjs", name: "busy machine never passes", said: "never" },
		]);
	});

	it("forgives no more failures than a busy machine makes: then nothing runs again", async () => {
		const failure = { file: "test/support/busy-machine.mjs", name: "busy machine never passes", said: "never" };
		const failures = Array.from({ length: FAILURES_MAX + 1 }, () => failure);
		const runs = [{ passed: 0, failed: failures.length, skipped: 0, retried: 0, failures, ended: true }];
		assert.equal(await onceMore(runs, "inherit"), runs);
	});

	it("passes an interrupt on to what gives way, which no terminal's reaches", async () => {
		const nowhere = openSync("/dev/null", "w");
		const before = new Set(process.listeners("SIGTERM"));
		const ended = mocha("interrupted", ["test/support/endless.mjs"], nowhere, 19);
		for (const listener of process.listeners("SIGTERM")) if (!before.has(listener)) listener("SIGTERM");
		const { passed, ended: itEnded } = await ended;
		closeSync(nowhere);
		assert.deepEqual([passed, itEnded], [0, false]);
		assert.deepEqual(new Set(process.listeners("SIGTERM")), before);
	});

	it("runs no process in unit tests", () => {
		const apart = /^test\/(architecture|contract|hal|modules|page|support|system|tools|vectors|virtual-time)\//;
		const files = readdirSync("test", { recursive: true, encoding: "utf8" }).map((path) => `test/${path}`);
		const unit = files.filter((path) => path.endsWith(".test.ts") && !apart.test(path));
		assert.ok(unit.length > 60, `${unit.length}`);
		assert.deepEqual(
			unit.flatMap(importsOf).filter(({ to }) => to === "node:child_process" || to.startsWith("test/system/")),
			[],
		);
	});
});
