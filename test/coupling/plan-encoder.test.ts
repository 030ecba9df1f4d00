import assert from "node:assert/strict";
import { dataIdsOf } from "../../src/can/layouts/mqb.js";
import { encodePlan, type FrameRow, type PeriodMs, type PlanTable } from "../../src/coupling/plan-encoder.js";
import { HEADER } from "../../src/coupling/plan-format.js";
import { hexOf, PlanBench } from "./plan-bench.js";

const SEEN = "E1 E2 E3 E4 E5 E6 E7 E8";
const FULL = 25600;
const HALF = 12800;
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
const benchOf = (row: Partial<FrameRow>): PlanBench => PlanBench.ofTable(tableOf(row));

describe("coupling/plan-encoder", () => {
	// token at the first byte, what leaves at full and at half
	for (const [token, full, half] of [
		["..", "E1", "E1"],
		["3F", "3F", "3F"],
		["00", "00", "00"],
		["AC", "AC", "AC"],
		["aFE", "FE", "7F"],
		["a01", "01", "00"],
		["iFE", "00", "7F"],
		["dFE-E8", "16", "8A"],
		["u80+7E", "FE", "BF"],
		["r7F+37", "B6", "9A"],
		["cRUN", "0E", "0E"],
		["kRUN", "0E", "07"],
		["kRUN+CA", "D8", "6C"],
		["kRUN+F8", "06", "03"],
	] as const)
		it(`turns ${token} into ${full} at full and ${half} at half`, () => {
			const bytes = `${token}${KEPT.slice(2)}`;
			assert.equal(benchOf({ bytes }).pass(FULL, 0x123, SEEN), `${full}${SEEN.slice(2)}`);
			assert.equal(benchOf({ bytes }).pass(HALF, 0x123, SEEN), `${half}${SEEN.slice(2)}`);
		});

	it("adds to a 16-bit value below its bound and stays below it", () => {
		const bench = benchOf({ bytes: "+CA<FF .. .. .. .. .. .. .." });
		for (const [received, full, half] of [
			["00 00", "CA 00", "65 00"],
			["80 10", "4A 11", "E5 10"],
			["35 FE", "FF FE", "9A FE"],
			["36 FE", "FF FE", "9B FE"],
			["FF FE", "FF FE", "FF FE"],
			["00 FF", "00 FF", "00 FF"],
			["FF FF", "FF FF", "FF FF"],
		] as const) {
			assert.equal(bench.pass(FULL, 0x123, received), full);
			assert.equal(bench.pass(HALF, 0x123, received), half);
		}
	});

	it("advances a counter once per frame and wraps it", () => {
		const bench = benchOf({ bytes: "cRUN kRUN .. .. .. .. .. .." });
		const seen = Array.from({ length: 5 }, () => bench.pass(FULL, 0x123, SEEN).slice(0, 5));
		assert.deepEqual(seen, ["0E 0E", "0F 0F", "02 02", "03 03", "04 04"]);
	});

	it("demands exactly as many bytes as it writes", () => {
		for (const [bytes, minDlc] of [
			[KEPT, 0],
			["11 .. .. .. .. .. .. ..", 1],
			[".. .. 11 .. .. .. .. ..", 3],
			["11 .. .. .. .. .. .. 11", 8],
			["+CA<FF .. .. .. .. .. .. ..", 2],
			[".. .. .. .. .. .. +CA<FF ..", 8],
		] as const) {
			assert.equal(encodePlan(tableOf({ bytes }))[12 + 4 + 6], minDlc, bytes);
		}
	});

	it("sends a forced length for a frame of any length", () => {
		const bench = benchOf({ bytes: "11 22 33 44 55 66 77 88", forcedDlc: 8 });
		for (const received of ["", "E1", "E1 E2 E3", SEEN])
			assert.equal(bench.pass(FULL, 0x123, received), "11 22 33 44 55 66 77 88");
	});

	it("puts a row into its group", () => {
		const bench = benchOf({ bytes: `11${KEPT.slice(2)}`, group: 3 });
		assert.equal(bench.pass(FULL, 0x123, "E1", 0xff & ~8), "E1");
		assert.equal(bench.pass(FULL, 0x123, "E1", 8), "11");
		assert.equal(encodePlan(tableOf({}))[12 + 4 + 5], 0);
	});

	it("puts identifiers above 255 in both bytes", () => {
		const bench = benchOf({ id: 0x7fe, bytes: `11${KEPT.slice(2)}` });
		assert.equal(bench.pass(FULL, 0x7fe, "E1"), "11");
		assert.equal(bench.pass(FULL, 0x0fe, "E1"), "E1");
	});

	it("computes checksums after the bytes, in their order", () => {
		const bytes = "aFE 00 00 64 00 00 30 00";
		const xor = benchOf({ bytes, checksums: [{ kind: "xor", target: 7, mask: 0x7f }] });
		assert.equal(xor.pass(FULL, 0x123, SEEN), "FE 00 00 64 00 00 30 AA");
		const both = benchOf({
			bytes: "22 00 00 00 80 50 00 00",
			checksums: [
				{ kind: "crc8", target: 6, mask: 0x3f, dataIds: new Array(16).fill(0xc2), dataIdPosition: "last" },
				{ kind: "inverted-sum", target: 7, mask: 0x2f },
			],
		});
		assert.equal(both.pass(FULL, 0x123, SEEN), "22 00 00 00 80 50 11 8D");
		const plain = benchOf({ bytes: "00 00 .. .. .. .. .. ..", checksums: [{ kind: "crc8", target: 0, mask: 2 }] });
		assert.equal(plain.pass(FULL, 0x123, "E1 E2"), "BD 00");
	});

	// docs/control-and-can.md 9.2: byte 0 with the DataID first and last
	for (const [frame, first, last] of [
		["00 70 00 00 00 64 0F 70", "9C", "18"],
		["00 70 00 00 00 64 0F 00", "A7", "E3"],
	] as const)
		it(`writes ${first} or ${last} to byte 0 of ${frame}`, () => {
			for (const [dataIdPosition, order, byte] of [
				["first", "reference", first],
				["last", "autosar", last],
			] as const) {
				const dataIds = dataIdsOf(0x0a8, order);
				const checksums = [{ kind: "crc8", target: 0, mask: 0xfe, dataIds: dataIds!, dataIdPosition }] as const;
				assert.equal(benchOf({ bytes: `00${KEPT.slice(2)}`, checksums }).pass(FULL, 0x123, frame), `${byte}${frame.slice(2)}`);
			}
		});

	it("starts with the header of format 2 and the counters, and stores a list of DataIDs once", () => {
		const plan = encodePlan(tableOf({}));
		assert.equal(hexOf(plan.subarray(0, 16)), "02 07 2F FF FF 01 00 01 00 00 00 00 0E 01 0F 02");
		const checksums = [
			{ kind: "crc8", target: 0, mask: 0xfe, dataIds: new Array(16).fill(0x42), dataIdPosition: "last" },
		] as const;
		const frames = [1, 2, 3].map((id) => ({ message: `Test ${id}`, id, bytes: KEPT, checksums }));
		const shared = encodePlan({ ...tableOf({}), counters: [], frames });
		assert.deepEqual([shared[HEADER.dataIdCount], shared.length], [1, 12 + 16 + 3 * 44]);
	});

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
