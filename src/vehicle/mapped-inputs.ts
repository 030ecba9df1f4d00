/**
 * How values of signals count that the driver has chosen, and the keys that are recommended for them.
 * Source: docs/control-and-can.md 2.4, 2.7.
 */

import { KWP_DIFFERENCE, KWP_VALUES, type KwpValue } from "../can/layouts/diagnosis-data.js";
import { CONDITION_SIGNALS, type MappedKeys, USUAL_CONDITION_SIGNAL } from "../coupling/coupling.js";
import { COUPLINGS, carOf } from "../coupling/couplings/couplings.js";
import { lowerCase } from "../text/characters.js";

/**
 * A mapped value keeps the built-in decoding of its channel off for this long. Source:
 * docs/control-and-can.md 2.5.
 */
export const MAPPED_RECENT_MS = 1000;
/** How long a condition's signal counts, ms. Source: docs/control-and-can.md 2.7. */
export const CONDITION_SIGNAL_MS = 1500;
/** How long a temperature counts that the control unit was asked for: two more answers may be missing. */
export const DIAGNOSED_MS = 6000;
/** How the key of such a temperature begins. */
export const DIAGNOSED = "kwp|diagnosis|";
/** The key of the oil's temperature. */
export const DIAGNOSED_OIL = `${DIAGNOSED}oil temperature|degc`;
/** Values that differ by no more than this, in their unit, are equal. Source: docs/control-and-can.md 2.7. */
export const VALUE_TOLERANCE = 0.001;
/** How long a steering angle counts, ms. Source: docs/control-and-can.md 2.6. */
export const STEERING_SIGNAL_MS = 200;

/** True for the recommended key of an input on any generation, in any letter case. */
export function isRecommendedKey(input: keyof MappedKeys, key: string): boolean {
	const text = lowerCase(key);
	return COUPLINGS.some(({ car }) => car.recommended.inputs[input] === text);
}

/** Whether a key is the recommended one of the steering angle of any car. */
export function isRecommendedSteeringKey(key: string): boolean {
	const text = lowerCase(key);
	return COUPLINGS.some(({ car }) => car.recommended.steering === text);
}

const CONDITION_KEYS: readonly string[] = Object.freeze(
	COUPLINGS.flatMap(({ car }) => CONDITION_SIGNALS.map((one) => car.recommended.conditions[one])),
);

/**
 * A recommended key of another car becomes that of this one, and the usual one of conditions becomes "", in any
 * letter case.
 */
export function keyOfGeneration(generation: number, key: string): string {
	if (generation === 0 || key === "") return key;
	const text = lowerCase(key);
	if (!CONDITION_KEYS.includes(text)) return key;
	const name = CONDITION_SIGNALS.find((one) => COUPLINGS.some(({ car }) => car.recommended.conditions[one] === text));
	if (name === undefined) return key;
	if (name === USUAL_CONDITION_SIGNAL) return "";
	const own = carOf(generation).recommended.conditions[name];
	return text !== own && own !== "" ? own : key;
}

/**
 * The temperature that a key names and the control unit of a generation can be asked for; undefined for all
 * else. Only those that a tester has shown beside the bytes: nobody has confirmed the scales of generation 5.
 */
export function diagnosedValue(generation: number, key: string): KwpValue | undefined {
	if (!key.startsWith(DIAGNOSED)) return undefined;
	return KWP_VALUES.find(
		({ formula, generations, label }) =>
			formula === KWP_DIFFERENCE && generations.includes(generation) && `${DIAGNOSED}${lowerCase(label)}|degc` === key,
	);
}
