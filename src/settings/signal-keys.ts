/** The signals that the settings name: the driver's, else the generation's recommended ones; "" before a generation is set. Never throw. */

import { defaultMappedKeys, defaultTriggerKey, type MappedKeys } from "../vehicle/mapped-inputs.js";
import type { Settings } from "./settings.js";

/** Keys of the three inputs. */
export function inputKeys({ inputMappings: own, generation }: Settings): MappedKeys {
	if (generation === 0) return own;
	const recommended = defaultMappedKeys(generation);
	return {
		speed: own.speed || recommended.speed,
		throttle: own.throttle || recommended.throttle,
		rpm: own.rpm || recommended.rpm,
	};
}

/** Key that is proposed for the mode trigger. */
export function recommendedTriggerKey({ generation }: Settings): string {
	return generation === 0 ? "" : defaultTriggerKey(generation);
}

/** Key of the mode trigger's signal. */
export function triggerKey(settings: Settings): string {
	return settings.trigger.signal || recommendedTriggerKey(settings);
}
