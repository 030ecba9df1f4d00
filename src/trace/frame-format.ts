/**
 * The text forms of frames: the reference's table, the log of `candump -L`, SavvyCAN's CSV, and our CAN log. Their lines are written in C,
 * `modules/frame-text`; here is what the interface says of them.
 */

import type { BusFilter } from "./bus-filter.js";

/** As C numbers it. */
export const LOG_FORMAT = 3;
export const GVRET_FORMAT = 4;

/** Room that the lines of one frame, as received and as sent, take at the most. */
export const FRAME_BYTES = 144;

/** One form of a dump. */
export interface DumpFormat {
	/** As C numbers it. */
	readonly number: number;
	/** As in `format=`. */
	readonly name: string;
	readonly contentType: string;
	readonly fileName: string;
	/** What stands before the first line; "" = nothing. */
	head(windowMs: number, filter: BusFilter): string;
}

/** Source: docs/http-api.md 3.21. */
export const DUMP_FORMATS: readonly DumpFormat[] = Object.freeze([
	{
		number: 0,
		name: "text",
		contentType: "text/plain",
		fileName: "openhaldex-can-dump.txt",
		head: (windowMs, filter) =>
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
