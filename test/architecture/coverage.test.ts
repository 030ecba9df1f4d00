/**
 * Tests run every line and branch of src/lock, of src/controller except for controller.ts, which joins its
 * parts, and of what src/vehicle reads for control.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";

/** opening.test.ts is the slowest, and reaches nothing that the others do not. */
const TESTS = [
	"test/lock/*.test.ts",
	"test/controller/!(opening).test.ts",
	"test/vehicle/*.test.ts",
	"test/coupling/couplings.test.ts",
];
const COVERED = [
	"src/lock/*.ts",
	"src/controller/!(controller|controller-view).ts",
	"src/vehicle/!(dashboard|mapped-inputs|sample).ts",
];

describe("coverage by tests", () => {
	it("has every line and branch of what decides about lock run by its tests", () => {
		mkdirSync("build", { recursive: true });
		const folder = mkdtempSync("build/coverage-");
		const gate = ["--all", "--check-coverage", "--branches", "100", "--lines", "100", "--functions", "100"];
		const report = [
			"--reporter",
			"text",
			"--temp-directory",
			folder,
			...["lock", "controller", "vehicle"].flatMap((folder) => ["--src", `src/${folder}`]),
		];
		const c8 = [...COVERED.flatMap((files) => ["--include", files]), ...gate, ...report];
		// in one process: mocha starts another one for options of Node's in its configuration
		const node = [process.execPath, "--import=./test/support/register.mjs", "node_modules/mocha/bin/mocha.js"];
		const mocha = [...node, "--no-config", "--timeout", "0", "--extension", "ts", "--reporter", "dot"];
		const { NODE_V8_COVERAGE: _, ...env } = process.env;
		const run = spawnSync("node_modules/.bin/c8", [...c8, ...mocha, ...TESTS], { encoding: "utf8", env });
		rmSync(folder, { recursive: true });
		assert.equal(run.status, 0, `\n${run.stdout}${run.stderr}`);
	});
});
