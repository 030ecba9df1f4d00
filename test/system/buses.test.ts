/**
 * Buses that go off or take nothing: stock and back, and no frame sent late. docs/decisions.md 10, clock
 * jumps included.
 */
import assert from "node:assert/strict";
import { type Status, withBench } from "./bench-car.js";
import { marker, NUMBERED_ID } from "./car-rows.js";
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
