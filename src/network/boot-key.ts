/**
 * The BOOT key, pressed by a person at the board, in a car that stands. Held for 10 s it lets an
 * owner in who has forgotten the password. Released after 2 to 10 s it proves that the owner is present.
 */

import { elapsedMs } from "../clock/elapsed.js";

/**
 * Held for this long it forgets networks and passwords: nobody does that by accident.
 * Source: README.md "Password forgotten?".
 */
export const HOLD_MS = 10_000;
/** The least that proves it. */
export const PRESS_MS = 2000;
/**
 * From one call to the next no more than this counts as held, for of a longer gap nobody saw but its end: a
 * clock that jumps makes no touch a press.
 */
export const CALL_COUNTS_MS = 200;

/** What was done with the key. */
export enum KEY {
	NOTHING = 0,
	PRESSED = 1,
	HELD = 2,
}

/** Recognizes presses of BOOT. A clock that jumps makes no press and delays none. */
export class BootKey {
	/** How long it has been held; below 0 = it counts as let go. */
	#heldMs = -1;
	#calledMs = 0;
	#done = false;

	/**
	 * Call several times per second.
	 * @param held the key is down
	 * @param stands whether the car certainly stands, asked only of a key that is or was down; while it may
	 * move the key counts as let go
	 * @returns one of `KEY`: HELD once in each hold, when it has lasted HOLD_MS; PRESSED when it was let go
	 * before, after PRESS_MS
	 */
	tick(held: boolean, stands: () => boolean, nowMs: number): number {
		const heldMs = this.#heldMs;
		const passedMs = elapsedMs(this.#calledMs, nowMs);
		this.#calledMs = nowMs;
		if (!held || !stands()) {
			const isPress = !held && !this.#done && heldMs >= PRESS_MS && stands();
			this.#heldMs = -1;
			this.#done &&= held;
			return isPress ? KEY.PRESSED : KEY.NOTHING;
		}
		this.#heldMs = heldMs < 0 ? 0 : heldMs + Math.min(CALL_COUNTS_MS, passedMs);
		if (this.#done || this.#heldMs < HOLD_MS) return KEY.NOTHING;
		this.#done = true;
		return KEY.HELD;
	}
}
