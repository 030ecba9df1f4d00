import assert from "node:assert/strict";
import { WITHOUT_BRAKE_GROUP } from "../../../src/coupling/plan-format.js";
import { PlanBench } from "../plan-bench.js";

/** Generation, frames that brake systems send, and the engine's. */
const BRAKE_AND_ENGINE_FRAMES = [
	[1, [0x4a0], 0x280],
	[2, [0x4a0], 0x280],
	[4, [0x4a0, 0x2a0], 0x280],
	[5, [0x0b2, 0x08a], 0x0a7],
] as const;

// every row is in test/coupling/judged.test.ts
describe("frames of profile corrected", () => {
	it("asks by the engine's actual torque, 0 to 220 Nm, and calls no torque inexact that the car calls exact", () => {
		const bench = PlanBench.of(5, "corrected");
		for (const received of ["00 40 1F 00 00 00 00 1F", "00 40 FF F0 00 00 00 1F"]) {
			const torqueNm = (lock: number): number => {
				const sent = bench.rewrite(lock, 0x0a7, bench.sealed(0x0a7, received)).split(" ");
				const [low, high, quality] = [sent[2], sent[3], sent[7]].map((byte) => Number.parseInt(byte, 16));
				assert.equal(quality & 0x80, 0);
				return (low >> 6) + 4 * high - 509;
			};
			assert.ok(Math.abs(torqueNm(0)) <= 2, `${torqueNm(0)} Nm`);
			assert.ok(Math.abs(torqueNm(100) - 220) <= 3, `${torqueNm(100)} Nm`);
			for (let lock = 1; lock <= 100; lock++) assert.ok(torqueNm(lock) >= torqueNm(lock - 1));
		}
	});

	it("leaves the brake systems' frames alone without their group, and writes the engine's", () => {
		for (const [generation, brakes, engine] of BRAKE_AND_ENGINE_FRAMES)
			for (const id of [...brakes, engine]) {
				const bench = PlanBench.of(generation, "corrected");
				const seen = bench.sealed(id, "21 02 13 04 15 16 20 28");
				assert.equal(
					bench.rewrite(100, id, seen, WITHOUT_BRAKE_GROUP) === seen,
					id !== engine,
					`${generation} ${id.toString(16)}`,
				);
				assert.notEqual(bench.rewrite(100, id, seen), seen);
			}
	});
});
