import assert from "node:assert/strict";
import { DEFAULT_MAP } from "../../src/lock/tuning.js";
import { lockMapToJson } from "../../src/maps/lock-map.js";
import { DEFAULT_SETTINGS, type Settings } from "../../src/settings/settings.js";
import { request } from "../support/api-client.js";
import { aController } from "../support/controller-view.js";
import { MemoryFiles } from "../support/memory-files.js";
import { aMapStore } from "../support/stores.js";

describe("api/settings", () => {
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

	it("rejects a change if a capture begins after the body was read", () => {
		const controller = aController();
		const later = (callback: () => void): void => {
			controller.supervisor.captureActive = true;
			callback();
		};
		const answer = request({ controller, later }, "POST", "/api/settings", '{"disableController":false,"disableSpeed":80}');
		assert.deepEqual([answer.status, answer.text], [409, '{"error":"canview capture mode active"}']);
	});

	it("keeps what another client changes between reading a body, checking and applying it", () => {
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

	it("accepts no mode but STOCK under verbose logging", () => {
		const logging = { ...DEFAULT_SETTINGS.logging, can: true };
		const controller = aController({ settings: { ...DEFAULT_SETTINGS, logging } });
		const mode = (body: string) => request({ controller }, "POST", "/api/mode", body);
		assert.deepEqual([mode('{"mode":"map"}').status, mode('{"mode":"map"}').text], [409, '{"error":"debug capture active"}']);
		assert.equal(mode('{"mode":"stock"}').status, 200);
	});
});
