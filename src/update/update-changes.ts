/** Whether somebody who watches an update has seen its latest state. */

import type { Updater } from "./updater.js";

/** For one who watches: remembers the state that was last shown. */
export class UpdateChanges {
	#phase = "";
	#lastCheckMs = 0;
	/** Renewed 4 times a second while something moves. */
	#progressMs = 0;
	#installError = "";
	#confirmed = true;
	#refusal = "";
	#olderAllowed = false;

	/** True if something has changed since `seen`; at first always. */
	changed(updater: Updater): boolean {
		return (
			updater.phase !== this.#phase ||
			updater.progressMs !== this.#progressMs ||
			updater.lastCheckMs !== this.#lastCheckMs ||
			updater.installError !== this.#installError ||
			updater.confirmed !== this.#confirmed ||
			updater.refusal !== this.#refusal ||
			updater.facts.olderAllowed !== this.#olderAllowed
		);
	}

	/** Remembers the state as shown: `changed` is false until it is another. */
	seen(updater: Updater): void {
		this.#phase = updater.phase;
		this.#progressMs = updater.progressMs;
		this.#lastCheckMs = updater.lastCheckMs;
		this.#installError = updater.installError;
		this.#confirmed = updater.confirmed;
		this.#refusal = updater.refusal;
		this.#olderAllowed = updater.facts.olderAllowed;
	}
}
