/** The status frame that we send to the chassis bus, with an identifier of 11 bits: what other displays in the car read. A pure table. */

/** The frame itself. */
export const STATUS_FRAME = Object.freeze({ id: 0x6b0, periodMs: 200, dlc: 8, source: "4.3: the frame" });

/** What each of its bytes is, a number without a sign. */
export const STATUS_BYTES = Object.freeze({
	/** 0. */
	unused: 0,
	/** 1 in standalone operation, else 0. */
	standalone: 1,
	/** Engagement as the coupling reports it, raw: 0..255. */
	engagementRaw: 2,
	/** Lock that is asked for, %, 0..100, truncated. */
	lockPercent: 3,
	/** km/h, truncated; 255 = that or more. */
	speedKmh: 4,
	/** 0; in the reference a mode override, which nothing sets. */
	modeOverride: 5,
	/** The number of the mode in force, 0..10. */
	mode: 6,
	/** %, truncated, as received: above 100, too, and at most 255. */
	pedalPercent: 7,
	source: "4.3: the table; docs/decisions.md 8: speed and pedal end at 255",
});
