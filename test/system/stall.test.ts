/** The script stalls or crashes: the car is stock within 250 ms and loses no frame. Architecture point 2. */
import assert from "node:assert/strict";
import { type Bench, type Status, withBench } from "./bench-car.js";
import type { BusPeer } from "./bus-peer.js";
import { marker, NUMBERED_COUPLING_ID, NUMBERED_ID } from "./car-rows.js";
import { now, sleep, until } from "./wait.js";

const STOCK_WITHIN_MS = 250;
/** Of control before the script stalls. */
const CONTROL_MS = 300;

const numbers = (peer: BusPeer, id: number): number[] =>
	peer.arrived.filter((frame) => frame.id === id).map(({ data }) => new DataView(data.buffer).getUint32(0, true));

/** No numbered frame is missing or out of order, in either direction. */
function nothingLost(bench: Bench): void {
	for (const [peer, id] of [
		[bench.coupling, NUMBERED_ID],
		[bench.chassis, NUMBERED_COUPLING_ID],
	] as const) {
		const seen = numbers(peer, id);
		assert.ok(seen.length > 100);
		assert.deepEqual(
			seen,
			seen.map((_, i) => seen[0] + i),
		);
	}
}

const sleepUntil = (at: number): Promise<true> => until(() => now() >= at, 10_000, "a moment");

describe("system: script failures", () => {
	for (const [generation, fault, what] of [
		[5, "script-stalled", "a stalled script"],
		[4, "flash-blocks", "a flash that blocks a C6"],
	] as const)
		it(`${what} means stock within 250 ms on generation ${generation}, and control again when it returns`, () =>
			withBench({ generation }, async (bench) => {
				bench.show(30, 60);
				await bench.untilCommand();
				await sleep(CONTROL_MS);
				const stalledAt = bench.fault(`${fault}=0:700`);
				const returnsAt = stalledAt + 700;
				await sleepUntil(returnsAt + 400);
				const { id } = marker(generation);
				const during = bench.passed(id, stalledAt - 100).filter(({ sentAt }) => sentAt < returnsAt - 20);
				const firstStock = during.findIndex(({ rewritten }) => !rewritten);
				assert.ok(firstStock > 5, "frames were rewritten up to the stall and after it began");
				const lastRewrittenMs = during[firstStock - 1].sentAt - stalledAt;
				assert.ok(lastRewrittenMs <= STOCK_WITHIN_MS, `rewritten ${lastRewrittenMs.toFixed(0)} ms after the stall began`);
				assert.ok(
					during.slice(firstStock).every(({ rewritten }) => !rewritten),
					"stock until the script returns",
				);
				const back = bench.passed(id, returnsAt - 20).find(({ rewritten }) => rewritten);
				const backMs = back === undefined ? Number.NaN : back.sentAt - returnsAt;
				assert.ok(backMs < 100, `control returns with the script, not ${backMs} ms later: ${(await bench.status()).reason}`);
				const [pwm] = (await bench.report()).pwm;
				assert.deepEqual([pwm.idled, pwm.duty > 0], [1, true], "the PWM was idled once, and drives again");
				console.log(`      generation ${generation}: stock ${lastRewrittenMs.toFixed(0)} ms after the stall began`);
				nothingLost(bench);
				const status = await bench.status();
				assert.deepEqual([status.reason, status.gateway["leaseExpiries"]], ["control is active", 1]);
				for (const dropped of ["droppedQueueFull", "droppedTooOld", "droppedNotRunning"])
					assert.equal(status.gateway[dropped], 0, dropped);
			}));

	it("a stalled script stops the status broadcast", () =>
		withBench({}, async (bench) => {
			bench.show(30, 60);
			await until(() => bench.chassis.arrived.filter(({ id }) => id === 0x6b0).length > 8, 10_000, "some 0x6B0");
			const stalledAt = bench.fault("script-stalled=0:1800");
			await sleepUntil(stalledAt + 1750);
			const times = bench.chassis.arrived.filter((frame) => frame.id === 0x6b0).map(({ at }) => at - stalledAt);
			assert.ok(Math.max(...times) <= 500, `still sent ${Math.max(...times)} ms after the stall began`);
			await until(() => bench.chassis.arrived.some(({ id, at }) => id === 0x6b0 && at > stalledAt + 1790), 1000, "0x6B0 back");
			nothingLost(bench);
		}));

	it("a gateway that hangs is started anew, forwards then, and says why it started", () =>
		withBench({}, async (bench) => {
			await bench.untilCommand();
			const hungAt = bench.fault("gateway-stalled=0");
			const ports = () => [...bench.stdout.matchAll(/listening on http:\/\/127\.0\.0\.1:(\d+)/g)].map((match) => match[1]);
			await until(() => ports().length > 1, 10_000, "another start");
			const tookMs = now() - hungAt;
			const before = bench.coupling.arrived.length;
			await until(() => bench.coupling.arrived.length > before + 100, 5000, "frames that are forwarded");
			const status = (await (await fetch(`http://127.0.0.1:${ports()[1]}/api/status`)).json()) as Status;
			assert.deepEqual([status.bootReason, status.bootLoop], ["watchdog", false]);
			console.log(`      started anew after ${tookMs.toFixed(0)} ms`);
		}));

	it("a crashed script ends the program with its code and one line; frames flow until then", () =>
		withBench({}, async (bench) => {
			bench.show(30, 60);
			await bench.untilCommand();
			await sleep(CONTROL_MS);
			const crashedAt = bench.fault("script-crashed=0");
			assert.equal(await bench.ended, 105);
			assert.match(bench.stderr, /^opencoupling: uncaught exception: .*\n$/m);
			const last = bench.coupling.arrived[bench.coupling.arrived.length - 1];
			assert.ok(last.at >= crashedAt - 30, `the last frame left ${crashedAt - last.at} ms before the crash`);
			nothingLost(bench);
		}));
});
