/**
 * Identifiers of diagnosis, as on the bus, without their type: of the coupling's control unit, of other
 * testers, and of requests that reach the coupling in standalone operation.
 */

import { identifierOf } from "../bus.js";
import type { Source } from "../signal-layout.js";

/** How a control unit is reached. */
export interface DiagnosisRoute {
	/** Its name in the interface. */
	readonly name: string;
	/** Identifiers of requests and of answers. */
	readonly requestId: number;
	readonly responseId: number;
	/** True: both have 29 bits. False: 11. */
	readonly extended: boolean;
	readonly source: Source;
}

/** By UDS, in the order in which they are tried. */
export const UDS_ROUTES: readonly DiagnosisRoute[] = Object.freeze([
	{ name: "allwheel-70f", requestId: 0x70f, responseId: 0x779, extended: false, source: "car, 5.3: the first route" },
	{ name: "allwheel-71d", requestId: 0x71d, responseId: 0x787, extended: false, source: "firmware, 5.3: the second route" },
	{
		name: "allwheel-29bit",
		requestId: 0x1c40000f,
		responseId: 0x1c42000f,
		extended: true,
		source: "firmware, 5.3: the third route",
	},
]);

/**
 * Channels of TP2.0. A control unit that chose others for one would have us keep frames of the car back, or
 * send frames in the name of another control unit.
 */
export const TP20_IDS = Object.freeze({
	/** A channel is asked for on it; the control unit answers on this plus its address. */
	setUp: 0x200,
	/** We ask a control unit to send on it. */
	listen: 0x300,
	/** It may choose to send on these. */
	theirFirst: 0x300,
	theirLast: 0x31f,
	/** It may choose to listen to these. */
	ourFirst: 0x740,
	ourLast: 0x7bf,
	source: "bench, 5.4: set-up and 0x300; 4.1: 0x764, which a tester sends on; how far the ranges reach around these is assumed",
});

/** The coupling's address on TP2.0. Source: docs/control-and-can.md 5.4. */
export const KWP_ADDRESS = 0x0a;

/** By KWP2000, over such a channel. */
export const KWP_ROUTE: DiagnosisRoute = Object.freeze({
	name: "allwheel-kwp-tp20",
	requestId: TP20_IDS.setUp,
	responseId: TP20_IDS.setUp + KWP_ADDRESS,
	extended: false,
	source: "bench, 5.4: step 1",
});

/**
 * Ranges of identifiers, see `identifierOf`, on which a tester sends: set-ups of TP2.0, UDS requests to any
 * control unit, what is said over the channels of TP2.0, requests of OBD to all, with 29 bits on our own
 * route and of OBD. Source: docs/control-and-can.md 4.1, 5.3, 5.4; of OBD with 29 bits: ISO 15765-4.
 */
export const TESTERS: readonly (readonly [first: number, last: number])[] = Object.freeze([
	[0x200, 0x200],
	[0x700, 0x71f],
	[0x740, 0x764],
	[0x7df, 0x7df],
	[identifierOf(0x1c40000f, true), identifierOf(0x1c40000f, true)],
	[identifierOf(0x18da0000, true), identifierOf(0x18dbffff, true)],
]);

/**
 * Identifiers of requests that reach the coupling in standalone operation: what a tester sends over a channel
 * of TP2.0, set-ups of these, and requests of UDS; whom 0x710 asks no source says.
 * Source: docs/control-and-can.md 4.1.
 */
export const STANDALONE_PASSES: readonly number[] = Object.freeze([0x764, 0x200, 0x710, 0x71d, 0x70f]);
