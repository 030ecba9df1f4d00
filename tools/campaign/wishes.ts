/** What a driver wishes for, as the judge knows it. */
import type { ConditionWish } from "./condition-judge.js";
import type { Tables } from "./mode-targets.js";
import type { SteeringWish } from "./steering-judge.js";
import type { Generation } from "./tables.js";

/** What the controller is set to. */
export interface Wishes {
	readonly generation: Generation;
	/** "STOCK" or a mode. */
	readonly mode: string;
	/** The mode while the trigger's signal (ESP switched off by the driver) is set; undefined: there is no trigger. */
	readonly triggerMode?: string;
	/** A condition on the hazard lights. */
	readonly condition?: ConditionWish;
	/** Less lock while the driver steers; undefined: it is off. */
	readonly steering?: SteeringWish;
	/** Presets ask for lock up to this speed; 0: at any. */
	readonly disableSpeedKmh: number;
	/** Percent per second; 0: at once. */
	readonly releaseRate: number;
	/** Default: those that a controller starts with. */
	readonly tables?: Tables;
}
