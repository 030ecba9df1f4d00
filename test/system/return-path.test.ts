/**
 * From the coupling to the chassis: frames always forwarded, and the status broadcast 0x6B0.
 * docs/decisions.md 8.
 */
import assert from "node:assert/strict";
import { type Bench, withBench } from "./bench-car.js";
import { passages } from "./bus-peer.js";
import { hex, NUMBERED_COUPLING_ID } from "./car-rows.js";
import { sleep, until } from "./wait.js";

const broadcasts = (bench: Bench) => bench.chassis.arrived.filter((frame) => frame.id === 0x6b0);

/** Each coupling frame so far left on the chassis as it came. */
function allForwarded(bench: Bench, statusId: number): void {
	for (const id of [statusId, NUMBERED_COUPLING_ID]) {
		const found = passages(bench.coupling, bench.chassis, id);
		assert.ok(found.length > 20, `${found.length} frames 0x${id.toString(16)}`);
		assert.ok(found.every(({ rewritten }) => !rewritten));
	}
}

describe("system: return path", () => {
	for (const [generation, statusId, raw] of [
		[5, 0x118, "64"],
		[4, 0x2c0, "80"],
	] as const)
		it(`sends 0x6B0 every 200 ms with the specified bytes, generation ${generation}`, () =>
			withBench({ generation, settings: { mode: "MAP", releaseRate: 0 } }, async (bench) => {
				bench.show(30, 30);
				await bench.untilCommand();
				await until(() => broadcasts(bench).length >= 16, 9000, "16 broadcasts");
				const frames = broadcasts(bench);
				const last = frames[frames.length - 1];
				// 0, not standalone, raw engagement, lock, speed, no override, MAP, pedal
				assert.equal(hex(last.data), `0000${raw}141e00091e`);
				assert.ok(!last.extended && !last.rtr);
				const meanMs = (last.at - frames[0].at) / (frames.length - 1);
				assert.ok(Math.abs(meanMs - 200) <= 4, `every ${meanMs} ms`);
				bench.show(300, 100);
				await bench.untilStatus((status) => status.telemetry["speed"] === 300, 1000, "300 km/h");
				const count = broadcasts(bench).length;
				await until(() => broadcasts(bench).length >= count + 2, 1000, "two more");
				const fast = broadcasts(bench)[count + 1].data;
				assert.deepEqual([fast[4], fast[7]], [255, 100]);
				allForwarded(bench, statusId);
			}));

	it("sends no 0x6B0 with the broadcast off, and forwards all the same", () =>
		withBench({ settings: { mode: "MAP", broadcastOverCan: false } }, async (bench) => {
			bench.show(30, 30);
			await bench.untilCommand();
			await sleep(4000); // it listens for 3 s before the first one
			assert.equal(broadcasts(bench).length, 0);
			allForwarded(bench, 0x118);
		}));
});
