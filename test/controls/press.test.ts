import assert from "node:assert/strict";
import { DEBOUNCE_MS, Press, PressEvent, STUCK_MS, WHEEL_FRESH_MS, WheelButton } from "../../src/controls/press.js";
import { DEFAULT_SETTINGS, type Settings } from "../../src/settings/settings.js";
import { LatestFrames } from "../../src/vehicle/latest-frames.js";
import { type Latest, LatestTable } from "../support/gateway-memory.js";

const TICK_MS = 20;
const NAMES = ["-", "down", "up", "lost"];
const BOUNCE = "1:20 0:20 1:40 0:40 1:20 0:20";

describe("controls/press", () => {
	/** Plays `reading:ms`, from a time on. @returns what happened, `down@80` */
	function play(press: Press, steps: string, fromMs = 0): string {
		const happened: string[] = [];
		let at = fromMs;
		for (const [reading, ms] of steps.split(" ").map((step) => step.split(":").map(Number)) as [number, number][])
			for (const end = at + ms; at < end; at += TICK_MS) {
				const event = press.tick(reading, at >>> 0);
				if (event !== PressEvent.NOTHING) happened.push(`${NAMES[event]}@${at - fromMs}`);
			}
		return happened.join(" ");
	}
	const names = (happened: string): string => happened.replaceAll(/@\d+/g, "");

	it("tells of a press and its end, each once it has lasted", () => {
		const press = new Press();
		assert.equal(play(press, "0:100 1:200 0:200"), `down@${100 + DEBOUNCE_MS} up@${300 + DEBOUNCE_MS}`);
		assert.deepEqual([press.down, press.heldMs(9999)], [0, 0]);
	});

	it("does not hear contacts that bounce, at its begin, in it and at its end", () => {
		assert.equal(play(new Press(), `0:100 ${BOUNCE} ${BOUNCE} 0:100`), "");
		const happened = play(new Press(), `0:100 ${BOUNCE} 1:300 ${BOUNCE} 0:300 ${BOUNCE} 0:100`);
		assert.equal(names(happened), "down up");
	});

	it("does not count one that was down when it was first read, or read again, until it was released", () => {
		for (const before of ["", "-1:300 ", "0:200 -1:20 ", "0:200 1:100 -1:20 "]) {
			const press = new Press();
			if (before !== "") play(press, before.trim());
			assert.deepEqual([play(press, "1:5000"), press.down], ["", 0], before);
			assert.equal(play(press, "0:100 1:100", 5000), `down@${100 + DEBOUNCE_MS}`);
		}
	});

	it("is lost at once when its reading becomes unknown", () => {
		const press = new Press();
		assert.equal(play(press, "0:100 2:200 -1:100"), `down@${100 + DEBOUNCE_MS} lost@300`);
		assert.equal(play(press, "-1:100 0:200", 400), "", "it was no press");
	});

	it("counts neither of two at once, nor one that came before the other was released, until all are", () => {
		const press = new Press();
		assert.equal(play(press, "0:100 3:300 1:300 0:100"), "");
		const happened = play(press, "1:200 3:200 2:200 0:200 2:100", 800);
		assert.equal(happened, `down@${DEBOUNCE_MS} lost@${200 + DEBOUNCE_MS} down@${800 + DEBOUNCE_MS}`);
		assert.equal(play(press, "1:200", 1700), `lost@${DEBOUNCE_MS}`, "one for the other");
	});

	it("is stuck after a minute, and counts again when it was released", () => {
		const happened = play(new Press(), `0:100 1:${STUCK_MS + 5000} 0:100 1:100`);
		assert.equal(names(happened), "down lost down");
		assert.equal(happened.split(" ")[1], `lost@${100 + DEBOUNCE_MS + STUCK_MS}`);
	});

	it("stops counting a spent press until it is released", () => {
		const press = new Press();
		play(press, "0:100 1:100");
		press.spend();
		assert.equal(play(press, "1:500 0:100 1:100", 200), `down@${600 + DEBOUNCE_MS}`);
	});

	it("goes on where the clock's numbers end", () => {
		for (const endMs of [0x7fffffff, 0xffffffff])
			assert.equal(names(play(new Press(), "0:100 1:200 0:100", endMs - 150)), "down up");
	});
});

const SIGNAL = "chassis|0x1a0|br1 wheel speed kmh|km/h";

describe("WheelButton", () => {
	const settingsOf = (buttonSignal: string, buttonValue: number, generation: 0 | 4 | 5 = 4): Settings => ({
		...DEFAULT_SETTINGS,
		generation,
		controls: { ...DEFAULT_SETTINGS.controls, buttonSignal, buttonValue },
	});
	/** A frame with this speed, received `ageMs` ago. */
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

	it("is pressed by the chassis bus alone, not by that identifier on the coupling bus", () => {
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

	it("is unknown without a signal, with an unknown signal and without a generation; another signal counts at once", () => {
		const button = new WheelButton(new LatestFrames(new LatestTable(shows(1, 0))));
		assert.equal(button.read(settingsOf("", 1)), -1);
		assert.equal(button.read(settingsOf("chassis|0x1a0|no such|", 1)), -1);
		assert.equal(button.read(settingsOf(SIGNAL, 1, 0)), -1);
		assert.equal(button.read(settingsOf(SIGNAL, 1)), 1);
		assert.equal(button.read(settingsOf(SIGNAL, 1, 5)), -1, "generation 5 has no such signal");
		assert.equal(button.read(settingsOf(SIGNAL, 1)), 1);
	});
});
