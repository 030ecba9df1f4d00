import assert from "node:assert/strict";
import { STATUS_FRAME } from "../../src/can/layouts/status.js";
import { writeStatus } from "../../src/coupling/status-broadcast.js";
import { MODES, type ModeNumber } from "../../src/lock/modes.js";

type Row = readonly [standalone: boolean, engagement: number, lock: number, speed: number, mode: ModeNumber, pedal: number];

function payload(...[standalone, engagementRaw, lockPercent, speedKmh, effectiveMode, pedalPercent]: Row): number[] {
	const into = new Uint8Array(STATUS_FRAME.dlc).fill(0xff);
	const vehicle = { engagementRaw, speedKmh, pedalPercent };
	writeStatus(into, { settings: { standalone, c6ModeNumbers: false }, vehicle, lockPercent, effectiveMode });
	return [...into];
}

/** Byte 6 of a mode. */
function modeByte(effectiveMode: ModeNumber, c6ModeNumbers: boolean): number {
	const into = new Uint8Array(STATUS_FRAME.dlc);
	const vehicle = { engagementRaw: 0, speedKmh: 0, pedalPercent: 0 };
	writeStatus(into, { settings: { standalone: false, c6ModeNumbers }, vehicle, lockPercent: 0, effectiveMode });
	return into[6];
}

describe("coupling/status-broadcast", () => {
	it("is frame 0x6B0 of eight bytes every 200 ms", () => {
		assert.deepEqual([STATUS_FRAME.id, STATUS_FRAME.dlc, STATUS_FRAME.periodMs], [0x6b0, 8, 200]);
	});

	const rows: readonly (readonly [string, Row, number[]])[] = [
		["all zero in stock", [false, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]],
		["a driving car", [false, 79, 33.9, 51, 9, 12.4], [0, 0, 79, 33, 51, 0, 9, 12]],
		["the flag of standalone operation", [true, 0, 0, 0, 10, 0], [0, 1, 0, 0, 0, 0, 10, 0]],
		["lock truncated below 100", [false, 255, 99.99, 0, 2, 0], [0, 0, 255, 99, 0, 0, 2, 0]],
		["full lock", [false, 0, 100, 0, 2, 0], [0, 0, 0, 100, 0, 0, 2, 0]],
		["speed and pedal at 254", [false, 0, 0, 254, 1, 254.9], [0, 0, 0, 0, 254, 0, 1, 254]],
		["speed and pedal at 255", [false, 0, 0, 255, 1, 255], [0, 0, 0, 0, 255, 0, 1, 255]],
		["speed and pedal at 256", [false, 0, 0, 256, 1, 256], [0, 0, 0, 0, 255, 0, 1, 255]],
		["speed and pedal at their ends", [false, 0, 0, 65535, 1, 1e6], [0, 0, 0, 0, 255, 0, 1, 255]],
		["a pedal past 100", [false, 0, 0, 0, 1, 102], [0, 0, 0, 0, 0, 0, 1, 102]],
	];
	for (const [what, row, expected] of rows)
		it(`writes ${what}`, () => {
			assert.deepEqual(payload(...row), expected);
		});

	it("has our mode numbers, or those of OpenHaldex-C6, with 255 for what it does not have", () => {
		assert.deepEqual(
			MODES.map((_, mode) => modeByte(mode, false)),
			[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
		);
		assert.deepEqual(
			MODES.map((_, mode) => modeByte(mode, true)),
			[0, 1, 2, 3, 4, 255, 255, 255, 255, 5, 255],
		);
	});
});
