// A test that blocks its process for ever and has started another one, for `test/tools/test-command.test.ts`.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

describe("unruly", () => {
	it("passes", () => {});
	it("hangs", () => {
		const { pid } = spawn("sleep", ["600"], { detached: true });
		console.log(`left: ${pid} ${mkdtempSync(join(tmpdir(), "left-"))}`);
		setTimeout(() => {
			for (;;);
		}, 100);
		return new Promise(() => {});
	});
});
