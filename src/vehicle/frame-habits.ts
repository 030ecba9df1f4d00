/**
 * What the car has shown of its frames since the start. It outlives the inputs that read them: other settings
 * make these anew, and a sender that hangs must not be believed for that. Source: docs/decisions.md 46, 47.
 */

import type { FrameCheck } from "../can/signal-layout.js";
import type { Car } from "../coupling/coupling.js";

/** Of one kind of frame. */
export interface FrameHabit {
	readonly check: FrameCheck;
	/** Its counter moves. */
	counts: boolean;
	/** The latest counter, -1 = none. */
	lastCount: number;
	/** Its checksums are right. */
	verifies: boolean;
}

/** There is one for each run of the controller; `WatchList` hands it on. */
export class FrameHabits {
	/** The car whose frames have told of the ignition. */
	ignitionToldBy: Car | undefined;
	/** Frames that have told a speed, by identifier: the car stands only while each of them says so. */
	readonly speedFrames: number[] = [];
	readonly #habits: FrameHabit[] = [];

	/** Of the frames that a check is for. Allocates where it is the first time. */
	of(check: FrameCheck): FrameHabit {
		const known = this.#habits.find((one) => one.check === check);
		if (known !== undefined) return known;
		const habit = { check, counts: false, lastCount: -1, verifies: false };
		this.#habits.push(habit);
		return habit;
	}
}
