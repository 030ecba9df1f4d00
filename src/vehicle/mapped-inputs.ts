/**
 * The keys that are proposed for mapped inputs and the mode trigger, by generation.
 * Source: docs/control-and-can.md 2.4, 2.7.
 */

import { type Network, networkOf } from "../can/catalogue.js";

/** Keys of the three mapped inputs; "" = not mapped. */
export interface MappedKeys {
	readonly speed: string;
	readonly throttle: string;
	readonly rpm: string;
}

/** How long a mapped value keeps the built-in decoding of its channel off, ms. Source: docs/control-and-can.md 2.5. */
export const MAPPED_RECENT_MS = 1000;
/** How long the trigger's signal counts, ms. Source: docs/control-and-can.md 2.7. */
export const TRIGGER_HOLD_MS = 1500;

/** No input mapped. */
export const NO_MAPPED_KEYS: MappedKeys = Object.freeze({ speed: "", throttle: "", rpm: "" });

const DEFAULT_KEYS: Readonly<Record<Network, MappedKeys>> = Object.freeze({
	pq: Object.freeze({
		speed: "chassis|0x1a0|br1 wheel speed kmh|km/h",
		throttle: "chassis|0x280|pedal value or throttle plate|%",
		rpm: "chassis|0x280|engine rpm|rpm",
	}),
	mqb: Object.freeze({
		speed: "chassis|0xfd|esp v signal|unit_kilometerperhour",
		throttle: "chassis|0x121|mo fahrpedalrohwert 01|unit_percent",
		rpm: "chassis|0xa8|mo drehzahl 01|unit_minutinver",
	}),
});

const DEFAULT_TRIGGER_KEYS: Readonly<Record<Network, string>> = Object.freeze({
	pq: "chassis|0x1a0|br1 esp asr passive|",
	mqb: "chassis|0xfd|esp tastung passiv|",
});

/** The proposed mapped inputs of a generation. Never throws. */
export function defaultMappedKeys(generation: number): MappedKeys {
	return DEFAULT_KEYS[networkOf(generation)];
}

/** The proposed signal of the mode trigger: the driver has switched ESP/ASR off. Never throws. */
export function defaultTriggerKey(generation: number): string {
	return DEFAULT_TRIGGER_KEYS[networkOf(generation)];
}

/** True for the proposed key of an input on any generation, in any letter case. Never throws. */
export function isRecommendedKey(input: keyof MappedKeys, key: string): boolean {
	const text = key.toLowerCase();
	return text === DEFAULT_KEYS.pq[input] || text === DEFAULT_KEYS.mqb[input];
}

/** True for the proposed trigger signal of any generation, in any letter case. Never throws. */
export function isDefaultTriggerKey(key: string): boolean {
	const text = key.toLowerCase();
	return text === DEFAULT_TRIGGER_KEYS.pq || text === DEFAULT_TRIGGER_KEYS.mqb;
}
