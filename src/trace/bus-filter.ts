/** The filter of buses that requests name. Source: docs/http-api.md 3.20. */

import { lowerCase } from "../text/characters.js";

/** Rows of a frame that passed, one bit each: as it was received on a bus (1, 4), and as it was sent (2, 8). */
export const RECEIVED_ROWS = 1 | 4;
export const SENT_ROWS = 2 | 8;
const CHASSIS_ROWS = 1 | 2;
const COUPLING_ROWS = 4 | 8;

/** The buses that are wanted. */
export interface BusFilter {
	readonly name: "all" | "chassis" | "haldex";
	/** Their rows. */
	readonly rows: number;
}

/** What a request without a filter gets. */
export const ALL_BUSES: BusFilter = Object.freeze({ name: "all", rows: CHASSIS_ROWS | COUPLING_ROWS });
const ONLY_CHASSIS: BusFilter = Object.freeze({ name: "chassis", rows: CHASSIS_ROWS });
const ONLY_COUPLING: BusFilter = Object.freeze({ name: "haldex", rows: COUPLING_ROWS });

/** The filter that a text means, any letter case; undefined and "" mean all. @returns undefined for an unknown one. Never throws. */
export function parseBusFilter(text: string | undefined): BusFilter | undefined {
	switch (lowerCase(text ?? "")) {
		case "":
		case "all":
			return ALL_BUSES;
		case "chassis":
			return ONLY_CHASSIS;
		case "haldex":
		case "coupling":
			return ONLY_COUPLING;
		default:
			return undefined;
	}
}
