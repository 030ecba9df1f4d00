/**
 * Frame plans: which frames are rewritten, and how, by generation, profile and (generation 1) mode. The
 * driver's plan is that of the build without the frames that are off, and with the torques of the chosen
 * model. Source of the bytes: modules/can-gateway/README.md "Frame plan".
 */

import { STATUS_FRAME } from "../can/layouts/status.js";
import { FWD, isDynamic, type ModeNumber } from "../lock/modes.js";
import { hexOf, hexText } from "../text/hexadecimal.js";
import { OPEN_NM } from "./coupling.js";
import { couplingOf, FRAME_PROFILES, type FrameProfile, type Generation } from "./couplings/couplings.js";
import { FRAME_PLANS, STANDALONE_PLANS } from "./generated/frame-plans.js";
import { composed, hasRule, onlyPasses, rulesOf } from "./plan-composer.js";
import { readId } from "./plan-format.js";

/** The gateway's factor counts 1/256 percent. Source: `modules/can-gateway/README.md`. */
export const FACTOR_PER_PERCENT = 256;
/** The gateway's factor of full lock. */
export const FULL_FACTOR = 100 * FACTOR_PER_PERCENT;
/** Source: docs/decisions.md 24. */
const OPENING_FACTOR_MAX = 68 * FACTOR_PER_PERCENT;

/** Another mode needs another plan. */
export function planFollowsMode(generation: Generation, profile: FrameProfile): boolean {
	return generation !== 0 && FRAME_PLANS[profile][generation].length > 1;
}

/**
 * The mode of the rows. A preset that opens sends FWD's from the first step of its ramp on: on generation 1
 * (`reference`) its own main lever asks for more lock as the factor falls. Source: docs/control-and-can.md
 * 3.5, docs/decisions.md 24.
 */
export function planMode(mode: ModeNumber, opening: boolean): ModeNumber {
	return opening && !isDynamic(mode) ? FWD : mode;
}

/**
 * Limits the factor beside FWD's rows of generation 1 (`reference`), 0..25600: above 68 % their lever asks
 * for more lock than those of all other modes at full lock. Source: docs/decisions.md 24.
 */
export function openingFactor(factor: number): number {
	return factor > OPENING_FACTOR_MAX ? OPENING_FACTOR_MAX : factor;
}

/**
 * The plan's bytes in flash, encoded by `tools/build-plans.mjs`.
 * @param mode as `planMode` has it
 * @param isStandalone sends its frames without a car
 */
export function framePlan(
	generation: Exclude<Generation, 0>,
	profile: FrameProfile,
	mode: ModeNumber,
	isStandalone = false,
): Uint8Array {
	const plans = (isStandalone ? STANDALONE_PLANS : FRAME_PLANS)[profile][generation];
	return plans[mode] ?? plans[0];
}

/** True if the controller rewrites or sends frames with this 11-bit identifier in any profile and mode. */
export function isOwnId(generation: Exclude<Generation, 0>, standalone: boolean, id: number): boolean {
	const plans = standalone ? STANDALONE_PLANS : FRAME_PLANS;
	return id === STATUS_FRAME.id || FRAME_PROFILES.some((profile) => plans[profile][generation].some((plan) => hasRule(plan, id)));
}

/**
 * How Motor_11 says a lock. `pinned`: as the profile's row. `proportional`: all torques that the coupling may
 * read agree, and rise from 10 Nm to the ceiling.
 */
type TorqueModel = "pinned" | "proportional";
/** The first is the default. */
export const TORQUE_MODELS: readonly TorqueModel[] = Object.freeze(["pinned", "proportional"]);

/** The settings that decide about a plan, beside the mode. */
export interface PlanChoice {
	readonly generation: Generation;
	readonly standalone: boolean;
	readonly frameProfile: FrameProfile;
	readonly torqueModel: TorqueModel;
	/** `CEILING_NM.least` to `CEILING_NM.most`, 10..509. */
	readonly torqueCeilingNm: number;
	/** Identifiers as `0x0A7`, with a blank between two. */
	readonly framesOff: string;
}

/** A sweep may try others of these. */
export type Trial = Pick<PlanChoice, "torqueModel" | "torqueCeilingNm" | "framesOff">;

/** No plan has more frames. */
export const FRAMES_OFF_MAX = 32;
const FRAMES_LENGTH_MAX = 256;
const STANDARD_ID_MAX = 0x7ff;

/**
 * A text of identifiers, sorted, each once: `0x08A 0x0A7`; undefined if it has something else, or too many.
 */
export function framesOf(text: string): string | undefined {
	if (text.length > FRAMES_LENGTH_MAX) return undefined;
	const ids = identifiersOf(text.trim());
	if (ids.length > FRAMES_OFF_MAX || ids.includes(-1)) return undefined;
	const ascending = [...ids].sort((one, other) => one - other);
	return ascending
		.filter((id, index) => id !== ascending[index - 1])
		.map((id) => `0x${hexText(id, 3)}`)
		.join(" ");
}

/** -1 for an invalid one. */
function identifiersOf(text: string): readonly number[] {
	return text === "" ? [] : text.split(" ").map((token) => hexOf(token, STANDARD_ID_MAX));
}

/** Their plans differ. */
export function isOtherPlan(one: PlanChoice, other: PlanChoice): boolean {
	return one.standalone !== other.standalone || differingSetting(one, other) !== "";
}

/** Settings that decide about the bytes of a factor. */
export type FactorSettings = Omit<PlanChoice, "standalone">;

/** The first setting that makes other bytes of the same factor; "" = none. */
export function differingSetting(one: FactorSettings, other: FactorSettings): keyof FactorSettings | "" {
	if (one.generation !== other.generation) return "generation";
	if (one.frameProfile !== other.frameProfile) return "frameProfile";
	const ceilingNm = ceilingNmOf(one);
	const otherNm = ceilingNmOf(other);
	if (ceilingNm !== otherNm) return ceilingNm === 0 || otherNm === 0 ? "torqueModel" : "torqueCeilingNm";
	return one.framesOff === other.framesOff ? "" : "framesOff";
}

/**
 * Nm: of a rising field at 0 %, the default ceiling, and the most of ten bits. Source:
 * docs/control-and-can.md 3.14.
 */
export const CEILING_NM = Object.freeze({ least: OPEN_NM, usual: 150, most: 509 });

/** 0 = the torque model of this coupling has none. */
function ceilingNmOf({ generation, torqueModel, torqueCeilingNm }: FactorSettings): number {
	return torqueModel === "proportional" && couplingOf(generation)?.torque !== undefined ? torqueCeilingNm : 0;
}

/**
 * The plan of the settings. Allocates only where the driver has chosen something.
 * @param mode as for `framePlan`
 */
export function chosenPlan(choice: PlanChoice & { readonly generation: Exclude<Generation, 0> }, mode: ModeNumber): Uint8Array {
	const { generation, standalone, frameProfile, framesOff } = choice;
	const plan = framePlan(generation, frameProfile, mode, standalone);
	const ceilingNm = ceilingNmOf(choice);
	if (framesOff === "" && ceilingNm === 0) return plan;
	return composed(plan, identifiersOf(framesOff), ceilingNm === 0 ? undefined : couplingOf(generation)?.torque, ceilingNm);
}

/** Every frame is off: nothing is rewritten or sent. */
export function leavesNothing({ generation, standalone, frameProfile, framesOff }: PlanChoice): boolean {
	if (generation === 0 || framesOff === "") return false;
	const plan = framePlan(generation, frameProfile, FWD, standalone);
	const off = identifiersOf(framesOff);
	return rulesOf(plan).every((rule) => onlyPasses(plan, rule) || off.includes(readId(rule, 0)));
}
