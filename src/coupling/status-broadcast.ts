/** The status frame 0x6B0 on the chassis bus: what other displays in the car read. Source: docs/control-and-can.md 4.3, docs/decisions.md 8. */

import type { ModeNumber } from "../lock/modes.js";

export const STATUS_ID = 0x6b0;
export const STATUS_PERIOD_MS = 200;
export const STATUS_DLC = 8;

/**
 * Writes the eight bytes into `into`. Speed (km/h) and pedal (percent) saturate at 255; nothing is allocated; never throws.
 * @param engagementRaw 0..255 @param lockPercent 0..100, truncated @param mode number of the mode in force
 */
export function writeStatus(
	into: Uint8Array,
	standalone: boolean,
	engagementRaw: number,
	lockPercent: number,
	speedKmh: number,
	modeOverride: boolean,
	mode: ModeNumber,
	pedalPercent: number,
): void {
	into[0] = 0;
	into[1] = standalone ? 1 : 0;
	into[2] = engagementRaw;
	into[3] = lockPercent;
	into[4] = speedKmh > 255 ? 255 : speedKmh;
	into[5] = modeOverride ? 1 : 0;
	into[6] = mode;
	into[7] = pedalPercent > 255 ? 255 : pedalPercent;
}
