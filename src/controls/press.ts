/**
 * Presses of a button, or of several of which one is pressed at a time. Contacts bounce, wires break, and a
 * button may be stuck or held at the start: only a press that began from a certain rest counts, once.
 */

import { elapsedMs } from "../clock/elapsed.js";
import type { Settings } from "../settings/settings.js";
import { DashboardSlot } from "../vehicle/dashboard.js";
import type { LatestFrames } from "../vehicle/latest-frames.js";
import { VALUE_TOLERANCE } from "../vehicle/mapped-inputs.js";

/**
 * A reading counts once it has stayed for this long, longer than contacts bounce. Source: docs/decisions.md
 * 42.
 */
export const DEBOUNCE_MS = 60;
/** A button that is down for longer is stuck until it is released. Source: docs/decisions.md 42. */
export const STUCK_MS = 60_000;

/** LOST: the press counts no more. */
export enum PressEvent {
	NOTHING = 0,
	DOWN = 1,
	UP = 2,
	LOST = 3,
}

const UNKNOWN = -1;

/** From readings to presses. */
export class Press {
	/** The reading of the button that is down and counts; 0 = none. */
	down = 0;
	#reading = UNKNOWN;
	#readingMs = 0;
	#certain = UNKNOWN;
	#downMs = 0;

	/**
	 * Call about 50 times a second. Two at once, one before the other was released, and one that was down
	 * when it was first read do not count.
	 * @param reading a bit for each pressed button, -1 unknown
	 */
	tick(reading: number, nowMs: number): PressEvent {
		if (reading !== this.#reading) {
			this.#reading = reading;
			this.#readingMs = nowMs;
		}
		if (reading < 0) this.#certain = UNKNOWN;
		else if (reading !== this.#certain && elapsedMs(this.#readingMs, nowMs) >= DEBOUNCE_MS) return this.#settle(reading, nowMs);
		if (this.down === 0 || (reading >= 0 && elapsedMs(this.#downMs, nowMs) < STUCK_MS)) return PressEvent.NOTHING;
		this.down = 0;
		return PressEvent.LOST;
	}

	/** `tick` would do nothing: nothing is pressed, or the reading stays unknown. */
	rests(reading: number): boolean {
		return reading <= 0 && reading === this.#certain && reading === this.#reading && this.down === 0;
	}

	/** The press counts no more until the button is released. */
	spend(): void {
		this.down = 0;
	}

	/** How long it is down. */
	heldMs(nowMs: number): number {
		return this.down === 0 ? 0 : elapsedMs(this.#downMs, nowMs);
	}

	#settle(reading: number, nowMs: number): PressEvent {
		const before = this.#certain;
		const wasDown = this.down !== 0;
		this.#certain = reading;
		const counts = before === 0 && (reading & (reading - 1)) === 0;
		this.down = counts ? reading : 0;
		this.#downMs = nowMs;
		if (counts) return PressEvent.DOWN;
		if (!wasDown) return PressEvent.NOTHING;
		return reading === 0 ? PressEvent.UP : PressEvent.LOST;
	}
}

/** Older values do not count. Source: docs/api.md, "Buttons". */
export const WHEEL_FRESH_MS = 500;
const ANY_BUS = "any|";

/** A button on the steering wheel, by its signal. */
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
