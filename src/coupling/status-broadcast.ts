/**
 * What the status frame says of the controller: `can/layouts/status.ts` has its bytes.
 * Source: docs/control-and-can.md 4.3, docs/decisions.md 8.
 */

import * as status from "../can/layouts/status.js";
import { formerNumberOf, type ModeNumber } from "../lock/modes.js";

/** What the frame tells: a part of what the controller is, so that a tick allocates nothing for it. */
export interface StatusSource {
	readonly settings: { readonly standalone: boolean; readonly c6ModeNumbers: boolean };
	/** Engagement 0..255, speed in km/h, pedal in percent. */
	readonly vehicle: { readonly engagementRaw: number; readonly speedKmh: number; readonly pedalPercent: number };
	/** 0..100; the frame has it truncated. */
	readonly lockPercent: number;
	/** The active mode. */
	readonly effectiveMode: ModeNumber;
}

/** Writes the eight bytes into `into`. Speed and pedal saturate at 255. Allocates nothing, never throws. */
export function writeStatus(into: Uint8Array, { settings, vehicle, lockPercent, effectiveMode }: StatusSource): void {
	const { engagementRaw, speedKmh, pedalPercent } = vehicle;
	into[status.UNUSED.at] = 0;
	into[status.STANDALONE.at] = settings.standalone ? 1 : 0;
	into[status.ENGAGEMENT.at] = engagementRaw;
	into[status.LOCK.at] = lockPercent;
	into[status.SPEED.at] = speedKmh > 255 ? 255 : speedKmh;
	into[status.MODE_OVERRIDE.at] = 0;
	// in a byte, -1 is 255
	into[status.MODE.at] = settings.c6ModeNumbers ? formerNumberOf(effectiveMode) : effectiveMode;
	into[status.PEDAL.at] = pedalPercent > 255 ? 255 : pedalPercent;
}
