/**
 * Steering: the angle reduces the lock that a mode asks for. Without an angle a share remains that the driver
 * chose. An angle that has not been valid for long enough takes lock away, but gives none back. No doubt of
 * it ends in stock: it never makes the controller ask for more. Source: docs/control-and-can.md 2.6,
 * docs/decisions.md 41.
 */

import { networkOf } from "../coupling/couplings/couplings.js";
import { FULL_GAIN_PERCENT, fadeGain, type LockState, setGain, steeringGainPercent } from "../lock/lock-core.js";
import { NO_MODE } from "../lock/modes.js";
import { type Settings, type SteeringSettings, steeringKey } from "../settings/settings.js";
import { STEERING_SIGNAL_MS } from "../vehicle/mapped-inputs.js";
import { createSignalInput, type SignalInput } from "../vehicle/signal-input.js";
import type { WatchList } from "../vehicle/watch-list.js";
import { InputHealth, TICK_COUNTS_MS } from "./input-health.js";
import { Reason } from "./reason.js";

/** undefined while the gain is off, or if there is no such signal. @param watch gets its frame */
export function steeringInput(settings: Settings, watch: WatchList): SignalInput | undefined {
	const key = settings.steeringGain.enabled ? steeringKey(settings) : "";
	return createSignalInput(key, networkOf(settings.generation), watch, STEERING_SIGNAL_MS);
}

/** Moves the gain of the lock core, and tells the arbiter why. */
export class Steering {
	/** Share of the mode's lock that remains, 0..100. */
	gainPercent = FULL_GAIN_PERCENT;
	/** For the arbiter; undefined = nothing. */
	reason: Reason | undefined;
	#settings: SteeringSettings;
	/** undefined: no angle is needed, or the car has none. */
	input: SignalInput | undefined;
	/**
	 * An angle was lost since control began, and none has been ready since: one that comes and goes must not
	 * move the lock.
	 */
	#flickers = false;
	readonly #health = new InputHealth();
	readonly #lock: LockState;

	/**
	 * @param lock gets the gain
	 * @param input see `applySettings`
	 */
	constructor(lock: LockState, settings: SteeringSettings, input: SignalInput | undefined) {
		this.#lock = lock;
		this.#settings = settings;
		this.input = input;
	}

	/**
	 * From the next step on; the gain moves there from where it is.
	 * @param input from `steeringInput`; one of the same signal goes on with its angle
	 * @param anew another coupling: nothing is known of its car
	 */
	applySettings(settings: SteeringSettings, input: SignalInput | undefined, anew: boolean): void {
		this.#settings = settings;
		const old = this.input;
		this.input = input;
		if (!anew && input !== undefined && old !== undefined && input.goOnFrom(old)) return;
		this.#health.restart();
		this.#flickers = false;
	}

	/** It need not be polled. */
	get isIdle(): boolean {
		return !this.#settings.enabled && this.gainPercent === FULL_GAIN_PERCENT;
	}

	/** One tick. @returns true if `reason` has changed */
	poll(sample: Uint8Array, words: Uint16Array, nowMs: number, elapsedMs: number): boolean {
		const input = this.input;
		if (input !== undefined) {
			input.poll(sample, words, nowMs);
			const { valid } = this.#health;
			this.#health.update(input.isLive(nowMs), elapsedMs);
			if (valid && !this.#health.valid) this.#flickers = true;
		}
		const isStock = this.#lock.mode === NO_MODE;
		if (isStock || this.#health.ready) this.#flickers = false;
		const wanted = this.#wanted;
		const last = this.gainPercent;
		if (wanted !== last) {
			// more lock comes no faster for a late tick
			const countedMs = wanted > last && elapsedMs > TICK_COUNTS_MS ? TICK_COUNTS_MS : elapsedMs;
			this.gainPercent = isStock ? wanted : fadeGain(last, wanted, countedMs);
			setGain(this.#lock, this.gainPercent);
		}
		const before = this.reason;
		if (this.#settings.enabled && this.#isLost) this.reason = Reason.STEERING_LOST;
		else this.reason = this.gainPercent < FULL_GAIN_PERCENT ? Reason.STEERING : undefined;
		return this.reason !== before;
	}

	get #wanted(): number {
		if (!this.#settings.enabled) return FULL_GAIN_PERCENT;
		return this.#isLost ? this.#settings.lostPercent : steeringGainPercent(this.#settings, this.angleDeg);
	}

	/** There is no angle, or it would ask for more than its loss does before it may. */
	get #isLost(): boolean {
		const { valid, ready } = this.#health;
		if (ready) return false;
		return !valid || this.#flickers || steeringGainPercent(this.#settings, this.angleDeg) > this.#settings.lostPercent;
	}

	/** The angle is recent, and has been for long enough. */
	get valid(): boolean {
		return this.#settings.enabled && this.#health.ready;
	}
	/** Magnitude in degrees; NaN before the first. */
	get angleDeg(): number {
		return Math.abs(this.input?.value ?? Number.NaN);
	}
}
