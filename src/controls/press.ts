/**
 * What is believed of a button, or of several of which one is pressed at a time. Contacts bounce, wires
 * break, and a button may be stuck or held at the start: only a press that began from a certain rest counts,
 * and only one.
 */

import { elapsedMs } from "../clock/elapsed.js";
import type { Settings } from "../settings/settings.js";
import { DashboardSlot } from "../vehicle/dashboard.js";
import type { LatestFrames } from "../vehicle/latest-frames.js";
import { VALUE_TOLERANCE } from "../vehicle/mapped-inputs.js";

/**
 * A reading counts once it has stayed for this long: about as a tap takes, and longer than contacts bounce.
 * Source: docs/decisions.md 42.
 */
export const DEBOUNCE_MS = 60;
/**
 * Nobody holds a button for this long: it is stuck, and counts no more until it was let go.
 * Source: docs/decisions.md 42.
 */
export const STUCK_MS = 60_000;

/** What has happened: nothing, the button came down, it was let go, or its press does not count any more. */
export enum PRESS {
	NOTHING = 0,
	DOWN = 1,
	UP = 2,
	LOST = 3,
}

const UNKNOWN = -1;

/** One button, or a group of them, from reading to press. */
export class Press {
	/** The button that is down and counts, as its reading; 0 = none. */
	down = 0;
	#reading = UNKNOWN;
	#readingMs = 0;
	#certain = UNKNOWN;
	#downMs = 0;

	/**
	 * Call about 50 times a second.
	 * @param reading a bit for each pressed button, 0 without one, -1 unknown
	 * @returns one of `PRESS`. Two at once, one before the other was let go, and one that was down when it was
	 * first read do not count.
	 */
	tick(reading: number, nowMs: number): number {
		if (reading !== this.#reading) {
			this.#reading = reading;
			this.#readingMs = nowMs;
		}
		if (reading < 0) this.#certain = UNKNOWN;
		else if (reading !== this.#certain && elapsedMs(this.#readingMs, nowMs) >= DEBOUNCE_MS) return this.#settle(reading, nowMs);
		if (this.down === 0 || (reading >= 0 && elapsedMs(this.#downMs, nowMs) < STUCK_MS)) return PRESS.NOTHING;
		this.down = 0;
		return PRESS.LOST;
	}

	/** Whether `tick` would do nothing with this reading: nothing is pressed, or it is unknown, as before. */
	rests(reading: number): boolean {
		return reading <= 0 && reading === this.#certain && reading === this.#reading && this.down === 0;
	}

	/** The press does not count any more until the button is released. */
	spend(): void {
		this.down = 0;
	}

	/** How long it has been down. */
	heldMs(nowMs: number): number {
		return this.down === 0 ? 0 : elapsedMs(this.#downMs, nowMs);
	}

	#settle(reading: number, nowMs: number): number {
		const before = this.#certain;
		const wasDown = this.down !== 0;
		this.#certain = reading;
		const counts = before === 0 && (reading & (reading - 1)) === 0;
		this.down = counts ? reading : 0;
		this.#downMs = nowMs;
		if (counts) return PRESS.DOWN;
		if (!wasDown) return PRESS.NOTHING;
		return reading === 0 ? PRESS.UP : PRESS.LOST;
	}
}

/** A value that is older does not count. Source: docs/decisions.md 42. */
export const WHEEL_FRESH_MS = 500;
const ANY_BUS = "any|";

/** Reads it. Keeps the slot of the signal that it was last asked for. */
export class WheelButton {
	readonly #frames: LatestFrames;
	#slot: DashboardSlot | undefined;
	#signal = "";
	#generation = -1;

	constructor(frames: LatestFrames) {
		this.#frames = frames;
	}

	/** @returns 1 pressed, 0 released, -1 if no button is configured or its value is not fresh. */
	read({ controls, generation }: Settings): number {
		const { buttonSignal, buttonValue } = controls;
		if (buttonSignal === "" || generation === 0) return -1;
		if (this.#slot === undefined || this.#signal !== buttonSignal || this.#generation !== generation) {
			this.#signal = buttonSignal;
			// a steering wheel is on the chassis bus
			const key = buttonSignal.startsWith(ANY_BUS) ? `chassis|${buttonSignal.slice(ANY_BUS.length)}` : buttonSignal;
			this.#slot = new DashboardSlot(key, generation);
			this.#generation = generation;
		}
		const slot = this.#slot;
		slot.readReceived(this.#frames);
		if (!slot.found || slot.ageMs > WHEEL_FRESH_MS) return -1;
		return Math.abs(slot.value - buttonValue) <= VALUE_TOLERANCE ? 1 : 0;
	}
}
