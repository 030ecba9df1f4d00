import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BIN = `${ROOT}node_modules/.bin/`;

/**
 * Runs the tests of `tests` under c8.
 * @returns its exit code and report; lines are those of the TypeScript.
 */
function cover(include: string, ...tests: string[]): { status: number | null; report: string } {
	mkdirSync(`${ROOT}build`, { recursive: true });
	const folder = mkdtempSync(`${ROOT}build/coverage-`);
	const gate = ["--all", "--check-coverage", "--branches", "100", "--lines", "100", "--functions", "100"];
	const c8 = [
		"--src",
		include.replace(/[^/]*$/, ""),
		"--include",
		include,
		"--reporter",
		"text",
		"--temp-directory",
		folder,
		"--clean",
		"false",
	];
	// in one process: mocha starts another one for options of Node's in its configuration
	const node = [process.execPath, "--import=./test/support/register.mjs", "node_modules/mocha/bin/mocha.js"];
	const mocha = [...node, "--no-config", "--timeout", "0", "--extension", "ts", "--reporter", "dot"];
	const env: NodeJS.ProcessEnv = { ...process.env };
	delete env["NODE_V8_COVERAGE"];
	try {
		const run = spawnSync(`${BIN}c8`, [...c8, ...gate, ...mocha, ...tests], { cwd: ROOT, encoding: "utf8", env });
		return { status: run.status, report: `${run.stdout}${run.stderr}` };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

describe("architecture/coverage", () => {
	it("has every line and branch of arbiter, lock command and input supervisor run by the controller's tests", function () {
		this.timeout(600_000); // on a machine that does other things
		const tests = [
			"arbiter",
			"lock-command",
			"controller",
			"controller-settings",
			"conditions",
			"diagnosed",
			"steering",
			"held-by",
			"held-mode",
			"doubts",
			"standalone",
			"beside-a-car",
			"calibration-run",
		];
		const paths = tests.map((name) => `test/controller/${name}.test.ts`);
		const { status, report } = cover("src/controller/{arbiter,lock-command,input-supervisor}.ts", ...paths);
		assert.equal(status, 0, `\n${report}`);
	});

	it("has every line and branch of src/lock run by its own tests", function () {
		this.timeout(600_000);
		const { status, report } = cover("src/lock/**", "test/lock/**/*.test.ts");
		assert.equal(status, 0, `\n${report}`);
	});
});
