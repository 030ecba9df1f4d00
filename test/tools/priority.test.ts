import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { giveWay } from "../../tools/priority.mjs";

describe("tools/priority.mjs", () => {
	it("lowers the priority of a process and of its session, and leaves ours alone", async () => {
		const ours = getPriority();
		const child = spawn("sleep", ["60"], { detached: true });
		const pid = child.pid as number;
		try {
			await giveWay(pid, 19);
			assert.equal(getPriority(pid), 19);
			assert.equal(getPriority(), ours);
			const session = (of: number | string) => `/proc/${of}/autogroup`;
			if (!existsSync(session(pid))) return;
			assert.match(readFileSync(session(pid), "utf8"), / nice 19$/m);
			assert.notEqual(readFileSync(session("self"), "utf8").split(" ")[0], readFileSync(session(pid), "utf8").split(" ")[0]);
		} finally {
			child.kill();
		}
	});

	it("says nothing of a process that has ended", async () => {
		const { pid } = spawnSync("true");
		await giveWay(pid, 19);
	});
});
