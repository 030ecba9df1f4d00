import assert from "node:assert/strict";
import { COUNTER_COUNT, GATEWAY_COUNTER } from "../../modules/can-gateway/gateway-counters.js";
import { AWAKE_WORDS } from "../../src/api/words.js";
import { BUS_OFF } from "../../src/can/bus.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { AWAKE_LEAST_MS, Awake } from "../../src/sleep/parked-sleep.js";
import { LOOK_MS, OVERRIDE_MS, SleepService, type SleepServiceOptions, STORE_MS } from "../../src/sleep/sleep-service.js";
import { LatestFrames } from "../../src/vehicle/latest-frames.js";
import { aController } from "../support/controller-view.js";
import { LatestTable } from "../support/gateway-memory.js";
import { aLogBench } from "../support/memory-files.js";

const TICK_MS = 100;
const NEVER_MS = 0xffffffff;
/** Of the gateway's network management, with its type. */
const MANAGEMENT_ID = 0x9b000010;
const SLEEPY = { ...DEFAULT_SETTINGS, sleepAllowed: true };

/** A parked car with all that could keep the controller awake at rest. */
function bench(wakeCause: "timer" | "can_rx" | "power_on_or_reset" = "power_on_or_reset", generation: 4 | 5 = 4) {
	const did: string[] = [];
	const counters: Record<string, number> = {};
	const state = {
		othersAgeMs: NEVER_MS,
		managementAgeMs: NEVER_MS,
		phase: "idle",
		confirmed: true,
		active: false,
		clients: [] as unknown[],
		waiting: false,
		connections: 0,
		accepted: 0,
		ticks: 0,
		keyHeld: false,
	};
	const settings = { ...SLEEPY, generation, lowPower: { ...SLEEPY.lowPower, sleepEnabled: true, sleepDelayMs: 5000 } };
	const controller = Object.assign(
		aController({ settings, speedKmh: 0, rpm: 0, speedValid: false, rpmValid: false, chassisAgeMs: 65535 }),
		{ calibration: { runs: false }, statusBroadcast: { silent: false } },
	);
	const { statusBroadcast } = controller;
	const options = {
		controller,
		clock: state,
		updater: state,
		diagnosis: { worker: state },
		analyzer: state,
		writes: state,
		counts: new Uint32Array(COUNTER_COUNT),
		counterAt: GATEWAY_COUNTER,
		frames: new LatestFrames(new LatestTable()),
		gateway: {
			counters: (into: Uint32Array) => {
				for (const [name, at] of Object.entries(GATEWAY_COUNTER)) into[at] = counters[name] ?? 0;
			},
			receivedAgeMs: (_bus: number, first: number, last: number) =>
				first <= MANAGEMENT_ID && MANAGEMENT_ID <= last ? state.managementAgeMs : state.othersAgeMs,
			release: () => did.push("stock"),
		},
		port: { wakeCause, entries: 3, enter: (ms: number) => did.push(`sleep ${ms}`) },
		log: aLogBench().log,
		words: AWAKE_WORDS,
		network: { start: () => did.push("network on"), stop: () => did.push("network off") },
		http: () => state,
	};
	options.log.release = () => void did.push("log on");
	options.log.write = (_level, _tag, message) => void did.push(message);
	const sleep = new SleepService(options as unknown as SleepServiceOptions);
	const pass = (ms: number): void => {
		for (let at = 0; at < ms && !did.some((one) => one.startsWith("sleep")); at += TICK_MS) {
			state.ticks += TICK_MS;
			sleep.tick(state.keyHeld);
		}
	};
	/** Network management alone goes on for 200 s, a frame a second. */
	const manage = (): void => {
		state.managementAgeMs = 0;
		for (let second = 1; second < 200; second++) {
			counters["receivedChassis"] = second;
			pass(LOOK_MS);
		}
	};
	return { sleep, state, controller, counters, did, statusBroadcast, pass, manage };
}

describe("sleep/sleep-service", () => {
	for (const [valid, value, waits] of [
		["speedValid", "speedKmh", Awake.LOST_MOVING],
		["rpmValid", "rpm", Awake.LOST_RUNNING],
	] as const)
		it(`keeps the last valid ${value}, also one that came between two polls`, () => {
			for (const [then, sleeps] of [
				[80, false],
				[0, true],
			] as const) {
				const { sleep, controller, did, pass } = bench();
				const vehicle = controller.vehicle as Record<typeof valid | typeof value, unknown>;
				Object.assign(vehicle, { [valid]: true, [value]: 80 });
				pass(LOOK_MS + 2 * TICK_MS);
				vehicle[value] = then;
				pass(2 * TICK_MS);
				// a guess, or of what reads other signals since and has seen none
				Object.assign(vehicle, { [valid]: false, [value]: 0 });
				pass(2 * AWAKE_LEAST_MS);
				assert.equal(did.length > 0, sleeps, did.join());
				if (!sleeps) assert.equal(sleep.waits, waits);
			}
		});

	it("keeps awake as well if only one of the sources of the speed said that the car moves", () => {
		for (const speedValid of [true, false]) {
			const { sleep, controller, did, pass } = bench();
			let motion = "moves";
			Object.defineProperty(controller.vehicle, "motion", { get: () => motion });
			Object.assign(controller.vehicle, { speedValid, speedKmh: 0, fastestKmh: 50 });
			pass(LOOK_MS + 2 * TICK_MS);
			motion = "unknown";
			Object.assign(controller.vehicle, { speedValid: false, fastestKmh: 0 });
			pass(2 * AWAKE_LEAST_MS);
			assert.deepEqual([did, sleep.waits], [[], Awake.LOST_MOVING]);
		}
	});

	it("stores, says so, switches Wi-Fi off and then the chip, in this order", () => {
		const { did, pass } = bench();
		pass(AWAKE_LEAST_MS + LOOK_MS);
		assert.deepEqual(did, ["parked sleep begins; it looks again in 300 s", "stock", "network off", "sleep 300000"]);
	});

	it("waits up to a minute for pending writes", () => {
		const { did, pass, state, sleep } = bench();
		state.waiting = true;
		pass(AWAKE_LEAST_MS + LOOK_MS);
		assert.deepEqual([did.length, sleep.waits], [1, Awake.STORING]);
		pass(STORE_MS - 2 * LOOK_MS);
		assert.equal(did.length, 1);
		pass(2 * LOOK_MS);
		assert.equal(did.at(-1), "sleep 300000");
	});

	const IN_BETWEEN: Record<string, (parts: ReturnType<typeof bench>) => void> = {
		"a frame of the car": ({ counters }) => (counters["receivedChassis"] = 1),
		"a frame of the coupling": ({ counters }) => (counters["receivedCoupling"] = 1),
		"an update": ({ state }) => (state.phase = "uploading"),
		"firmware that has not proved itself": ({ state }) => (state.confirmed = false),
		"a diagnosis": ({ state }) => (state.active = true),
		SavvyCAN: ({ state }) => state.clients.push({}),
		"a client": ({ state }) => state.accepted++,
		"a connection that stays open": ({ state }) => (state.connections = 1),
		"verbose logging": ({ controller }) =>
			(controller.settings = { ...controller.settings, logging: { ...controller.settings.logging, debugCan: true } }),
		"standalone operation": ({ controller }) => (controller.settings = { ...controller.settings, standalone: true }),
		"a chassis bus that is off": ({ controller }) => (controller.sample.chassisState = BUS_OFF),
		"a calibration": ({ controller }) => (controller.calibration.runs = true),
		"a capture": ({ controller }) => (controller.supervisor.captureActive = true),
		"a coupling bus that is off": ({ controller }) => (controller.sample.couplingBusState = BUS_OFF),
		"a driver who does not want it any more": ({ controller }) =>
			(controller.settings = { ...controller.settings, sleepAllowed: false }),
	};
	for (const [what, happens] of Object.entries(IN_BETWEEN))
		it(`stays awake for ${what} that comes while something is being stored`, () => {
			const parts = bench();
			parts.state.waiting = true;
			parts.pass(AWAKE_LEAST_MS + LOOK_MS);
			happens(parts);
			parts.pass(TICK_MS);
			parts.state.waiting = false;
			parts.pass(TICK_MS);
			assert.deepEqual([parts.did.length, parts.did.includes("network off")], [2, false]);
			assert.match(parts.did[1] ?? "", /^it stays awake: /);
		});

	for (const [generation, idTableFull, waits, what] of [
		[5, 0, Awake.STORING, "sleeps beside network management in a car of generation 5 whose ignition was last seen off"],
		[4, 0, Awake.RESTS, "stays awake beside network management in a car of generation 4"],
		[5, 1, Awake.RESTS, "stays awake for frames that the gateway's memory has no entry for"],
	] as const)
		it(what, () => {
			const { sleep, counters, did, manage } = bench("power_on_or_reset", generation);
			Object.assign(sleep.ignition, { seen: true, rawOn: false });
			counters["idTableFull"] = idTableFull;
			manage();
			assert.deepEqual([sleep.waits, did.includes("sleep 300000")], [waits, waits === Awake.STORING]);
		});

	it("forgets the ignition of the car before when the generation changes", () => {
		const { sleep, controller, did, pass, manage } = bench();
		Object.assign(sleep.ignition, { seen: true, rawOn: false, saidBy: "ZAS_Terminal_15" });
		pass(LOOK_MS);
		assert.equal(sleep.ignition.seen, true);
		controller.settings = { ...controller.settings, generation: 5 };
		manage();
		assert.deepEqual([sleep.ignition.seen, sleep.ignition.saidBy, did.includes("sleep 300000")], [false, "", false]);
	});

	it("looks at once when the clock steps back", () => {
		const { sleep, counters, state, pass } = bench("power_on_or_reset", 5);
		Object.assign(sleep.ignition, { seen: true, rawOn: false });
		const waits: string[] = [];
		for (const [backMs, ms] of [
			[0, LOOK_MS],
			[30_000, TICK_MS],
			[0, LOOK_MS],
		] as const) {
			counters["receivedChassis"] = (counters["receivedChassis"] ?? 0) + 1;
			state.ticks -= backMs;
			pass(ms);
			waits.push(sleep.waits);
		}
		assert.deepEqual(waits, [Awake.STARTED, Awake.CHASSIS, Awake.STARTED]);
	});

	it("starts the network, and writes the log, later when the timer has woken it, and only if something comes", () => {
		const quiet = bench("timer");
		assert.ok(quiet.sleep.isProbing);
		quiet.pass(3 * LOOK_MS);
		assert.deepEqual(quiet.did.slice(1), ["stock", "network off", "sleep 300000"]);
		const car = bench("timer");
		car.counters["receivedChassis"] = 1;
		car.pass(2 * LOOK_MS);
		assert.deepEqual(car.did, ["log on", "network on"]);
	});

	it("sends no status frame on a silent bus if it may sleep, from the start on", () => {
		const { statusBroadcast, controller, pass } = bench();
		assert.equal(statusBroadcast.silent, true);
		controller.sample.chassisAgeMs = 999;
		pass(LOOK_MS);
		assert.equal(statusBroadcast.silent, false);
		controller.sample.chassisAgeMs = 1000;
		pass(LOOK_MS);
		assert.equal(statusBroadcast.silent, true);
		controller.settings = { ...controller.settings, sleepAllowed: false };
		pass(LOOK_MS);
		assert.equal(statusBroadcast.silent, false);
	});

	it("stays awake if BOOT is pressed within 5 s of the start, not later", () => {
		for (const [atMs, overrides] of [
			[OVERRIDE_MS - 2 * TICK_MS, true],
			[OVERRIDE_MS, false],
		] as const) {
			const { sleep, state, pass } = bench();
			pass(atMs);
			state.keyHeld = true;
			pass(TICK_MS);
			assert.deepEqual([sleep.override, sleep.armed], [overrides, !overrides]);
		}
	});
});
