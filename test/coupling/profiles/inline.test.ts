import assert from "node:assert/strict";
import { framePlan } from "../../../src/coupling/frame-plan.js";
import { WITHOUT_BRAKE_GROUP } from "../../../src/coupling/plan-format.js";
import { FWD, MAP, MODES } from "../../../src/lock/modes.js";
import { PlanInterpreter } from "../../support/plan-interpreter.js";
import { PlanBench } from "../plan-bench.js";

const SEEN = "E1 E2 E3 E4 E5 E6 E7 E8";
/** The same for generation 5, whose quality bits are 0 in it. */
const SEEN_5 = "21 02 13 04 15 16 20 28";
const KEPT_ON_5 = [
	0x0a8, 0x116, 0x106, 0x30b, 0x5be, 0x54b, 0x3db, 0x3c8, 0x3be, 0x392, 0x18c, 0x640, 0x385, 0x585, 0x641, 0x65d, 0x6b2, 0x6b7,
];
/** Generation, frames that brake systems send, and the engine's. */
const BRAKE_AND_ENGINE_FRAMES = [
	[1, [0x4a0], 0x280],
	[2, [0x4a0], 0x280],
	[4, [0x4a0, 0x2a0], 0x280],
	[5, [0x0b2, 0x08a], 0x0a7],
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
		for (const [generation, brakes, engine] of BRAKE_AND_ENGINE_FRAMES)
			for (const id of [...brakes, engine]) {
				const bench = PlanBench.of(generation, "corrected");
				const seen = bench.sealed(id, generation === 5 ? SEEN_5 : SEEN);
				assert.equal(
					bench.rewrite(100, id, seen, WITHOUT_BRAKE_GROUP) === seen,
					id !== engine,
					`${generation} ${id.toString(16)}`,
				);
				assert.notEqual(bench.rewrite(100, id, seen), seen);
			}
	});
});

/** For generation 5: the car marks nothing in it as invalid. */
const MARKED_AS_VALID = "20 02 13 04 15 00 00 08";

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
		assert.equal(bench.rewrite(100, 0x116, "E1").length, MARKED_AS_VALID.length);
	});

	it("counts as docs/control-and-can.md 3.3 says where a counter begins outside of its range", () => {
		const bench = PlanBench.of(5, "reference");
		const counts = Array.from({ length: 35 }, () => bench.rewrite(50, 0x392, MARKED_AS_VALID).slice(3, 5));
		assert.deepEqual(counts.slice(0, 4), ["20", "00", "01", "02"]);
		assert.deepEqual(counts.slice(31), ["1E", "1F", "00", "01"]);
	});

	it("has generation 1's lever fall with lock in standalone operation, in STOCK, FWD and the modes with a table", () => {
		const lever = (percent: number, mode: number): number => {
			const interpreter = new PlanInterpreter();
			interpreter.load(framePlan(1, "reference", mode, true));
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
