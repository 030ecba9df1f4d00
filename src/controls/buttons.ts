/**
 * The board's buttons, and one on the steering wheel: a press selects the next of the driver's favourites,
 * and a held button of the board replaces the selected mode until it is released. Every doubt about a mode
 * counts here too, and the mode changes at most every 300 ms. Source: docs/decisions.md 3, 6 and 42.
 */

import { elapsedMs } from "../clock/elapsed.js";
import type { ModeDoubt } from "../controller/arbiter.js";
import type { Controller } from "../controller/controller.js";
import type { InputSupervisor } from "../controller/input-supervisor.js";
import { MODES, type ModeNumber, NO_MODE, STOCK } from "../lock/modes.js";
import { parseMode } from "../settings/mode-names.js";
import { Press, PressEvent } from "./press.js";

/** A longer press holds a mode. Source: docs/decisions.md 42. */
export const HOLD_MS = 1000;
/** Source: docs/decisions.md 42. */
export const DWELL_MS = 300;
/** A tick counts for no more: no jump of the clock makes a press a long one. Assumed: few ticks are as late. */
const TICK_MOST_MS = 100;

/** Both buttons in the bits of the board's readings. */
const BUTTONS = 3;
const NAMES = Object.freeze(["", "mode button", "external button"] as const);
const WHEEL = "steering wheel's button";
const NO_READING = -2;

/** The controller's part. */
export interface ButtonsController extends Pick<Controller, "settings" | "selectMode"> {
	readonly supervisor: Pick<InputSupervisor, "selectedMode" | "holdMode">;
}

/** Gets each choice, and why it is not followed. */
export type LogChoice = (message: string, doubt?: ModeDoubt) => void;

/** Times are ms of a clock that may jump. */
export class Buttons {
	readonly #controller: ButtonsController;
	readonly #log: LogChoice;
	readonly #board = new Press();
	readonly #wheel = new Press();
	/** Clock at the last tick, and ms counted since the start, modulo 2^31. */
	#tickedMs: number | undefined;
	#countedMs = 0;
	/** When a button last changed the mode; undefined once DWELL_MS ago. */
	#changedMs: number | undefined;
	/** The mode to select, the one before, and the button. */
	#wanted: ModeNumber = NO_MODE;
	#from: ModeNumber = STOCK;
	#by = "";
	#held: ModeNumber = NO_MODE;
	/** Its release is no press. */
	#isLong = false;
	/** Readings with which nothing is pressed, held or waiting. */
	#restingBoard = NO_READING;
	#restingWheel = NO_READING;

	constructor(controller: ButtonsController, log: LogChoice) {
		this.#controller = controller;
		this.#log = log;
	}

	/**
	 * Call about 50 times a second, not from the control tick.
	 * @param board `BoardControlsPort.read`
	 * @param wheel 1 pressed, 0 not, -1 unknown
	 * @param clockMs wraps at 2^31 or 2^32
	 */
	tick(board: number, wheel: number, clockMs: number): void {
		if (board === this.#restingBoard && wheel === this.#restingWheel) return;
		const nowMs = this.#count(clockMs);
		const buttons = board < 0 ? board : board & BUTTONS;
		if (this.#changedMs !== undefined && elapsedMs(this.#changedMs, nowMs) >= DWELL_MS) this.#changedMs = undefined;
		const button = this.#board.down;
		const event = this.#board.tick(buttons, nowMs);
		if (event === PressEvent.DOWN) this.#isLong = false;
		else if (event === PressEvent.UP && !this.#isLong) this.#next(NAMES[button]);
		if (this.#wheel.tick(wheel, nowMs) === PressEvent.DOWN) this.#next(WHEEL);
		if (this.#held !== NO_MODE) this.#keep(board >= 0, nowMs);
		else if (!this.#isLong && this.#board.heldMs(nowMs) >= HOLD_MS && this.#changedMs === undefined) this.#hold(nowMs);
		if (this.#wanted !== NO_MODE && this.#changedMs === undefined) this.#select(nowMs);
		const isIdle = this.#wanted === NO_MODE && this.#held === NO_MODE && this.#changedMs === undefined;
		this.#restingBoard = isIdle && this.#board.rests(buttons) && this.#wheel.rests(wheel) ? board : NO_READING;
		this.#restingWheel = wheel;
	}

	#count(clockMs: number): number {
		const passedMs = this.#tickedMs === undefined ? 0 : Math.min(TICK_MOST_MS, elapsedMs(this.#tickedMs, clockMs));
		this.#tickedMs = clockMs;
		this.#countedMs = (this.#countedMs + passedMs) & 0x7fffffff;
		return this.#countedMs;
	}

	/** STOCK is left by a press or a request, never by holding. */
	get #mayHold(): boolean {
		return this.#controller.supervisor.selectedMode !== STOCK && !this.#controller.settings.disableController;
	}

	#hold(nowMs: number): void {
		this.#isLong = true;
		if (!this.#mayHold) return;
		this.#change(this.#controller.settings.controls.heldMode, nowMs);
		this.#log(`the ${NAMES[this.#board.down]} is held: ${MODES[this.#held]}`);
	}

	/** @param isKnown the board is read */
	#keep(isKnown: boolean, nowMs: number): void {
		// another held mode takes effect with the next press
		const mayHold = this.#mayHold && this.#controller.settings.controls.heldMode === this.#held;
		if (mayHold && (this.#board.down !== 0 || (isKnown && this.#changedMs !== undefined))) return;
		// after STOCK the same press must not hold a mode again
		if (!mayHold) this.#board.spend();
		this.#change(NO_MODE, nowMs);
		this.#log(isKnown ? "the held button has ended" : "the held button is not read any more");
	}

	#change(held: ModeNumber, nowMs: number): void {
		this.#held = held;
		this.#controller.supervisor.holdMode(held);
		this.#changedMs = nowMs;
	}

	#next(by: string): void {
		const { settings, supervisor } = this.#controller;
		const names = settings.controls.favourites.split(" ");
		const before = this.#wanted === NO_MODE ? supervisor.selectedMode : this.#wanted;
		this.#wanted = parseMode(names[(names.indexOf(MODES[before]) + 1) % names.length]);
		this.#from = settings.mode;
		this.#by = by;
	}

	#select(nowMs: number): void {
		const controller = this.#controller;
		const mode = this.#wanted;
		this.#wanted = NO_MODE;
		// a client has chosen meanwhile
		if (controller.settings.mode !== this.#from || mode === controller.supervisor.selectedMode) return;
		this.#changedMs = nowMs;
		this.#log(`the ${this.#by} selects ${MODES[mode]}`, controller.selectMode(mode));
	}
}
