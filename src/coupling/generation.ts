/** The coupling generations that are supported, and the frame profiles. Source: docs/control-and-can.md, docs/decisions.md 1. */

/** 0 = not configured: every frame is forwarded untouched. Generation 3 does not exist in this vehicle group. */
export type Generation = 0 | 1 | 2 | 4 | 5;

export const GENERATIONS: readonly Generation[] = Object.freeze([1, 2, 4, 5]);

/**
 * `reference`: the bytes, counters and checksums that cars on the road are known to accept, bit for bit.
 * `corrected`: only what influences lock is rewritten, received counters are kept, checksums are valid.
 */
export type FrameProfile = "reference" | "corrected";

export const FRAME_PROFILES: readonly FrameProfile[] = Object.freeze(["reference", "corrected"]);

/** True if `value` is a generation that can be set. */
export function isGeneration(value: unknown): value is Generation {
	return value === 1 || value === 2 || value === 4 || value === 5;
}
