import assert from "node:assert/strict";
import { WHEEL_FRESH_MS, WheelButton } from "../../src/controls/press.js";
import { DEFAULT_SETTINGS, type Settings } from "../../src/settings/settings.js";
import { LatestFrames } from "../../src/vehicle/latest-frames.js";
import { type Latest, LatestTable } from "../support/latest-frames.js";

const SIGNAL = "chassis|0x1a0|br1 wheel speed kmh|km/h";

describe("controls/wheel-button", () => {
	const settingsOf = (buttonSignal: string, buttonValue: number, generation: 0 | 4 | 5 = 4): Settings => ({
		...DEFAULT_SETTINGS,
		generation,
		controls: { ...DEFAULT_SETTINGS.controls, buttonSignal, buttonValue },
	});
	/** Its signal, so many ms old. */
	const shows = (kmh: number, ageMs: number): Latest => {
		const raw = (kmh * 100) << 1;
		return { bus: 0, id: 0x1a0, received: { ageMs, data: [0, 0, raw & 0xff, raw >> 8, 0, 0, 0, 0] } };
	};

	it("is pressed while its signal has the driver's value, and only while that is fresh", () => {
		const table = new LatestTable();
		const button = new WheelButton(new LatestFrames(table));
		const settings = settingsOf(SIGNAL, 50.5);
		assert.equal(button.read(settings), -1, "no frame came yet");
		for (const [kmh, ageMs, expected] of [
			[50.5, 0, 1],
			[50.51, 0, 0],
			[0, 0, 0],
			[50.5, WHEEL_FRESH_MS, 1],
			[50.5, WHEEL_FRESH_MS + 1, -1],
			[0, WHEEL_FRESH_MS + 1, -1],
		] as const) {
			table.entries.splice(0, 1, shows(kmh, ageMs));
			assert.equal(button.read(settings), expected, `${kmh} ${ageMs}`);
		}
	});

	it("is pressed by the car alone, not by what the coupling's bus sends with that identifier", () => {
		const pressed = shows(50.5, 0);
		const table = new LatestTable(shows(0, 20), { bus: 1, id: 0x1a0, received: pressed.received!, sent: pressed.received! });
		const button = new WheelButton(new LatestFrames(table));
		assert.equal(button.read(settingsOf(SIGNAL, 50.5)), 0);
		table.entries.splice(0, 1, pressed);
		assert.equal(button.read(settingsOf(SIGNAL, 50.5)), 1);
		assert.equal(button.read(settingsOf(SIGNAL.replace("chassis", "any"), 50.5)), 1, "a wheel is on the chassis bus");
		table.entries.splice(0, 1);
		assert.equal(button.read(settingsOf(SIGNAL, 50.5)), -1);
	});

	it("is none without a signal, with one that is none, and without a generation; another one counts at once", () => {
		const button = new WheelButton(new LatestFrames(new LatestTable(shows(1, 0))));
		assert.equal(button.read(settingsOf("", 1)), -1);
		assert.equal(button.read(settingsOf("chassis|0x1a0|no such|", 1)), -1);
		assert.equal(button.read(settingsOf(SIGNAL, 1, 0)), -1);
		assert.equal(button.read(settingsOf(SIGNAL, 1)), 1);
		assert.equal(button.read(settingsOf(SIGNAL, 1, 5)), -1, "generation 5 has no such signal");
		assert.equal(button.read(settingsOf(SIGNAL, 1)), 1);
	});
});
