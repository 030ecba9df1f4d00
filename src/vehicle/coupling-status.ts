/** What the coupling's status frame says, for people. Source: docs/control-and-can.md 2.2. */

import { couplingOf } from "../coupling/couplings/couplings.js";

/** The bits of the state that are flags; 0 where it holds something else. Never throws. */
export function couplingFlags(state: number, generation: number): number {
	return couplingOf(generation)?.status.flags === undefined ? 0 : state;
}

/**
 * The state in words: `8 (Coupling open)`, `0 (None)`.
 * @param state raw, as reported
 * @param generation 0 = unknown. Never throws.
 */
export function couplingStateText(state: number, generation: number): string {
	const status = couplingOf(generation)?.status;
	const flags = status?.flags?.names ?? [];
	const isSet = (start: number): boolean => ((state >> (start - (status?.state.start ?? 0))) & 1) !== 0;
	const names = flags.filter(([{ start }]) => isSet(start)).map(([, name]) => name);
	return `${state} (${names.length > 0 ? names.join(", ") : "None"})`;
}
