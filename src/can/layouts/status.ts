/**
 * The status frame that we send to the chassis bus, with an identifier of 11 bits: what other displays in the
 * car read. A pure table; `tools/build-catalogue.mjs` makes of it what the DBC file that we serve says of
 * this frame.
 */

import type { ByteRow } from "../signal-layout.js";

/** The frame itself. */
export const STATUS_FRAME = Object.freeze({
	dbc: "OpenCoupling_Status",
	id: 0x6b0,
	periodMs: 200,
	dlc: 8,
	source: "firmware, 4.3: the frame",
});

/* Its bytes, a table each. */

/** 0. */
export const UNUSED: ByteRow = Object.freeze({ dbc: "(unused)", at: 0, unit: "", source: "firmware, 4.3: the table" });
/** 1 in standalone operation, else 0. */
export const STANDALONE: ByteRow = Object.freeze({ dbc: "Standalone", at: 1, unit: "", source: "firmware, 4.3: the table" });
/** Engagement as the coupling reports it, raw: 0..255. */
export const ENGAGEMENT: ByteRow = Object.freeze({ dbc: "Engagement_Raw", at: 2, unit: "", source: "firmware, 4.3: the table" });
/** Lock that is asked for, 0..100, truncated. */
export const LOCK: ByteRow = Object.freeze({ dbc: "Lock_Asked", at: 3, unit: "%", source: "firmware, 4.3: the table" });
/** Truncated; 255 = that or more. */
export const SPEED: ByteRow = Object.freeze({
	dbc: "Speed",
	at: 4,
	unit: "km/h",
	source: "firmware, 4.3: the table; docs/decisions.md 8: it ends at 255",
});
/** 0; in the reference a mode override, which nothing sets. */
export const MODE_OVERRIDE: ByteRow = Object.freeze({
	dbc: "Mode_Override",
	at: 5,
	unit: "",
	source: "firmware, 4.3: the table",
});
/** The number of the active mode, 0..10; on request that of OpenHaldex-C6, 0..5 and 255. */
export const MODE: ByteRow = Object.freeze({ dbc: "Mode", at: 6, unit: "", source: "firmware, 4.3: the table" });
/** Truncated, as received: above 100, too, and at most 255. */
export const PEDAL: ByteRow = Object.freeze({
	dbc: "Pedal",
	at: 7,
	unit: "%",
	source: "firmware, 4.3: the table; docs/decisions.md 8: it ends at 255",
});
