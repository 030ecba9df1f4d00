/**
 * The keys that are proposed for mapped inputs and conditions, by generation.
 * Source: docs/control-and-can.md 2.4, 2.7, 7.2, 7.3.
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
/** How long a condition's signal counts, ms. Source: docs/control-and-can.md 2.7. */
export const CONDITION_SIGNAL_MS = 1500;

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

/** A signal for a condition. "" = none of that network is known. */
interface ProposedSignal extends Readonly<Record<Network, string>> {
	readonly name: string;
}

/**
 * Each is 1 while what its name says is so. The first is what a condition looks at that has no signal of its own: the driver has switched ESP
 * or ASR off. What tells of the handbrake on PQ is not known for certain (docs/control-and-can.md 7.2).
 */
export const CONDITION_SIGNALS: readonly ProposedSignal[] = Object.freeze([
	Object.freeze({ name: "espOff", pq: "chassis|0x1a0|br1 esp asr passive|", mqb: "chassis|0xfd|esp tastung passiv|" }),
	Object.freeze({ name: "hazardLights", pq: "chassis|0x390|gk1 hazard light status|", mqb: "chassis|0x366|hazard switch|" }),
	Object.freeze({ name: "brake", pq: "chassis|0x288|mo2 bls|", mqb: "chassis|0x3be|mo fahrer bremst|" }),
	Object.freeze({ name: "handbrake", pq: "", mqb: "chassis|0x30b|kbi handbremse|" }),
]);

/** The proposed mapped inputs of a generation. Never throws. */
export function defaultMappedKeys(generation: number): MappedKeys {
	return DEFAULT_KEYS[networkOf(generation)];
}

/** What a condition looks at that has no signal of its own. Never throws. */
export function defaultConditionKey(generation: number): string {
	return CONDITION_SIGNALS[0][networkOf(generation)];
}

/** True for the proposed key of an input on any generation, in any letter case. Never throws. */
export function isRecommendedKey(input: keyof MappedKeys, key: string): boolean {
	const text = key.toLowerCase();
	return text === DEFAULT_KEYS.pq[input] || text === DEFAULT_KEYS.mqb[input];
}

/** Instead of a proposed key of another network that of this generation, and "" instead of the default one, in any letter case. Never throws. */
export function keyOfGeneration(generation: number, key: string): string {
	if (generation === 0 || key === "") return key;
	const text = key.toLowerCase();
	const network = networkOf(generation);
	const at = CONDITION_SIGNALS.findIndex(({ pq, mqb }) => text === pq || text === mqb);
	if (at === 0) return "";
	return at > 0 && text !== CONDITION_SIGNALS[at][network] ? CONDITION_SIGNALS[at][network] || key : key;
}
