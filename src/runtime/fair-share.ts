/**
 * Who has to give way when all places are taken and somebody waits: who has been idle for longest, or too slow. If nobody is, the address that has
 * the most, if it has at least two more than the one that waits. So an address may have all the places while nobody else wants one (a browser with
 * four tabs needs six), and with others none can keep more than its share of them.
 */

import { elapsedMs } from "../clock/elapsed.js";
import type { Connection } from "../http/connection.js";
import type { HttpLimits } from "../http/limits.js";
import { PHASE } from "../http/phase.js";

/** A place of the server, free or taken. */
export interface Seat {
	readonly connection: Pick<Connection, "phase">;
	/** undefined = free. */
	readonly socket: object | undefined;
	readonly address: string;
}

/** Somebody who has no place yet. */
export interface Waiter {
	readonly address: string;
	readonly sinceMs: number;
}

/** In which order an address gives its connections up: first what costs the client least, last an upload. */
const ORDER: readonly number[] = Object.freeze([
	PHASE.LINGERING,
	PHASE.READING,
	PHASE.SENDING,
	PHASE.ANSWERING,
	PHASE.WAITING,
	PHASE.BODY,
]);

/**
 * The place that is to be given up for a client that has none, and has waited for `waitMs`: of those that others have held for as long, what costs
 * them least, and of these the one held for longest. So a client that has nothing is served, whatever all others do. All are taken.
 */
export function longestHeld<S extends Seat & { readonly connection: Pick<Connection, "phase" | "heldMs"> }>(
	seats: readonly S[],
	{ waitMs }: HttpLimits,
	nowMs: number,
): S | undefined {
	const rank = ({ connection }: S): number => ORDER.indexOf(connection.phase);
	let found: S | undefined;
	for (const seat of seats) {
		const heldMs = seat.connection.heldMs(nowMs);
		if (heldMs < waitMs) continue;
		const order = found === undefined ? -1 : rank(seat) - rank(found);
		if (found === undefined || order < 0 || (order === 0 && heldMs > found.connection.heldMs(nowMs))) found = seat;
	}
	return found;
}

/** Places that an address has. */
export function countOf(seats: readonly Seat[], address: string): number {
	let count = 0;
	for (const seat of seats) if (seat.socket !== undefined && seat.address === address) count++;
	return count;
}

/**
 * The place whose connection has been idle, or too slow, for longest, and at least for `idleGraceMs`; undefined if there is none. Another address
 * gives one up only if it has more of them than `address` has. All are taken.
 */
export function idlestFor<S extends Seat & { readonly connection: Pick<Connection, "idleMs"> }>(
	address: string,
	seats: readonly S[],
	{ idleGraceMs }: HttpLimits,
	nowMs: number,
): S | undefined {
	const own = countOf(seats, address);
	let idlest: S | undefined;
	let idlestMs = idleGraceMs - 1;
	for (const seat of seats) {
		const idleMs = seat.connection.idleMs(nowMs);
		if (idleMs <= idlestMs || (seat.address !== address && countOf(seats, seat.address) <= own)) continue;
		idlest = seat;
		idlestMs = idleMs;
	}
	return idlest;
}

/** The connection that has been collecting a body in memory for longest, and at least for `slowMs`. */
export function slowestBody<C extends Pick<Connection, "collectingMs">>(
	seats: readonly { readonly connection: C }[],
	{ slowMs }: HttpLimits,
	nowMs: number,
): C | undefined {
	let slowest: C | undefined;
	let slowestMs = slowMs - 1;
	for (const { connection } of seats) {
		const collectingMs = connection.collectingMs(nowMs);
		if (collectingMs > slowestMs) {
			slowest = connection;
			slowestMs = collectingMs;
		}
	}
	return slowest;
}

/**
 * Whether one of those who wait has done so for long enough to be turned away for somebody whom nobody has seen yet: `waitMs` if its address has a
 * place, `shareWaitMs` if its places and those of it that wait are more than `fairShare`. Never throws. @param waiting all, that one too
 */
export function hasWaited(
	{ address, sinceMs }: Waiter,
	waiting: readonly Waiter[],
	seats: readonly Seat[],
	{ waitMs, fairShare, shareWaitMs }: HttpLimits,
	nowMs: number,
): boolean {
	const waitedMs = elapsedMs(sinceMs, nowMs);
	const places = countOf(seats, address);
	if (waitedMs >= waitMs && places > 0) return true;
	return waitedMs >= shareWaitMs && places + waiting.filter((one) => one.address === address).length > fairShare;
}

/**
 * The connection to evict for a client of `address`, of the client with the most; undefined if nobody has enough of them.
 * @param least so many more than the client has; absent: the other keeps as many as the client gets
 */
export function greediestFor<S extends Seat>(address: string, seats: readonly S[], least = 2): S | undefined {
	let most = countOf(seats, address) + least - 1;
	let found: S | undefined;
	for (const seat of seats) {
		const count = countOf(seats, seat.address);
		const isBefore = found !== undefined && ORDER.indexOf(seat.connection.phase) < ORDER.indexOf(found.connection.phase);
		if (count > most || (count === most && isBefore)) {
			most = count;
			found = seat;
		}
	}
	return found;
}
