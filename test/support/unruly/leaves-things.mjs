// Tests that end while something of theirs still runs, and a hook that would have cleaned up if it had not
// thrown, for `test/tools/test-command.test.ts`.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const leave = (options) => {
	const { pid } = spawn("sleep", ["600"], options);
	console.log(`left: ${pid} ${mkdtempSync(join(tmpdir(), "left-"))}`);
};

describe("unruly", () => {
	before(() => leave({}));
	after(() => {
		throw new Error("not yet");
	});
	it("passes", () => {});
	it("leaves a process, a server and a folder", (done) => {
		leave({ stdio: "pipe", detached: true });
		createServer().listen(0, done);
	});
});
