/**
 * Dumps of frames that passed: bus filters (docs/api.md, "CAN buses"), and text forms: the reference's table,
 * `candump -L`, SavvyCAN's CSV, and our CAN log. C writes the lines.
 */

import { lowerCase } from "../text/characters.js";

/** Bits of rows: received on a bus (1, 4), sent (2, 8). */
export const RECEIVED_ROWS = 1 | 4;
export const SENT_ROWS = 2 | 8;
const CHASSIS_ROWS = 1 | 2;
const COUPLING_ROWS = 4 | 8;

interface BusFilter {
	readonly name: "all" | "chassis" | "haldex";
	readonly rows: number;
}

/** The default. */
export const ALL_BUSES: BusFilter = Object.freeze({ name: "all", rows: CHASSIS_ROWS | COUPLING_ROWS });
const ONLY_CHASSIS: BusFilter = Object.freeze({ name: "chassis", rows: CHASSIS_ROWS });
const ONLY_COUPLING: BusFilter = Object.freeze({ name: "haldex", rows: COUPLING_ROWS });

/** In any letter case; undefined and "" mean all. @returns undefined for an unknown one */
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

/** As `modules/frame-text/frame_text.h` numbers them. */
export const LOG_FORMAT = 3;
export const GVRET_FORMAT = 4;

/** Limit for the lines of one frame. */
export const FRAME_BYTES = 144;

interface DumpFormat {
	readonly number: number;
	readonly name: string;
	readonly contentType: string;
	readonly fileName: string;
	head(windowMs: number, filter: BusFilter): string;
}

/** Source: docs/api.md, "CAN buses"; names of files: "Names of other firmware". */
export const DUMP_FORMATS: readonly DumpFormat[] = Object.freeze([
	{
		number: 0,
		name: "text",
		contentType: "text/plain",
		fileName: "openhaldex-can-dump.txt",
		head: (windowMs: number, filter: BusFilter) =>
			`OpenHaldex CAN dump\nwindow_ms=${windowMs} bus=${filter.name}\nts_ms\tbus\tdir\tgen\tid\tdlc\tdata\n`,
	},
	{ number: 1, name: "candump", contentType: "text/plain", fileName: "openhaldex-can-dump.log", head: () => "" },
	{
		number: 2,
		name: "savvycan",
		contentType: "text/csv",
		fileName: "openhaldex-can-dump.csv",
		head: () => "Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8\n",
	},
]);
