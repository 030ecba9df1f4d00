import assert from "node:assert/strict";
import { modeRefusal } from "../../src/controller/mode-choice.js";
import { MAP, STOCK } from "../../src/lock/modes.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { aController } from "../support/controller-view.js";

describe("controller/mode-choice", () => {
	it("lets a mode be chosen at any time but while frames are captured or logged, and STOCK at any time", () => {
		const logging = { ...DEFAULT_SETTINGS.logging, debugCan: true };
		const rows = [
			[aController(), ""],
			[aController({ captureActive: true }), "canview capture mode active"],
			[aController({ settings: { ...DEFAULT_SETTINGS, logging } }), "debug capture active"],
		] as const;
		for (const [controller, refusal] of rows)
			assert.deepEqual([modeRefusal(controller, MAP), modeRefusal(controller, STOCK)], [refusal, ""]);
	});
});
