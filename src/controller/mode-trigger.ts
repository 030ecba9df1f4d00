/**
 * The mode trigger: while a condition on a signal of the car holds, another mode is in force. Whether it may be is the arbiter's business.
 * Only fresh values count: a signal that was lost starts over. Source: docs/control-and-can.md 2.7, docs/decisions.md 3.
 */

import { networkOf } from "../can/catalogue.js";
import type { Settings, TriggerOperator } from "../settings/settings.js";
import { triggerKey } from "../settings/signal-keys.js";
import { TRIGGER_HOLD_MS } from "../vehicle/mapped-inputs.js";
import { createSignalInput, type SignalInput } from "../vehicle/signal-input.js";
import type { WatchList } from "../vehicle/watch-list.js";

/** Values that differ by no more than this are equal. Source: docs/control-and-can.md 2.7. */
const TOLERANCE = 0.001;

export class ModeTrigger {
	/** True once its signal was decoded since the trigger was made or reset. */
	seen = false;
	/** The last value, in the signal's unit, and its time, ms modulo 2^32. */
	value = 0;
	atMs = 0;
	#holds = false;
	/** Whether the last value was equal to the threshold; undefined = there is none, so that the next one is no edge. */
	#wasEqual: boolean | undefined;
	readonly #input: SignalInput | undefined;
	readonly #operator: TriggerOperator;
	readonly #threshold: number;

	/** @param input undefined: the condition never holds */
	constructor(input: SignalInput | undefined, operator: TriggerOperator, threshold: number) {
		this.#input = input;
		this.#operator = operator;
		this.#threshold = threshold;
	}

	/**
	 * One tick. @param sample as the gateway filled it @param words the same in words @param nowMs its time
	 * @returns true while the condition holds. Never throws, allocates nothing.
	 */
	poll(sample: Uint8Array, words: Uint16Array, nowMs: number): boolean {
		const input = this.#input;
		if (input === undefined) return false;
		if (input.poll(sample, words, nowMs)) this.#take(input.value, input.atMs);
		if (!input.isLive(nowMs)) this.#forget();
		return this.#holds;
	}

	#take(value: number, atMs: number): void {
		const equal = Math.abs(value - this.#threshold) <= TOLERANCE;
		if (this.#operator === "change") {
			if (equal && this.#wasEqual === false) this.#holds = !this.#holds;
		} else this.#holds = this.#compare(value, equal);
		this.#wasEqual = equal;
		this.value = value;
		this.atMs = atMs;
		this.seen = true;
	}

	#compare(value: number, equal: boolean): boolean {
		switch (this.#operator) {
			case "gt":
				return value > this.#threshold;
			case "gte":
				return value >= this.#threshold;
			case "lt":
				return value < this.#threshold;
			case "lte":
				return value <= this.#threshold;
			case "eq":
				return equal;
			default:
				return !equal;
		}
	}

	#forget(): void {
		this.#holds = false;
		this.#wasEqual = undefined;
	}

	/** Forgets everything that was seen: the latch is off. */
	reset(): void {
		this.#forget();
		this.seen = false;
		this.value = this.atMs = 0;
	}
}

/** The trigger of the settings, undefined if it is off. @param watch gets its frame. Never throws. */
export function createModeTrigger(settings: Settings, watch: WatchList): ModeTrigger | undefined {
	const { enabled, operator, value } = settings.trigger;
	if (!enabled) return undefined;
	const input = createSignalInput(triggerKey(settings), networkOf(settings.generation), watch, TRIGGER_HOLD_MS);
	return new ModeTrigger(input, operator, value);
}
