/** Which connection is closed when another client needs one, or the heap is too full for a request. */

import { type Connection, Phase } from "./connection.js";
import type { HttpLimits } from "./limits.js";

/** A client of the server. */
export interface Evictable {
	/** "" if unknown. */
	readonly address: string;
	/** undefined: the client waits for one. */
	readonly connection: Pick<Connection, "phase" | "idleMs" | "openForMs"> | undefined;
}

function connectionsOf(address: string, clients: readonly Evictable[]): number {
	let count = 0;
	for (const client of clients) if (client.connection !== undefined && client.address === address) count++;
	return count;
}

/**
 * The eviction rule. An address that has a connection keeps as many as the client's address gets, so the
 * address with the most pays first:
 * 1. what has been idle for longest, or too slow, of that client's own address or of one with no fewer
 *    connections;
 * 2. a connection of the address with the most: first what it misses least, by `Phase`, an upload last;
 * 3. for a client that has no connection at all: any that has been open for `openMs`, what is missed least
 *    first, then the oldest. So every client is served, whatever all others do.
 * @param client of `clients`; it is never the victim
 * @param onlyIdle by the first rule only
 * @returns undefined: no connection may be evicted
 */
export function victimFor<C extends Evictable>(
	client: C,
	clients: readonly C[],
	{ idleGraceMs, openMs }: HttpLimits,
	nowMs: number,
	onlyIdle = false,
): C | undefined {
	const has = connectionsOf(client.address, clients);
	const gets = client.connection === undefined ? has + 1 : has;
	const count = (other: C): number => connectionsOf(other.address, clients);
	const highest = (rank: (other: C, connection: NonNullable<C["connection"]>) => number): C | undefined => {
		let victim: C | undefined;
		let most = -1;
		for (const other of clients) {
			if (other === client || other.connection === undefined) continue;
			const value = rank(other, other.connection);
			if (value > most) [victim, most] = [other, value];
		}
		return victim;
	};
	const idle = highest((other, connection) => {
		const idleMs = connection.idleMs(nowMs);
		return idleMs >= idleGraceMs && (other.address === client.address || count(other) >= gets) ? idleMs : -1;
	});
	if (idle !== undefined || onlyIdle) return idle;
	const ofMost = highest((other, { phase }) => (count(other) > gets ? count(other) * 8 - phase : -1));
	if (ofMost !== undefined || has > 0) return ofMost;
	return highest((_other, connection) => {
		const openForMs = connection.openForMs(nowMs);
		return openForMs >= openMs ? (Phase.BODY - connection.phase) * 2 ** 32 + openForMs : -1;
	});
}
