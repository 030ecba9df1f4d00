/** Buses that go off or take nothing, and a script that stalls or crashes. */
import assert from "node:assert/strict";
import { type Bench, type Status, withBench } from "./bench-car.js";
import type { BusPeer } from "./bus-peer.js";
import { marker, NUMBERED_COUPLING_ID, NUMBERED_ID } from "./car-rows.js";
import { now, sleep, until } from "./wait.js";

const TOO_OLD_MS = 50;
const SETTLE_MS = 500;
const RAMP_MS = 400;

describe("system: buses", () => {
	for (const side of ["coupling", "chassis"] as const)
		it(`a ${side} bus that is off means stock, says so, and recovers`, () =>
			withBench({}, async (bench) => {
				bench.show(20, 80);
				const command = await bench.untilCommand();
				bench.fault(`bus-off-${side}=0:400`);
				const off = await bench.untilStatus((status) => status.can["busFailure"] === true, 3000, "a bus failure");
				assert.deepEqual([off.effectiveMode, off.reason], ["STOCK", `the ${side} bus is not running`]);
				assert.deepEqual([off.controlActive, off.telemetry["spec"]], [false, 0]);
				// a status is made in sections: in one that was under way the buses may be from before the
				// recovery
				const isBack = (status: Status) => status.controlActive && status.can["busFailure"] === false;
				const back = await bench.untilStatus(isBack, 4000, "control again");
				await bench.untilCommand(command, 1000);
				const name = side === "chassis" ? "Chassis" : "Coupling";
				assert.deepEqual([back.gateway[`busOff${name}`], back.gateway[`recoveries${name}`]], [1, 1]);
			}));

	for (const [side, generation] of [
		["coupling", 5],
		["chassis", 1],
	] as const)
		it(`a ${side} bus that is connected again gets no request for 0.5 s, then a ramp, on generation ${generation}`, () =>
			withBench({ generation, settings: { mode: "5050" } }, async (bench) => {
				bench.show(20, 80);
				const { id, index, base } = marker(generation);
				for (let round = 0; round < 3; round++) {
					await bench.untilCommand(base);
					bench[side].disconnect();
					await sleep(5 + 15 * round);
					bench.coupling.arrived = [];
					bench[side].connect();
					const from = now();
					await bench.untilStatus(({ reason }) => /bus has been running for 0.5 s/.test(reason), 500, "a bus that settles");
					await bench.untilCommand(base);
					const requests = bench.coupling.arrived.filter((frame) => frame.id === id && frame.data[index] !== 0xff);
					const { at: first, data } = requests[0];
					// a car that paused sees the ramp only once it has begun
					const restMs = (1 - data[index] / base) * RAMP_MS;
					const full = requests.find(({ data }) => data[index] === base)?.at ?? Number.NaN;
					assert.ok(first - from >= SETTLE_MS, `first request after ${first - from} ms`);
					assert.ok(full - first >= restMs, `full lock ${full - first} ms later`);
				}
			}));

	it("a full transmit queue drops what is older than 50 ms, counts it, and sends nothing late", () =>
		withBench({}, async (bench) => {
			bench.show(20, 80);
			await bench.untilCommand();
			const end = bench.fault("tx-full-coupling=0:400") + 400;
			await until(() => now() > end + 150, 5000, "the end of the fault");
			bench.park();
			const sentAt = new Map<number, number>();
			const number = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset).getUint32(0, true);
			for (const frame of bench.chassis.sent) if (frame.id === NUMBERED_ID) sentAt.set(number(frame.data), frame.at);
			const { gateway } = await bench.untilStatus(
				(s) => s.gateway["receivedChassis"] === bench.chassis.sent.length && s.reason !== "",
				1000,
				"all frames to be counted",
			);
			let last = -1;
			for (const frame of bench.coupling.arrived) {
				if (frame.id !== NUMBERED_ID) continue;
				const value = number(frame.data);
				assert.ok(value > last, "order is kept");
				last = value;
				const age = frame.at - (sentAt.get(value) ?? Number.NaN);
				assert.ok(age <= TOO_OLD_MS, `frame ${value} arrived ${age} ms after it was sent`);
			}
			const dropped = gateway["droppedTooOld"] + gateway["droppedQueueFull"];
			assert.ok(dropped > 100, `${dropped} dropped`);
			assert.ok(gateway["droppedTooOld"] > 0);
			assert.equal(gateway["droppedNotRunning"], 0);
			assert.equal(gateway["forwardedToCoupling"] + dropped, gateway["receivedChassis"]);
			assert.equal(bench.coupling.arrived.length, gateway["forwardedToCoupling"]);
		}));

	it("a clock that jumps a minute costs at most a moment of stock", () =>
		withBench({}, async (bench) => {
			bench.show(20, 80);
			const command = await bench.untilCommand();
			bench.fault("clock-jump=0:60000");
			// a request that is under way when the clock jumps has timed out
			await until(async () => ((await bench.status().catch(() => undefined))?.uptimeMs ?? 0) > 60_000, 5000, "the clock to jump");
			await bench.untilStatus((status) => status.controlActive, 3000, "control");
			await bench.untilCommand(command, 2000);
			const { id } = marker(5);
			const first = bench.passed(id).findIndex(({ rewritten }) => rewritten);
			const jump = bench.passed(id).slice(first);
			assert.ok(jump.filter(({ rewritten }) => !rewritten).length <= 100, "at most a second of stock");
			const { gateway } = await bench.status();
			assert.equal(gateway["forwardedToCoupling"] + gateway["droppedTooOld"], gateway["receivedChassis"]);
		}));
});

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

	it("a crashed script ends the program with its exit code, and frames flow until then", () =>
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
