/**
 * The driver's conditions, up to eight: each compares a signal of the car with a value, and while it holds it
 * opens the coupling, limits the lock, selects a mode, or selects MAP with a stored map. Of several the first
 * that selects and the least limit count; what stands above them all is in `arbiter.ts` and
 * `lock-command.ts`. Only fresh values count. While a signal is lost mode and map are the driver's own again,
 * a limit goes on, and one that opens the coupling is not known to be over, which the arbiter answers with
 * stock. So it does while a mode's signal had no time to come yet: after a start, and after the buses were
 * interrupted. Source: docs/control-and-can.md 2.7, docs/decisions.md 3, 23.
 */

import type { KwpValue } from "../can/layouts/diagnosis-data.js";
import { networkOf } from "../coupling/couplings/couplings.js";
import { FULL_LOCK_PERCENT, MAP, type ModeNumber } from "../lock/modes.js";
import { type StoredMap, type Tuning, UNREADABLE_MAP } from "../lock/tuning.js";
import { type ConditionSettings, conditionKey, type Settings } from "../settings/settings.js";
import { CONDITION_SIGNAL_MS, DIAGNOSED_MS, diagnosedValue, VALUE_TOLERANCE } from "../vehicle/mapped-inputs.js";
import { createSignalInput, type SignalInput } from "../vehicle/signal-input.js";
import type { WatchList } from "../vehicle/watch-list.js";

const NO_LIMIT_PERCENT = FULL_LOCK_PERCENT;

/** A condition that is on: what its signal says, and whether it holds. */
export class Condition {
	/** The condition has its effect, unless something with a higher rank prevents it. */
	holds = false;
	/** The signal came recently. */
	live = false;
	/** The signal came since the condition was set or started over. */
	seen = false;
	/** The signal has not come, and there was no time yet for it to come. */
	awaited = true;
	/** The last value in the signal's unit, and when it came, ms modulo 2^32; mean nothing before `seen`. */
	value = 0;
	atMs = 0;
	readonly settings: ConditionSettings;
	/** The driver's with its map, UNREADABLE_MAP if that can't be used; undefined: it selects no map. */
	tuning: Tuning | undefined = undefined;
	/** What its signal says; `holds` follows once the state before has lasted. */
	#wanted = false;
	/** When `holds` changed; undefined once that is `holdMs` ago. */
	#changedMs: number | undefined;
	/** Whether the last value was equal to the threshold; undefined: the next one is no edge. */
	#wasEqual: boolean | undefined;
	readonly #input: SignalInput | undefined;
	/** What the control unit is asked for instead; undefined = nothing. */
	readonly asked: KwpValue | undefined;
	#isAnswered = false;

	/**
	 * @param input undefined: there is no such signal
	 * @param asked what the control unit is asked for then
	 */
	constructor(settings: ConditionSettings, input: SignalInput | undefined, asked?: KwpValue) {
		this.settings = settings;
		this.asked = asked;
		this.#input = input;
		this.awaited = input !== undefined;
		this.#forget();
	}

	/**
	 * One tick.
	 * @param sample and `words`, `nowMs`: as for `SignalInput.poll`
	 * @param early signals had no time to come yet
	 * @returns true if `holds`, `live` or `awaited` has changed
	 */
	poll(sample: Uint8Array, words: Uint16Array, nowMs: number, early: boolean): boolean {
		const input = this.#input;
		if (input === undefined) {
			if (this.#isAnswered && ((nowMs - this.atMs) | 0) > DIAGNOSED_MS) this.#isAnswered = false;
			return this.#follow(this.#isAnswered, nowMs);
		}
		if (input.poll(sample, words, nowMs)) this.#take(input.value, input.atMs);
		const wasAwaited = this.awaited;
		const changed = this.#follow(this.seen && input.isLive(nowMs), nowMs);
		this.awaited = early && !this.live;
		return changed || this.awaited !== wasAwaited;
	}

	/** The temperature that was asked for; NaN is ignored. */
	answer(celsius: number, nowMs: number): void {
		if (Number.isNaN(celsius)) return;
		this.#take(celsius, nowMs);
		this.#isAnswered = true;
	}

	#follow(live: boolean, nowMs: number): boolean {
		const wasLive = this.live;
		this.live = live;
		if (!live) this.#forget();
		const { effect, holdMs } = this.settings;
		if (this.#changedMs !== undefined && ((nowMs - this.#changedMs) | 0) >= holdMs) this.#changedMs = undefined;
		const wanted = this.#wanted;
		// what takes lock away does so at once; only its end waits
		const mayChange = this.#changedMs === undefined || (wanted && effect !== "mode" && effect !== "map");
		if (wanted === this.holds || !mayChange) return live !== wasLive;
		this.holds = wanted;
		this.#changedMs = nowMs;
		return true;
	}

	#take(value: number, atMs: number): void {
		const { operator, value: threshold } = this.settings;
		const equal = Math.abs(value - threshold) <= VALUE_TOLERANCE;
		if (operator === "change") {
			if (this.#wasEqual === undefined) this.#wanted = false;
			else if (equal && !this.#wasEqual) this.#wanted = !this.#wanted;
		} else this.#wanted = this.#compare(value, equal);
		this.#wasEqual = equal;
		this.value = value;
		this.atMs = atMs;
		this.seen = true;
	}

	#compare(value: number, equal: boolean): boolean {
		const { operator, value: threshold } = this.settings;
		switch (operator) {
			case "gt":
				return value > threshold;
			case "gte":
				return value >= threshold;
			case "lt":
				return value < threshold;
			case "lte":
				return value <= threshold;
			case "eq":
				return equal;
			default:
				return !equal;
		}
	}

	#forget(): void {
		this.#wanted = this.settings.effect === "limit";
		this.#wasEqual = undefined;
	}

	get mode(): ModeNumber {
		return this.settings.effect === "map" ? MAP : this.settings.mode;
	}

	/** Forgets everything that was seen: the latch is off. */
	reset(): void {
		this.#forget();
		this.holds = this.live = this.seen = this.#isAnswered = false;
		this.awaited = this.#input !== undefined;
		this.#changedMs = undefined;
		this.value = this.atMs = 0;
	}
}

/** What the interface sees of one. */
export type ConditionState = Readonly<Pick<Condition, "holds" | "live" | "seen" | "value" | "atMs">>;

/** The driver's conditions, and what all of them together ask for. */
export class Conditions {
	opens = false;
	/** The least that an active one allows, 1..100. */
	limitPercent = NO_LIMIT_PERCENT;
	/** The first that holds and selects a mode; undefined = none does. */
	selecting: Condition | undefined = undefined;
	/** The first that does so even while STOCK is selected. */
	selectingFromStock: Condition | undefined = undefined;
	/** The signals of all that open the coupling are there, and none that may select a mode is awaited. */
	known = true;
	/** `known` is false only because the signal of a condition that may select a mode is awaited. */
	awaited = false;
	/** Signals had no time to come yet: that begins anew at `#earlyFromMs`. */
	#early = true;
	/** undefined: with the next tick. */
	#earlyFromMs: number | undefined;
	readonly #inUse: readonly Condition[];
	/** All conditions in the order of the settings; undefined where one is off. */
	readonly #all: readonly (Condition | undefined)[];

	/** Conditions whose signal comes from asking the control unit. */
	readonly asking: readonly Condition[];

	/** @param watch gets the frames of all signals */
	constructor(settings: Settings, watch: WatchList) {
		const network = networkOf(settings.generation);
		this.#all = settings.conditions.map((one) => {
			const key = conditionKey(settings, one);
			return one.enabled
				? new Condition(
						one,
						createSignalInput(key, network, watch, CONDITION_SIGNAL_MS),
						diagnosedValue(settings.generation, key),
					)
				: undefined;
		});
		this.#inUse = this.#all.filter((one) => one !== undefined);
		this.asking = this.#inUse.filter(({ asked }) => asked !== undefined);
		this.#combine();
	}

	/** From now on their maps are these, and all else of the tuning is this. */
	useTuning(tuning: Tuning, maps: readonly StoredMap[]): void {
		for (const one of this.#inUse) {
			const { effect, map: path } = one.settings;
			if (effect !== "map") continue;
			const map = maps.find((stored) => stored.path === path)?.map ?? UNREADABLE_MAP;
			one.tuning = { ...tuning, map };
		}
	}

	/** Path of the first of their maps that can't be used; undefined = all can. */
	get unreadableMap(): string | undefined {
		return this.#inUse.find(({ tuning }) => tuning?.map === UNREADABLE_MAP)?.settings.map;
	}

	get isEmpty(): boolean {
		return this.#inUse.length === 0;
	}

	/** One tick, as `Condition.poll`. @param busesAlive frames could come since the last one */
	poll(sample: Uint8Array, words: Uint16Array, nowMs: number, busesAlive: boolean): boolean {
		if (!busesAlive || this.#earlyFromMs === undefined) {
			this.#early = true;
			this.#earlyFromMs = nowMs;
		} else if (this.#early) this.#early = ((nowMs - this.#earlyFromMs) | 0) < CONDITION_SIGNAL_MS;
		const inUse = this.#inUse;
		let changed = false;
		for (let i = 0; i < inUse.length; i++) if (inUse[i].poll(sample, words, nowMs, this.#early)) changed = true;
		if (changed) this.#combine();
		return changed;
	}

	#combine(): void {
		this.opens = false;
		this.limitPercent = NO_LIMIT_PERCENT;
		this.selecting = this.selectingFromStock = undefined;
		let isLost = false;
		let isAwaited = false;
		for (let i = 0; i < this.#inUse.length; i++) {
			const one = this.#inUse[i];
			const { holds, live, awaited, settings } = one;
			switch (settings.effect) {
				case "open":
					if (!live) isLost = true;
					if (holds) this.opens = true;
					break;
				case "limit":
					if (holds && settings.limitPercent < this.limitPercent) this.limitPercent = settings.limitPercent;
					break;
				case "mode":
				case "map":
					if (awaited) isAwaited = true;
					if (!holds) break;
					this.selecting ??= one;
					if (settings.alsoFromStock) this.selectingFromStock ??= one;
					break;
				default:
					settings.effect satisfies never;
			}
		}
		this.known = !isLost && !isAwaited;
		this.awaited = isAwaited && !isLost;
	}

	/** All start over. */
	reset(): void {
		this.#earlyFromMs = undefined;
		for (const one of this.#inUse) one.reset();
		this.#combine();
	}

	/**
	 * @param index its place in the settings
	 * @returns undefined while the condition is off, or where the list is shorter
	 */
	at(index: number): ConditionState | undefined {
		return this.#all[index];
	}
}
