import assert from "node:assert/strict";
import { MODES } from "../../src/lock/modes.js";
import { DEFAULT_MAP } from "../../src/lock/tuning.js";
import { lockMapToJson } from "../../src/maps/lock-map.js";
import { DEFAULT_SETTINGS, type Settings } from "../../src/settings/settings.js";
import { request } from "../support/api-client.js";
import { aController, type ControllerChanges } from "../support/controller-view.js";
import { MemoryFiles } from "../support/memory-files.js";
import { aMapStore } from "../support/stores.js";

const post = (body: string, changes: ControllerChanges = {}) => {
	const controller = aController(changes);
	const before = controller.settings;
	const answer = request({ controller }, "POST", "/api/settings", body);
	const changed = controller.settings !== before;
	return { status: answer.status, text: answer.text, changed, settings: controller.settings, json: () => answer.json() };
};

describe("api/settings", () => {
	it("answers with what the setup and logs pages read", () => {
		const { status, json } = post('{"disableSpeed":80}');
		assert.equal(status, 200);
		assert.deepEqual(
			Object.keys(json()),
			(
				"ok debugCaptureActive disableController broadcastOpenHaldexOverCAN broadcastControllerOverCAN effectiveBroadcastOpenHaldexOverCAN " +
				"effectiveBroadcastControllerOverCAN haldexGeneration couplingGeneration isStandalone lowPower inputMappings modeTrigger reason reasonCode reasonDetail heldBy conditionMap " +
				"controlActive invalidFrame statusFrameElsewhere frameProfile torqueModel torqueCeilingNm framesOff c6ModeNumbers respectInterventions controlWithoutFeedback lockTrimPercent analyzerEnabled allowedOrigin sleepAllowed setupDone lockEngageRatePctPerSec pwm controls"
			).split(" "),
		);
		assert.deepEqual(Object.keys(json()["lowPower"] as object), [
			"sleepEnabled",
			"sleepDelayMs",
			"wakeTimerSeconds",
			"probeDurationMs",
		]);
		assert.deepEqual(Object.keys(json()["inputMappings"] as object), ["speed", "throttle", "rpm"]);
		assert.equal((json()["modeTrigger"] as { operator: string }).operator, "gte");
	});

	it("rejects a wrong value by name and changes nothing", () => {
		const answer = post('{"disableThrottle":5,"modeTrigger":{"operator":"~"}}');
		assert.deepEqual([answer.status, answer.changed], [400, false]);
		const { error, field, value } = answer.json();
		assert.deepEqual([error, field, value], ["invalid modeTrigger.operator", "modeTrigger.operator", "~"]);
	});

	it("accepts conditions with a stored map only if the map can be read, from the first one on", () => {
		const controller = aController({});
		const files = new MemoryFiles({
			"maps/": "",
			"maps/bad.json": "{}",
			"maps/Räder 2.json": JSON.stringify(lockMapToJson(DEFAULT_MAP)),
		});
		const maps = aMapStore(files);
		maps.serve({ ...controller, useStoredMaps: () => {} });
		const set = (...conditions: object[]) => {
			const { status, json } = request({ controller, maps }, "POST", "/api/settings", JSON.stringify({ conditions }));
			return status === 200 ? 200 : `${json()["error"]}: ${json()["allowed"]}`;
		};
		const on = { enabled: true, effect: "map" };
		assert.equal(set({ ...on, map: "/maps/Räder 2.json" }, { ...on, map: "/maps/fwd.txt" }), 200);
		assert.deepEqual(
			controller.settings.conditions.map(({ map }) => map),
			["/maps/Räder 2.json", "/maps/fwd.txt"],
		);
		for (const map of ["/maps/bad.json", "/maps/gone.json", "/maps/current.json", ""])
			assert.match(`${set({ effect: "map" }, { ...on, map })}`, /^invalid conditions\[1\]\.map: a map of GET/, map);
		for (const map of ["Winter", "/maps/../a.json", 7])
			assert.match(`${set({ ...on, map })}`, /^invalid conditions\[0\]\.map: a path of GET/, `${map}`);
		assert.equal(controller.settings.conditions.length, 2);
		assert.equal(set({ ...on, enabled: false, map: "/maps/gone.json" }, { ...on, effect: "mode", map: "/maps/gone.json" }), 200);
	});
	it("while a capture runs rejects what would end the safe profile, before it looks at anything else", () => {
		for (const body of [
			'{"disableController":false,"disableSpeed":"x"}',
			'{"broadcastOpenHaldexOverCAN":false}',
			'{"broadcastControllerOverCAN":0,"disableSpeed":1}',
		]) {
			const answer = post(body, { captureActive: true });
			assert.deepEqual([answer.status, answer.text, answer.changed], [409, '{"error":"canview capture mode active"}', false]);
		}
		assert.equal(post('{"disableThrottle":5}', { captureActive: true }).settings.tuning.disableThrottlePercent, 5);
	});

	it("is rejected for a capture that begins after the body was read", () => {
		const controller = aController();
		const later = (callback: () => void): void => {
			controller.supervisor.captureActive = true;
			callback();
		};
		const answer = request({ controller, later }, "POST", "/api/settings", '{"disableController":false,"disableSpeed":80}');
		assert.deepEqual([answer.status, answer.text], [409, '{"error":"canview capture mode active"}']);
	});

	it("keeps what another client changes after the body was read, and after it was checked", () => {
		const controller = aController();
		const { standalone } = controller.settings;
		const changes: Partial<Settings>[] = [{ setupDone: true }, { standalone: !standalone }];
		const later = (callback: () => void): void => {
			const change = changes.shift();
			if (change !== undefined) controller.applySettings({ ...controller.settings, ...change });
			callback();
		};
		assert.equal(request({ controller, later }, "POST", "/api/settings", '{"disableSpeed":80}').status, 200);
		const now = controller.settings;
		assert.deepEqual([now.setupDone, now.standalone, now.tuning.disableSpeedKmh], [true, !standalone, 80]);
	});

	it("says that verbose logging keeps control off", () => {
		const answer = post('{"logDebugCanEnabled":true,"disableController":false}');
		assert.equal(answer.json()["debugCaptureActive"], true);
		assert.deepEqual([answer.settings.mode, answer.settings.disableController], [0, true]);
		const logging = { ...DEFAULT_SETTINGS.logging, can: true };
		const controller = aController({ settings: { ...DEFAULT_SETTINGS, logging } });
		const mode = (body: string) => request({ controller }, "POST", "/api/mode", body);
		assert.deepEqual([mode('{"mode":"map"}').status, mode('{"mode":"map"}').text], [409, '{"error":"debug capture active"}']);
		assert.equal(mode('{"mode":"stock"}').status, 200);
	});
});

describe("api/canview: capture", () => {
	it("answers with the state, takes 0 and 1 for false and true, and rejects anything else", () => {
		const state = { active: false, disableController: false, broadcastOpenHaldexOverCAN: true, broadcastControllerOverCAN: true };
		const controller = aController();
		const ask = (method: string, body = "") => request({ controller }, method, "/api/canview/capture", body).json();
		assert.deepEqual(ask("GET"), state);
		assert.deepEqual(ask("POST", '{"active":true}'), { ok: true, ...state, active: true });
		for (const body of ["{}", '{"active":null}', '{"active":2}']) {
			assert.equal(ask("POST", body)["error"], "invalid active", body);
			assert.equal(controller.supervisor.captureActive, true);
		}
		assert.equal(ask("POST", '{"active":0}')["active"], false);
	});
});

describe("api/mode", () => {
	const post = (body: string, changes = {}, ...lines: string[]) => {
		const controller = aController({ selectedMode: 1, ...changes });
		const { status, text } = request({ controller }, "POST", "/api/mode", body, ...lines);
		return { status, text, selected: MODES[controller.supervisor.selectedMode] };
	};

	it("takes names, the numbers that are names, and those of OpenHaldex-C6; anything else changes nothing", () => {
		for (const [value, selected, status] of [
			["PassThru", "STOCK", 200],
			[" \t map\n", "MAP", 200],
			[7525, "7030", 200],
			[0, "STOCK", 200],
			[5, "MAP", 200],
			["5", "FWD", 400],
			[6, "FWD", 400],
			[50.5, "FWD", 400],
			[["MAP"], "FWD", 400],
			["x".repeat(999), "FWD", 400],
		] as const) {
			const answer = post(JSON.stringify({ mode: value }));
			assert.deepEqual([answer.status, answer.selected], [status, selected], JSON.stringify(value));
			if (status === 400) assert.ok(answer.text.length < 250, "a long value is cut");
		}
	});

	it("accepts only STOCK while a capture runs", () => {
		const rejection = { status: 409, text: '{"error":"canview capture mode active"}', selected: "FWD" };
		assert.deepEqual(post('{"mode":"map"}', { captureActive: true }), rejection);
		assert.equal(post('{"mode":"passthru"}', { captureActive: true }).selected, "STOCK");
	});

	it("reads JSON under any type except multipart, unless a foreign page sends it", () => {
		const body = '{"mode":"map"}';
		for (const [line, status, error] of [
			["Content-Type: application/json; charset=utf-8", 200],
			["Content-Type: application/x-www-form-urlencoded", 200],
			["Content-Type: Multipart/form-data; boundary=x", 415, "unsupported media type"],
			["Origin: http://localhost", 200],
			["Origin: null", 403, "cross-origin request refused"],
			["Sec-Fetch-Site: cross-site", 403, "cross-origin request refused"],
		] as const) {
			const answer = post(body, {}, line);
			assert.deepEqual([answer.status, answer.selected], [status, status === 200 ? "MAP" : "FWD"], line);
			if (error !== undefined) assert.equal(JSON.parse(answer.text).error, error);
		}
	});
});
