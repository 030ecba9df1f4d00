// A signal that the car marks as invalid is never made valid, in both profiles: docs/control-and-can.md 3.13. Frames
// as cars sent them, or with one code.
import assert from "node:assert/strict";
import { PlanBench } from "../plan-bench.js";

type Generation = 1 | 2 | 4 | 5;
const BOTH = ["reference", "corrected"] as const;
const REFERENCE = ["reference"] as const;

/**
 * Generations, profiles that would overwrite the signal, identifier, what is invalid, the frame, and one in
 * which all is valid.
 */
const CASES: readonly (readonly [
	readonly Generation[],
	readonly ("reference" | "corrected")[],
	number,
	string,
	string,
	string,
])[] = [
	[[1, 2, 4], BOTH, 0x4a0, "two wheels' sensors, as in a car", "CC FF 00 00 00 00 CC FF", "FE FE 00 00 00 00 FE FE"],
	[[1, 2, 4], BOTH, 0x4a0, "a wheel that is initialising", "00 00 88 FF 00 00 00 00", "00 00 FF FE 00 00 00 00"],
	[[1, 2, 4], BOTH, 0x4a0, "undervoltage at a wheel, driving backwards", "00 00 00 00 AB FF 00 00", "00 00 00 00 01 00 00 00"],
	[[1, 2], REFERENCE, 0x1a0, "the speed's sensor", "00 43 CC FF FE FE 00 00", "00 43 FE FE FE FE 00 00"],
	[[4], REFERENCE, 0x0c2, "an angle that is not initialised, as in a car", "00 80 00 80 80 22 00 DC", "00 80 00 80 80 20 00 DC"],
	[[4], REFERENCE, 0x0c2, "an angle that is not calibrated, as in a car", "64 80 00 00 6F 20 00 00", "64 80 00 00 80 20 00 00"],
	[[4], REFERENCE, 0x0c2, "a faulty angle", "64 80 00 00 80 06 00 00", "64 80 00 00 80 F9 00 00"],
	[[1, 4], REFERENCE, 0x280, "the pedal, as in a car", "03 00 00 00 00 FF 38 00", "03 00 00 00 00 FA 38 00"],
	[[4], BOTH, 0x280, "the pedal, as in a car", "03 00 00 00 00 FF 38 00", "03 00 00 00 00 FA 38 00"],
	[[1, 2, 4], BOTH, 0x280, "the engine speed", "03 00 01 FF 00 00 38 00", "03 00 00 FE 00 00 38 00"],
	[[1, 2, 4], BOTH, 0x280, "the engine's torque", "03 FF 00 00 00 00 38 00", "03 FE 00 00 00 00 38 00"],
	[[1, 2], REFERENCE, 0x380, "the pedal, as in a car", "12 0B FF 00 00 00 30 00", "12 0B FA 00 00 00 30 00"],
	[[4], BOTH, 0x2a0, "a setpoint that is an error", "FF 00 00 00 00 00 10 EF", "00 00 00 00 00 00 10 10"],
	[[4], BOTH, 0x2a0, "a request to open at once", "7F 00 00 00 00 00 10 6F", "80 00 00 00 00 00 10 90"],
	[[5], BOTH, 0x0b2, "a front wheel", "00 00 00 00 FD FF 00 00", "00 00 00 00 00 FE 00 00"],
	[[5], REFERENCE, 0x0b2, "a rear wheel", "FF FF 00 00 00 00 00 00", "FC FF 00 00 00 00 00 00"],
	[[5], BOTH, 0x0a7, "the torques", "00 40 00 00 00 00 00 80", "00 40 00 00 00 00 00 1F"],
	[[5], BOTH, 0x0a7, "the actual torque", "00 40 C0 FE 00 00 00 1F", "00 40 80 FE 00 00 00 1F"],
	[[5], REFERENCE, 0x0a7, "the torque's setpoint", "00 40 00 00 00 EC 0F 00", "00 40 00 00 00 E8 0F 00"],
	[[5], REFERENCE, 0x0a8, "the engine speed", "00 70 00 00 00 80 00 0C", "00 70 00 00 00 7F 00 0C"],
	[[5], REFERENCE, 0x116, "a wheel's pulses", "00 80 00 00 00 00 00 00", "00 0F 00 00 00 00 00 00"],
	[[5], REFERENCE, 0x106, "the brake pressure", "00 10 64 00 00 00 E7 10", "00 80 64 00 00 00 E7 10"],
	[[5], REFERENCE, 0x392, "a wheel's sensor", "00 00 00 00 00 01 00 00", "00 00 00 00 00 00 00 00"],
];

describe("signals that the car marks as invalid", () => {
	for (const [generations, profiles, id, what, invalid, valid] of CASES)
		for (const generation of generations)
			for (const profile of profiles)
				it(`stays so: ${what}, in 0x${id.toString(16)} of generation ${generation}, ${profile}`, () => {
					const bench = PlanBench.of(generation, profile);
					for (const lock of [0, 50, 100])
						assert.equal(bench.rewrite(lock, id, bench.sealed(id, invalid)), bench.sealed(id, invalid));
					assert.notEqual(bench.rewrite(50, id, bench.sealed(id, valid)), bench.sealed(id, valid));
				});

	it("does not matter in a signal that is not overwritten", () => {
		// the pedal, and the wheels behind
		assert.notEqual(PlanBench.of(2, "corrected").rewrite(50, 0x280, "03 00 00 00 00 FF 38 00"), "03 00 00 00 00 FF 38 00");
		assert.notEqual(PlanBench.of(5, "corrected").rewrite(50, 0x0b2, "FF FF FF FF 00 10 00 10"), "FF FF FF FF 00 10 00 10");
	});

	it("uses up no counter", () => {
		const bench = PlanBench.of(4, "reference");
		const valid = "64 80 00 00 80 00 00 00";
		assert.equal(bench.rewrite(50, 0x0c2, valid).slice(15, 17), "00");
		bench.rewrite(50, 0x0c2, "64 80 00 00 6F 00 00 00");
		assert.equal(bench.rewrite(50, 0x0c2, valid).slice(15, 17), "10");
	});
});
