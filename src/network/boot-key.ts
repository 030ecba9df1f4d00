/**
 * The BOOT key in a car that stands. Held for 10 s it lets an owner in who has forgotten the password.
 * Released after 2 to 10 s it proves that the owner is present.
 */

import { elapsedMs } from "../clock/elapsed.js";

/** Forgets networks and passwords: no accident. Source: README.md "Password forgotten?". */
export const HOLD_MS = 10_000;
/** Proves that the owner is present. */
export const PRESS_MS = 2000;
/** The most that counts between two calls, so that a clock that jumps makes no touch a press. */
export const CALL_COUNTS_MS = 200;

/** Reported by `BootKey.tick`. */
export enum KeyAction {
	NOTHING = 0,
	PRESSED = 1,
	HELD = 2,
}

/** A clock that jumps makes no press and delays none. */
export class BootKey {
	/** Below 0 = released. */
	#heldMs = -1;
	#calledMs = 0;
	#done = false;

	/**
	 * Call several times per second.
	 * @param stands the car certainly stands, asked while the key is or was down; else the key counts as
	 * released
	 * @returns HELD once in each hold, after HOLD_MS; PRESSED at a release before that, after PRESS_MS
	 */
	tick(held: boolean, stands: () => boolean, nowMs: number): number {
		const heldMs = this.#heldMs;
		const passedMs = elapsedMs(this.#calledMs, nowMs);
		this.#calledMs = nowMs;
		if (!held || !stands()) {
			const isPress = !held && !this.#done && heldMs >= PRESS_MS && stands();
			this.#heldMs = -1;
			this.#done &&= held;
			return isPress ? KeyAction.PRESSED : KeyAction.NOTHING;
		}
		this.#heldMs = heldMs < 0 ? 0 : heldMs + Math.min(CALL_COUNTS_MS, passedMs);
		if (this.#done || this.#heldMs < HOLD_MS) return KeyAction.NOTHING;
		this.#done = true;
		return KeyAction.HELD;
	}
}
