/**
 * What a coupling's folder says to the firmware: everything in which one coupling differs from another, as tables. `coupling-plans.ts` has
 * what it says to the build. docs/add-a-coupling.md tells how one is written.
 */

import type { Network } from "../can/catalogue.js";
import type { IdRange, RawRow } from "../can/signal-layout.js";

/** Keys of the three mapped inputs; "" = not mapped. */
export interface MappedKeys {
	readonly speed: string;
	readonly throttle: string;
	readonly rpm: string;
}

/**
 * Signals for conditions, by name: each is 1 while that is so. The first is what a condition looks at that has no signal of its own: the driver
 * has switched ESP or ASR off.
 */
export const CONDITION_SIGNALS = Object.freeze(["espOff", "hazardLights", "brake", "handbrake"] as const);

/** Signal keys that are recommended. */
export interface RecommendedSignals {
	readonly inputs: MappedKeys;
	/** Magnitude of the steering wheel's angle. */
	readonly steering: string;
	/** "" = none is known. */
	readonly conditions: Readonly<Record<(typeof CONDITION_SIGNALS)[number], string>>;
}

/** One frame on the chassis bus that tells whether ABS, ESP, EDS or MSR intervene. */
export interface Interventions {
	/** Bytes that the frame must have. */
	readonly minDlc: number;
	/** One bit each, all in one 16-bit word of one frame. */
	readonly flags: readonly RawRow[];
}

/** Where an automatic's selector stands. A manual car sends no such frame. */
export interface Selector {
	readonly position: RawRow;
	/** Raw values of park and neutral. */
	readonly park: number;
	readonly neutral: number;
	/** Where these come from; the place has a source of its own. */
	readonly source: string;
}

/** A flag on the chassis bus that is set while the ignition is on. */
export interface IgnitionFlag {
	/** As clients know it. Source: docs/http-api.md 3.1. */
	readonly name: "ZAS_Kl_15" | "NM_Gateway_KL15";
	readonly signal: RawRow;
}

/** The car around the coupling: the same for all couplings of its network. */
export interface Car {
	/** Whose catalogue signal keys are looked up in. */
	readonly network: Network;
	/**
	 * Speed, pedal and so on come from `recommended.inputs`. Beside them the firmware knows further sources of these networks (`vehicle/telemetry.ts`);
	 * "" = none.
	 */
	readonly decoding: Network | "";
	readonly interventions: Interventions;
	readonly selector: Selector;
	/** The frame that came last tells. Empty: it is not known which frame of this car does. */
	readonly ignition: readonly IgnitionFlag[];
	/** What of the chassis bus may go on while the car sleeps. Absent: it is not known. */
	readonly networkManagement?: IdRange;
	readonly recommended: RecommendedSignals;
}

/** What the bits of a status frame's state mean. */
export interface StateFlags {
	readonly temperatureProtection: RawRow;
	/** Any of them is a fault of the coupling. */
	readonly faults: readonly RawRow[];
	/** Bits of the state with what is said of them, for people. */
	readonly names: readonly (readonly [flag: RawRow, name: string])[];
}

/** The frame on the coupling bus in which the coupling reports. */
export interface StatusFrame {
	/** Bytes that the frame must have. */
	readonly minDlc: number;
	/** Within a 16-bit word. */
	readonly state: RawRow;
	/** Absent: the bits of `state` are something else. */
	readonly flags?: StateFlags;
	readonly engagement: RawRow;
	/** Added to it; the sum saturates. */
	readonly addedEngagement?: RawRow;
	/** Raw engagement that is 0 %. */
	readonly zeroRaw: number;
	/** Raw steps from 0 to 100 %. */
	readonly spanRaw: number;
}

/** A coupling, and the car it is in. */
export interface Coupling {
	/** By which settings and clients name it: a number above 0 that no other has. */
	readonly generation: number;
	readonly car: Car;
	readonly status: StatusFrame;
	/** By what its control unit is asked; "" = it can't be. */
	readonly diagnosis: "uds_can" | "kwp_tp20" | "";
	/** Cars differ in what they make of the same bytes: the driver's trim scales them. */
	readonly hasTrim: boolean;
	/** Whether the parked controller is to sleep where nobody has said so. */
	readonly sleeps: boolean;
}
