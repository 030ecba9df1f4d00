import assert from "node:assert/strict";
import { BUS_OFF, STOPPED } from "../../src/can/bus.js";
import { Reason } from "../../src/controller/reason.js";
import { ledColour, MODE_COLOURS, TROUBLE_COLOUR } from "../../src/controls/led.js";
import { MODES } from "../../src/lock/modes.js";
import { aController, type ControllerChanges } from "../support/controller-view.js";

describe("controls/led", () => {
	/** The rhythm of two seconds, a letter for each 100 ms: `#` the colour, `.` dark. */
	function rhythm(changes: ControllerChanges, colour: number, fromMs = 0): string {
		const view = aController(changes);
		let text = "";
		for (let at = 0; at < 2000; at += 100) {
			const shown = ledColour(view, fromMs + at);
			assert.ok(shown === 0 || shown === colour, `${shown.toString(16)} at ${at}`);
			text += shown === 0 ? "." : "#";
		}
		return text;
	}
	const STEADY = "#".repeat(20);
	const FAST = "#.".repeat(10);
	const SLOW = "##########..........";
	const WINK = ".#########.#########";

	it("has a colour for each mode, none like another, none dazzling", () => {
		assert.equal(MODE_COLOURS.length, MODES.length);
		assert.equal(new Set(MODE_COLOURS).size, MODES.length);
		for (const colour of MODE_COLOURS)
			for (const shift of [0, 8, 16]) assert.ok(((colour >> shift) & 0xff) <= 0x40, colour.toString(16));
	});

	it("shows the active mode, steadily", () => {
		MODE_COLOURS.forEach((colour, mode) => {
			const controlActive = mode !== 0;
			assert.equal(rhythm({ selectedMode: mode, effectiveMode: mode, controlActive }, colour), STEADY);
		});
		assert.equal(rhythm({ selectedMode: 9, effectiveMode: 2 }, MODE_COLOURS[2]!), STEADY, "a condition's");
	});

	it("goes on and off for a second each while the mode that is selected waits", () => {
		const waits = { selectedMode: 5, effectiveMode: 0, controlActive: false, reason: Reason.NO_SPEED };
		assert.equal(rhythm(waits, MODE_COLOURS[5]!), SLOW);
	});

	it("winks each second while the coupling is held open or back", () => {
		for (const reason of [Reason.INTERVENTION, Reason.OPENED_BY_CONDITION, Reason.LIMITED_BY_CONDITION])
			assert.equal(rhythm({ selectedMode: 9, effectiveMode: 9, reason }, MODE_COLOURS[9]!), WINK);
	});

	it("flashes red in trouble, whatever the mode", () => {
		for (const mode of [0, 9]) {
			const modes = { selectedMode: mode, effectiveMode: mode };
			for (const reason of [Reason.FAULT, Reason.BOOT_LOOP, Reason.OVERHEATED, Reason.COUPLING_FAULT])
				assert.equal(rhythm({ ...modes, reason }, TROUBLE_COLOUR), FAST);
			for (const state of [STOPPED, BUS_OFF])
				for (const bus of ["chassisState", "couplingBusState"])
					assert.equal(rhythm({ ...modes, [bus]: state }, TROUBLE_COLOUR), FAST);
		}
	});

	it("keeps its rhythm where the clock's numbers end", () => {
		const waits = { selectedMode: 5, effectiveMode: 0, controlActive: false, reason: Reason.NO_SPEED };
		assert.match(rhythm(waits, MODE_COLOURS[5]!, 0x7fffffff - 1000), /^#*\.+#*\.*$/);
		assert.match(rhythm(waits, MODE_COLOURS[5]!, -1000), /#/);
	});
});
