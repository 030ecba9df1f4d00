/**
 * The driver's conditions, up to eight: each compares a signal with a value, and while it holds opens the
 * coupling, limits lock, or selects a mode or a stored map. Of several the first that selects and the least
 * limit count.
 * Only fresh values count. While a signal is lost, mode and map are the driver's own, a limit stays, and an
 * opening condition is unknown, which means stock. So does a mode's signal that had no time to come yet.
 * Source: docs/control-and-can.md 2.7, docs/decisions.md 3, 23.
 */

import { resolveSignalKey } from "../can/catalogue.js";
import type { KwpValue } from "../can/layouts/diagnosis-data.js";
import { networkOf } from "../coupling/couplings/couplings.js";
import { FULL_LOCK_PERCENT, MAP, type ModeNumber } from "../lock/modes.js";
import { type StoredMap, type Tuning, UNREADABLE_MAP } from "../lock/tuning.js";
import { type ConditionSettings, conditionKey, type Settings } from "../settings/settings.js";
import { CONDITION_SIGNAL_MS, DIAGNOSED_MS, diagnosedValue, VALUE_TOLERANCE } from "../vehicle/mapped-inputs.js";
import { type InputSource, inputOf, type SignalInput, sourceOfKey } from "../vehicle/signal-input.js";
import type { WatchList } from "../vehicle/watch-list.js";

const NO_LIMIT_PERCENT = FULL_LOCK_PERCENT;

/** An enabled condition. */
export class Condition {
	/** It has its effect, unless something of higher rank prevents it. */
	holds = false;
	live = false;
	/** The signal came since the last reset. */
	seen = false;
	/** The signal had no time yet to come. */
	awaited = true;
	/** Last value, in the signal's unit, 0 before the first; and its time, ms modulo 2^32, only once `seen`. */
	value = 0;
	atMs = 0;
	readonly settings: ConditionSettings;
	/** The driver's with its map, UNREADABLE_MAP if that can't be used; undefined: it selects no map. */
	tuning: Tuning | undefined = undefined;
	/** Its signal asks for it; `holds` follows once the state before has lasted. */
	#wanted = false;
	/** undefined once the change is `holdMs` ago. */
	#changedMs: number | undefined;
	/** Whether the last value was equal; undefined: the next one is no edge. */
	#wasEqual: boolean | undefined;
	readonly #input: SignalInput | undefined;
	/** Value that the control unit is asked for; undefined = none. */
	readonly asked: KwpValue | undefined;
	/** The last value is at most `#freshMs` old. */
	#isFresh = false;
	readonly #freshMs: number;

	constructor(settings: ConditionSettings, input: SignalInput | undefined, asked?: KwpValue) {
		this.settings = settings;
		this.asked = asked;
		this.#input = input;
		this.#freshMs = asked === undefined ? CONDITION_SIGNAL_MS : DIAGNOSED_MS;
		this.#forget();
	}

	/**
	 * One tick. Allocates nothing.
	 * @param nowMs the sample's time, modulo 2^32
	 * @param early signals had no time to come yet
	 * @returns true if `holds`, `live` or `awaited` has changed
	 */
	poll(sample: Uint8Array, words: Uint16Array, nowMs: number, early: boolean): boolean {
		const input = this.#input;
		if (input?.poll(sample, words, nowMs)) this.#take(input.value, input.atMs);
		// what has expired stays so, or it would look new after 25 days
		if (this.#isFresh && ((nowMs - this.atMs) | 0) > this.#freshMs) this.#isFresh = false;
		const wasAwaited = this.awaited;
		const changed = this.#follow(this.#isFresh, nowMs);
		this.awaited = early && input !== undefined && !this.live;
		return changed || this.awaited !== wasAwaited;
	}

	/** The answer of the control unit; NaN is ignored. */
	answer(celsius: number, nowMs: number): void {
		if (!Number.isNaN(celsius)) this.#take(celsius, nowMs);
	}

	#follow(live: boolean, nowMs: number): boolean {
		const wasLive = this.live;
		this.live = live;
		if (!live) this.#forget();
		const { effect, holdMs } = this.settings;
		if (this.#changedMs !== undefined && ((nowMs - this.#changedMs) | 0) >= holdMs) this.#changedMs = undefined;
		const wanted = this.#wanted;
		// less lock comes at once
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
		this.seen = this.#isFresh = true;
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

	/** Where its signal is read. */
	get source(): InputSource | undefined {
		return this.#input?.from;
	}

	get mode(): ModeNumber {
		return this.settings.effect === "map" ? MAP : this.settings.mode;
	}

	/** Forgets what was seen: the latch is off. */
	reset(): void {
		this.#forget();
		this.holds = this.live = this.seen = this.#isFresh = false;
		this.awaited = this.#input !== undefined;
		this.#changedMs = undefined;
		this.value = this.atMs = 0;
	}
}

/** For the interface. */
export type ConditionState = Readonly<Pick<Condition, "holds" | "live" | "seen" | "value" | "atMs">>;

/** All conditions together. */
export class Conditions {
	opens = false;
	/** Least limit in effect, 1..100. */
	limitPercent = NO_LIMIT_PERCENT;
	/** The first that holds and selects a mode. */
	selecting: Condition | undefined = undefined;
	/** The first that does so while STOCK is selected. */
	selectingFromStock: Condition | undefined = undefined;
	/** All opening conditions have their signal, and no selecting one is awaited. */
	known = true;
	/** If `known` is false, it is only for an awaited signal. */
	awaited = false;
	/** Signals had no time to come yet since `#earlyFromMs`, undefined: since the next tick. */
	#early = true;
	#earlyFromMs: number | undefined;
	readonly #inUse: readonly Condition[];
	/** In the order of the settings; undefined where one is off. */
	readonly #all: readonly (Condition | undefined)[];

	/** Those whose value the control unit is asked for. */
	readonly asking: readonly Condition[];

	/** @param before of the same coupling: what has not changed is not looked up again */
	constructor(settings: Settings, watch: WatchList, before?: Conditions) {
		const { generation } = settings;
		const network = networkOf(generation);
		this.#all = settings.conditions.map((one, index) => {
			if (!one.enabled) return undefined;
			const key = conditionKey(settings, one);
			const old = before === undefined ? undefined : before.#all[index];
			const known = old?.settings === one ? old.source : undefined;
			const source = known ?? sourceOfKey(network, resolveSignalKey(network, key));
			return new Condition(one, inputOf(source, watch, CONDITION_SIGNAL_MS), diagnosedValue(generation, key));
		});
		this.#inUse = this.#all.filter((one) => one !== undefined);
		this.asking = this.#inUse.filter(({ asked }) => asked !== undefined);
		this.#combine();
	}

	/** Sets their maps, and the rest of their tuning. */
	useTuning(tuning: Tuning, maps: readonly StoredMap[]): void {
		for (const one of this.#inUse) {
			const { effect, map: path } = one.settings;
			if (effect !== "map") continue;
			const map = maps.find((stored) => stored.path === path)?.map ?? UNREADABLE_MAP;
			one.tuning = { ...tuning, map };
		}
	}

	/** Path of the first map that can't be used; undefined = none. */
	get unreadableMap(): string | undefined {
		return this.#inUse.find(({ tuning }) => tuning?.map === UNREADABLE_MAP)?.settings.map;
	}

	get isEmpty(): boolean {
		return this.#inUse.length === 0;
	}

	/** One tick, as `Condition.poll`. @param busesAlive both buses ran since the last tick */
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
				default:
					settings.effect satisfies "mode" | "map";
					if (awaited) isAwaited = true;
					if (!holds) break;
					this.selecting ??= one;
					if (settings.alsoFromStock) this.selectingFromStock ??= one;
			}
		}
		this.known = !isLost && !isAwaited;
		this.awaited = !isLost;
	}

	/** Resets all. */
	reset(): void {
		this.#earlyFromMs = undefined;
		for (const one of this.#inUse) one.reset();
		this.#combine();
	}

	/**
	 * @param index in the settings
	 * @returns undefined while the condition is off or missing
	 */
	at(index: number): ConditionState | undefined {
		return this.#all[index];
	}
}
