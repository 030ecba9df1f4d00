/**
 * The lock core: how much lock is asked for now. The mode's preset, map or curve gives the target; a closed
 * gate makes it 0; while the driver steers only a part of it remains; a condition may limit it; the ramps say
 * how fast the request follows. No clock, no I/O, no allocation. Source: docs/control-and-can.md 1.3 to 1.5,
 * docs/decisions.md 5 to 7.
 */

import { gatesOpen, type LockInputs } from "./gates.js";
import { curveLockPercent, mapLockPercent } from "./interpolate.js";
import { FULL_LOCK_PERCENT, MAP, type ModeNumber, NO_MODE, PRESET_LOCK_PERCENT, SPEED, THROTTLE } from "./modes.js";
import { type RampState, rampLock } from "./ramp.js";
import type { Tuning } from "./tuning.js";

const fround = Math.fround;

/** 100 % falls to 0 in this time: a flickering signal does not snap the axle. Source: docs/decisions.md 41. */
const GAIN_FADE_MS = 500;
/** The whole target remains. Source: docs/decisions.md 41. */
export const FULL_GAIN_PERCENT = 100;

/**
 * While the driver steers only a part of the target remains, so that a closed coupling does not work against
 * a tight corner. It falls linearly between two angles of the steering wheel (magnitudes). Source:
 * docs/decisions.md 41.
 */
export interface SteeringGain {
	/** Up to this angle the whole target remains; 0 and more. */
	readonly startDeg: number;
	/**
	 * `leastPercent` remains from this angle on. If it is not above `startDeg`, the gain drops to `leastPercent`
	 * just above `startDeg`.
	 */
	readonly fullDeg: number;
	/** Part that remains in the tightest corner, 0..100. */
	readonly leastPercent: number;
	/** Part that remains while no valid angle is known, 0..100. */
	readonly lostPercent: number;
}

/** Part of a target that remains at an angle, 0..100. @param angleDeg magnitude, 0 and more; never NaN */
export function steeringGainPercent({ startDeg, fullDeg, leastPercent }: SteeringGain, angleDeg: number): number {
	if (angleDeg <= startDeg) return FULL_GAIN_PERCENT;
	if (angleDeg >= fullDeg) return leastPercent;
	return fround(FULL_GAIN_PERCENT - ((FULL_GAIN_PERCENT - leastPercent) * (angleDeg - startDeg)) / (fullDeg - startDeg));
}

/** The part of a target that a gain leaves, 0..100, in single precision. Both are 0..100. */
export function withGain(targetPercent: number, gainPercent: number): number {
	return fround((targetPercent * gainPercent) / FULL_GAIN_PERCENT);
}

/** Moves a gain, 0..100, towards `wantedPercent` by no more than the time allows. @param elapsedMs >= 0 */
export function fadeGain(gainPercent: number, wantedPercent: number, elapsedMs: number): number {
	const stepPercent = (elapsedMs * FULL_GAIN_PERCENT) / GAIN_FADE_MS;
	if (wantedPercent > gainPercent + stepPercent) return fround(gainPercent + stepPercent);
	return wantedPercent < gainPercent - stepPercent ? fround(gainPercent - stepPercent) : wantedPercent;
}

/** Kept from step to step. */
export interface LockState extends RampState {
	/** All gates of the mode are open. */
	gateOpen: boolean;
	/** How long they have been so; counts no further than the dwell. */
	gateHeldMs: number;
	/** The inputs from which `targetPercent` was computed: it is computed anew only when one changes. */
	speedKmh: number;
	pedalPercent: number;
	rpm: number;
	tuning: Tuning | undefined;
	/**
	 * Lock of preset, curve or map with the steering gain, as of the last step with open gates, without gate
	 * and limit; 0..100, NaN before the first such step.
	 */
	targetPercent: number;
	/** Part of a target that remains while the driver steers, 0..100. See `setGain`. */
	gainPercent: number;
}

/** The state at boot and in stock: no mode, no lock, the whole gain. */
export function newLockState(): LockState {
	const unknown = Number.NaN;
	const target = { speedKmh: unknown, pedalPercent: unknown, rpm: unknown, tuning: undefined, targetPercent: unknown };
	return { lockPercent: 0, mode: NO_MODE, gateOpen: false, gateHeldMs: unknown, ...target, gainPercent: FULL_GAIN_PERCENT };
}

/**
 * One step of the control tick: gates, target, limit, ramp; writes `state`. Allocates nothing.
 * @param mode active mode, 1..10; another one than in the last step begins its gates anew
 * @param inputs those that `mode` needs are valid; the others have no effect
 * @param elapsedMs since the last step, >= 0
 * @param limitPercent limit of the conditions, 0..100
 * @returns the request, 0..100; also in `state.lockPercent`
 */
export function stepLock(
	state: LockState,
	mode: ModeNumber,
	inputs: LockInputs,
	tuning: Tuning,
	elapsedMs: number,
	limitPercent = FULL_LOCK_PERCENT,
): number {
	if (mode !== state.mode) {
		// a mode's gate begins as its thresholds say, and may change at once
		state.mode = mode;
		state.tuning = undefined;
		state.gateOpen = gatesOpen(mode, inputs, tuning, 0, 0);
		state.gateHeldMs = tuning.dwellMs;
	} else if (state.gateHeldMs < tuning.dwellMs) state.gateHeldMs += elapsedMs;
	else {
		const open = state.gateOpen
			? gatesOpen(mode, inputs, tuning, tuning.hysteresisKmh, tuning.hysteresisPercent)
			: gatesOpen(mode, inputs, tuning, 0, 0);
		if (open !== state.gateOpen) {
			state.gateOpen = open;
			state.gateHeldMs = 0;
		}
	}
	let targetPercent = state.gateOpen ? knownTarget(state, mode, inputs, tuning) : 0;
	if (targetPercent > limitPercent) targetPercent = limitPercent;
	if (targetPercent === state.lockPercent) return targetPercent;
	return rampLock(state, targetPercent, elapsedMs, tuning.engageRatePercentPerS, tuning.releaseRatePercentPerS);
}

/** `targetLockPercent` with the gain, computed only if an input, the tuning or the gain has changed. */
function knownTarget(state: LockState, mode: ModeNumber, inputs: LockInputs, tuning: Tuning): number {
	const isKnown = inputs.speedKmh === state.speedKmh && inputs.pedalPercent === state.pedalPercent && inputs.rpm === state.rpm;
	if (isKnown && tuning === state.tuning) return state.targetPercent;
	state.speedKmh = inputs.speedKmh;
	state.pedalPercent = inputs.pedalPercent;
	state.rpm = inputs.rpm;
	state.tuning = tuning;
	let targetPercent = targetLockPercent(mode, inputs, tuning);
	if (state.gainPercent !== FULL_GAIN_PERCENT) targetPercent = withGain(targetPercent, state.gainPercent);
	state.targetPercent = targetPercent;
	return targetPercent;
}

/** Lock of `mode` while its gates are open: preset, curve or map, 0..100. @param mode 1..10 */
export function targetLockPercent(mode: ModeNumber, inputs: LockInputs, tuning: Tuning): number {
	if (mode < SPEED) return PRESET_LOCK_PERCENT[mode];
	const pedal = inputs.pedalPercent;
	const pedalPercent = pedal < 0 ? 0 : pedal > 100 ? 100 : pedal;
	if (mode === MAP) return mapLockPercent(tuning.map, pedalPercent, inputs.speedKmh);
	if (mode === SPEED) return curveLockPercent(tuning.speedCurve, inputs.speedKmh);
	if (mode === THROTTLE) return curveLockPercent(tuning.throttleCurve, pedalPercent);
	return curveLockPercent(tuning.rpmCurve, inputs.rpm);
}

/** Forgets the ramp and the gate, when stock begins or ends. */
export function resetLock(state: LockState): void {
	state.lockPercent = 0;
	state.mode = NO_MODE;
}

/** Sets the part of each target that remains from the next step on, 0..100. */
export function setGain(state: LockState, gainPercent: number): void {
	state.gainPercent = gainPercent;
	// the next step computes the target anew
	state.tuning = undefined;
}

/** Target without memory, 0..100: gates open and close at their thresholds. @param mode 1..10 */
export function gatedLockPercent(mode: ModeNumber, inputs: LockInputs, tuning: Tuning): number {
	return gatesOpen(mode, inputs, tuning, 0, 0) ? targetLockPercent(mode, inputs, tuning) : 0;
}
