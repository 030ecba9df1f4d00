import assert from "node:assert/strict";
import { standalonePlan } from "../../../src/coupling/frame-plan.js";
import { FWD, MAP, MODES } from "../../../src/lock/modes.js";
import { PlanInterpreter } from "../../support/plan-interpreter.js";

type Generation = 1 | 2 | 4 | 5;

/** What is sent of one identifier within `ms`, at a factor in percent; hex of each frame. */
function sentOf(generation: Generation, id: number, percent: number, ms: number, mode = MAP): string[] {
	const interpreter = new PlanInterpreter();
	interpreter.load(standalonePlan(generation, "reference", mode));
	interpreter.commit(percent * 256, 0);
	const found: string[] = [];
	for (let t = 0; t < ms; t += 5)
		for (const frame of interpreter.generated(t))
			if (frame[0] * 256 + frame[1] === id) found.push(Buffer.from(frame.subarray(2)).toString("hex"));
	return found;
}

describe("standalone frames, profile reference", () => {
	it("have generation 1's lever fall with lock in the modes that follow a table, and in STOCK and FWD", () => {
		for (const mode of MODES.keys()) {
			const lever = (percent: number): number => Number.parseInt(sentOf(1, 0x280, percent, 5, mode)[0].slice(12, 14), 16);
			if (mode > 1 && mode < 7) continue;
			assert.equal(lever(0), 0xfe, MODES[mode]);
			assert.ok(lever(50) < 0xfe && lever(100) < lever(50), MODES[mode]);
		}
		assert.equal(sentOf(1, 0x280, 100, 5, MAP)[0].slice(12, 14), "16");
		assert.equal(sentOf(1, 0x280, 100, 5, 2)[0].slice(12, 14), "16");
		assert.equal(sentOf(1, 0x280, 0, 5, FWD)[0].slice(12, 14), "fe");
	});

	it("have the odd counter of generation 2, which Motor_5 advances without its wrap", () => {
		const counters = sentOf(2, 0x1a0, 0, 220).map((frame) => frame.slice(14));
		assert.deepEqual(counters.join(" "), "0a 0c 0d 0f 00 02 03 05 06 08 09 0b 0c 0e 0f 01 02 04 05 07 08 0a");
		assert.deepEqual([...new Set(sentOf(2, 0x480, 0, 100))], ["fe00000000000000"]);
	});

	it("come as often as docs/control-and-can.md 3.9 says, generation 4's Kombi_3 from two sources", () => {
		assert.equal(sentOf(4, 0x520, 0, 200).length, 9);
		assert.equal(sentOf(4, 0x5d0, 0, 200)[0].length, 12);
		assert.equal(sentOf(4, 0x720, 0, 200)[0].length, 14);
		assert.deepEqual(
			[0x135, 0x121, 0x30b, 0x5be, 0x640].map((id) => sentOf(5, id, 0, 1000).length),
			[100, 50, 40, 10, 1],
		);
	});
});
