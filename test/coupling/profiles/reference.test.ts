import assert from "node:assert/strict";
import { PlanBench } from "../plan-bench.js";

/** A received frame in which every byte shows whether it was kept. */
const SEEN = "E1 E2 E3 E4 E5 E6 E7 E8";
/** For generation 5, and for the steering angle: the car marks nothing in it as invalid. */
const SEEN_5 = "20 02 13 04 15 00 00 08";
const SEEN_ANGLE = "E1 E2 E3 E4 80 E0 E7 E8";

describe("coupling/profiles/reference", () => {
	it("writes the worked frames of generation 4", () => {
		// docs/control-and-can.md 9.3
		const bench = PlanBench.of(4, "reference");
		assert.equal(bench.rewrite(50, 0x2a0, SEEN), "72 00 00 64 00 00 00 16");
		for (const counter of ["10", "20"]) assert.equal(bench.rewrite(0, 0x2a0, SEEN).slice(18, 20), counter);
		assert.equal(bench.rewrite(100, 0x2a0, SEEN), "FE 00 00 64 00 00 30 AA");
		assert.equal(bench.rewrite(50, 0x4a0, SEEN), "51 07 5B 07 5E 07 5E 07");
		assert.equal(bench.rewrite(50, 0x280, SEEN), "E1 72 0E 23 72 72 09 72");
		assert.equal(bench.rewrite(50, 0x1a0, SEEN), "20 40 E3 E4 72 72 E7 E8");
		assert.equal(bench.rewrite(50, 0x5a0, SEEN), "E1 E2 E3 E4 39 E6 E7 E8");
		for (let index = 0; index < 5; index++) bench.rewrite(50, 0x0c2, SEEN_ANGLE);
		assert.equal(bench.rewrite(50, 0x0c2, SEEN_ANGLE), "22 00 00 00 80 50 11 8D");
	});

	it("leaves out what a short Bremse_4 has no room for", () => {
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

	it("writes the frames of generation 2", () => {
		const bench = PlanBench.of(2, "reference");
		assert.equal(bench.rewrite(50, 0x280, SEEN), "E1 72 21 23 E5 E6 72 E8");
		assert.equal(bench.rewrite(50, 0x380, SEEN), "E1 E2 72 E4 E5 E6 E7 00");
		assert.equal(bench.rewrite(100, 0x380, SEEN), "E1 E2 FE E4 E5 E6 E7 01");
		assert.equal(bench.rewrite(100, 0x1a0, SEEN), "80 41 FE 0A E5 E6 E7 E8");
		assert.equal(bench.rewrite(50, 0x5a0, SEEN), "E1 E2 E3 E4 39 72 E7 E8");
		assert.equal(bench.rewrite(100, 0x4a0, SEEN), "FE 0A FE 0A 00 0A 00 0A");
		assert.equal(bench.rewrite(100, 0x488, SEEN), SEEN);
	});

	it("sweeps the wheel speeds of generation 5 as it does after boot", () => {
		const bench = PlanBench.of(5, "reference");
		const frames = [1, 2, 3].map(() => bench.rewrite(100, 0x0b2, SEEN));
		assert.deepEqual(frames, ["00 20 00 20 CA 20 CA 20", "01 01 01 01 CB 01 CB 01", "02 02 02 02 CC 02 CC 02"]);
	});

	// 3.8 and 9.2: identifier, lock, the first frame after boot with the checksum of "prefix".
	const FIRST: readonly (readonly [number, number, string])[] = [
		[0x0a8, 100, "9C 70 00 00 00 64 0F 70"],
		[0x0a8, 50, "24 70 00 00 00 64 0F 32"],
		[0x0a8, 0, "A7 70 00 00 00 64 0F 00"],
		[0x0a7, 100, "B3 40 FA FA 00 FA FA FA"],
		[0x0a7, 50, "26 40 FA FA 00 FA 70 70"],
		[0x0a7, 0, "E6 40 FA FA 00 FA 00 00"],
		[0x08a, 100, "DE 10 00 00 00 00 00 FE"],
		[0x08a, 50, "D6 10 00 00 00 00 00 72"],
		[0x08a, 0, "B3 10 00 00 00 00 00 00"],
		[0x106, 50, "B1 80 64 C0 00 00 FD 00"],
		[0x5be, 50, "43 00 BF 7F 00 00 7C 78"],
		[0x3be, 50, "8C 10 E6 01 C8 80 00 80"],
		[0x392, 50, "FF 20 00 00 00 00 00 00"],
		[0x641, 50, "3D 10 2B 53 14 14 D7 24"],
		[0x65d, 50, "53 30 2B 10 00 00 E2 79"],
		[0x30b, 50, "10 20 02 00 0C 00 00 24"],
		[0x54b, 50, "00 00 00 00 00 00 00 24"],
		[0x3db, 50, "50 80 00 00 05 10 01 78"],
		[0x3c8, 50, "00 00 54 24 00 60 01 51"],
		[0x18c, 50, "00 20 59 00 00 00 00 00"],
		[0x640, 50, "A0 5A 56 A3 80 A0 59 01"],
		[0x385, 50, "00 00 22 02 02 20 02 02"],
		[0x585, 50, "84 3C 00 7F 14 00 00 00"],
		[0x6b2, 50, "30 4D 58 A2 89 85 3F 30"],
		[0x6b7, 50, "4D 58 F2 EE 04 2B 00 78"],
	];
	for (const [id, lock, frame] of FIRST)
		it(`writes frame ${id.toString(16)} of generation 5 at ${lock} %`, () => {
			assert.equal(PlanBench.of(5, "reference").rewrite(lock, id, SEEN_5), frame);
		});

	it("writes ESP_10 with DataID 05 at its sixth frame", () => {
		const bench = PlanBench.of(5, "reference");
		for (let i = 0; i < 5; i++) bench.rewrite(100, 0x116, SEEN_5);
		assert.equal(bench.rewrite(100, 0x116, SEEN_5), "73 05 01 04 00 40 00 05");
	});

	it("sends ESP_10 and ESP_05 with DLC 8 whatever came", () => {
		const bench = PlanBench.of(5, "reference");
		assert.equal(bench.rewrite(100, 0x106, "E1 02"), "B1 80 64 C0 00 00 FD 00");
		assert.equal(bench.rewrite(100, 0x116, "E1").length, SEEN_5.length);
	});

	it("wraps the counters of generation 5 to where 3.3 says", () => {
		for (const [id, first, last, wrapped] of [
			[0x0a8, 0x70, 0x7f, 0x70],
			[0x0a7, 0x40, 0x4f, 0x40],
			[0x08a, 0x10, 0x1f, 0x10],
			[0x116, 0x00, 0x0f, 0x00],
			[0x106, 0x80, 0x8f, 0x80],
			[0x5be, 0x00, 0x1f, 0x00],
			[0x3be, 0x10, 0x1f, 0x10],
			[0x392, 0x20, 0x20, 0x00],
			[0x641, 0x10, 0x1f, 0x10],
			[0x65d, 0x30, 0x3f, 0x30],
		] as const) {
			const bench = PlanBench.of(5, "reference");
			const next = (): number => Number.parseInt(bench.rewrite(100, id, SEEN_5).slice(3, 5), 16);
			for (let value: number = first; value <= last; value++) assert.equal(next(), value, id.toString(16));
			assert.equal(next(), wrapped, id.toString(16));
		}
	});

	it("counts as docs/control-and-can.md 3.3 says where a counter begins outside of its range", () => {
		const bench = PlanBench.of(5, "reference");
		const counts = Array.from({ length: 35 }, () => bench.rewrite(50, 0x392, SEEN_5).slice(3, 5));
		assert.deepEqual(counts.slice(0, 4), ["20", "00", "01", "02"]);
		assert.deepEqual(counts.slice(31), ["1E", "1F", "00", "01"]);
	});
});
