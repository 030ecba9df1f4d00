/**
 * The BOOT key, pressed by somebody who stands at the board, in a car that stands. Held for 10 s it is the way back in for whoever has forgotten
 * the password; let go after 2 s it says that the owner is there.
 */

import { elapsedMs } from "../clock/elapsed.js";

/** Held for so long it forgets networks and passwords: nobody does that by accident. Source: README.md "Password forgotten?". */
export const HOLD_MS = 10_000;
/**
 * Let go after so long, and before that, it says that the owner is there. Chosen: a touch while cables are plugged is shorter, and might last as long
 * as half of it; twice is nearer to HOLD_MS, where who holds it too long loses his networks.
 */
export const PRESS_MS = 2000;

/** What was done with the key. */
export const KEY = Object.freeze({ NOTHING: 0, PRESSED: 1, HELD: 2 } as const);

/** Reads nothing itself: it is told whether the key is down. A clock that jumps makes no press. */
export class BootKey {
	#sinceMs: number | undefined;
	#lastMs = 0;
	#done = false;

	/**
	 * Call several times per second.
	 * @param held the key is down @param stands whether the car certainly stands, asked only of a key that is or was down; while it may move
	 *   the key counts as let go
	 * @returns one of `KEY`: HELD once in each hold, when it has lasted HOLD_MS; PRESSED when it was let go before, after PRESS_MS
	 */
	tick(held: boolean, stands: () => boolean, nowMs: number): number {
		const sinceMs = this.#sinceMs;
		if (!held && sinceMs === undefined) {
			this.#done = false;
			return KEY.NOTHING;
		}
		if (!held || !stands()) {
			const isPress = !held && !this.#done && elapsedMs(sinceMs as number, this.#lastMs) >= PRESS_MS && stands();
			this.#sinceMs = undefined;
			this.#done &&= held;
			return isPress ? KEY.PRESSED : KEY.NOTHING;
		}
		this.#sinceMs ??= nowMs;
		this.#lastMs = nowMs;
		if (this.#done || elapsedMs(this.#sinceMs, nowMs) < HOLD_MS) return KEY.NOTHING;
		this.#done = true;
		return KEY.HELD;
	}
}
