/**
 * The signals that the settings name: the driver's, else the generation's recommended ones; "" before a
 * generation is set. Never throw.
 */

import type { MappedKeys } from "../coupling/coupling.js";
import { recommendedConditionKeyOf, recommendedKeysOf, recommendedSteeringKeyOf } from "../vehicle/mapped-inputs.js";
import type { ConditionSettings, Settings } from "./settings.js";

/** Keys of the three inputs. */
export function inputKeys({ inputMappings: own, generation }: Settings): MappedKeys {
	if (generation === 0) return own;
	const recommended = recommendedKeysOf(generation);
	return {
		speed: own.speed || recommended.speed,
		throttle: own.throttle || recommended.throttle,
		rpm: own.rpm || recommended.rpm,
	};
}

/** Key of a condition's signal that has none of its own. */
export function recommendedConditionKey({ generation }: Settings): string {
	return generation === 0 ? "" : recommendedConditionKeyOf(generation);
}

/** Key of a condition's signal. */
export function conditionKey(settings: Settings, { signal }: ConditionSettings): string {
	return signal || recommendedConditionKey(settings);
}

/**
 * Key of the steering angle's signal: the driver's, else the generation's recommended one; "" = there is
 * none.
 */
export function steeringKey({ generation, steeringGain: { signal } }: Settings): string {
	return signal || (generation === 0 ? "" : recommendedSteeringKeyOf(generation));
}

/**
 * Keys of the conditions that are on, and of the steering angle if it is needed, as one text: with others,
 * other frames are to be watched.
 */
export function watchedKeys(settings: Settings): string {
	const inUse = settings.conditions.filter(({ enabled }) => enabled);
	const steering = settings.steeringGain.enabled ? steeringKey(settings) : "";
	return [...inUse.map((one) => conditionKey(settings, one)), steering].join();
}
