import assert from "node:assert/strict";
import { carOf } from "../../src/coupling/couplings/couplings.js";
import { Ignition } from "../../src/sleep/ignition.js";
import { LatestFrames } from "../../src/vehicle/latest-frames.js";
import { type Latest, LatestTable } from "../support/gateway-memory.js";

const KL15 = 0x3c0;
const GATEWAY = 0x9b000010;

/** @param frames that were received on the chassis, by identifier: data and age */
function lookAt(
	frames: Record<number, [number[], number]>,
	generation = 5,
	ignition = new Ignition(),
	nowMs = 100_000,
): Ignition {
	const entries = Object.entries(frames).map(
		([id, [data, ageMs]]): Latest => ({ bus: 0, id: Number(id), received: { data, ageMs } }),
	);
	ignition.look(carOf(generation).ignition, new LatestFrames(new LatestTable(...entries)), nowMs);
	return ignition;
}

describe("sleep/ignition", () => {
	it("is told by either of two frames, each by one bit of its own", () => {
		for (const [id, byte, mask, name] of [
			[KL15, 2, 2, "ZAS_Kl_15"],
			[GATEWAY, 4, 1, "NM_Gateway_KL15"],
		] as const)
			for (const on of [true, false]) {
				const data = Array.from({ length: 8 }, (_, at) => (at === byte ? (on ? mask : 0xff & ~mask) : 0xff));
				const { seen, rawOn, saidBy, ageMs } = lookAt({ [id]: [data, 70] });
				assert.deepEqual([seen, rawOn, saidBy, ageMs], [true, on, name, 70]);
			}
	});

	it("is what the younger of both says", () => {
		const on = [0, 0, 2, 0, 0, 0, 0, 0];
		const off = [0, 0, 0, 0, 0, 0, 0, 0];
		assert.equal(lookAt({ [KL15]: [on, 10], [GATEWAY]: [off, 20] }).rawOn, true);
		assert.equal(lookAt({ [KL15]: [on, 20], [GATEWAY]: [off, 10] }).rawOn, false);
	});

	it("is unknown for a frame that is too short, or in a PQ car", () => {
		assert.equal(lookAt({ [KL15]: [[0, 2], 10], [GATEWAY]: [[0, 0, 0, 0], 10] }).seen, false);
		assert.equal(lookAt({ [KL15]: [[0, 0, 2], 10] }, 4).seen, false);
		assert.equal(lookAt({ [KL15]: [[0, 0, 2], 10] }).rawOn, true);
		assert.equal(lookAt({ [GATEWAY]: [[0, 0, 0, 0, 1], 10] }).rawOn, true);
	});

	it("remembers when it was last on and off, over a clock that wraps", () => {
		const ignition = new Ignition();
		assert.deepEqual([ignition.onAgeMs(5), ignition.offAgeMs(5)], [0, 0]);
		lookAt({ [KL15]: [[0, 0, 2], 100] }, 5, ignition, 0xffffff00);
		lookAt({ [KL15]: [[0, 0, 0], 50] }, 5, ignition, 1000);
		assert.deepEqual([ignition.onAgeMs(1000), ignition.offAgeMs(1000)], [1356, 50]);
	});
});
