import assert from "node:assert/strict";
import { CRASHES_MAX, isBootLoop, LIVED_MS, settingsInBootLoop } from "../../src/runtime/start-guard.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { condition } from "../support/controller-view.js";
import { ManualTime, MemoryFiles } from "../support/memory-files.js";

describe("runtime/start-guard", () => {
	function controller() {
		const files = new MemoryFiles();
		const reports: string[] = [];
		const start = (reason: string, livesMs = 0): boolean => {
			const time = new ManualTime();
			const report = (_path: string, problem: string) => void reports.push(problem);
			const inLoop = isBootLoop({ files, writes: time.writes, report }, reason);
			time.pass(livesMs);
			return inLoop;
		};
		return { files, reports, start };
	}

	it("reports a boot loop after three crashes in a row", () => {
		const { start, reports } = controller();
		for (let crash = 1; crash < CRASHES_MAX; crash++) assert.ok(!start("crash"));
		for (const reason of ["watchdog", "crash", ...Array(20).fill("crash")]) assert.ok(start(reason, 10 * LIVED_MS));
		assert.deepEqual(reports, []);
	});

	it("begins anew after a clean start, or after one that lived long enough", () => {
		assert.equal(LIVED_MS, 30_000);
		for (const [crashes, reason, livesMs] of [
			[9, "power on", 0],
			[9, "restart", 0],
			[9, "brownout", 0],
			[CRASHES_MAX - 2, "crash", LIVED_MS],
		] as const) {
			const { files, start } = controller();
			for (let crash = 0; crash < crashes; crash++) start("crash");
			start(reason, livesMs);
			assert.deepEqual(files.names, [], "nothing is left of it");
			assert.ok(!start("crash", LIVED_MS - 1));
			assert.deepEqual(files.names, ["crashes"]);
		}
	});

	it("keeps only the settings that the speed and the idle output need", () => {
		const pwm = { frequencyHz: 500, inverted: true };
		const inputMappings = { speed: "chassis|0xfd|esp v signal|unit_kilometerperhour", throttle: "", rpm: "" };
		const kept = { ...DEFAULT_SETTINGS, generation: 5, mode: 10, pwm, inputMappings, setupDone: true } as const;
		const { logging, ...others } = settingsInBootLoop({
			...kept,
			logging: { ...DEFAULT_SETTINGS.logging, can: true, debugCan: true },
			conditions: [condition({ effect: "open" })],
			dashboard: Array(8).fill("x"),
			broadcastOverCan: true,
			currentMap: "/maps/mine.json",
		});
		const { logging: _, ...expected } = { ...kept, broadcastOverCan: false };
		assert.deepEqual(others, expected);
		const on = Object.entries(logging).filter(([, flag]) => flag);
		assert.deepEqual(on, [["serial", true]]);
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
