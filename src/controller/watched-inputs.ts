/** What the settings have the controller read of the gateway's samples: made anew only if it differs. */

import { inputKeys, type Settings, watchedKeys } from "../settings/settings.js";
import type { SignalInput } from "../vehicle/signal-input.js";
import { Telemetry } from "../vehicle/telemetry.js";
import { Conditions } from "./conditions.js";
import { steeringInput } from "./steering.js";

/** Readers of the signals that the settings name, on one watch list. */
export interface WatchedInputs {
	readonly telemetry: Telemetry;
	readonly conditions: Conditions;
	readonly steeringInput: SignalInput | undefined;
}

/**
 * Allocates.
 * @param before telemetry of the settings before
 * @param conditionsBefore of the same coupling
 */
export function watchInputs(settings: Settings, before?: Telemetry, conditionsBefore?: Conditions): WatchedInputs {
	const telemetry = new Telemetry(settings.generation, inputKeys(settings), !settings.standalone, before);
	const conditions = new Conditions(settings, telemetry.watch, conditionsBefore);
	return { telemetry, conditions, steeringInput: steeringInput(settings, telemetry.watch) };
}

/** @param now for `old`; keeps what is the same for `settings` */
export function rewatchInputs(now: WatchedInputs, old: Settings, settings: Settings): WatchedInputs {
	const otherConditions = settings.conditions !== old.conditions;
	const { conditions, telemetry } = now;
	const { watch } = telemetry;
	if (isOtherCoupling(settings, old)) return watchInputs(settings, telemetry);
	const otherFrames =
		settings.inputMappings !== old.inputMappings ||
		((otherConditions || settings.steeringGain !== old.steeringGain) && watchedKeys(settings) !== watchedKeys(old));
	if (otherFrames) return watchInputs(settings, telemetry, conditions);
	return otherConditions ? { ...now, conditions: new Conditions(settings, watch, conditions) } : now;
}

/** Lock asked of one coupling must not reach the other. */
export function isOtherCoupling(settings: Settings, old: Settings): boolean {
	return settings.generation !== old.generation || settings.standalone !== old.standalone;
}
