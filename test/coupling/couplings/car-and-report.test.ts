/** What the tables of the couplings and their cars make readers read: docs/control-and-can.md 2.2, 3.12 item 4 and 7, typed in anew. */
import assert from "node:assert/strict";
import { MQB_SIGNALS } from "../../../src/can/layouts/mqb.js";
import { carOf } from "../../../src/coupling/couplings/couplings.js";
import { GENERATION_5 } from "../../../src/coupling/couplings/gen5/coupling.js";
import { planFollowsMode } from "../../../src/coupling/frame-plan.js";
import { createCouplingReader } from "../../../src/vehicle/coupling-reader.js";
import { couplingFlags, couplingStateText } from "../../../src/vehicle/coupling-status.js";
import { InterventionReader } from "../../../src/vehicle/intervention-reader.js";
import { LatestFrames } from "../../../src/vehicle/latest-frames.js";
import { mayBeParked } from "../../../src/vehicle/selector.js";
import { VehicleState } from "../../../src/vehicle/vehicle-state.js";
import { WatchList, wordsOf } from "../../../src/vehicle/watch-list.js";
import { LatestTable } from "../../support/latest-frames.js";
import { SampleBuilder } from "../../support/sample-builder.js";

const NOW_MS = 1000;

/** Bytes of the status frame that say a raw engagement: generation 2 reports it in two parts. */
const STATUS: Readonly<Record<number, { id: number; dlc: number; bytesOf: (raw: number) => number[] }>> = {
	1: { id: 0x2c0, dlc: 2, bytesOf: (raw) => [0, raw] },
	2: { id: 0x2c0, dlc: 5, bytesOf: (raw) => [0, raw - 20, 0, 0, 20] },
	4: { id: 0x2c0, dlc: 2, bytesOf: (raw) => [0, raw] },
	5: { id: 0x118, dlc: 4, bytesOf: (raw) => [0, 0, raw, 0] },
};

/** What is known after one status frame. */
function reported(generation: number, raw: number, dlc: number): VehicleState {
	const watch = new WatchList();
	const reader = createCouplingReader(generation, watch) ?? assert.fail();
	const gateway = new SampleBuilder(watch.bytes());
	const bytes = Uint8Array.of(...STATUS[generation].bytesOf(raw), 0, 0, 0, 0, 0, 0, 0, 0).subarray(0, 8);
	gateway.frame(1, STATUS[generation].id, false, false, dlc, bytes, NOW_MS);
	const state = new VehicleState();
	reader.poll(wordsOf(gateway.bytes(NOW_MS)), NOW_MS, state);
	return state;
}

/** Whether a frame of ABS and ESP of this length is taken, all its flags set. */
function intervention(generation: number, dlc: number): boolean {
	const { interventions } = carOf(generation);
	const watch = new WatchList();
	const reader = new InterventionReader(interventions, watch);
	const gateway = new SampleBuilder(watch.bytes());
	gateway.frame(0, interventions.flags[0].id, false, false, dlc, new Uint8Array(8).fill(0xff), NOW_MS);
	const state = new VehicleState();
	reader.poll(wordsOf(gateway.bytes(NOW_MS)), NOW_MS, state);
	return state.interventionsValid;
}

describe("coupling/couplings: car and report", () => {
	for (const [generation, zeroRaw, fullRaw] of [
		[1, 128, 198],
		[2, 128, 255],
		[4, 128, 255],
		[5, 0, 250],
	])
		it(`reads engagement of generation ${generation} from ${zeroRaw} = 0 % to ${fullRaw} = 100 %, and no shorter frame`, () => {
			const { dlc } = STATUS[generation];
			const percent = (raw: number): number => reported(generation, raw, dlc).engagementPercent;
			const oneOf100 = Math.ceil((fullRaw - zeroRaw) / 100);
			assert.deepEqual([percent(zeroRaw), percent(fullRaw), percent(fullRaw - 1) < 100], [0, 100, true]);
			assert.deepEqual([percent(zeroRaw + oneOf100) >= 1, percent(zeroRaw + oneOf100 - 1)], [true, 0]);
			assert.equal(reported(generation, fullRaw, dlc - 1).engagementValid, false);
			assert.equal(reported(generation, fullRaw, dlc).engagementValid, true);
		});

	it("spans on generation 5 what the layout's factor makes of 100 %", () => {
		assert.equal(GENERATION_5.status.spanRaw, 100 / MQB_SIGNALS.engagement.factor);
	});

	it("has words for the flags of the state on PQ, and none on generation 5", () => {
		const words = [
			[0x01, "Clutch 1 report"],
			[0x02, "Temperature protection"],
			[0x04, "Clutch 2 report"],
			[0x08, "Coupling open"],
			[0x40, "Speed limit"],
		] as const;
		for (const generation of [1, 2, 4]) {
			for (const [bit, text] of words) assert.equal(couplingStateText(bit, generation), `${bit} (${text})`);
			assert.equal(couplingStateText(0xb0, generation), "176 (None)");
			assert.equal(couplingFlags(0x4f, generation), 0x4f);
		}
		assert.deepEqual([couplingStateText(0xff, 5), couplingFlags(0xff, 5)], ["255 (None)", 0]);
	});

	it("takes the frame of ABS and ESP in its length: four bytes on PQ, eight on MQB", () => {
		for (const generation of [1, 2, 4])
			assert.deepEqual([intervention(generation, 3), intervention(generation, 4)], [false, true]);
		assert.deepEqual([intervention(5, 7), intervention(5, 8)], [false, true]);
	});

	it("knows park and neutral of each car's selector, and every other position from them", () => {
		/** Positions that count as parked, of 16; what else is in the frame is set. */
		const parked = (generation: number, id: number, bytesOf: (position: number) => number[]): number[] =>
			Array.from({ length: 16 }, (_, position) => position).filter((position) => {
				const table = new LatestTable({ bus: 0, id, received: { ageMs: 0, data: bytesOf(position) } });
				return mayBeParked(generation, new LatestFrames(table));
			});
		for (const generation of [1, 2, 4])
			assert.deepEqual(
				parked(generation, 0x440, (position) => [0xff, (position << 4) | 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
				[6, 8],
			);
		// bits 42 to 45
		assert.deepEqual(
			parked(5, 0x0ad, (position) => [0xff, 0xff, 0xff, 0xff, 0xff, (position << 2) | 0xc3, 0xff, 0xff]),
			[5, 7],
		);
	});

	it("has a plan that follows the mode in generation 1's profile `reference` only", () => {
		for (const profile of ["reference", "corrected"] as const)
			for (const generation of [0, 1, 2, 4, 5] as const)
				assert.equal(planFollowsMode(generation, profile), generation === 1 && profile === "reference");
	});
});
