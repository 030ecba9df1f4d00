import assert from "node:assert/strict";
import { CRASHES_MAX, isBootLoop, LIVED_MS } from "../../src/runtime/start-guard.js";
import { ManualTime, MemoryFiles } from "../support/memory-files.js";

describe("runtime/start-guard", () => {
	function controller() {
		const files = new MemoryFiles();
		const reports: string[] = [];
		const start = (reason: string, livesMs = 0): boolean => {
			const time = new ManualTime();
			const inLoop = isBootLoop(files, reason, time.later, (_path, problem) => reports.push(problem));
			time.pass(livesMs);
			return inLoop;
		};
		return { files, reports, start };
	}

	it("sees a loop in so many crashes in a row, and goes on seeing it", () => {
		const { start, reports } = controller();
		for (let crash = 1; crash < CRASHES_MAX; crash++) assert.ok(!start("crash"));
		for (const reason of ["watchdog", "crash", ...Array(20).fill("crash")]) assert.ok(start(reason));
		assert.deepEqual(reports, []);
	});

	it("begins anew after a clean start, or after one that lived long enough", () => {
		for (const [reason, livesMs] of [
			["power on", 0],
			["restart", 0],
			["brownout", 0],
			["crash", LIVED_MS],
		] as const) {
			const { files, start } = controller();
			for (let crash = 0; crash < 9; crash++) start("crash");
			start(reason, livesMs);
			assert.deepEqual(files.names, [], "nothing is left of it");
			assert.ok(!start("crash", LIVED_MS - 1));
			assert.deepEqual(files.names, ["crashes"]);
		}
	});

	it("writes nothing while all is well, and never fails", () => {
		const { files, reports, start } = controller();
		start("power on", LIVED_MS);
		assert.equal(files.operations, 0);
		for (const content of ["", "x", "123456"]) {
			files.flash.set("crashes", Buffer.from(content));
			assert.ok(!start("crash"), content);
		}
		files.capacity = 0;
		files.flash.delete("crashes");
		assert.ok(!start("crash"));
		assert.match(reports.at(-1) ?? "", /crashes can't be counted: no space/);
	});
});
