/** What reads the signals that the settings name: made anew before other settings take effect. */

import type { Settings } from "../settings/settings.js";
import { inputKeys, watchedKeys } from "../settings/signal-keys.js";
import type { FrameHabits } from "../vehicle/frame-guard.js";
import type { SignalInput } from "../vehicle/signal-input.js";
import { Telemetry } from "../vehicle/telemetry.js";
import { WatchList } from "../vehicle/watch-list.js";
import { Conditions } from "./conditions.js";
import { steeringInput } from "./steering.js";

/** What belongs to one value of the settings, and takes effect with it. */
export interface Prepared {
	readonly telemetry: Telemetry;
	readonly conditions: Conditions;
	/** Where the steering angle comes from; undefined = from nowhere. */
	readonly steeringInput: SignalInput | undefined;
}

/** All of it for `settings`. @param habits what the car has shown before. Never throws. */
export function prepare(settings: Settings, habits?: FrameHabits): Prepared {
	const telemetry = new Telemetry(settings.generation, inputKeys(settings), !settings.standalone, new WatchList(habits));
	const conditions = new Conditions(settings, telemetry.watch);
	return { telemetry, conditions, steeringInput: steeringInput(settings, telemetry.watch) };
}

/** What of it is another for `settings` than for `old`, for which there is `now`. Never throws. */
export function prepareAnew(now: Prepared, old: Settings, settings: Settings): Prepared {
	const otherConditions = settings.conditions !== old.conditions;
	const otherFrames =
		isOtherCoupling(settings, old) ||
		settings.inputMappings !== old.inputMappings ||
		((otherConditions || settings.steeringGain !== old.steeringGain) && watchedKeys(settings) !== watchedKeys(old));
	if (otherFrames) return prepare(settings, now.telemetry.watch.habits);
	return otherConditions ? { ...now, conditions: new Conditions(settings, now.telemetry.watch) } : now;
}

/** A request that is meant for one must not reach the other in its frames. */
export function isOtherCoupling(settings: Settings, old: Settings): boolean {
	return settings.generation !== old.generation || settings.standalone !== old.standalone;
}
