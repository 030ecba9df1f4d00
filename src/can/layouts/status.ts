/**
 * The status frame that we send to the chassis bus for other displays. `tools/build-catalogue.mjs` adds it to
 * the DBC file that we serve.
 */

import type { ByteRow, Source } from "../signal-layout.js";

/** The frame; its identifier has 11 bits. */
export const STATUS_FRAME = Object.freeze({
	dbc: "OpenCoupling_Status",
	id: 0x6b0,
	periodMs: 200,
	dlc: 8,
	source: "firmware, 4.3: the frame",
});

function byte(at: number, dbc: string, unit = "", source: Source = "firmware, 4.3: the table"): ByteRow {
	return Object.freeze({ dbc, at, unit, source });
}

/** Its bytes. Numbers are truncated. */
export const STATUS_BYTES = Object.freeze({
	unused: byte(0, "(unused)"),
	standalone: byte(1, "Standalone"),
	/** The coupling's report, raw. */
	engagement: byte(2, "Engagement_Raw"),
	lock: byte(3, "Lock_Asked", "%"),
	speed: byte(4, "Speed", "km/h", "firmware, 4.3: the table; docs/decisions.md 8: it ends at 255"),
	/** 0; in the reference a mode override, which nothing sets. */
	modeOverride: byte(5, "Mode_Override"),
	/** The active mode, 0..10; on request the number of OpenHaldex-C6, 0..5 and 255. */
	mode: byte(6, "Mode"),
	/** The pedal as received: above 100, too. */
	pedal: byte(7, "Pedal", "%", "firmware, 4.3: the table; docs/decisions.md 8: it ends at 255"),
});
