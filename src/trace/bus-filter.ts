/** Names of buses and directions as clients know them, and the filter that requests name. Source: docs/http-api.md 3.20. */

import type { Bus } from "../../hal/ports.js";

export const CHASSIS: Bus = 0;
export const COUPLING: Bus = 1;

/** By bus number. */
export const BUS_NAMES = Object.freeze(["chassis", "haldex"] as const);

/** Rows of a record, one bit each: a frame as it was received on a bus (1, 4), and as it was sent (2, 8). */
export const RECEIVED_ROWS = 1 | 4;
export const SENT_ROWS = 2 | 8;
const CHASSIS_ROWS = 1 | 2;
const COUPLING_ROWS = 4 | 8;

/** The buses that are wanted. */
export interface BusFilter {
	readonly name: "all" | "chassis" | "haldex";
	readonly chassis: boolean;
	readonly coupling: boolean;
	/** Their rows of a record. */
	readonly rows: number;
}

export const ALL_BUSES: BusFilter = Object.freeze({
	name: "all",
	chassis: true,
	coupling: true,
	rows: CHASSIS_ROWS | COUPLING_ROWS,
});
const ONLY_CHASSIS: BusFilter = Object.freeze({ name: "chassis", chassis: true, coupling: false, rows: CHASSIS_ROWS });
const ONLY_COUPLING: BusFilter = Object.freeze({ name: "haldex", chassis: false, coupling: true, rows: COUPLING_ROWS });

/** The filter that a text means, any letter case; undefined and "" mean all. @returns undefined for an unknown one. Never throws. */
export function parseBusFilter(text: string | undefined): BusFilter | undefined {
	switch ((text ?? "").toLowerCase()) {
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
