/**
 * What the interface may see of the controller and ask of it. Plain values only; implemented by
 * `controller.ts`. Units are in the names; percent is 0..100.
 */

import type { Sweep } from "../calibration/sweep.js";
import type { ModeNumber } from "../lock/modes.js";
import type { Settings } from "../settings/settings.js";
import type { VehicleState } from "../vehicle/vehicle-state.js";
import type { ConditionState } from "./conditions.js";
import type { CalibrationTable } from "./lock-factor.js";
import type { Doubt, HeldBy, Reason } from "./reason.js";
import type { SteeringState } from "./steering.js";

/** Counts of the control loop; it writes them. Microseconds unless said. */
export interface LoopFigures {
	/** Ticks so far. */
	ticks: number;
	/** Between the last two ticks; 0 if the clock stepped back, and before the second. */
	periodUs: number;
	/** The longest. */
	periodMaxUs: number;
	/** The largest difference from 10 ms, either way. */
	jitterMaxUs: number;
	/** Ticks that were missed because an earlier one, or anything else, took too long. */
	overruns: number;
	/** How much the longest period is above 10 ms. */
	lateMaxUs: number;
}

/** All of it holds between two control ticks; nothing here throws. */
export interface ControllerView {
	/** What the driver has selected, with what lays itself over it. */
	readonly supervisor: {
		/** STOCK while a CAN capture runs. */
		readonly selectedMode: ModeNumber;
		/** True in mode STOCK and while a CAN capture runs. */
		readonly disabled: boolean;
		readonly captureActive: boolean;
		/** True while a condition selects the mode: the first that holds. */
		readonly conditionSelects: boolean;
	};
	/** The active mode: the selected one, that of a condition, or STOCK for any doubt. */
	readonly effectiveMode: ModeNumber;
	/** Why the active mode is what it is. */
	readonly reason: Reason;
	/** What belongs to that reason: a map's path, an identifier; "" with most. */
	readonly reasonDetail: string;
	/**
	 * Path of the stored map that a condition has put in the place of the driver's; "" = none, or control is
	 * not active.
	 */
	readonly conditionMap: string;
	/** What holds the lock at 0 % while control is active. */
	readonly heldBy: HeldBy;
	/** True while frames may be rewritten. */
	readonly controlActive: boolean;
	/** Whether the driver wants the status frame to be sent; true while a CAN capture runs. */
	readonly broadcastOverCan: boolean;
	/** Whether the status frame is sent now: the say of a condition while its mode is active. */
	readonly effectiveBroadcastOverCan: boolean;
	/** Somebody else sends the status frame: then it is not sent. */
	readonly statusFrameElsewhere: boolean;
	/**
	 * Identifier of frames that leave as they came because the car marks a signal in them as invalid,
	 * `0x4A0`; "" while there are none.
	 */
	readonly invalidFrame: string;
	/**
	 * What the condition at a place of the settings, 0 and more, sees; undefined if it is off, or there is
	 * none at that place.
	 */
	conditionAt(index: number): ConditionState | undefined;
	/** What the steering angle leaves of what is asked for. */
	readonly steering: SteeringState;
	/** Frames are being sent in standalone operation; false in any other. */
	readonly standaloneGenerating: boolean;
	/** Why none are sent in standalone operation; undefined while they are, and in any other. */
	readonly standaloneDoubt: Doubt;
	/** The identifier that somebody else sends, with the doubts of that; else "". */
	readonly standaloneHeard: string;
	/** Number of the last change that was asked for: 0 at first, one more with each. */
	readonly revision: number;
	/**
	 * Number of the last one that the control loop has applied; Infinity after a fault of ours, when nothing is
	 * applied any more.
	 */
	readonly activeRevision: number;
	/** Keys of the active signals, recommended ones included; "" = there is none. */
	readonly inputMappings: Readonly<{ speed: string; throttle: string; rpm: string }>;
	/** Clock of the last control tick: ms since the start, modulo 2^32. */
	readonly nowMs: number;
	/** What is known of the vehicle and what the coupling reports. */
	readonly vehicle: Readonly<VehicleState>;

	/** The sweep of a calibration, the last one or the one that runs. */
	readonly calibration: { readonly sweep: Sweep };
	/**
	 * `table` is what requests are followed by if something was learned for these frames, else null;
	 * `differs`: why not.
	 */
	readonly factors: { readonly table: CalibrationTable | null; readonly differs: string };

	/**
	 * Lock asked of the coupling now, percent, 0..100; the factor under test, 0..100, while a calibration
	 * runs.
	 */
	readonly lockPercent: number;

	/**
	 * Of both buses, the chassis in the low byte, the coupling's in the next: 0 stopped, 1 error-active, 2
	 * error-warning, 3 error-passive, 4 bus-off.
	 */
	readonly busStates: number;
	/** That of the chassis bus alone, 0..4 as above. */
	readonly chassisState: number;
	/** That of the coupling bus alone, 0..4 as above. */
	readonly couplingBusState: number;
	/** ms since the last frame on the chassis bus, 0..65534; 65535 = never or longer ago. */
	readonly chassisAgeMs: number;
	/** The same of the coupling bus. */
	readonly couplingAgeMs: number;

	/** Since the start. */
	readonly loop: Readonly<LoopFigures>;

	/**
	 * Selects a mode and remembers it. STOCK disables the controller, any other mode enables it. Nothing
	 * changes while a CAN capture runs.
	 */
	selectMode(mode: ModeNumber): void;
	/**
	 * Starts or ends a CAN capture: stock, and conditions start over. It is never stored and ends by itself
	 * after 10 minutes.
	 */
	setCapture(active: boolean): void;
	/** All that the driver sets; replaced, never changed in place. */
	readonly settings: Settings;
	/** Applies new settings, whole, between two control ticks, and has them stored. */
	applySettings(settings: Settings): void;
}
