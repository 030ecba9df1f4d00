// A suite that would have cleaned up if its hook had not thrown, for `test/tools/test-command.test.ts`.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

describe("unruly", () => {
	let child;
	before(() => {
		child = spawn("sleep", ["600"]);
		console.log(`left: ${child.pid} ${mkdtempSync(join(tmpdir(), "left-"))}`);
	});
	after(() => {
		throw new Error("not yet");
		// biome-ignore lint/correctness/noUnreachable: that is what is tried
		child.kill();
	});
	it("passes", () => {});
});
