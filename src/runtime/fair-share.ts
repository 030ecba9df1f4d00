/**
 * Who has to give a place up when all are taken and somebody waits: the address that has the most, if it has at least two more than the one
 * that waits. So an address may have all the places while nobody else wants one (a browser with four tabs needs six), and with others none can
 * keep more than its share of them.
 */

import { type Connection, PHASE } from "../http/connection.js";

export interface Seat {
	readonly connection: Pick<Connection, "phase">;
	/** undefined = free. */
	readonly socket: object | undefined;
	readonly address: string;
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

/** Places that an address has. */
export function countOf(seats: readonly Seat[], address: string): number {
	let count = 0;
	for (const seat of seats) if (seat.socket !== undefined && seat.address === address) count++;
	return count;
}

/** The place that is to be given up for a client of `address`; undefined if nobody has enough of them. All are taken. */
export function greediestFor<S extends Seat>(address: string, seats: readonly S[]): S | undefined {
	let most = countOf(seats, address) + 1;
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
