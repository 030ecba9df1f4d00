import assert from "node:assert/strict";
import { busyRefusal, type CarState, motionRefusal, moves, RestartGate, updateRefusal } from "../../src/update/refusal.js";

const STANDING: CarState = {
	controlActive: false,
	supervisor: { disabled: false },
	vehicle: { speedValid: true, speedKmh: 0 },
	chassisAgeMs: 5,
};
const at = (speedKmh: number, speedValid = true): CarState => ({ ...STANDING, vehicle: { speedKmh, speedValid } });

describe("update/refusal", () => {
	it("allows an update while the car certainly stands and nothing is asked of the coupling", () => {
		assert.equal(updateRefusal(STANDING), "");
		assert.equal(updateRefusal({ ...STANDING, controlActive: true }), "control is active: select mode STOCK first");
		assert.equal(
			updateRefusal({ ...STANDING, controlActive: true, supervisor: { disabled: true } }),
			"",
			"STOCK was selected just now",
		);
		assert.equal(updateRefusal(at(0.1)), "the car is moving");
		assert.equal(updateRefusal(at(0, false)), "the car's speed is unknown");
	});

	it("allows it on a bench and in a car that is off, not on a bus that is disturbed", () => {
		for (const [chassisAgeMs, refusal] of [
			[65535, ""],
			[10_000, ""],
			[9_999, "the car's speed is unknown"],
		] as const)
			assert.equal(motionRefusal({ ...at(0, false), chassisAgeMs }), refusal);
	});

	it("knows that a car moves only while it knows its speed", () => {
		assert.equal(moves(at(0.1)), true);
		assert.equal(moves(at(0.1, false)), false);
		assert.equal(moves(STANDING), false);
	});

	it("allows the restart whatever is asked of the coupling, but not while the car moves", () => {
		assert.equal(motionRefusal({ ...STANDING, controlActive: true }), "");
		assert.equal(motionRefusal(at(3)), "the car is moving");
	});

	it("lets a restart come at once, or 3 s after what has stopped it last", () => {
		const gate = new RestartGate();
		assert.equal(gate.look(""), true, "nothing has stopped it");
		for (const looks of [3, 29]) {
			assert.equal(gate.look("the car is moving"), false);
			for (let i = 1; i <= looks; i++) assert.equal(gate.look(""), false, `look ${i}`);
		}
		assert.equal(gate.look(""), true, "the 30th");
		assert.equal(gate.look(""), true, "and each further one");
	});

	it("allows one update at a time, and none before the running firmware has proven itself", () => {
		const phases = ["idle", "checking", "installing", "uploading", "restarting"] as const;
		assert.deepEqual(
			phases.map((phase) => busyRefusal(phase, true)),
			["", "", "already installing", "an upload is running", "a restart is due"],
		);
		assert.equal(busyRefusal("idle", false), "the running firmware is still being tested");
	});
});
