/**
 * What a coupling says to the firmware: everything in which one coupling differs from another, as tables.
 * `CouplingPlans` in `plan-encoder.ts` is what it says to the build. docs/add-a-coupling.md tells how one is
 * written.
 */

import type { Network } from "../can/catalogue.js";
import type { FrameCheck, IdRange, RawRow, SignalRow, Source } from "../can/signal-layout.js";

/** Keys of the three mapped inputs; "" = not mapped. */
export interface MappedKeys {
	readonly speed: string;
	readonly throttle: string;
	readonly rpm: string;
}

/** Signals for conditions, by name. A switch is 1 while its name holds. */
export const CONDITION_SIGNALS = Object.freeze([
	"espOff",
	"hazardLights",
	"brake",
	"handbrake",
	"reverse",
	"driveMode",
	"oilTemperature",
] as const);

/** What a condition without a signal of its own looks at: the driver has switched ESP or ASR off. */
export const USUAL_CONDITION_SIGNAL = "espOff";

/** Signal keys that are recommended. */
export interface RecommendedSignals {
	readonly inputs: MappedKeys;
	/** Magnitude of the steering wheel's angle. */
	readonly steering: string;
	/** "" = none is known. */
	readonly conditions: Readonly<Record<(typeof CONDITION_SIGNALS)[number], string>>;
}

/** What a value of the chassis bus is for. A `comparedSpeed` never drives anything: it only has to agree. */
export type Meaning = "speed" | "comparedSpeed" | "pedal" | "rpm" | "boost";

/** A source of a value. Of several with one meaning the first that is there counts, after a mapped input. */
export interface Reading {
	readonly meaning: Meaning;
	/**
	 * The value is their mean. All are in one frame, with the same scale; a code in one of them makes it
	 * none.
	 */
	readonly signals: readonly SignalRow[];
}

/** The selector of an automatic gearbox. A manual car sends no such frame. */
export interface Selector {
	readonly position: RawRow;
	/** Raw values of park and neutral. */
	readonly park: number;
	readonly neutral: number;
	/** Source of the values of park and neutral. */
	readonly source: Source;
}

/** A flag on the chassis bus that is set while the ignition is on. */
export interface IgnitionFlag {
	/** The flag's name in answers. Source: docs/api.md, "State and modes". */
	readonly name: "ZAS_Kl_15" | "NM_Gateway_KL15" | "ZAS_Terminal_15" | "BSG_Terminal_15";
	readonly signal: RawRow;
}

/** The car around the coupling: the same for all couplings of its network. */
export interface Car {
	/** The network whose catalogue signal keys are looked up in. */
	readonly network: Network;
	/** What is read of the car without a mapping; empty: mapped inputs only. */
	readonly readings: readonly Reading[];
	/** Flags of ABS, ESP, EDS and MSR: one bit each, all in one 16-bit word of one frame. */
	readonly interventions: readonly RawRow[];
	/** Counters and checksums of the frames of this network. */
	readonly checks: readonly FrameCheck[];
	readonly selector: Selector;
	/** The frame that came last tells. Empty: it is not known which frame of this car does. */
	readonly ignition: readonly IgnitionFlag[];
	/** What of the chassis bus may go on while the car sleeps. Absent: it is not known. */
	readonly networkManagement?: IdRange;
	readonly recommended: RecommendedSignals;
}

/** What the bits of a status frame's state mean. */
interface StateFlags {
	readonly temperatureProtection: RawRow;
	/** Any of them is a fault of the coupling. */
	readonly faults: readonly RawRow[];
	/**
	 * Set while the coupling runs without frames that it expects of the car. Absent: the coupling has no such
	 * flag.
	 */
	readonly emergencyMode?: RawRow;
	/** Set while the coupling is open, whatever engagement says. Absent: the coupling has no such flag. */
	readonly fullyOpen?: RawRow;
	/** Bits of the state with what is said of them, for people. */
	readonly names: readonly (readonly [flag: RawRow, name: string])[];
}

/** The frame in which the coupling reports. Each value needs only the bytes that hold it. */
export interface StatusFrame {
	readonly state: RawRow;
	/** The flags in `state`. Absent: the bits of `state` are no flags. */
	readonly flags?: StateFlags;
	/** The row has the range of valid values. */
	readonly engagement: SignalRow;
	/** Raw engagement that is 0 %, and that is 100 %. */
	readonly zeroRaw: number;
	readonly fullRaw: number;
	/** True: from `fullRaw` on the report says no more than "at least this much". */
	readonly saturates: boolean;
	/** Engagement is a torque, in Nm, unless this flag of the state is set. Absent: it is no torque. */
	readonly noTorque?: RawRow;
	/** Bytes that the coupling sends: what a DBC file says, nothing is read by it. */
	readonly bytes: 4 | 8;
	/** Temperature of the clutch's oil. Absent: the coupling does not report it. */
	readonly temperature?: SignalRow;
}

/** A value across bytes of a frame, little endian. */
interface TorqueField {
	/** First bit, and how many. */
	readonly start: number;
	readonly length: number;
	/** Raw value at 0 %. */
	readonly raw: number;
	/** The value rises with the lock, by 1 a Nm up to the ceiling. */
	readonly rises: boolean;
	/** Largest change from one frame to the next, unless the coupling is opened; 0 = no limit. */
	readonly step: number;
}

/** The frame with the engine's torques. */
export interface TorqueFrame {
	readonly id: number;
	/** In the order of their bits. */
	readonly fields: readonly TorqueField[];
	/**
	 * How the car marks them as invalid: byte, mask, first and last code, little endian.
	 * Source: modules/can-gateway/README.md "Frame plan".
	 */
	readonly codes: readonly (readonly number[])[];
}

/** A coupling, and the car it is in. */
export interface Coupling {
	/** The coupling's number in settings and requests: above 0, and unique. */
	readonly generation: number;
	readonly car: Car;
	readonly status: StatusFrame;
	/** "" = its control unit can't be asked. */
	readonly diagnosis: "uds_can" | "kwp_tp20" | "";
	/** Cars differ in what they make of the same bytes: the driver's trim scales them. */
	readonly hasTrim: boolean;
	/** Frame that the torque model `proportional` writes instead of fixed values. Absent: no such model. */
	readonly torque?: TorqueFrame;
	/**
	 * The car sends none of the coupling's frames, so the gateway generates them. Absent: the car sends them.
	 */
	readonly generates?: boolean;
	/** The parked controller sleeps unless the driver sets otherwise. */
	readonly sleeps: boolean;
}
