/** The status frame 0x6B0 on the chassis bus: what other displays in the car read. Source: docs/control-and-can.md 4.3, docs/decisions.md 8. */

import type { ModeNumber } from "../lock/modes.js";

/** Standard identifier, period and length of the frame. Source: docs/control-and-can.md 4.3. */
export const STATUS_ID = 0x6b0;
export const STATUS_PERIOD_MS = 200;
export const STATUS_DLC = 8;

/** What the frame tells: a part of what the controller is, so that a tick allocates nothing for it. */
export interface StatusSource {
	readonly settings: { readonly standalone: boolean };
	/** Engagement 0..255, speed in km/h, pedal in percent. */
	readonly vehicle: { readonly engagementRaw: number; readonly speedKmh: number; readonly pedalPercent: number };
	/** 0..100; the frame has it truncated. */
	readonly lockPercent: number;
	/** The mode in force. */
	readonly effectiveMode: ModeNumber;
}

/** Writes the eight bytes into `into`. Speed and pedal saturate at 255. Allocates nothing, never throws. */
export function writeStatus(into: Uint8Array, { settings, vehicle, lockPercent, effectiveMode }: StatusSource): void {
	const { engagementRaw, speedKmh, pedalPercent } = vehicle;
	into[0] = 0;
	into[1] = settings.standalone ? 1 : 0;
	into[2] = engagementRaw;
	into[3] = lockPercent;
	into[4] = speedKmh > 255 ? 255 : speedKmh;
	into[5] = 0; // in the reference a mode override, which nothing sets
	into[6] = effectiveMode;
	into[7] = pedalPercent > 255 ? 255 : pedalPercent;
}
