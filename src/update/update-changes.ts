/** Whether somebody who watches an update has seen its latest state. */

import type { Updater } from "./updater.js";

/** For one who watches: remembers the state that was last shown. */
export class UpdateChanges {
	#shown: readonly unknown[] = [];

	/** True if something has changed since `seen`; at first always. */
	changed(updater: Updater): boolean {
		return stateOf(updater).some((value, i) => value !== this.#shown[i]);
	}

	/** Remembers the state as shown: `changed` is false until it is another. */
	seen(updater: Updater): void {
		this.#shown = stateOf(updater);
	}
}

/** What is shown. The progress is renewed 4 times a second while something moves. */
function stateOf(updater: Updater): readonly unknown[] {
	const { phase, progressMs, lastCheckMs, installError, confirmed, refusal, facts } = updater;
	return [phase, progressMs, lastCheckMs, installError, confirmed, refusal, facts.olderAllowed];
}
