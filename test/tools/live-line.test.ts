import assert from "node:assert/strict";
import { formatLine } from "../../tools/vehicle/live-line.js";

const FAST = {
	speedKmh: 249.7,
	pedalPercent: 100,
	rpm: 6500,
	mode: "THROTTLE",
	lockPercent: 100,
	engagementPercent: 99.6,
	chassisFramesPerS: 1644.2,
	couplingFramesPerS: 1640,
	dropped: 0,
};

describe("the live line", () => {
	it("shows everything that is asked of it within a terminal of 80 columns", () => {
		const line = "250 km/h  pedal 100 %  6500 rpm  THROTTLE  lock 100 %  engaged 100 %  1640 fr/s";
		assert.equal(formatLine(FAST), `${line} of 1644 sent`);
		assert.ok(line.length < 80);
	});

	it("keeps its width, and shows dashes for unknown values", () => {
		assert.equal(formatLine({ dropped: 0 }).length, formatLine(FAST).length);
		assert.match(formatLine({ dropped: 0 }), /^ +- km\/h {2}pedal +- % +- rpm {2}- +lock +- %/);
	});

	it("says when frames were dropped", () => {
		assert.match(formatLine({ ...FAST, dropped: 3 }), / dropped 3 /);
	});
});
