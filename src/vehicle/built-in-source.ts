/**
 * Mapped inputs that name the very signal which the built-in decoding reads anyway, as the recommended ones do: they need no
 * decoding of their own, only that source's precedence over the others.
 */

import type { Network } from "../can/catalogue.js";
import type { ResolvedKey } from "../can/signal-key.js";
import type { SignalRow } from "../can/signal-layout.js";

/** The key names another signal, or none. */
export const NOT_BUILT_IN = 0;
/** The key names the PQ row. */
export const PQ_SOURCE = 1;
/** The key names the MQB row. */
export const MQB_SOURCE = 2;

/**
 * Tells which built-in source a key names.
 * @param resolved the key, undefined if it names no signal
 * @param pq @param mqb the built-in signal of the channel on either network
 * @returns NOT_BUILT_IN, PQ_SOURCE or MQB_SOURCE. Never throws.
 */
export function builtInOf(network: Network, resolved: ResolvedKey | undefined, pq: SignalRow, mqb: SignalRow): number {
	const row = network === "mqb" ? mqb : pq;
	if (resolved?.bus !== "chassis" || resolved.signal.frameId !== row.id || resolved.signal.start !== row.start)
		return NOT_BUILT_IN;
	if (resolved.signal.length !== row.length) return NOT_BUILT_IN;
	return network === "mqb" ? MQB_SOURCE : PQ_SOURCE;
}
