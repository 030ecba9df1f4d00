/** The coupling generations that are supported, and the frame profiles. Source: docs/control-and-can.md, docs/decisions.md 1. */

import { COUPLINGS } from "./couplings/couplings.js";

/** 0 = not configured: every frame is forwarded untouched. Generation 3 does not exist in this vehicle group. */
export type Generation = 0 | (typeof COUPLINGS)[number]["generation"];

/** In the order of `COUPLINGS`. */
export const GENERATIONS: readonly Exclude<Generation, 0>[] = Object.freeze(COUPLINGS.map(({ generation }) => generation));

/**
 * `reference`: the bytes, counters and checksums that cars on the road are known to accept, bit for bit.
 * `corrected`: only what influences lock is rewritten, received counters are kept, checksums are valid.
 */
export type FrameProfile = "reference" | "corrected";

/** The first is the default. */
export const FRAME_PROFILES: readonly FrameProfile[] = Object.freeze(["reference", "corrected"]);

/** True if `value` is a generation that can be set. */
export function isGeneration(value: unknown): value is Exclude<Generation, 0> {
	return GENERATIONS.some((generation) => generation === value);
}
