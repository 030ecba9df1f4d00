import assert from "node:assert/strict";
import { type CarState, motionRejection, RestartGate, UpdateProblem, updateRejection } from "../../src/update/rejection.js";

const STANDING: CarState = {
	controlActive: false,
	supervisor: { disabled: false },
	vehicle: { motion: "stands" },
	sample: { chassisAgeMs: 5 },
};
const at = (motion: CarState["vehicle"]["motion"]): CarState => ({ ...STANDING, vehicle: { motion } });

describe("update/rejection", () => {
	it("allows an update while the car certainly stands and nothing is asked of the coupling", () => {
		assert.equal(updateRejection(STANDING), "");
		assert.equal(updateRejection({ ...STANDING, controlActive: true }), UpdateProblem.CONTROL_ACTIVE);
		assert.equal(
			updateRejection({ ...STANDING, controlActive: true, supervisor: { disabled: true } }),
			"",
			"STOCK was selected just now",
		);
		assert.equal(updateRejection(at("moves")), UpdateProblem.CAR_MOVES);
		assert.equal(updateRejection(at("unknown")), UpdateProblem.SPEED_UNKNOWN);
	});

	it("allows an update on a bench and in a car that is off, not on a bus that is disturbed", () => {
		for (const [chassisAgeMs, rejection] of [
			[65535, ""],
			[10_000, ""],
			[9_999, UpdateProblem.SPEED_UNKNOWN],
		] as const)
			assert.equal(motionRejection({ ...at("unknown"), sample: { chassisAgeMs } }), rejection);
	});

	it("allows the restart whatever is asked of the coupling, but not while the car moves", () => {
		assert.equal(motionRejection({ ...STANDING, controlActive: true }), "");
		assert.equal(motionRejection(at("moves")), UpdateProblem.CAR_MOVES);
	});

	it("allows a restart at once, or 3 s after the last reason against it", () => {
		const gate = new RestartGate();
		assert.equal(gate.look("", 0), true, "nothing has stopped it");
		for (const [lookMs, stoodMs] of [
			[100, 2900],
			[500, 2500],
			[60, 2940],
		] as const) {
			const fromMs = 0x7fffffff - 1000;
			assert.equal(gate.look(UpdateProblem.CAR_MOVES, fromMs), false);
			for (let ms = lookMs; ms <= stoodMs; ms += lookMs) assert.equal(gate.look("", fromMs + ms), false, `after ${ms} ms`);
			assert.equal(gate.look("", fromMs + stoodMs + lookMs), true, "3 s");
			assert.equal(gate.look("", fromMs + stoodMs + lookMs), true, "and from then on");
		}
	});

	it("counts at most 0.5 s when the clock jumps ahead, and 0 when it steps back", () => {
		const gate = new RestartGate();
		gate.look(UpdateProblem.CAR_MOVES, 10_000);
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
