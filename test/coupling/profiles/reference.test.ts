import assert from "node:assert/strict";
import { standalonePlan } from "../../../src/coupling/frame-plan.js";
import { FWD, MAP, MODES } from "../../../src/lock/modes.js";
import { PlanInterpreter } from "../../support/plan-interpreter.js";
import { PlanBench } from "../plan-bench.js";

/** A received frame in which every byte shows whether it was kept. */
const SEEN = "E1 E2 E3 E4 E5 E6 E7 E8";
/** For generation 5: the car marks nothing in it as invalid. */
const SEEN_5 = "20 02 13 04 15 00 00 08";

// every row and counter is in the golden vectors (test/vectors); here is what these leave out
describe("frames of profile reference", () => {
	it("forwards a Bremse_4 of three bytes unmodified", () => {
		assert.equal(PlanBench.of(4, "reference").rewrite(100, 0x2a0, "E1 E2 E3"), "E1 E2 E3");
	});

	it("writes the worked frames of generation 1, the lever by mode", () => {
		// mode, lock, Motor_1 (9.3 and 3.5; the lever at byte 6)
		for (const [mode, lock, frame] of [
			[1, 0, "00 00 21 00 00 00 FE 00"],
			[2, 100, "00 FE 21 4E FE FE 16 00"],
			[3, 40, "00 65 21 1F 65 65 0D 00"],
			[4, 30, "00 58 21 1B 58 58 1C 00"],
			[5, 20, "00 4C 21 17 4C 4C 18 00"],
			[6, 10, "00 3F 21 13 3F 3F 14 00"],
			[7, 40, "00 65 21 1F 65 65 E7 00"],
			[8, 40, "00 65 21 1F 65 65 E7 00"],
			[9, 40, "00 65 21 1F 65 65 E7 00"],
			[10, 40, "00 65 21 1F 65 65 E7 00"],
			[0, 40, "00 65 21 1F 65 65 E7 00"],
			[2, 0, "00 00 21 00 00 00 00 00"],
		] as const)
			assert.equal(PlanBench.of(1, "reference", mode).rewrite(lock, 0x280, SEEN), frame, `mode ${mode}`);
		const bench = PlanBench.of(1, "reference", 9);
		assert.equal(bench.rewrite(100, 0x380, SEEN), "E1 E2 FE E4 E5 E6 E7 FE");
		assert.equal(bench.rewrite(100, 0x1a0, SEEN), "E1 00 00 0A E5 E6 E7 E8");
		assert.equal(bench.rewrite(50, 0x4a0, SEEN), "72 0A 72 0A 00 0A 00 0A");
	});

	it("sweeps the wheel speeds of generation 5 as it does after boot", () => {
		const bench = PlanBench.of(5, "reference");
		const frames = [1, 2, 3].map(() => bench.rewrite(100, 0x0b2, SEEN));
		assert.deepEqual(frames, ["00 20 00 20 CA 20 CA 20", "01 01 01 01 CB 01 CB 01", "02 02 02 02 CC 02 CC 02"]);
	});

	it("sends ESP_10 and ESP_05 with DLC 8 for frames of one and two bytes", () => {
		const bench = PlanBench.of(5, "reference");
		assert.equal(bench.rewrite(100, 0x106, "E1 02"), "B1 80 64 C0 00 00 FD 00");
		assert.equal(bench.rewrite(100, 0x116, "E1").length, SEEN_5.length);
	});

	it("counts as docs/control-and-can.md 3.3 says where a counter begins outside of its range", () => {
		const bench = PlanBench.of(5, "reference");
		const counts = Array.from({ length: 35 }, () => bench.rewrite(50, 0x392, SEEN_5).slice(3, 5));
		assert.deepEqual(counts.slice(0, 4), ["20", "00", "01", "02"]);
		assert.deepEqual(counts.slice(31), ["1E", "1F", "00", "01"]);
	});

	it("has generation 1's lever fall with lock in standalone operation, in STOCK, FWD and the modes with a table", () => {
		const lever = (percent: number, mode: number): number => {
			const interpreter = new PlanInterpreter();
			interpreter.load(standalonePlan(1, "reference", mode));
			interpreter.commit(percent * 256, 0);
			return interpreter.generated(0).find((frame) => frame[0] === 0x02 && frame[1] === 0x80)?.[2 + 6] ?? -1;
		};
		for (const mode of MODES.keys()) {
			if (mode > 1 && mode < 7) continue;
			assert.equal(lever(0, mode), 0xfe, MODES[mode]);
			assert.ok(lever(50, mode) < 0xfe && lever(100, mode) < lever(50, mode), MODES[mode]);
		}
		assert.deepEqual([lever(100, MAP), lever(100, 2), lever(0, FWD)], [0x16, 0x16, 0xfe]);
	});
});
