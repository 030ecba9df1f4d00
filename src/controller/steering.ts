/**
 * Steering: the angle of the steering wheel, and what the lock core lets remain of a target for it. Without
 * an angle there remains what the driver chose for that. An angle that has not been valid for long enough
 * takes lock away, but gives none back. No doubt of it ends in stock: an angle never makes the controller ask
 * for more.
 * Source: docs/control-and-can.md 2.6, docs/decisions.md 41.
 */

import { networkOf } from "../coupling/couplings/couplings.js";
import { type LockState, takeGain } from "../lock/lock-core.js";
import { NO_MODE } from "../lock/modes.js";
import { FULL_GAIN_PERCENT, fadeGain, steeringGainPercent } from "../lock/steering-gain.js";
import { type Settings, type SteeringSettings, steeringKey } from "../settings/settings.js";
import { STEERING_SIGNAL_MS } from "../vehicle/mapped-inputs.js";
import { createSignalInput, type SignalInput } from "../vehicle/signal-input.js";
import type { WatchList } from "../vehicle/watch-list.js";
import { InputHealth, TICK_COUNTS_MS } from "./arbiter.js";
import { Reason } from "./reason.js";

/**
 * The input of the steering angle; undefined while the gain is off, or if the catalogue has no such signal.
 * @param watch gets the signal's frame
 */
export function steeringInput(settings: Settings, watch: WatchList): SignalInput | undefined {
	const key = settings.steeringGain.enabled ? steeringKey(settings) : "";
	return createSignalInput(key, networkOf(settings.generation), watch, STEERING_SIGNAL_MS);
}

/** Moves the gain of the lock core; what it has to say goes to the arbiter. */
export class Steering {
	/** What remains of what the mode asks for, 0..100. */
	gainPercent = FULL_GAIN_PERCENT;
	/** What it has to say; undefined = nothing. */
	reason: Reason | undefined;
	#settings: SteeringSettings;
	/** The input of the angle; undefined: no angle is needed, or the car has none. */
	input: SignalInput | undefined;
	/**
	 * An angle was lost since control began, and none has been ready since: one that flickers moves
	 * nothing.
	 */
	#flickers = false;
	readonly #health = new InputHealth();
	readonly #lock: LockState;

	/**
	 * @param lock what the gain is for
	 * @param input see `applySettings`
	 */
	constructor(lock: LockState, settings: SteeringSettings, input: SignalInput | undefined) {
		this.#lock = lock;
		this.#settings = settings;
		this.input = input;
	}

	/**
	 * Other settings, from the next step on; the gain goes there from where it is.
	 * @param input from `steeringInput`; one of the same signal goes on with its angle
	 * @param anew of another coupling nothing is known
	 */
	applySettings(settings: SteeringSettings, input: SignalInput | undefined, anew: boolean): void {
		this.#settings = settings;
		const old = this.input;
		this.input = input;
		if (input !== undefined && input === old) return;
		if (!anew && input !== undefined && old !== undefined && input.goOnFrom(old)) return;
		this.#health.restart();
		this.#flickers = false;
	}

	/** Nothing to look after. */
	get isIdle(): boolean {
		return !this.#settings.enabled && this.gainPercent === FULL_GAIN_PERCENT;
	}

	/**
	 * One tick.
	 * @param sample and `words`, `nowMs`: as for `SignalInput.poll`
	 * @returns true if `reason` has changed
	 */
	poll(sample: Uint8Array, words: Uint16Array, nowMs: number, elapsedMs: number): boolean {
		const input = this.input;
		if (input !== undefined) {
			input.poll(sample, words, nowMs);
			const { valid } = this.#health;
			this.#health.update(input.isLive(nowMs), elapsedMs);
			if (valid && !this.#health.valid) this.#flickers = true;
		}
		// in stock nobody feels the gain
		const isStock = this.#lock.mode === NO_MODE;
		if (isStock || this.#health.ready) this.#flickers = false;
		const wanted = this.#wanted;
		const last = this.gainPercent;
		if (wanted !== last) {
			// what was between two ticks that are far apart nobody saw: more lock comes no faster for it
			const countedMs = wanted > last && elapsedMs > TICK_COUNTS_MS ? TICK_COUNTS_MS : elapsedMs;
			this.gainPercent = isStock ? wanted : fadeGain(last, wanted, countedMs);
			takeGain(this.#lock, this.gainPercent);
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

	/** The angle says nothing: it does not come, or would ask for more than without it before it may. */
	get #isLost(): boolean {
		const { valid, ready } = this.#health;
		if (ready) return false;
		return !valid || this.#flickers || steeringGainPercent(this.#settings, this.angleDeg) > this.#settings.lostPercent;
	}

	/** The angle came of late, and for long enough. */
	get valid(): boolean {
		return this.#settings.enabled && this.#health.ready;
	}
	/** Magnitude of the last angle, degrees; NaN before the first. */
	get angleDeg(): number {
		return Math.abs(this.input?.value ?? Number.NaN);
	}
}
