import assert from "node:assert/strict";
import { Reason } from "../../src/controller/reason.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { LatestFrames } from "../../src/vehicle/latest-frames.js";
import { request } from "../support/api-client.js";
import { aController, condition } from "../support/controller-view.js";
import { LatestTable } from "../support/gateway-memory.js";

const status = (changes = {}) => {
	const answer = request({ controller: aController(changes) }, "GET", "/api/status");
	assert.equal(answer.status, 200);
	// biome-ignore lint/suspicious/noExplicitAny: the tests below are about the shape
	return answer.json() as any;
};

/** These members are among those of an object. */
function shows(object: Record<string, unknown>, members: Readonly<Record<string, unknown>>): void {
	for (const [name, value] of Object.entries(members)) assert.deepEqual(object[name], value, name);
}

describe("api/status", () => {
	describe("?fields=", () => {
		const fields = (query: string) => request({}, "GET", `/api/status?fields=${query}`);

		it("answers with these members alone, in one piece of known length", () => {
			const whole = request({}, "GET", "/api/status");
			assert.equal(whole.headers["content-length"], undefined);
			for (const names of ["mode", "can", "apiVersion,mode", "version,telemetry,gateway,commit"]) {
				const answer = fields(names);
				assert.equal(answer.status, 200, names);
				assert.equal(answer.headers["content-length"], String(answer.text.length));
				assert.equal(answer.headers["transfer-encoding"], undefined);
				const wanted = Object.entries(whole.json()).filter(([name]) => names.split(",").includes(name));
				assert.deepEqual(answer.json(), Object.fromEntries(wanted), names);
			}
		});

		it("looks no further than the last of them: a display asks often", () => {
			const gatewayCounters = (): never => assert.fail("asked");
			const controller = aController({ couplingAgeMs: 7 });
			const answer = request({ controller, gatewayCounters }, "GET", "/api/status?fields=mode,effectiveMode,controlActive");
			assert.deepEqual(Object.keys(answer.json()), ["mode", "effectiveMode", "controlActive"]);
		});

		it("names the member that it does not have, and cuts a long list", () => {
			for (const [query, value] of [
				["mode,__proto__", "__proto__"],
				[Array(17).fill("mode").join(), Array(17).fill("mode").join().slice(0, 64)],
			]) {
				const answer = fields(query);
				assert.deepEqual(answer.json(), {
					error: "invalid fields",
					field: "fields",
					value,
					allowed: "1 to 16 members of GET /api/status",
				});
				assert.equal(answer.status, 400);
			}
		});
	});

	it("gives both spellings of an alias the same value", () => {
		const { can, telemetry, frameDiag, modeTrigger, ...all } = status({
			broadcastOverCan: false,
			effectiveBroadcastOverCan: false,
			generation: 4,
		});
		assert.deepEqual([all.broadcastOpenHaldexOverCAN, all.broadcastControllerOverCAN], [false, false]);
		assert.deepEqual([all.haldexGeneration, all.couplingGeneration, frameDiag.haldexGen, frameDiag.couplingGen], [4, 4, 4, 4]);
		assert.deepEqual([can.haldex, can.lastHaldexMs], [can.coupling, can.lastCouplingMs]);
		assert.deepEqual(
			[telemetry.haldexState, telemetry.haldexEngagement],
			[telemetry.couplingState, telemetry.couplingEngagement],
		);
		for (const object of [all, modeTrigger])
			assert.deepEqual([object.effectiveBroadcastOpenHaldexOverCAN, object.effectiveBroadcastControllerOverCAN], [false, false]);
	});

	it("shows the controller's values", () => {
		const { tuning } = DEFAULT_SETTINGS;
		const limits = { map: 1, speed: 2, throttle: 3, rpm: 4 };
		const gates = { disableThrottlePercent: 3, disableSpeedKmh: 120, disengageUnderKmh: limits };
		const all = status({ settings: { ...DEFAULT_SETTINGS, tuning: { ...tuning, ...gates } } });
		shows(all, { version: "v0.1.0", mode: "MAP", effectiveMode: "MAP", reason: "control is active", apiVersion: 1 });
		shows(all, { disableThrottle: 3, disableSpeed: 120, lockReleaseRatePctPerSec: 120, uptimeMs: 123456 });
		shows(all, { disengageUnderSpeed: limits, gateway: { chassisReceived: 10, couplingSent: 9 } });
		shows(all.telemetry, { speed: 51, rpm: 2100, boost: 210, throttle: 12.4, spec: 33.33333, act: 32 });
		shows(all.telemetry, { speedValid: true, engagementValid: false });
	});

	it("says what standalone operation waits for, and which frame it heard", () => {
		const { standalone } = status({ standaloneDoubt: Reason.STANDALONE_HEARD_CAR, standaloneHeard: "0x280" });
		const waits = "standalone operation waits: somebody else sends its frames (0x280 from the car)";
		assert.deepEqual(standalone, { generating: false, waits });
	});

	it("says what the coupling reports beside its engagement, and null for what it does not", () => {
		const report = { generation: 4, couplingState: 0, engagementRaw: 0xfe } as const;
		const known = { ...report, engagementSaturated: true, clutchTemperatureC: 24, emergencyMode: true };
		for (const [changes, expected] of [
			[{ engagementValid: true, ...known }, [882, true, 24, true]],
			[{ engagementValid: false, ...known }, [null, true, 24, true]],
			[{ engagementValid: true }, [null, false, null, false]],
		] as const) {
			const { engagementNm, engagementSaturated, clutchTemperatureC, emergencyMode } = status(changes).telemetry;
			assert.deepEqual([engagementNm, engagementSaturated, clutchTemperatureC, emergencyMode], expected);
		}
	});

	it("derives no faults from the byte in which generation 5 has the drive profile", () => {
		const { telemetry } = status({ couplingState: 0xff, generation: 5 });
		assert.equal(telemetry.haldexState, 0xff);
		assert.equal(telemetry.tempProtection || telemetry.clutch1Report || telemetry.couplingOpen, false);
	});

	it("takes the coupling's status byte apart", () => {
		const names = ["clutch1Report", "tempProtection", "clutch2Report", "couplingOpen", "", "", "speedLimit"];
		for (const [bit, name] of names.entries()) {
			const { telemetry } = status({ couplingState: 1 << bit, generation: 4 });
			for (const other of names) if (other !== "") assert.equal(telemetry[other], other === name, `${other} at bit ${bit}`);
		}
	});

	it("tells live, silent, stopped and failed buses apart", () => {
		const can = (changes: object) => status(changes).can;
		assert.deepEqual(can({}), {
			ready: true,
			chassis: true,
			haldex: false,
			coupling: false,
			busFailure: false,
			lastChassisMs: 7,
			lastHaldexMs: 0,
			lastCouplingMs: 0,
		});
		for (const [ageMs, alive] of [
			[500, true],
			[501, false],
		] as const)
			assert.equal(can({ couplingAgeMs: ageMs, chassisAgeMs: ageMs }).haldex, alive);
		for (const bus of ["chassisState", "couplingBusState"]) {
			assert.equal(can({ [bus]: 0 }).ready, false);
			assert.equal(can({ [bus]: 4 }).busFailure, true);
		}
	});

	it("tells a bus that was silent for longer than ages are counted from one that never had a frame", () => {
		const controller = aController({ chassisAgeMs: 65535, couplingAgeMs: 65535 });
		for (const [receivedChassis, receivedCoupling, chassisMs, couplingMs] of [
			[0, 0, 0, 0],
			[1, 0, 65535, 0],
			[0, 4_294_967_295, 0, 65535],
		]) {
			const gatewayCounters = () => ({ receivedChassis, receivedCoupling });
			// biome-ignore lint/suspicious/noExplicitAny: the test is about two of the members
			const { can, power } = request({ controller, gatewayCounters }, "GET", "/api/status").json() as any;
			assert.deepEqual([can.lastChassisMs, power.lastChassisAgeMs], [chassisMs, chassisMs]);
			assert.deepEqual([can.lastHaldexMs, can.lastCouplingMs], [couplingMs, couplingMs]);
			const dashboard = request({ controller, gatewayCounters }, "GET", "/api/dashboard").json();
			assert.deepEqual([dashboard["lastChassisMs"], dashboard["lastHaldexMs"]], [chassisMs, couplingMs]);
		}
	});

	it("says whether all inputs are mapped", () => {
		assert.equal(status().telemetry.inputsMapped, true);
		for (const input of ["speed", "throttle", "rpm"]) {
			const inputMappings = { speed: "a", throttle: "b", rpm: "c", [input]: "" };
			const settings = { ...DEFAULT_SETTINGS, generation: 0, inputMappings } as const;
			assert.equal(status({ settings }).telemetry.inputsMapped, false);
		}
	});

	it("writes null for NaN and infinity, and the longest signal keys", () => {
		assert.equal(status({ lockPercent: Number.NaN }).telemetry.spec, null);
		const key = '"\u0001ä'.repeat(53);
		const dashboard = new Array(8).fill(key);
		const inputMappings = { speed: key, throttle: key, rpm: key };
		const all = status({ settings: { ...DEFAULT_SETTINGS, dashboard, inputMappings, conditions: [condition({ signal: key })] } });
		assert.deepEqual([all.inputMappings.rpm, all.modeTrigger.signal, all.dashMappings.dash_8], [key, key, key]);
	});

	it("shows what the driver has set, and the first condition that selects a mode as the mode trigger, with its recommended signal", () => {
		const conditions = [
			condition({ effect: "open", value: 7 }),
			condition({ operator: "change", value: 2.5, mode: 3, broadcastOverCan: false }),
			condition({ value: 8 }),
		];
		const logging = { ...DEFAULT_SETTINGS.logging, file: false, error: false, debugCan: true };
		const lowPower = { sleepEnabled: true, sleepDelayMs: 6000, wakeTimerSeconds: 40, probeDurationMs: 200 };
		const state = { holds: true, live: true, seen: true, value: 2.5, atMs: 123436 };
		const running = { conditionSelects: true, conditionAt: (index: number) => (index === 1 ? state : undefined) };
		const all = status({ settings: { ...DEFAULT_SETTINGS, generation: 4, conditions, logging, lowPower }, ...running });
		const signal = "chassis|0x1a0|br1 esp asr passive|";
		const set = { enabled: true, signal, defaultSignal: signal, operator: "change", value: 2.5, mode: "6040" };
		shows(all.modeTrigger, { ...set, broadcastControllerOverCAN: false, active: true, seen: true, lastValue: 2.5, ageMs: 20 });
		shows(all.logging, { masterEnabled: true, debugCanEnabled: true, debugCaptureActive: true, canEnabled: false });
		assert.equal(all.debugCaptureActive, true);
		const sleeping = {
			lowPowerSleepEnabled: true,
			sleepDelayMs: 6000,
			active: false,
			wakeTimerSeconds: 40,
			probeDurationMs: 200,
			waits: "parked sleep is off",
		};
		shows(all.power, sleeping);
	});

	it("shows the frames last sent on the coupling bus, and decoded dashboard slots", () => {
		const frames = new LatestFrames(
			new LatestTable(
				{ bus: 0, id: 0x280, received: { ageMs: 9, data: [1] }, sent: { ageMs: 8, data: [0, 0x1f, 0xa0], flags: 1 } },
				{ bus: 0, id: 0x1a0, received: { ageMs: 12, data: [0, 0, 0x88, 0x13, 0, 0, 0, 0] } },
				{ bus: 1, id: 0x380, sent: { ageMs: 1, data: [2] } },
			),
		);
		const dashboard = ["", "chassis|0x1a0|br1 wheel speed kmh|km/h", "chassis|0x1|no such|", "", "", "", "", ""];
		const controller = aController({ generation: 4, settings: { ...DEFAULT_SETTINGS, generation: 4, dashboard } });
		// biome-ignore lint/suspicious/noExplicitAny: the shape is what is tested
		const all = request({ controller, frames }, "GET", "/api/status").json() as any;
		assert.deepEqual(all.frameDiag.motor1, { id: 640, ok: true, generated: true, ageMs: 8, dlc: 3, data: "00 1f a0" });
		for (const name of ["motor3", "brakes1"]) assert.equal(all.frameDiag[name].ok, false);
		assert.equal(all.dashMappings.dash_2, dashboard[1]);
		const unknown = { found: false, bus: "", dir: "", unit: "", generated: false, ageMs: 0, numeric: false, display: "--" };
		const known = { found: true, bus: "chassis", dir: "RX", unit: "km/h", generated: false, ageMs: 12, numeric: true, value: 25 };
		for (const [index, expected] of [
			[1, { ...known, slot: "dash_2", signalId: dashboard[1], mapped: true, label: "BR1_Wheel_Speed_kmh", display: "25 km/h" }],
			[2, { ...unknown, slot: "dash_3", signalId: dashboard[2], mapped: true, label: "no such" }],
			[7, { ...unknown, slot: "dash_8", signalId: "", mapped: false, label: "" }],
		] as const)
			assert.deepEqual(all.dashboardSignals[index], expected);
	});

	it("reports boot reason and storage problems, also of the greatest length", () => {
		const longest = (path: string) => ({ path: `maps/${path.repeat(63)}`, problem: "\u0001".repeat(160) });
		const storageProblems = ["a", "b", "c", "d"].map(longest);
		for (const list of [[], storageProblems.slice(0, 1), storageProblems]) {
			// biome-ignore lint/suspicious/noExplicitAny: the shape is what is tested
			const all = request({ bootReason: "crash", storageProblems: list }, "GET", "/api/status").json() as any;
			assert.deepEqual([all.bootReason, all.storageProblems], ["crash", list]);
		}
	});
});
