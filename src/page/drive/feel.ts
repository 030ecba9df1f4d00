/**
 * What the driver feels: the phone vibrates once when the selected mode takes effect, twice when it has been
 * lost.
 */

import type { ModeState } from "../net/types";
import type { Store } from "../state/store";

/** One vibration. The other one is on, off, on. */
const IN_FORCE_MS = 80;
const LOST_MS = [60, 90, 60];

/** Call once, with what the controller tells of its modes. Without a vibrating phone nothing happens. */
export function feelModes(modes: Store<ModeState | undefined>): void {
	let last = modes.value?.effectiveMode;
	modes.follow(() => {
		const { mode, effectiveMode } = modes.value ?? {};
		const known = last !== undefined;
		const changed = effectiveMode !== last;
		last = effectiveMode;
		// browsers complain about a page that nobody has touched yet
		if (!known || !changed || !navigator.userActivation?.hasBeenActive) return;
		navigator.vibrate?.(effectiveMode === mode ? IN_FORCE_MS : LOST_MS);
	});
}
