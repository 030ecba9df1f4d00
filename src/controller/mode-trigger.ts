/**
 * The mode trigger: while a condition on a signal of the car holds, another mode is in force. Whether it may be is the arbiter's business.
 * Only fresh values count: a signal that was lost starts over. Source: docs/control-and-can.md 2.7, docs/decisions.md 3.
 */

import { networkOf } from "../can/catalogue.js";
import type { Settings } from "../settings/settings.js";
import type { TriggerOperator } from "../settings/settings-table.js";
import { triggerKey } from "../settings/signal-keys.js";
import { TRIGGER_HOLD_MS } from "../vehicle/mapped-inputs.js";
import { createSignalInput, type SignalInput } from "../vehicle/signal-input.js";
import type { WatchList } from "../vehicle/watch-list.js";

/** A trigger that changed stays so for at least this long, as gates do. Source: docs/decisions.md 23. */
export const TRIGGER_DWELL_MS = 300;
/** Values that differ by no more than this are equal. Source: docs/control-and-can.md 2.7. */
const TOLERANCE = 0.001;

export class ModeTrigger {
	/** True once its signal was decoded since the trigger was made or reset. */
	seen = false;
	/** The last value, in the signal's unit, and its time, ms modulo 2^32. */
	value = 0;
	atMs = 0;
	/** What the condition says, and what is in force: that follows after TRIGGER_DWELL_MS. */
	#wanted = false;
	#holds = false;
	/** When `#holds` changed; undefined once that is TRIGGER_DWELL_MS ago. */
	#changedMs: number | undefined;
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
		if (this.#changedMs !== undefined && ((nowMs - this.#changedMs) | 0) >= TRIGGER_DWELL_MS) this.#changedMs = undefined;
		if (this.#wanted !== this.#holds && this.#changedMs === undefined) {
			this.#holds = this.#wanted;
			this.#changedMs = nowMs;
		}
		return this.#holds;
	}

	#take(value: number, atMs: number): void {
		const equal = Math.abs(value - this.#threshold) <= TOLERANCE;
		if (this.#operator === "change") {
			if (equal && this.#wasEqual === false) this.#wanted = !this.#wanted;
		} else this.#wanted = this.#compare(value, equal);
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
		this.#wanted = false;
		this.#wasEqual = undefined;
	}

	/** Forgets everything that was seen: the latch is off. */
	reset(): void {
		this.#forget();
		this.#holds = false;
		this.#changedMs = undefined;
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
