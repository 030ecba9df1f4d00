/**
 * Lock request to frame plan: which frames are rewritten, how, for a generation and profile. The plan's
 * layout changes only with generation, profile and (generation 1) mode; each tick hands the gateway a factor.
 */

import { STATUS_FRAME } from "../can/layouts/status.js";
import { FWD, isDynamic, type ModeNumber } from "../lock/modes.js";
import { FRAME_PROFILES, type FrameProfile, type Generation } from "./couplings/couplings.js";
import { FRAME_PLANS, STANDALONE_PLANS } from "./generated/frame-plans.js";
import { COUNTER_BYTES, DATA_ID_BYTES, HEADER_BYTES, RULE_BYTES } from "./plan-format.js";

/** 68 % in 1/256 %. Source: docs/decisions.md 24. */
const OPENING_FACTOR_MAX = 68 * 256;

/** True if the rows depend on the mode: then another mode needs another plan. Pure. */
export function planFollowsMode(generation: Generation, profile: FrameProfile): boolean {
	return generation !== 0 && FRAME_PLANS[profile][generation].length > 1;
}

/**
 * The mode whose rows say what is asked for. A preset that opens says so in FWD's, from the first step of its
 * ramp on: its own main lever on generation 1 (`reference`) asks for the more lock the less the factor is,
 * since there a smaller byte asks for more. Pure. Source: docs/control-and-can.md 3.5, docs/decisions.md 24.
 */
export function planMode(mode: ModeNumber, opening: boolean): ModeNumber {
	return opening && !isDynamic(mode) ? FWD : mode;
}

/**
 * The factor that may stand beside FWD's rows of generation 1 (`reference`), 0..25600. Their lever falls from
 * FE as the factor rises; above 68 % it would ask for more lock than the levers of all other modes (50 and
 * below) at full lock. Pure. Source: docs/decisions.md 24.
 */
export function openingFactor(factor: number): number {
	return factor > OPENING_FACTOR_MAX ? OPENING_FACTOR_MAX : factor;
}

/**
 * The plan's bytes for `GatewayPort.loadPlan`, in flash: `tools/build-plans.mjs` has encoded the rows of
 * `plan-table.ts`. Pure.
 * @param mode as `planMode` has it; where the rows do not depend on it, any
 */
export function framePlan(generation: Exclude<Generation, 0>, profile: FrameProfile, mode: ModeNumber): Uint8Array {
	const plans = FRAME_PLANS[profile][generation];
	return plans[mode] ?? plans[0];
}

/** The same for standalone operation: the plan's frames are sent without one having come. Pure. */
export function standalonePlan(generation: Exclude<Generation, 0>, profile: FrameProfile, mode: ModeNumber): Uint8Array {
	const plans = STANDALONE_PLANS[profile][generation];
	return plans[mode] ?? plans[0];
}

/**
 * True if the controller rewrites frames with this 11-bit identifier, in whichever profile and mode, or sends
 * them: nobody else is to send them through us. Pure.
 */
export function isOwnId(generation: Exclude<Generation, 0>, standalone: boolean, id: number): boolean {
	const plans = standalone ? STANDALONE_PLANS : FRAME_PLANS;
	return id === STATUS_FRAME.id || FRAME_PROFILES.some((profile) => plans[profile][generation].some((plan) => hasRule(plan, id)));
}

function hasRule(plan: Uint8Array, id: number): boolean {
	const first = HEADER_BYTES + plan[5] * COUNTER_BYTES + plan[6] * DATA_ID_BYTES;
	const end = first + plan[7] * RULE_BYTES;
	for (let at = first; at < end; at += RULE_BYTES)
		if (plan[at] === (id & 0xff) && plan[at + 1] === id >> 8 && plan[at + 2] === 0 && plan[at + 3] === 0) return true;
	return false;
}
