/** How long mapped signals count, and their recommended keys. Source: docs/control-and-can.md 2.4, 2.7. */

import { KWP_DIFFERENCE, KWP_VALUES, type KwpValue } from "../can/layouts/diagnosis-data.js";
import { CONDITION_SIGNALS, type MappedKeys, USUAL_CONDITION_SIGNAL } from "../coupling/coupling.js";
import { COUPLINGS, carOf } from "../coupling/couplings/couplings.js";
import { lowerCase } from "../text/characters.js";

/** A mapped value replaces the car's own for this long. Source: docs/control-and-can.md 2.5. */
export const MAPPED_RECENT_MS = 1000;
/** Source: docs/control-and-can.md 2.7. */
export const CONDITION_SIGNAL_MS = 1500;
/**
 * A temperature of the control unit counts for this long: it is asked for every 2 s, and two answers may be
 * missing. Assumed: oil and plates do not become much hotter meanwhile. Source: docs/decisions.md 23.
 */
export const DIAGNOSED_MS = 6000;
/** Begin of its key, and the key of the oil's. */
export const DIAGNOSED = "kwp|diagnosis|";
export const DIAGNOSED_OIL = `${DIAGNOSED}oil temperature|degc`;
/** Values that differ by less, in their unit, are equal. Source: docs/control-and-can.md 2.7. */
export const VALUE_TOLERANCE = 0.001;
/** Source: docs/control-and-can.md 2.6. */
export const STEERING_SIGNAL_MS = 200;

/** On any generation, in any letter case. */
export function isRecommendedKey(input: keyof MappedKeys, key: string): boolean {
	const text = lowerCase(key);
	return COUPLINGS.some(({ car }) => car.recommended.inputs[input] === text);
}

/** Whether it is recommended for any car; in any letter case. */
export function isRecommendedSteeringKey(key: string): boolean {
	const text = lowerCase(key);
	return COUPLINGS.some(({ car }) => car.recommended.steering === text);
}

const CONDITION_KEYS: readonly string[] = Object.freeze(
	COUPLINGS.flatMap(({ car }) => CONDITION_SIGNALS.map((one) => car.recommended.conditions[one])),
);

/**
 * Translates a recommended key of another car to this one, and the default key of conditions to "", in any
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
 * The temperature that a key names, if the control unit can be asked for it. Only those that a tester has
 * shown beside the bytes: the scales of generation 5 are unconfirmed.
 */
export function diagnosedValue(generation: number, key: string): KwpValue | undefined {
	if (!key.startsWith(DIAGNOSED)) return undefined;
	return KWP_VALUES.find(
		({ formula, generations, label }) =>
			formula === KWP_DIFFERENCE && generations.includes(generation) && `${DIAGNOSED}${lowerCase(label)}|degc` === key,
	);
}
