/**
 * `npm test` with arguments: what runs, the line that it ends with, and that it ends and leaves nothing
 * whatever the tests do.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mocha } from "../../tools/mocha-run.mjs";

const UNRULY = "test/support/unruly";

const outputOf = (...given: string[]): string =>
	spawnSync(process.execPath, ["tools/test.mjs", ...given], { encoding: "utf8" }).stdout;

/** A process that was killed stays in the list until its parent has looked at it. */
function runs(pid: string): boolean {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "latin1") !== "";
	} catch {
		return false;
	}
}

/** What `left: PID FOLDER` in a report names is gone. */
function assertNothingLeft(report: string): void {
	const [, pid, folder] = /left: (\d+) (\S+)/.exec(report) ?? assert.fail(report);
	assert.deepEqual([runs(pid!), existsSync(folder!)], [false, false]);
}

describe("npm test --", function () {
	this.timeout(600_000);

	it("runs the tests of a name in a folder, and says what each folder took", () => {
		assert.match(
			outputOf("test/lock", "--grep", "falls evenly between both angles"),
			/processor +wall {2}folder\n( +\d+\.\d s +\d+\.\d s {2}\S+\n)* +\d+\.\d s of processor time\n1 passed, 0 failed\n$/,
		);
	});

	it("counts a file that can't be loaded as failed", async () => {
		const { passed, failed } = await mocha("unloadable", [`${UNRULY}/no-test.mjs`], "ignore");
		assert.deepEqual([passed, failed], [0, 1]);
	});

	it("says at its end what was skipped, and why", () => {
		const of = (reason: string) => `${UNRULY}/skips.mjs: ${reason}\n`;
		const skips = `1 skipped: ${of("no tool for one")}1 skipped: ${of("no reason is given")}2 skipped: ${of("no tool for all")}`;
		assert.ok(outputOf(`${UNRULY}/skips.mjs`).endsWith(`${skips}1 passed, 0 failed, 4 skipped\n`));
	});

	it("ends, and ends what a test has left, or a hook that threw", async () => {
		const path = `${mkdtempSync(join(tmpdir(), "report-"))}/report`;
		const file = openSync(path, "w");
		const { passed, failed } = await mocha("leaving", [`${UNRULY}/leaves-things.mjs`], file);
		closeSync(file);
		assert.deepEqual([passed, failed], [2, 1]);
		const report = readFileSync(path, "utf8");
		const left = report.match(/left: .*/g) ?? [];
		assert.equal(left.length, 2);
		for (const line of left) assertNothingLeft(line);
	});

	it("kills a run that takes too long, and names the test that hangs", async () => {
		// on a slow machine the run has not come to that test by then
		for (let seconds = 3; ; seconds *= 4) {
			const { passed, failed, failures, ended } = await mocha("hanging", [`${UNRULY}/hangs.mjs`], "ignore", 1000 * seconds);
			if (passed === 0 && seconds < 100) continue;
			assert.deepEqual([passed, failed, ended], [1, 1, false]);
			const said = `not ended after ${seconds} s`;
			assert.deepEqual(failures, [{ file: `${UNRULY}/hangs.mjs`, name: "unruly hangs", said }]);
			return;
		}
	});

	it("leaves nothing when it is interrupted", async () => {
		const child = spawn(process.execPath, ["tools/test.mjs", `${UNRULY}/hangs.mjs`], { stdio: ["ignore", "pipe", "ignore"] });
		let report = "";
		child.stdout.on("data", (chunk) => {
			const before = report;
			report += chunk;
			if (/left: .*\n/.test(report) && !/left: .*\n/.test(before)) child.kill("SIGINT");
		});
		const [code] = await once(child, "close");
		assert.equal(code, 1);
		assert.match(report, /\n1 passed, 1 failed\n$/);
		assertNothingLeft(report);
	});
});
