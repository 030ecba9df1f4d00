/**
 * Lock request to frame plan: which frames are rewritten, how, for a generation and profile.
 * The plan's layout changes only with generation, profile and (generation 1) mode; each tick hands the gateway a factor.
 */

import { FWD, isDynamic, type ModeNumber } from "../lock/modes.js";
import type { FrameProfile, Generation } from "./generation.js";
import { encodePlan, type PlanTable } from "./plan-encoder.js";
import * as corrected from "./profiles/corrected.js";
import * as reference from "./profiles/reference.js";

/** Bit masks for `GatewayPort.commit`: every frame, or all but those of the brake systems. */
export const ALL_GROUPS = 0xff;
export const WITHOUT_BRAKE_GROUP = ALL_GROUPS & ~(1 << corrected.BRAKE_GROUP);
const OPENING_FACTOR_MAX = 68 * 256;

/** The rows of a plan; `mode` matters for generation 1 only. Generation 0 has none. Pure. */
export function planTable(generation: Exclude<Generation, 0>, profile: FrameProfile, mode: ModeNumber): PlanTable {
	if (profile === "corrected") {
		if (generation === 1) return corrected.GENERATION_1;
		if (generation === 2) return corrected.GENERATION_2;
		return generation === 4 ? corrected.GENERATION_4 : corrected.GENERATION_5;
	}
	if (generation === 1) return reference.generation1(mode);
	if (generation === 2) return reference.GENERATION_2;
	return generation === 4 ? reference.GENERATION_4 : reference.GENERATION_5;
}

/** True if the rows depend on the mode: then another mode needs another plan, which takes a tick's time to encode. Pure. */
export function planFollowsMode(generation: Generation, profile: FrameProfile): boolean {
	return generation === 1 && profile === "reference";
}

/**
 * The mode whose rows say what is asked for. A preset that opens says so in FWD's, from the first step of its ramp on: its own main lever
 * on generation 1 (`reference`) asks for the more lock the less the factor is, since there a smaller byte asks for more. Pure.
 * Source: docs/control-and-can.md 3.5 and A2, docs/decisions.md 24.
 */
export function planMode(mode: ModeNumber, opening: boolean): ModeNumber {
	return opening && !isDynamic(mode) ? FWD : mode;
}

/**
 * The factor that may stand beside FWD's rows of generation 1 (`reference`), 0..25600. Their lever falls from FE as the factor rises; above
 * 68 % it would ask for more lock than the levers of all other modes (50 and below) at full lock. Pure. Source: docs/decisions.md 24.
 */
export function openingFactor(factor: number): number {
	return factor > OPENING_FACTOR_MAX ? OPENING_FACTOR_MAX : factor;
}

/** The plan's bytes for `GatewayPort.loadPlan`. Pure. */
export function framePlan(generation: Exclude<Generation, 0>, profile: FrameProfile, mode: ModeNumber): Uint8Array {
	return encodePlan(planTable(generation, profile, mode));
}
