/** What a coupling's folder says about its frames: rows for the build step that makes frame plans of them. None of it is in the firmware. */

import type { MarkedSignal } from "../can/layouts/overwritten.js";
import type { ModeNumber } from "../lock/modes.js";
import type { FrameProfile } from "./generation.js";
import type { PlanTable } from "./plan-encoder.js";

/** The rows while a mode is in force; the same for all modes where the coupling makes no difference. Pure. */
export type PlanOfMode = (mode: ModeNumber) => PlanTable;

/** The frames of a coupling in both profiles. */
export interface CouplingPlans {
	/** What its car can mark as invalid, in these frames and others: such a frame is not rewritten. */
	readonly marked: readonly MarkedSignal[];
	/** Frames of the car that are rewritten. */
	readonly inline: Readonly<Record<FrameProfile, PlanOfMode>>;
	/** Frames that are sent where there is no car. */
	readonly standalone: Readonly<Record<FrameProfile, PlanOfMode>>;
}
