/** Commands say how they are used, before they do anything. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

function run(tool: string, argument: string): { status: number | null; stdout: string; stderr: string } {
	const options = { encoding: "utf8", env: { PATH: "" } } as const; // no compiler, no make, no npm
	const { status, stdout, stderr } = spawnSync(process.execPath, [`tools/${tool}.mjs`, argument], options);
	return { status, stdout, stderr };
}

describe("tools/command-line", function () {
	this.timeout(60_000); // on a machine that does other things

	for (const [tool, wrong] of [
		["bench", "--fast"],
		["mutation", "lock"],
	] as const)
		it(`lets ${tool} tell its options with --help, and with ${wrong}, which it does not know`, () => {
			const { stdout: help, ...asked } = run(tool, "--help");
			assert.deepEqual(asked, { status: 0, stderr: "" });
			assert.match(help, new RegExp(`^usage: .*${tool}[^]*--help`));
			const { status, stdout, stderr } = run(tool, wrong);
			assert.deepEqual({ status, stdout }, { status: 2, stdout: "" });
			const [problem = "", ...rest] = stderr.split("\n");
			assert.match(problem, new RegExp(`'${wrong}'`));
			assert.equal(rest.join("\n"), help);
		});
});
