/**
 * A button on the steering wheel: a signal of the car that has one value while it is pressed. It is read from the latest frames when somebody
 * asks, so it costs the control tick nothing.
 */

import type { Settings } from "../settings/settings.js";
import { DashboardSlot } from "../vehicle/dashboard.js";
import type { LatestFrames } from "../vehicle/latest-frames.js";
import { VALUE_TOLERANCE } from "../vehicle/mapped-inputs.js";

/** A value that is older does not count. Source: docs/decisions.md P28. */
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

	/** @returns 1 pressed, 0 not, -1 there is none, or no fresh value. Never throws. */
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
