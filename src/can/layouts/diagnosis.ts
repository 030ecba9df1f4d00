/**
 * Identifiers of diagnosis: on which of them the coupling's control unit is asked, and on which others may be asking control units.
 * A pure table. Source: docs/control-and-can.md 5.3, 5.4.
 */

import { identifierOf } from "../identifier.js";

/** How a control unit is reached. */
export interface DiagnosisRoute {
	/** As the interface names it. */
	readonly name: string;
	/** Identifiers without their type. */
	readonly requestId: number;
	readonly responseId: number;
	/** True: both have 29 bits. */
	readonly extended: boolean;
}

/** By UDS, in the order in which they are tried. Source: docs/control-and-can.md 5.3. */
export const UDS_ROUTES: readonly DiagnosisRoute[] = Object.freeze([
	{ name: "allwheel-70f", requestId: 0x70f, responseId: 0x779, extended: false },
	{ name: "allwheel-71d", requestId: 0x71d, responseId: 0x787, extended: false },
	{ name: "allwheel-29bit", requestId: 0x1c40000f, responseId: 0x1c42000f, extended: true },
]);

/** The coupling's address on TP2.0. Source: docs/control-and-can.md 5.4. */
export const KWP_ADDRESS = 0x0a;

/** By KWP2000: where a channel of TP2.0 is asked for. Source: docs/control-and-can.md 5.4. */
export const KWP_ROUTE: DiagnosisRoute = Object.freeze({
	name: "allwheel-kwp-tp20",
	requestId: 0x200,
	responseId: 0x200 + KWP_ADDRESS,
	extended: false,
});

/**
 * Ranges of identifiers, see `identifierOf`, on which a tester sends: set-ups of TP2.0, UDS requests to any control unit, what is said over the
 * channels of TP2.0, requests of OBD to all, with 29 bits on our own route and of OBD.
 * Source: docs/control-and-can.md 4.1, 5.3, 5.4; of OBD with 29 bits: ISO 15765-4.
 */
export const TESTERS: readonly (readonly [first: number, last: number])[] = Object.freeze([
	[0x200, 0x200],
	[0x700, 0x71f],
	[0x740, 0x764],
	[0x7df, 0x7df],
	[identifierOf(0x1c40000f, true), identifierOf(0x1c40000f, true)],
	[identifierOf(0x18da0000, true), identifierOf(0x18dbffff, true)],
]);
