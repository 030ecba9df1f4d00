import assert from "node:assert/strict";
import { modeDoubt } from "../../src/controller/arbiter.js";
import { Reason } from "../../src/controller/reason.js";
import { Buttons, type ButtonsController, DWELL_MS, HOLD_MS } from "../../src/controls/buttons.js";
import { DEBOUNCE_MS, STUCK_MS } from "../../src/controls/press.js";
import { MODES, type ModeNumber, NO_MODE } from "../../src/lock/modes.js";
import { ControlsService } from "../../src/runtime/controls-service.js";
import { DEFAULT_SETTINGS, isVerboseLogging, type Settings } from "../../src/settings/settings.js";
import { LatestFrames } from "../../src/vehicle/latest-frames.js";
import { LatestTable } from "../support/gateway-memory.js";

const TICK_MS = 20;
const [STOCK, , LOCKED, , , LITTLE] = [0, 1, 2, 3, 4, 5];
const MAP = 9;

/** A driver at the buttons of a controller that remembers what was asked of it. */
class Driver {
	atMs = 10_000;
	wheel = -1;
	/** `1040 MAP`, `2000 hold 5050`, `3000 hold none`: what was changed, and when. */
	readonly changes: string[] = [];
	readonly log: string[] = [];
	settings: Settings;
	captureActive = false;
	readonly #buttons: Buttons;

	/** At the buttons for 200 ms, so that a press may begin. */
	static ready(mode: ModeNumber, changes: Partial<Settings> = {}): Driver {
		const driver = new Driver(mode, changes);
		driver.keep(0, 200);
		return driver;
	}

	constructor(mode: ModeNumber, changes: Partial<Settings> = {}) {
		const controls = { ...DEFAULT_SETTINGS.controls, heldMode: LOCKED };
		this.settings = { ...DEFAULT_SETTINGS, mode, disableController: mode === STOCK, controls, ...changes };
		const driver = this;
		const controller: ButtonsController = {
			get settings() {
				return driver.settings;
			},
			selectMode: (chosen) => {
				const { captureActive, settings } = driver;
				const doubt = modeDoubt({ capture: captureActive, verboseLogging: isVerboseLogging(settings.logging) }, chosen);
				if (doubt !== undefined) return doubt;
				driver.changes.push(`${driver.atMs - 10_000} ${MODES[chosen]}`);
				driver.choose(chosen);
				return undefined;
			},
			supervisor: {
				get selectedMode() {
					return driver.captureActive ? STOCK : driver.settings.mode;
				},
				holdMode: (held) => {
					driver.changes.push(`${driver.atMs - 10_000} hold ${held === NO_MODE ? "none" : MODES[held]}`);
				},
			},
		};
		this.#buttons = new Buttons(controller, (message, doubt) => {
			this.log.push(doubt === undefined ? message : `${message}: ${doubt}`);
		});
	}

	choose(mode: ModeNumber): void {
		this.settings = { ...this.settings, mode, disableController: mode === STOCK };
	}

	/** Keeps these buttons pressed for `ms`. @returns what has changed meanwhile */
	keep(board: number, ms: number): string[] {
		const before = this.changes.length;
		for (const end = this.atMs + ms; this.atMs < end; this.atMs += TICK_MS) this.#buttons.tick(board, this.wheel, this.atMs);
		return this.changes.slice(before);
	}

	/** When something was last changed. */
	get endedMs(): number {
		return 10_000 + Number.parseInt(this.changes.at(-1) ?? "", 10);
	}

	/** Presses in a row, as fast as they count. */
	press(count: number): string[] {
		return Array.from({ length: count }, () => [...this.keep(1, 80), ...this.keep(0, 80)]).flat();
	}

	/** A press of 100 ms, and 100 ms of rest. */
	tap(button = 1): string[] {
		return [...this.keep(button, 100), ...this.keep(0, 100)];
	}
}

const what = (changes: readonly string[]): string[] => changes.map((change) => change.slice(change.indexOf(" ") + 1));
const times = (changes: readonly string[]): number[] => changes.map((change) => Number.parseInt(change, 10));

describe("controls/buttons", () => {
	it("go through the favourites, in the driver's order and round, with either button", () => {
		const driver = Driver.ready(STOCK);
		for (const [button, mode] of [
			[1, "MAP"],
			[2, "8020"],
			[1, "5050"],
			[2, "STOCK"],
			[1, "MAP"],
		] as const) {
			assert.deepEqual(what(driver.tap(button)), [mode]);
			driver.keep(0, DWELL_MS);
		}
		assert.equal(driver.log[1], "the external button selects 8020");
		assert.deepEqual(what(Driver.ready(7).tap()), ["STOCK"], "the first, from any other mode");
	});

	it("come as far as they were pressed, but change the mode no sooner than 300 ms after the last time", () => {
		const driver = Driver.ready(STOCK);
		const changes = [...driver.press(4), ...driver.keep(0, 1000)];
		assert.deepEqual(what(changes), ["MAP", "8020", "STOCK"], "past 5050");
		const [first = 0, second = 0, third = 0] = times(changes);
		assert.deepEqual([second - first, third - second], [DWELL_MS, DWELL_MS]);
	});

	it("change nothing if a client has selected a mode since the press, or it is selected already", () => {
		const driver = Driver.ready(STOCK);
		driver.tap();
		driver.keep(1, 100);
		driver.keep(0, DEBOUNCE_MS + TICK_MS);
		driver.choose(3);
		assert.deepEqual(driver.keep(0, 1000), []);
		const round = Driver.ready(STOCK, { controls: { ...DEFAULT_SETTINGS.controls, favourites: "STOCK MAP" } });
		assert.deepEqual(what([...round.press(4), ...round.keep(0, 1000)]), ["MAP", "STOCK"]);
	});

	it("never change the mode faster than a gate, with 1,000 presses in a minute, of any rhythm", () => {
		for (const [down, up] of [
			[60, 60],
			[80, 40],
			[120, 80],
		] as const) {
			const driver = Driver.ready(STOCK);
			for (let i = 0; i < 1000; i++) {
				driver.keep(i % 7 === 3 ? 2 : 1, down);
				driver.keep(0, up);
			}
			const at = times(driver.changes);
			for (let i = 1; i < at.length; i++) assert.ok(at[i]! - at[i - 1]! >= DWELL_MS, `${at[i]} after ${at[i - 1]}`);
		}
	});

	it("hold a mode from 1 s on until let go, which selects nothing", () => {
		const driver = Driver.ready(MAP);
		const changes = [...driver.keep(1, 3000), ...driver.keep(0, 1000)];
		assert.deepEqual(what(changes), ["hold 5050", "hold none"]);
		const [from = 0, to = 0] = times(changes);
		assert.equal(from, 200 + DEBOUNCE_MS + HOLD_MS);
		assert.equal(to, 3200 + DEBOUNCE_MS);
		assert.deepEqual(driver.log, ["the mode button is held: 5050", "the held button has ended"]);
		assert.equal(driver.settings.mode, MAP);
		const short = Driver.ready(MAP);
		const [begin = 0, end = 0] = times([...short.keep(1, DEBOUNCE_MS + HOLD_MS + TICK_MS), ...short.keep(0, 1000)]);
		assert.equal(end - begin, DWELL_MS, "never a flicker");
	});

	it("end a held mode after a minute, for an unknown reading, and when the other button is pressed", () => {
		const stuck = Driver.ready(MAP);
		assert.equal(times(stuck.keep(1, 3 * STUCK_MS)).at(-1), 200 + DEBOUNCE_MS + STUCK_MS);
		const lost = Driver.ready(MAP);
		lost.keep(2, 1100);
		assert.deepEqual(what(lost.keep(-1, TICK_MS)), ["hold none"], "at once");
		assert.deepEqual(lost.keep(2, 5000), []);
		assert.equal(lost.log.at(-1), "the held button is not read any more");
		const both = Driver.ready(MAP);
		both.keep(1, 2000);
		assert.deepEqual(what(both.keep(3, 5000)), ["hold none"]);
		assert.deepEqual([...both.keep(1, 5000), ...both.keep(0, 1000)], []);
	});

	it("end what they hold when STOCK is chosen, or a capture begins, and don't return before they were let go", () => {
		for (const end of [(driver: Driver) => driver.choose(STOCK), (driver: Driver) => (driver.captureActive = true)]) {
			const driver = Driver.ready(MAP);
			driver.keep(1, 1100);
			end(driver);
			assert.deepEqual(what(driver.keep(1, TICK_MS)), ["hold none"], "at once");
			driver.captureActive = false;
			driver.choose(MAP);
			assert.deepEqual([...driver.keep(1, 5000), ...driver.keep(0, 500)], []);
		}
	});

	it("end a held mode when the driver sets another one, which the next hold selects", () => {
		const driver = Driver.ready(MAP);
		driver.keep(1, 1500);
		driver.settings = { ...driver.settings, controls: { ...driver.settings.controls, heldMode: LITTLE } };
		assert.deepEqual(what(driver.keep(1, TICK_MS)), ["hold none"], "at once");
		assert.deepEqual([...driver.keep(1, 5000), ...driver.keep(0, 500)], []);
		assert.deepEqual(what(driver.keep(1, 1500)), [`hold ${MODES[LITTLE]}`]);
	});

	it("hold no longer, and nothing else, because a clock jumps", () => {
		const back = Driver.ready(MAP);
		back.keep(1, DEBOUNCE_MS + HOLD_MS + 2 * TICK_MS);
		back.atMs -= 50_000;
		const until = back.atMs + DWELL_MS + DEBOUNCE_MS + 2 * TICK_MS;
		assert.deepEqual(what(back.keep(0, 1000)), ["hold none"]);
		assert.ok(back.endedMs <= until, `let go after ${back.endedMs - back.atMs + 1000} ms`);
		const on = Driver.ready(MAP);
		on.keep(1, 100);
		on.atMs += 5000;
		assert.deepEqual(what([...on.keep(1, 100), ...on.keep(0, 500)]), ["8020"], "a press, not a long one");
	});

	it("hold nothing in STOCK, and that long press selects nothing either", () => {
		const driver = Driver.ready(STOCK);
		assert.deepEqual([...driver.keep(1, 3000), ...driver.keep(0, 500)], []);
		const disabled = Driver.ready(MAP, { disableController: true });
		assert.deepEqual([...disabled.keep(1, 3000), ...disabled.keep(0, 500)], []);
	});

	it("do nothing when held at the start, until let go", () => {
		const driver = new Driver(MAP);
		assert.deepEqual([...driver.keep(1, 5000), ...driver.keep(0, 500)], []);
		assert.deepEqual(what(driver.tap()), ["8020"]);
	});

	it("select nothing while a request can't, but STOCK, and say why", () => {
		const driver = Driver.ready(STOCK);
		driver.captureActive = true;
		assert.deepEqual(driver.tap(), []);
		assert.equal(driver.log.at(-1), "the mode button selects MAP: capture");
		const verbose = Driver.ready(STOCK, { logging: { ...DEFAULT_SETTINGS.logging, can: true } });
		assert.deepEqual(verbose.tap(), []);
		assert.equal(verbose.log.at(-1), "the mode button selects MAP: verboseLogging");
		const stock = Driver.ready(LOCKED, { logging: { ...DEFAULT_SETTINGS.logging, can: true } });
		assert.deepEqual(what(stock.tap()), ["STOCK"]);
	});

	it("on the steering wheel select once in each press of any length, and nothing while unknown", () => {
		const driver = new Driver(LITTLE);
		driver.keep(-1, 500);
		driver.wheel = 1;
		assert.deepEqual(driver.keep(-1, 5000), [], "it was down when it was first read");
		driver.wheel = 0;
		driver.keep(-1, 200);
		driver.wheel = 1;
		assert.deepEqual(what(driver.keep(-1, 300_000)), ["5050"], "stuck");
		driver.wheel = -1;
		driver.keep(-1, 100);
		driver.wheel = 1;
		assert.deepEqual(driver.keep(-1, 5000), [], "lost and back");
		assert.deepEqual(driver.log, ["the steering wheel's button selects 5050"]);
	});

	it("are not mistaken for the inputs of brake and handbrake", () => {
		const driver = Driver.ready(MAP);
		assert.deepEqual([...driver.keep(12, 3000), ...driver.keep(0, 500)], []);
		assert.deepEqual(what([...driver.keep(13, 100), ...driver.keep(12, 200)]), ["8020"]);
	});
});

describe("the log of the buttons", () => {
	it("says why a mode can't be selected in the words in which a request is rejected", () => {
		for (const [doubt, words] of [
			[Reason.CAPTURE, "canview capture mode active"],
			[Reason.VERBOSE_LOGGING, "debug capture active"],
		] as const) {
			const log: string[] = [];
			const clock = { ticks: 0 };
			let pressed = 0;
			const port = { areThere: true, read: () => pressed, light: () => {}, follow: () => {} };
			const supervisor = { selectedMode: STOCK, holdMode: () => {} };
			const controller: ButtonsController = { settings: DEFAULT_SETTINGS, selectMode: () => doubt, supervisor };
			const frames = new LatestFrames(new LatestTable());
			const service = new ControlsService(controller, port, frames, clock as never, (line) => log.push(line));
			for (pressed of [0, 1, 0])
				for (let ms = 0; ms < 200; ms += TICK_MS) {
					clock.ticks += TICK_MS;
					service.tick();
				}
			assert.deepEqual(log, [`the mode button selects MAP: ${words}`]);
		}
	});
});

describe("outputs of brake and handbrake", () => {
	// virtual-time/board-controls.test.ts: these bits drive the outputs of these names
	it("are followed and inverted by the bits of the port: 4 for the brake, 8 for the handbrake", () => {
		const asked: number[] = [];
		const follow = (outputs: number, inverted: number) => asked.push(outputs, inverted);
		const port = { areThere: true, read: () => 0, light: () => {}, follow };
		const controls = { ...DEFAULT_SETTINGS.controls, followBrake: true, invertHandbrake: true };
		const controller = { settings: { ...DEFAULT_SETTINGS, controls } } as unknown as ButtonsController;
		new ControlsService(controller, port, new LatestFrames(new LatestTable()), { ticks: 0 } as never, () => {});
		assert.deepEqual(asked, [4, 8]);
	});
});
