import assert from "node:assert/strict";
import { WITHOUT_BRAKE_GROUP } from "../../../src/coupling/plan-format.js";
import { PlanBench } from "../plan-bench.js";

const SEEN = "E1 E2 E3 E4 E5 E6 E7 E8";
/** The same for generation 5, whose quality bits are 0 in it. */
const SEEN_5 = "21 02 13 04 15 16 20 28";
const KEPT_ON_5 = [
	0x0a8, 0x116, 0x106, 0x30b, 0x5be, 0x54b, 0x3db, 0x3c8, 0x3be, 0x392, 0x18c, 0x640, 0x385, 0x585, 0x641, 0x65d, 0x6b2, 0x6b7,
];
/** Frames that brake systems send, by generation. */
const BRAKE_FRAMES = [
	[1, [0x4a0]],
	[2, [0x4a0]],
	[4, [0x4a0, 0x2a0]],
	[5, [0x0b2, 0x08a]],
] as const;
const ENGINE_FRAMES = [
	[1, [0x280]],
	[2, [0x280]],
	[4, [0x280]],
	[5, [0x0a7]],
] as const;

describe("frames of profile corrected", () => {
	// identifier, lock, received, sent
	const WRITTEN: readonly (readonly [number, number, string, string])[] = [
		[0x0a7, 100, "00 40 FA FA 00 FA 11 22", "BE 40 FA B6 00 FA 11 22"],
		[0x0a7, 50, "00 40 FA FA 00 FA 11 22", "63 40 FA 97 00 FA 11 22"],
		[0x0a7, 0, "00 40 FA FA 00 FA 11 22", "53 40 FA 7F 00 FA 11 22"],
		[0x08a, 100, "00 10 00 00 00 00 00 33", "10 10 00 00 00 00 00 FA"],
		[0x08a, 50, "00 10 00 00 00 00 00 33", "6F 10 00 00 00 00 00 70"],
		[0x08a, 0, "00 10 00 00 00 00 00 33", "94 10 00 00 00 00 00 00"],
	];
	for (const [id, lock, received, sent] of WRITTEN)
		it(`writes ${sent} to ${id.toString(16)}: received counter, checksum with the DataID last`, () => {
			const bench = PlanBench.of(5, "corrected");
			assert.equal(bench.rewrite(lock, id, bench.sealed(id, received)), sent);
		});

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

	it("keeps every received counter, frame after frame", () => {
		const bench = PlanBench.of(5, "corrected");
		for (const id of [0x0a7, 0x08a])
			for (const counter of ["1F", "10", "13", "13"])
				assert.equal(bench.rewrite(50, id, bench.sealed(id, `00 ${counter} 00 00 00 00 00 00`)).slice(3, 5), counter);
	});

	it("leaves frames with end-to-end protection alone whose checksum does not verify", () => {
		const bench = PlanBench.of(5, "corrected");
		for (const id of [0x0a7, 0x08a]) {
			const seen = bench.sealed(id, SEEN_5);
			for (const wrong of [SEEN_5, seen.replace(" 02", " 03"), seen.replace(" 28", " 00")])
				assert.equal(bench.rewrite(100, id, wrong), wrong, id.toString(16));
			assert.notEqual(bench.rewrite(100, id, seen), seen);
		}
	});

	it("leaves frames of generation 5 alone that do not influence lock", () => {
		const bench = PlanBench.of(5, "corrected");
		for (const id of KEPT_ON_5) assert.equal(bench.rewrite(100, id, SEEN), SEEN, id.toString(16));
	});

	it("turns the front wheels faster by 1.515 km/h at full lock, and never into the error codes", () => {
		const bench = PlanBench.of(5, "corrected");
		// 0xCA steps of 0.0075 km/h; rear wheels as received
		assert.equal(bench.rewrite(100, 0x0b2, "0A 1A 0A 1A 0A 1A 0A 1A"), "0A 1A 0A 1A D4 1A D4 1A");
		assert.equal(bench.rewrite(0, 0x0b2, "0A 1A 0A 1A 0A 1A 0A 1A"), "0A 1A 0A 1A 0A 1A 0A 1A");
		assert.equal(bench.rewrite(100, 0x0b2, "00 00 00 00 80 FE 36 FE"), "00 00 00 00 FF FE FF FE");
		assert.equal(bench.rewrite(100, 0x0b2, "FF FF FF FF FD FF 00 FF"), "FF FF FF FF FD FF 00 FF");
	});

	it("lowers the main lever of generation 1 as lock rises, from FE open to 16 full", () => {
		let last = 0x100;
		for (let lock = 0; lock <= 100; lock++) {
			const lever = Number.parseInt(PlanBench.of(1, "corrected", 9).rewrite(lock, 0x280, SEEN).slice(18, 20), 16);
			assert.ok(lever < last || (lever === last && lock > 0), `${lock} %: ${lever} after ${last}`);
			if (lock === 0) assert.equal(lever, 0xfe);
			if (lock === 100) assert.equal(lever, 0x16);
			last = lever;
		}
	});

	it("keeps what ESP_14 says of the gear beside its counter: 1 in P, 3 in gear", () => {
		const bench = PlanBench.of(5, "corrected");
		for (const gear of ["1E", "3E"])
			for (const lock of [0, 50, 100])
				assert.equal(bench.rewrite(lock, 0x08a, bench.sealed(0x08a, `00 ${gear} 00 00 00 00 00 FA`)).slice(3, 5), gear);
	});

	it("writes only what influences lock on generations 1, 2 and 4", () => {
		// generation, identifier, frame at full lock
		for (const [generation, id, frame] of [
			[1, 0x280, "E1 FE E3 4E E5 E6 16 E8"],
			[1, 0x380, SEEN],
			[1, 0x1a0, SEEN],
			[1, 0x4a0, "FE 0A FE 0A 00 0A 00 0A"],
			[2, 0x280, "E1 FE E3 4E E5 E6 FE E8"],
			[2, 0x380, SEEN],
			[2, 0x1a0, SEEN],
			[2, 0x5a0, SEEN],
			[2, 0x4a0, "FE 0A FE 0A 00 0A 00 0A"],
			[4, 0x280, "E1 FE 20 4E FE FE 16 FE"],
			[4, 0x1a0, SEEN],
			[4, 0x0c2, SEEN],
			[4, 0x5a0, SEEN],
			[4, 0x4a0, "B6 07 CC 07 D2 07 D2 07"],
		] as const)
			assert.equal(PlanBench.of(generation, "corrected").rewrite(100, id, SEEN), frame, `${generation} ${id.toString(16)}`);
	});

	it("writes 00 into Bremse_4 for 0 % and 80 to FE for any lock, never a value between", () => {
		const bench = PlanBench.of(4, "corrected");
		const setpoint = (factor: number): number =>
			Number.parseInt(bench.pass(factor, 0x2a0, "00 00 00 00 00 00 30 30").slice(0, 2), 16);
		assert.equal(setpoint(0), 0);
		let last = 0x80;
		for (let factor = 1; factor <= 25600; factor++) {
			const value = setpoint(factor);
			assert.ok(value >= last && value <= 0xfe, `${factor}: ${value}`);
			last = value;
		}
		assert.equal(setpoint(1), 0x80);
		assert.equal(last, 0xfe);
	});

	it("writes the clutch setpoint of Bremse_4 at any length, and the XOR where there is one", () => {
		const bench = PlanBench.of(4, "corrected");
		assert.equal(bench.rewrite(100, 0x2a0, "E1 E2 E3 E4"), "FE E2 E3 E4");
		assert.equal(bench.rewrite(100, 0x2a0, "00 00 00 64 00 00 30 00"), "FE 00 00 64 00 00 30 AA");
	});

	it("leaves the brake systems' frames alone without their group, and writes the engine's", () => {
		for (const [generation, ids] of BRAKE_FRAMES)
			for (const id of ids) {
				const bench = PlanBench.of(generation, "corrected");
				const seen = bench.sealed(id, generation === 5 ? SEEN_5 : SEEN);
				assert.equal(bench.rewrite(100, id, seen, WITHOUT_BRAKE_GROUP), seen, `${generation} ${id.toString(16)}`);
				assert.notEqual(bench.rewrite(100, id, seen), seen);
			}
		for (const [generation, ids] of ENGINE_FRAMES)
			for (const id of ids) {
				const bench = PlanBench.of(generation, "corrected");
				const seen = bench.sealed(id, generation === 5 ? SEEN_5 : SEEN);
				assert.notEqual(bench.rewrite(100, id, seen, WITHOUT_BRAKE_GROUP), seen);
			}
	});
});
