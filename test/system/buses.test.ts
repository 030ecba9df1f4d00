/** Buses that go off or take nothing, and a script that stalls or crashes. */
import assert from "node:assert/strict";
import { assertNoneLost, numbersOf, type Status, withBench } from "./bench-car.js";
import { marker, NUMBERED_COUPLING_ID, NUMBERED_ID } from "./car-rows.js";
import { now, sleep, until } from "./wait.js";

const TOO_OLD_MS = 50;

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

	it("a full transmit queue drops what is older than 50 ms, counts it, and sends nothing late", () =>
		withBench({}, async (bench) => {
			bench.show(20, 80);
			await bench.untilCommand();
			bench.fault("tx-full-coupling=0:400");
			await sleep(400 + 150);
			bench.park();
			const { gateway } = await bench.untilStatus(
				(s) => s.gateway["receivedChassis"] === bench.chassis.sent.length && s.reason !== "",
				1000,
				"all frames to be counted",
			);
			const sent = bench.chassis.sent.filter(({ id }) => id === NUMBERED_ID);
			const arrived = bench.coupling.arrived.filter(({ id }) => id === NUMBERED_ID);
			const numbers = numbersOf(arrived, NUMBERED_ID);
			assert.deepEqual(
				numbers,
				[...new Set(numbers)].sort((a, b) => a - b),
				"order is kept",
			);
			for (const [i, number] of numbers.entries()) {
				const ageMs = arrived[i].at - sent[number].at;
				assert.ok(ageMs <= TOO_OLD_MS, `frame ${number} arrived ${ageMs} ms after it was sent`);
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
				await sleep(700 + 400);
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
				assertNoneLost(bench.coupling.arrived, NUMBERED_ID);
				assertNoneLost(bench.chassis.arrived, NUMBERED_COUPLING_ID);
				const status = await bench.status();
				assert.deepEqual([status.reason, status.gateway["leaseExpiries"]], ["control is active", 1]);
				for (const dropped of ["droppedQueueFull", "droppedTooOld", "droppedNotRunning"])
					assert.equal(status.gateway[dropped], 0, dropped);
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
});
