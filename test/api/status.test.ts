import assert from "node:assert/strict";
import { request } from "../support/api-client.js";
import { aController } from "../support/controller-view.js";

const status = (changes = {}) => {
	const answer = request({ controller: aController(changes) }, "GET", "/api/status");
	assert.equal(answer.status, 200);
	// biome-ignore lint/suspicious/noExplicitAny: the tests below are about the shape
	return answer.json() as any;
};

/** Keys of http-api.md 3.1 with the twins of section 8, then ours. */
const KEYS: Record<string, string> = {
	"":
		"version mode effectiveMode isStandalone disableController broadcastOpenHaldexOverCAN broadcastControllerOverCAN " +
		"effectiveBroadcastOpenHaldexOverCAN effectiveBroadcastControllerOverCAN canviewCaptureMode haldexGeneration couplingGeneration " +
		"disableThrottle disableSpeed lockReleaseRatePctPerSec uptimeMs logging can power uds telemetry frameDiag learn inputMappings " +
		"modeTrigger dashMappings dashboardSignals disengageUnderSpeed debugCaptureActive reason controlActive frameProfile " +
		"engageRatePctPerSec loop gateway apiVersion",
	logging:
		"masterEnabled enabled canEnabled errorEnabled serialEnabled debugFirmwareEnabled debugNetworkEnabled debugCanEnabled debugCaptureActive",
	can: "ready chassis haldex coupling busFailure lastChassisMs lastHaldexMs lastCouplingMs",
	power:
		"lowPowerSleepEnabled active maintenanceOverride ignitionSeen ignitionOn ignitionRawOn ignitionSource lastChassisAgeMs lastIgnitionOnAgeMs " +
		"lastIgnitionOffAgeMs sleepDelayMs wakeTimerSeconds probeDurationMs wakeCause deepSleepEntries",
	uds: "supported transport kwpTp20Supported target active udsActive kwpTp20Active route last",
	telemetry:
		"speed rpm boost throttle spec act haldexState couplingState haldexEngagement couplingEngagement haldexEngagementRaw couplingEngagementRaw " +
		"clutch1Report clutch2Report tempProtection couplingOpen speedLimit inputsMapped speedValid rpmValid throttleValid engagementValid",
	frameDiag: "lockTarget haldexGen couplingGen motor1 motor3 brakes1 brakes2 brakes3",
	learn: "active tableValid progress currentCF",
	inputMappings: "speed throttle rpm",
	modeTrigger:
		"enabled signal defaultSignal operator value mode broadcastOpenHaldexOverCAN broadcastControllerOverCAN active seen lastValue ageMs effectiveMode " +
		"effectiveBroadcastOpenHaldexOverCAN effectiveBroadcastControllerOverCAN",
	dashMappings: "dash_1 dash_2 dash_3 dash_4 dash_5 dash_6 dash_7 dash_8",
	disengageUnderSpeed: "map speed throttle rpm",
	loop: "ticks periodUs periodMaxUs jitterMaxUs overruns lateMaxUs",
};

describe("api/status", () => {
	it("has exactly the agreed fields in the agreed order", () => {
		const all = status();
		for (const [key, names] of Object.entries(KEYS))
			assert.deepEqual(Object.keys(key === "" ? all : all[key]), names.split(" "), key);
	});

	it("gives both spellings of a twin the same value", () => {
		const { can, telemetry, frameDiag, modeTrigger, ...all } = status({ broadcastOverCan: false, generation: 4 });
		assert.deepEqual([all.broadcastOpenHaldexOverCAN, all.broadcastControllerOverCAN], [false, false]);
		assert.deepEqual([all.haldexGeneration, all.couplingGeneration, frameDiag.haldexGen, frameDiag.couplingGen], [4, 4, 4, 4]);
		assert.deepEqual([can.haldex, can.lastHaldexMs], [can.coupling, can.lastCouplingMs]);
		assert.deepEqual(
			[telemetry.haldexState, telemetry.haldexEngagement],
			[telemetry.couplingState, telemetry.couplingEngagement],
		);
		assert.equal(modeTrigger.effectiveBroadcastOpenHaldexOverCAN, modeTrigger.effectiveBroadcastControllerOverCAN);
	});

	it("shows the controller's values", () => {
		const all = status();
		assert.deepEqual(
			[all.version, all.mode, all.effectiveMode, all.reason, all.apiVersion],
			["v0.1.0", "MAP", "MAP", "map in force", 1],
		);
		assert.deepEqual([all.disableThrottle, all.disableSpeed, all.lockReleaseRatePctPerSec, all.uptimeMs], [3, 120, 120, 123456]);
		const { telemetry } = all;
		assert.deepEqual(
			[telemetry.speed, telemetry.rpm, telemetry.boost, telemetry.throttle, telemetry.spec, telemetry.act],
			[51, 2100, 210, 12.4, 33.33333, 32],
		);
		assert.deepEqual(all.disengageUnderSpeed, { map: 1, speed: 2, throttle: 3, rpm: 4 });
		assert.deepEqual(all.gateway, { chassisReceived: 10, couplingSent: 9 });
		assert.deepEqual([telemetry.speedValid, telemetry.engagementValid], [true, false]);
		assert.equal(all.dashboardSignals.length, 8);
		assert.deepEqual(
			[all.dashboardSignals[0].slot, all.dashboardSignals[7].slot, all.dashboardSignals[3].display],
			["dash_1", "dash_8", "--"],
		);
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
		const never = status({ chassisAgeMs: 65535 });
		assert.deepEqual([never.can.lastChassisMs, never.power.lastChassisAgeMs], [0, 0]);
	});

	it("says whether all inputs are mapped", () => {
		assert.equal(status().telemetry.inputsMapped, true);
		for (const input of ["speed", "throttle", "rpm"])
			assert.equal(status({ inputMappings: { speed: "a", throttle: "b", rpm: "c", [input]: "" } }).telemetry.inputsMapped, false);
	});

	it("writes null for what is no number, and the longest signal keys", () => {
		assert.equal(status({ lockPercent: Number.NaN }).telemetry.spec, null);
		const key = '"\u0001ä'.repeat(53);
		assert.equal(status({ inputMappings: { speed: key, throttle: key, rpm: key } }).inputMappings.rpm, key);
	});

	it("is served uncached, to GET and HEAD", () => {
		const get = request({}, "GET", "/api/status/?x=1");
		assert.deepEqual([get.headers["content-type"], get.headers["cache-control"]], ["application/json", "no-store"]);
		assert.deepEqual([request({}, "HEAD", "/api/status").status, request({}, "HEAD", "/api/status").text], [200, ""]);
	});
});
