import assert from "node:assert/strict";
import { encodePlan, type FrameRow, type PeriodMs, type PlanTable } from "../../src/coupling/plan-encoder.js";
import { HEADER } from "../../src/coupling/plan-format.js";
import { hexOf } from "./plan-bench.js";

const KEPT = ".. .. .. .. .. .. .. ..";
const COUNTER = { name: "RUN", initial: 0x0e, step: 1, wrapAbove: 0x0f, wrapTo: 2 };

function tableOf(row: Partial<FrameRow>): PlanTable {
	return {
		counterSet: 7,
		counters: [COUNTER],
		frames: [{ message: "Test", id: 0x123, bytes: KEPT, ...row }],
		source: "assumed, made up",
	};
}

describe("coupling/plan-encoder", () => {
	describe("marks of invalid signals", () => {
		const signal = { dbc: "Made_Up", id: 0x123, source: "assumed, made up" as const };
		const marksOf = (bytes: string, marked: Parameters<typeof encodePlan>[1]): string => {
			const plan = encodePlan(tableOf({ bytes }), marked);
			assert.equal(plan.length, 12 + 4 + 44 + 8 * plan[HEADER.markCount]);
			return hexOf(plan.subarray(12 + 4 + 44));
		};

		for (const [what, bytes, row, expected] of [
			[
				"a code in what is overwritten",
				"11 22 .. .. .. .. .. ..",
				{ start: 1, length: 15, max: 0x7f7f },
				"00 00 FE FF 00 FF FE FF",
			],
			["one that reaches into it", ".. 22 .. .. .. .. .. ..", { start: 4, length: 8, max: 0xfc }, "00 00 F0 0F D0 0F F0 0F"],
			["none in what is kept", ".. .. 33 .. .. .. .. ..", { start: 1, length: 15, max: 0x7f7f }, ""],
			["none without codes", "11 .. .. .. .. .. .. ..", { start: 0, length: 8 }, ""],
			["one that is added to", ".. .. .. .. .. .. +CA<FF ..", { start: 56, length: 8, max: 0xfc }, "00 06 00 FF 00 FD 00 FF"],
			[
				"values below the least",
				"11 .. .. .. .. .. .. ..",
				{ start: 0, length: 8, min: 0x80, max: 0x80 },
				"00 00 FF 00 81 00 7F 00",
			],
			[
				"one code in between",
				"11 .. .. .. .. .. .. ..",
				{ start: 0, length: 8, min: 0x80, max: 0x7e },
				"00 00 FF 00 7F 00 7F 00",
			],
			["none of another frame", "11 .. .. .. .. .. .. ..", { id: 0x124, start: 0, length: 8, max: 1 }, ""],
			["none of a 29-bit frame", "11 .. .. .. .. .. .. ..", { extended: true, start: 0, length: 8, max: 1 }, ""],
			[
				"quality bits of what is overwritten, also in bytes that are kept",
				"11 .. .. .. .. .. .. ..",
				{ start: 0, length: 8, qualityBit: 41, qualityBits: 2 },
				"00 05 06 00 02 00 06 00",
			],
			[
				"quality bits that are overwritten, of what is kept",
				".. .. .. .. .. .. .. 88",
				{ start: 0, length: 8, qualityBit: 63 },
				"00 06 00 80 00 80 00 80",
			],
		] as const)
			it(`has ${what}`, () => assert.equal(marksOf(bytes, [{ ...signal, ...row }]), expected));

		it("has a row's marks with the number of the row, but none in a plan that generates", () => {
			const row = { ...signal, id: 0x124, start: 0, length: 8, max: 0xfe };
			const frames = [1, 2].map((n) => ({ message: `Test ${n}`, id: 0x122 + n, bytes: `11${KEPT.slice(2)}` }));
			assert.equal(hexOf(encodePlan({ ...tableOf({}), frames }, [row]).subarray(-8)), "01 00 FF 00 FF 00 FF 00");
			const generated = { ...tableOf({ bytes: `11${KEPT.slice(2)}`, periodMs: 10 }), passes: [] };
			assert.equal(encodePlan(generated, [{ ...row, id: 0x123 }])[9], 0);
		});

		it("rejects a signal that no word holds", () => {
			assert.throws(() => marksOf(`11${KEPT.slice(2)}`, [{ ...signal, start: 4, length: 16, max: 1 }]), {
				name: "RangeError",
				message: "Test: bit 4 is the first of more than a word",
			});
		});
	});

	it("rejects to generate a row whose period it does not know, and one without", () => {
		for (const [row, said] of [
			[{}, 0],
			[{ periodMs: 30 as PeriodMs }, 30],
		] as const)
			assert.throws(() => encodePlan({ ...tableOf(row), passes: [] }), {
				name: "RangeError",
				message: `Test: period ${said}, not one of 10,20,25,50,100,200,1000 ms`,
			});
	});

	for (const [bytes, message] of [
		[".. .. .. .. .. .. ..", /Test: 7 byte tokens, 8 expected/],
		[`${KEPT} ..`, /Test: 9 byte tokens/],
		[`G1${KEPT.slice(2)}`, /Test: "G1"/],
		[`ff${KEPT.slice(2)}`, /Test: "ff"/],
		[`a1${KEPT.slice(2)}`, /Test: "1"/],
		[`dFE${KEPT.slice(2)}`, /Test: "undefined"/],
		[`cNONE${KEPT.slice(2)}`, /Test: no counter "NONE"/],
		[`kNONE${KEPT.slice(2)}`, /Test: no counter "NONE"/],
	] as const)
		it(`rejects the row "${bytes}" and says which`, () => {
			assert.throws(() => encodePlan(tableOf({ bytes })), { name: "RangeError", message });
		});
});
