import assert from "node:assert/strict";
import { BUS_OFF, ERROR_ACTIVE } from "../../src/can/bus.js";
import { STATUS_FRAME } from "../../src/can/layouts/status.js";
import { STATUS_UPDATE_MS, StatusBroadcast, writeStatus } from "../../src/controller/status-broadcast.js";
import { MODES, type ModeNumber } from "../../src/lock/modes.js";
import { aController } from "../support/controller-view.js";

/** A broadcast of a car at 51 km/h in mode MAP. */
function aBench() {
	const broadcast = new StatusBroadcast();
	const controller = aController({ speedKmh: 51, lockPercent: 33, pedalPercent: 12 });
	/** Age of the last status frame of somebody else, by bus. */
	const foreignAgeMs = [0xffffffff, 0xffffffff];
	const receivedAgeMs = (bus: number, first: number, last: number): number =>
		first === 0x6b0 && last === 0x6b0 ? foreignAgeMs[bus] : 0xffffffff;
	/** Calls `update` for a time. @returns the last answer */
	const run = (ms: number): boolean => {
		let isSent = false;
		for (let at = 0; at < ms; at += STATUS_UPDATE_MS) isSent = broadcast.update(controller, { receivedAgeMs });
		return isSent;
	};
	return { broadcast, controller, foreignAgeMs, run };
}

describe("controller/status-broadcast", () => {
	it("sends what is active while the driver wants it", () => {
		const { broadcast, controller, run } = aBench();
		assert.equal(run(3000), true);
		assert.deepEqual([...broadcast.payload], [0, 0, 79, 33, 51, 0, 9, 12]);
		controller.lockPercent = 34;
		assert.equal(run(50), true);
		assert.equal(broadcast.payload[3], 34);
		controller.effectiveBroadcastOverCan = false;
		assert.equal(run(50), false);
		controller.effectiveBroadcastOverCan = true;
		assert.equal(run(50), true);
	});

	it("is kept back as long as the bus is to be left alone", () => {
		const { broadcast, run } = aBench();
		broadcast.silent = true;
		assert.equal(run(3000), false);
		broadcast.silent = false;
		assert.equal(run(50), true);
	});

	it("waits until the chassis bus has run for 3 s, also after it was off", () => {
		const { controller, run } = aBench();
		for (const state of [ERROR_ACTIVE, BUS_OFF]) {
			controller.sample.chassisState = state;
			if (state === BUS_OFF) assert.equal(run(100), false);
			controller.sample.chassisState = ERROR_ACTIVE;
			assert.equal(run(2950), false);
			assert.equal(run(50), true);
		}
	});

	for (const bus of [0, 1])
		it(`is not sent for 3 s after another sender's on bus ${bus}, and says so`, () => {
			const { broadcast, foreignAgeMs, run } = aBench();
			run(3000);
			foreignAgeMs[bus] = 0;
			assert.deepEqual([run(50), broadcast.isElsewhere], [false, true]);
			foreignAgeMs[bus] = 2999;
			assert.deepEqual([run(50), broadcast.isElsewhere], [false, true]);
			foreignAgeMs[bus] = 3000;
			assert.deepEqual([run(50), broadcast.isElsewhere], [true, false]);
		});
});

/** Bytes of the status frame. */
function payload(
	[standalone, engagementRaw, lockPercent, speedKmh, effectiveMode, pedalPercent]: readonly number[],
	c6ModeNumbers = false,
): number[] {
	const into = new Uint8Array(STATUS_FRAME.dlc).fill(0xff);
	const vehicle = { engagementRaw, speedKmh, pedalPercent };
	const settings = { standalone: standalone === 1, c6ModeNumbers };
	writeStatus(into, { settings, vehicle, lockPercent, effectiveMode: effectiveMode as ModeNumber });
	return [...into];
}

describe("controller/status-broadcast: the status frame", () => {
	it("is frame 0x6B0 of eight bytes every 200 ms: lock truncated, speed and pedal at most 255", () => {
		assert.deepEqual([STATUS_FRAME.id, STATUS_FRAME.dlc, STATUS_FRAME.periodMs], [0x6b0, 8, 200]);
		const numbers = (text: string) => text.split(" ").map(Number);
		for (const [of, expected] of [
			["0 0 0 0 0 0", "0 0 0 0 0 0 0 0"],
			["0 79 33.9 51 9 12.4", "0 0 79 33 51 0 9 12"],
			["1 0 0 0 10 0", "0 1 0 0 0 0 10 0"],
			["0 255 99.99 0 2 102", "0 0 255 99 0 0 2 102"],
			["0 0 100 254 1 254.9", "0 0 0 100 254 0 1 254"],
			["0 0 0 255 1 255", "0 0 0 0 255 0 1 255"],
			["0 0 0 256 1 256", "0 0 0 0 255 0 1 255"],
			["0 0 0 65535 1 1e6", "0 0 0 0 255 0 1 255"],
		])
			assert.deepEqual(payload(numbers(of)), numbers(expected), of);
	});

	it("sends our mode numbers, or those of OpenHaldex-C6 with 255 for an unknown mode", () => {
		const numbers = (c6: boolean) => MODES.map((_, mode) => payload([0, 0, 0, 0, mode, 0], c6)[6]);
		assert.deepEqual(numbers(false), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
		assert.deepEqual(numbers(true), [0, 1, 2, 3, 4, 255, 255, 255, 255, 5, 255]);
	});
});
