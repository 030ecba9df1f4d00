/**
 * The steering gain: what remains of a target while the driver steers, so that a closed coupling does not
 * work against a tight corner. It falls linearly between two angles of the steering wheel. It comes before
 * the ramps: what it takes away and gives back goes the way of every other change of the target, the slow
 * return after an intervention included. Pure. Source: docs/decisions.md 41.
 */

const fround = Math.fround;

/**
 * From the whole gain to none, and back: neither a signal that flickers nor one that jumps snaps the axle.
 * Source: docs/decisions.md 41.
 */
const GAIN_FADE_MS = 500;
/** The whole target remains. */
export const FULL_GAIN_PERCENT = 100;

/** Angles are magnitudes of the steering wheel's, degrees; percent is what remains of a target. */
export interface SteeringGain {
	/** Up to this angle the whole target remains. */
	readonly startDeg: number;
	/** From this angle on `leastPercent` remains; if it is not above `startDeg`, behind that. */
	readonly fullDeg: number;
	readonly leastPercent: number;
	/** Remains while no valid angle is known. */
	readonly lostPercent: number;
}

/** What remains at an angle, 0..100. @param angleDeg magnitude. Allocates nothing. */
export function steeringGainPercent({ startDeg, fullDeg, leastPercent }: SteeringGain, angleDeg: number): number {
	if (angleDeg <= startDeg) return FULL_GAIN_PERCENT;
	if (angleDeg >= fullDeg) return leastPercent;
	return fround(FULL_GAIN_PERCENT - ((FULL_GAIN_PERCENT - leastPercent) * (angleDeg - startDeg)) / (fullDeg - startDeg));
}

/** What a gain leaves of a target, 0..100 both. */
export function withGain(targetPercent: number, gainPercent: number): number {
	return fround((targetPercent * gainPercent) / FULL_GAIN_PERCENT);
}

/** Moves a gain towards `wantedPercent`, by no more than the time allows. @param elapsedMs >= 0 */
export function fadeGain(gainPercent: number, wantedPercent: number, elapsedMs: number): number {
	const stepPercent = (elapsedMs * FULL_GAIN_PERCENT) / GAIN_FADE_MS;
	if (wantedPercent > gainPercent + stepPercent) return fround(gainPercent + stepPercent);
	return wantedPercent < gainPercent - stepPercent ? fround(gainPercent - stepPercent) : wantedPercent;
}
