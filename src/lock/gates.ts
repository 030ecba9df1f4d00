/**
 * Gates: conditions of speed and pedal under which a mode asks for no lock. A gate opens exactly at the
 * driver's threshold (inclusive, as in the reference) and closes a hysteresis past it. Source:
 * docs/control-and-can.md 1.3, docs/decisions.md 5 and 6.
 */

import { type ModeNumber, SPEED } from "./modes.js";
import { disengageUnderKmh, type Tuning } from "./tuning.js";

/** The under-speed gate is open from this pedal on, for a launch. Source: docs/control-and-can.md 1.3. */
export const FULL_THROTTLE_PERCENT = 99;

/**
 * Below these a gate with slack is closed: a threshold of 2 km/h with 3 km/h of slack would never close
 * again. Thresholds are whole. Source: docs/decisions.md 6.
 */
const MOVING_KMH = 1;
const PRESSED_PERCENT = 1;

/** Only valid values may be used; `pedalValid` guards the full-throttle override. */
export interface LockInputs {
	/** km/h, integer. */
	speedKmh: number;
	/** Percent; may exceed 100. */
	pedalPercent: number;
	/** 1/min. */
	rpm: number;
	pedalValid: boolean;
}

type GateLimits = Pick<Tuning, "disableThrottlePercent" | "disableSpeedKmh" | "disengageUnderKmh">;

/**
 * Whether the gates of a mode are open. Pure, allocates nothing.
 * @param mode 0..10
 * @param slackKmh how far past its threshold a gate of speed stays open: 0 for a closed gate, else the hysteresis
 * @param slackPercent the same for a gate of the pedal
 */
export function gatesOpen(
	mode: ModeNumber,
	inputs: LockInputs,
	tuning: GateLimits,
	slackKmh: number,
	slackPercent: number,
): boolean {
	if (mode >= SPEED) {
		const limitKmh = disengageUnderKmh(tuning, mode);
		return (
			limitKmh === 0 ||
			(inputs.speedKmh >= limitKmh - slackKmh && inputs.speedKmh >= MOVING_KMH) ||
			(inputs.pedalValid && inputs.pedalPercent >= FULL_THROTTLE_PERCENT - slackPercent)
		);
	}
	const pedalLimit = tuning.disableThrottlePercent;
	const speedLimit = tuning.disableSpeedKmh;
	const pedal = Math.trunc(inputs.pedalPercent);
	return (
		(pedalLimit === 0 || (pedal >= pedalLimit - slackPercent && pedal >= PRESSED_PERCENT)) &&
		(speedLimit === 0 || inputs.speedKmh <= speedLimit + slackKmh)
	);
}

/** Whether a preset's closed gate is that of the pedal, not that of the speed. Pure. */
export function isPedalGateClosed({ pedalPercent, speedKmh }: LockInputs, tuning: GateLimits): boolean {
	const { disableThrottlePercent, disableSpeedKmh } = tuning;
	const isSpeedPast = disableSpeedKmh > 0 && speedKmh > disableSpeedKmh;
	return disableThrottlePercent > 0 && (Math.trunc(pedalPercent) < disableThrottlePercent || !isSpeedPast);
}
