import assert from "node:assert/strict";
import { dataIdsOf } from "../../src/can/layouts/mqb.js";
import type { FrameCheck } from "../../src/can/signal-layout.js";
import { MQB_CAR, PQ_CAR } from "../../src/coupling/cars.js";
import { checkOfCar } from "../../src/coupling/couplings/couplings.js";
import { FrameGuard } from "../../src/vehicle/frame-guard.js";
import { ENTRY_SEQUENCE, SAMPLE_ENTRY, SAMPLE_HEADER, wordsOf } from "../../src/vehicle/sample.js";
import { endToEndChecksum, invertedSumOfBytes, xorOfBytes } from "../support/checksum.js";

const known = (check: FrameCheck | undefined): FrameCheck => check ?? assert.fail("no such frame");
const PLAIN: FrameCheck = {
	id: 0x1a0,
	counter: { start: 56, length: 4 },
	source: "assumed, test",
};

/** @returns whether each frame is accepted */
function accepted(check: FrameCheck, frames: readonly (readonly number[])[]): boolean[] {
	const guard = new FrameGuard(check);
	const sample = new Uint8Array(SAMPLE_HEADER + SAMPLE_ENTRY);
	return frames.map((data, i) => {
		sample[SAMPLE_HEADER + ENTRY_SEQUENCE] = i;
		sample.set(data, SAMPLE_HEADER + 4);
		return guard.accepts(sample, wordsOf(sample), SAMPLE_HEADER >> 1);
	});
}
const counting = (counts: readonly number[]) => counts.map((count) => [0, 0, 0, 0, 0, 0, 0, count]);

describe("vehicle/frame-guard", () => {
	it("treats a counter that stops as silence, but not one that skips steps", () => {
		assert.deepEqual(accepted(PLAIN, counting([1, 2, 3, 4, 4, 4, 5])), [true, true, true, true, false, false, true]);
		assert.deepEqual(accepted(PLAIN, counting([1, 4, 9, 14, 3, 2])), [true, true, true, true, true, true]);
		assert.deepEqual(accepted(PLAIN, counting([1, 2, 3, 3])), [true, true, true, true], "two steps show no habit yet");
		assert.ok(
			accepted(PLAIN, counting([7, 7, 7, 7, 8, 8, 8])).every((one) => one),
			"a car that does not count",
		);
	});

	it("looks for no counter in a frame that has none", () => {
		const frames = [0, 1, 0, 1, 0, 0, 0].map((bit) => [bit, 0, 0, 0, 0, 0, 0, bit]);
		assert.ok(accepted(known(checkOfCar(PQ_CAR, 0x480)), frames).every((one) => one));
	});

	for (const [what, check, seal] of [
		[
			"CRC",
			known(checkOfCar(MQB_CAR, 0x121)),
			(f: Uint8Array) => f.fill(endToEndChecksum(f, dataIdsOf(0x121, "autosar") ?? [], "autosar"), 0, 1),
		],
		["inverted sum", known(checkOfCar(PQ_CAR, 0x0c2)), (f: Uint8Array) => f.fill(invertedSumOfBytes(f, 0x2f), 7)],
		["XOR", known(checkOfCar(PQ_CAR, 0x480)), (f: Uint8Array) => f.fill(xorOfBytes(f, 0x7f), 7)],
	] as const)
		it(`treats frames with a wrong ${what} as silence once it was right, from the fourth on at the latest`, () => {
			const frames = Array.from({ length: 12 }, (_, i) => {
				const frame = Uint8Array.of(0, i, 0x55, 7 * i, 0, i << 4, 0, 0);
				seal(frame);
				return frame;
			});
			assert.ok(
				accepted(
					check,
					frames.map((frame) => [...frame]),
				).every((one) => one),
			);
			const isDamaged = (i: number) => i >= 4 && i < 10;
			const damaged = frames.map((frame, i) => [...frame.subarray(0, 2), isDamaged(i) ? 0x54 : frame[2], ...frame.subarray(3)]);
			const rejected = accepted(check, damaged).flatMap((one, i) => (one ? [] : [i]));
			assert.deepEqual(rejected, [7, 8, 9]);
			const other = frames.map((frame) => [...frame.subarray(0, 2), 0x54, ...frame.subarray(3)]);
			assert.ok(
				accepted(check, other).every((one) => one),
				"a car with other checksums than the known ones",
			);
		});
});
