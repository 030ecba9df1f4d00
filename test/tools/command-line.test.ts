/** Commands say how they are used, before they do anything. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

function bench(argument: string): { status: number | null; stdout: string; stderr: string } {
	const options = { encoding: "utf8", env: { PATH: "" } } as const; // no compiler, no make, no npm
	const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/bench.mjs", argument], options);
	return { status, stdout, stderr };
}

describe("tools/command-line", () => {
	it("lets a command tell its options with --help, and with one that it does not know", () => {
		const { stdout: help, ...asked } = bench("--help");
		assert.deepEqual(asked, { status: 0, stderr: "" });
		assert.match(help, /^usage: .*bench[\s\S]*--help/);
		const { status, stdout, stderr } = bench("--fast");
		assert.deepEqual({ status, stdout }, { status: 2, stdout: "" });
		const [problem = "", ...rest] = stderr.split("\n");
		assert.match(problem, /'--fast'/);
		assert.equal(rest.join("\n"), help);
	});
});
