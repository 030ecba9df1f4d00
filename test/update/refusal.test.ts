import assert from "node:assert/strict";
import { type CarState, motionRefusal, RestartGate, updateRefusal } from "../../src/update/refusal.js";

const STANDING: CarState = {
	controlActive: false,
	supervisor: { disabled: false },
	vehicle: { motion: "stands" },
	sample: { chassisAgeMs: 5 },
};
const at = (motion: CarState["vehicle"]["motion"]): CarState => ({ ...STANDING, vehicle: { motion } });

describe("update/refusal", () => {
	it("allows an update while the car certainly stands and nothing is asked of the coupling", () => {
		assert.equal(updateRefusal(STANDING), "");
		assert.equal(updateRefusal({ ...STANDING, controlActive: true }), "control is active: select mode STOCK first");
		assert.equal(
			updateRefusal({ ...STANDING, controlActive: true, supervisor: { disabled: true } }),
			"",
			"STOCK was selected just now",
		);
		assert.equal(updateRefusal(at("moves")), "the car is moving");
		assert.equal(updateRefusal(at("unknown")), "the car's speed is unknown");
	});

	it("allows it on a bench and in a car that is off, not on a bus that is disturbed", () => {
		for (const [chassisAgeMs, refusal] of [
			[65535, ""],
			[10_000, ""],
			[9_999, "the car's speed is unknown"],
		] as const)
			assert.equal(motionRefusal({ ...at("unknown"), sample: { chassisAgeMs } }), refusal);
	});

	it("allows the restart whatever is asked of the coupling, but not while the car moves", () => {
		assert.equal(motionRefusal({ ...STANDING, controlActive: true }), "");
		assert.equal(motionRefusal(at("moves")), "the car is moving");
	});

	it("lets a restart come at once, or 3 s after what has stopped it last", () => {
		const gate = new RestartGate();
		assert.equal(gate.look("", 0), true, "nothing has stopped it");
		for (const [lookMs, stoodMs] of [
			[100, 2900],
			[500, 2500],
			[60, 2940],
		] as const) {
			const fromMs = 0x7fffffff - 1000;
			assert.equal(gate.look("the car is moving", fromMs), false);
			for (let ms = lookMs; ms <= stoodMs; ms += lookMs) assert.equal(gate.look("", fromMs + ms), false, `after ${ms} ms`);
			assert.equal(gate.look("", fromMs + stoodMs + lookMs), true, "3 s");
			assert.equal(gate.look("", fromMs + stoodMs + lookMs), true, "and from then on");
		}
	});

	it("counts at most 0.5 s when the clock jumps ahead, and 0 when it steps back", () => {
		const gate = new RestartGate();
		gate.look("the car is moving", 10_000);
		for (const [nowMs, may] of [
			[500_000, false],
			[499_000, false],
			[501_499, false],
			[501_998, false],
			[502_498, false],
			[502_998, false],
			[503_498, false],
			[503_499, true],
		] as const)
			assert.equal(gate.look("", nowMs), may, `at ${nowMs}`);
	});
});
