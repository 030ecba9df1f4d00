// Tests that end while something of theirs still runs, for `test/tools/test-command.test.ts`.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

describe("unruly", () => {
	it("leaves a process, a server and a folder", (done) => {
		const { pid } = spawn("sleep", ["600"], { stdio: "pipe", detached: true });
		console.log(`left: ${pid} ${mkdtempSync(join(tmpdir(), "left-"))}`);
		createServer().listen(0, done);
	});
});
