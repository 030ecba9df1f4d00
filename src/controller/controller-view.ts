/** The part of the controller that the interface and the LED get. */

import type { Sweep } from "../calibration/sweep.js";
import type { SampleHeader } from "../vehicle/sample.js";
import type { VehicleState } from "../vehicle/vehicle-state.js";
import type { Controller } from "./controller.js";
import type { InputSupervisor } from "./input-supervisor.js";
import type { LockFactor } from "./lock-factor.js";
import type { LoopFigures } from "./loop-figures.js";
import type { Steering } from "./steering.js";

/**
 * To be used between two control ticks. Its parts are read-only, except that a client may keep a sweep alive
 * or clear it. `applySettings` and `selectMode` may throw; then nothing has changed.
 */
export interface ControllerView
	extends Readonly<
		Pick<
			Controller,
			| "activeRevision"
			| "applySettings"
			| "broadcastOverCan"
			| "conditionAt"
			| "conditionMap"
			| "controlActive"
			| "effectiveBroadcastOverCan"
			| "effectiveMode"
			| "heldBy"
			| "lockPercent"
			| "nowMs"
			| "reason"
			| "reasonDetail"
			| "revision"
			| "selectMode"
			| "setCapture"
			| "settings"
			| "standaloneDoubt"
			| "standaloneGenerating"
			| "standaloneHeard"
			| "statusFrameElsewhere"
		>
	> {
	readonly calibration: {
		readonly sweep: Readonly<
			Pick<Sweep, "clear" | "factorPercent" | "heard" | "measured" | "phase" | "problem" | "progress" | "unsteady">
		>;
	};
	readonly factors: Readonly<Pick<LockFactor, "differs" | "table">>;
	readonly loop: Readonly<LoopFigures>;
	readonly sample: Readonly<Omit<SampleHeader, "nowMs" | "words">>;
	readonly steering: Readonly<Pick<Steering, "angleDeg" | "gainPercent" | "valid">>;
	readonly supervisor: Readonly<Pick<InputSupervisor, "captureActive" | "conditionSelects" | "disabled" | "selectedMode">>;
	readonly vehicle: Readonly<VehicleState>;
}
