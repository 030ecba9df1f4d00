/**
 * The lock core: how much lock do we want now? Mode, then gates, then steering gain, then ramp, read top to bottom:
 * the mode's preset, map or curve gives the raw target; a closed gate makes it 0; the gain leaves a part of it while the driver steers;
 * the ramps limit how fast the request follows.
 * Plain data in, plain data out: no clock, no I/O, no allocation. Source: docs/control-and-can.md 1.3 to 1.5, docs/decisions.md 5 to 7.
 */

import { gatesOpen, type LockInputs } from "./gates.js";
import { curveLockPercent, mapLockPercent } from "./interpolate.js";
import { MAP, type ModeNumber, PRESET_LOCK_PERCENT, SPEED, THROTTLE } from "./modes.js";
import { FULL_GAIN_PERCENT } from "./steering-gain.js";
import type { Tuning } from "./tuning.js";

const fround = Math.fround;

/** A step after a longer pause than this follows the target at once: the last request no longer means anything. */
const RESYNCHRONISE_MS = 5000;

export interface LockState {
	/** The request, 0..100. */
	lockPercent: number;
	/** Mode of the last step, -1 = none since the last reset. */
	mode: ModeNumber;
	gateOpen: boolean;
	/** How long the gate has been as it is. */
	gateHeldMs: number;
	/** What `target` was computed from: the same gives the same. */
	speedKmh: number;
	pedalPercent: number;
	rpm: number;
	tuning: Tuning | undefined;
	/** Behind an open gate and the steering gain, 0..100. */
	target: number;
	/** What remains of a target while the driver steers, 0..100: see `takeGain`. */
	gainPercent: number;
}

/** A state that asks for nothing, as at boot and in stock. */
export function newLockState(): LockState {
	const unknown = Number.NaN;
	const target = { speedKmh: unknown, pedalPercent: unknown, rpm: unknown, tuning: undefined, target: unknown };
	return { lockPercent: 0, mode: -1, gateOpen: false, gateHeldMs: 0, ...target, gainPercent: FULL_GAIN_PERCENT };
}

/** Forgets the ramp and the gate: what entering and leaving stock means. */
export function resetLock(state: LockState): void {
	state.lockPercent = 0;
	state.mode = -1;
}

/** From the next step on so much remains of each target, 0..100. */
export function takeGain(state: LockState, gainPercent: number): void {
	state.gainPercent = gainPercent;
	// the target has to be computed anew
	state.tuning = undefined;
}

/** What a gain leaves of a target. */
export function gained(target: number, gainPercent: number): number {
	return fround((target * gainPercent) / FULL_GAIN_PERCENT);
}

/** Lock percentage that `mode` asks for while its gates are open: preset, curve or map, 0..100. Pure; never throws. */
export function targetLockPercent(mode: ModeNumber, inputs: LockInputs, tuning: Tuning): number {
	if (mode < SPEED) return PRESET_LOCK_PERCENT[mode];
	const pedal = inputs.pedalPercent;
	const pedalPercent = pedal < 0 ? 0 : pedal > 100 ? 100 : pedal;
	if (mode === MAP) return mapLockPercent(tuning.map, pedalPercent, inputs.speedKmh);
	if (mode === SPEED) return curveLockPercent(tuning.speedCurve, inputs.speedKmh);
	if (mode === THROTTLE) return curveLockPercent(tuning.throttleCurve, pedalPercent);
	return curveLockPercent(tuning.rpmCurve, inputs.rpm);
}

/** Target behind the gates taken at their thresholds, without memory: what a single look at the inputs asks for. */
export function gatedLockPercent(mode: ModeNumber, inputs: LockInputs, tuning: Tuning): number {
	return gatesOpen(mode, inputs, tuning, 0, 0) ? targetLockPercent(mode, inputs, tuning) : 0;
}

/**
 * Moves the request `elapsedMs` towards `target`. Rates in percent per second, 0 = at once.
 * @returns the new request, 0..100
 */
export function rampLock(state: LockState, target: number, elapsedMs: number, engageRate: number, releaseRate: number): number {
	const last = state.lockPercent;
	if (target === last) return last;
	const rate = target > last ? engageRate : releaseRate;
	let next = target;
	if (rate > 0 && elapsedMs <= RESYNCHRONISE_MS) {
		const step = fround(fround(rate * elapsedMs) / 1000);
		if (target > last + step) next = fround(last + step);
		else if (target < last - step) next = fround(last - step);
	}
	state.lockPercent = next;
	return next;
}

/**
 * One step of the lock core.
 * @param mode mode in force, 1..10 @param elapsedMs since the last step, >= 0 @param limitPercent no more is asked for
 * @returns the request, 0..100; also in `state.lockPercent`. Never throws.
 */
export function stepLock(
	state: LockState,
	mode: ModeNumber,
	inputs: LockInputs,
	tuning: Tuning,
	elapsedMs: number,
	limitPercent = 100,
): number {
	if (mode !== state.mode) {
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
	let target = state.gateOpen ? knownTarget(state, mode, inputs, tuning) : 0;
	if (target > limitPercent) target = limitPercent;
	if (target === state.lockPercent) return target;
	return rampLock(state, target, elapsedMs, tuning.engageRatePercentPerS, tuning.releaseRatePercentPerS);
}

/** `targetLockPercent` behind the gain, computed only if something has changed since the last step: a car's speed and pedal mostly have not. */
function knownTarget(state: LockState, mode: ModeNumber, inputs: LockInputs, tuning: Tuning): number {
	const isKnown = inputs.speedKmh === state.speedKmh && inputs.pedalPercent === state.pedalPercent && inputs.rpm === state.rpm;
	if (isKnown && tuning === state.tuning) return state.target;
	state.speedKmh = inputs.speedKmh;
	state.pedalPercent = inputs.pedalPercent;
	state.rpm = inputs.rpm;
	state.tuning = tuning;
	let target = targetLockPercent(mode, inputs, tuning);
	// a call for nothing would cost each tick in which something has changed
	if (state.gainPercent !== FULL_GAIN_PERCENT) target = gained(target, state.gainPercent);
	state.target = target;
	return target;
}

/**
 * Takes the request back to 0 within `withinMs` from full lock, faster if the driver's own release is faster.
 * For stale inputs and interventions. @returns the request, 0..100
 */
export function releaseLock(state: LockState, tuning: Tuning, elapsedMs: number, withinMs: number): number {
	const ownRate = tuning.releaseRatePercentPerS;
	const rate = 100_000 / withinMs;
	state.mode = -1;
	return rampLock(state, 0, elapsedMs, 0, ownRate === 0 || ownRate > rate ? ownRate : rate);
}
