import assert from "node:assert/strict";
import { Changes } from "../../src/controller/changes.js";
import type { Controller } from "../../src/controller/controller.js";
import { Reason } from "../../src/controller/reason.js";
import { FLUSH_AFTER_MS } from "../../src/logs/log.js";
import { EventLog } from "../../src/runtime/event-log.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { aController } from "../support/controller-view.js";
import { aLogBench } from "../support/memory-files.js";

/** A driving car that has been looked at once, and what is noted from then on. */
function aDrive() {
	const view = aController({ engagementValid: true, couplingAgeMs: 5, couplingState: 0, settings: DEFAULT_SETTINGS });
	const { log, files, pass } = aLogBench();
	const changes = new Changes();
	const events = new EventLog(view as unknown as Controller, changes, log);
	const noted = (): string[] => {
		changes.observe(view);
		events.observe();
		pass(FLUSH_AFTER_MS);
		const lines = (files.text("logs/all.txt") ?? "").split("\n").slice(0, -1);
		files.flash.delete("logs/all.txt");
		return lines.map((line) => line.slice(line.indexOf("\t") + 1).replaceAll("\t", " "));
	};
	return { view, noted, first: noted() };
}

describe("runtime/event-log", () => {
	it("notes mode and buses at the start, and nothing while nothing changes", () => {
		const { first, noted } = aDrive();
		assert.deepEqual(first, [
			"EVENT mode MAP: control is active",
			"INFO can chassis bus: error-active",
			"INFO can coupling bus: error-active",
		]);
		assert.deepEqual(noted(), []);
	});

	it("notes modes with their reason, and captures", () => {
		const { view, noted } = aDrive();
		view.effectiveMode = 0;
		view.reason = Reason.NO_PEDAL;
		assert.deepEqual(noted(), ["EVENT mode STOCK: no valid pedal position (MAP is selected)"]);
		view.supervisor.captureActive = true;
		view.reason = Reason.CAPTURE;
		assert.deepEqual(noted(), ["EVENT capture CAN capture starts", "EVENT mode STOCK: CAN capture is running (MAP is selected)"]);
		view.supervisor.captureActive = false;
		assert.equal(noted()[0], "EVENT capture CAN capture ends");
	});

	it("notes faults that come and go, and bus-off as an error", () => {
		const { view, noted } = aDrive();
		view.vehicle.speedValid = view.vehicle.pedalValid = false;
		assert.deepEqual(noted(), ["WARN fault speedInvalid, throttleInvalid"]);
		view.vehicle.speedValid = true;
		view.vehicle.rpmValid = false;
		assert.deepEqual(noted(), ["WARN fault rpmInvalid", "INFO fault over: speedInvalid"]);
		view.sample.couplingBusState = 4;
		assert.deepEqual(noted(), ["WARN fault couplingBusDown", "ERROR can coupling bus: bus-off"]);
		view.sample.couplingBusState = 3;
		assert.deepEqual(noted(), ["INFO fault over: couplingBusDown", "WARN can coupling bus: error-passive"]);
	});

	it("names the settings that have changed, with short values", () => {
		const { view, noted } = aDrive();
		view.settings = {
			...DEFAULT_SETTINGS,
			generation: 5,
			currentMap: `/maps/${"m".repeat(60)}.json`,
			pwm: { frequencyHz: 100, inverted: true },
		};
		assert.deepEqual(noted(), ["EVENT settings changed: generation = 5, currentMap, pwm"]);
		// that the mode is another one a line of its own tells
		view.settings = { ...view.settings, mode: 2, disableController: true };
		assert.deepEqual(noted(), []);
	});

	it("reports missed ticks once a minute, if there are ten or more", () => {
		const { view, noted } = aDrive();
		const miss = (overruns: number, uptimeMs: number) => {
			Object.assign(view.loop, { overruns, lateMaxUs: 104_600 });
			view.nowMs = uptimeMs;
			return noted();
		};
		assert.deepEqual(miss(9, 1000), []);
		assert.deepEqual(miss(12, 2000), ["WARN loop 12 control ticks missed; the longest delay so far is 105 ms"]);
		assert.deepEqual(miss(200, 61_999), []);
		assert.deepEqual(miss(201, 62_000), ["WARN loop 189 control ticks missed; the longest delay so far is 105 ms"]);
		assert.deepEqual(miss(210, 200_000), []);
	});
});
