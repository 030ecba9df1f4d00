/** The way back in for whoever has forgotten the password: the BOOT key, held for 10 s in a car that stands. */

import { elapsedMs } from "../clock/elapsed.js";

export const HOLD_MS = 10_000;

export class BootKey {
	#sinceMs: number | undefined;
	#done = false;

	/**
	 * Call several times per second.
	 * @param held the key is down @param stands the car certainly stands; while it may move the key counts as let go
	 * @returns true once in each hold, when it has lasted HOLD_MS
	 */
	tick(held: boolean, stands: boolean, nowMs: number): boolean {
		if (!held || !stands) {
			this.#sinceMs = undefined;
			this.#done &&= held;
			return false;
		}
		this.#sinceMs ??= nowMs;
		if (this.#done || elapsedMs(this.#sinceMs, nowMs) < HOLD_MS) return false;
		this.#done = true;
		return true;
	}
}
