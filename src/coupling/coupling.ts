/**
 * A coupling as the firmware sees it: everything in which one differs from another, as tables.
 * `CouplingPlans` in `plan-encoder.ts` has its frames, for the build. docs/add-a-coupling.md tells how to add
 * one.
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

/** The default signal of a condition: the driver has switched ESP or ASR off. */
export const USUAL_CONDITION_SIGNAL = "espOff";

/** Signal keys that are recommended. The comment of each signal in `src/can/dbc/` has its standing. */
export interface RecommendedSignals {
	readonly inputs: MappedKeys;
	/** Magnitude of its angle. */
	readonly steering: string;
	/** "" = none is known. */
	readonly conditions: Readonly<Record<(typeof CONDITION_SIGNALS)[number], string>>;
}

/** A value of the chassis bus. A `comparedSpeed` never controls: it only has to agree. */
export type Meaning = "speed" | "comparedSpeed" | "pedal" | "rpm" | "boost";

/** A source of a value. Of several with one meaning the first live one counts, after a mapped input. */
export interface Reading {
	readonly meaning: Meaning;
	/** The value is their mean, unless one has a code. All are in one frame, with one scale. */
	readonly signals: readonly SignalRow[];
}

/** Selector of an automatic gearbox; a manual car sends no such frame. */
export interface Selector {
	readonly position: RawRow;
	/** Raw values of park and neutral. */
	readonly park: number;
	readonly neutral: number;
	readonly source: Source;
}

/** A flag that is set while the ignition is on. */
export interface IgnitionFlag {
	/** Its name in answers. Source: docs/api.md, "State and modes". */
	readonly name: "ZAS_Kl_15" | "NM_Gateway_KL15" | "ZAS_Terminal_15" | "BSG_Terminal_15";
	readonly signal: RawRow;
}

/** The car, the same for all couplings of its network. */
export interface Car {
	readonly network: Network;
	/** Read without a mapping. */
	readonly readings: readonly Reading[];
	/** Flags of ABS, ESP, EDS and MSR: one bit each, in one 16-bit word of one frame. */
	readonly interventions: readonly RawRow[];
	/** Counters and checksums of its frames. */
	readonly checks: readonly FrameCheck[];
	readonly selector: Selector;
	/** The latest frame counts. Empty: unknown. */
	readonly ignition: readonly IgnitionFlag[];
	/** Frames of the chassis bus that may go on while the car sleeps. Absent: unknown. */
	readonly networkManagement?: IdRange;
	readonly recommended: RecommendedSignals;
}

interface StateFlags {
	readonly temperatureProtection: RawRow;
	readonly faults: readonly RawRow[];
	/** The coupling misses frames of the car. */
	readonly emergencyMode: RawRow;
	/** The coupling is open, whatever engagement says. */
	readonly fullyOpen: RawRow;
	/** In words, for people. */
	readonly names: readonly (readonly [flag: RawRow, name: string])[];
}

/** The frame in which the coupling reports. Each value needs only the bytes that hold it. */
export interface StatusFrame {
	readonly state: RawRow;
	/** Absent: the bits of `state` are no flags. */
	readonly flags?: StateFlags;
	readonly engagement: SignalRow;
	/** Raw engagement that is 0 %, and that is 100 %. */
	readonly zeroRaw: number;
	readonly fullRaw: number;
	/** From `fullRaw` on the report means "at least this much". */
	readonly saturates: boolean;
	/** Engagement is a torque in Nm unless this flag of the state is set. Absent: it is no torque. */
	readonly noTorque?: RawRow;
	/** Only for the DBC file. */
	readonly bytes: 4 | 8;
	/** Temperature of the clutch's oil. */
	readonly temperature?: SignalRow;
	/** Of `zeroRaw`, `fullRaw` and `saturates`. */
	readonly source: Source;
}

/** A signal of the frame, and its value. */
export interface TorqueField {
	readonly signal: RawRow;
	/** Raw value at 0 %. */
	readonly raw: number;
	/** Rises with the lock, by 1 a Nm up to the ceiling. */
	readonly rises: boolean;
	/** Largest change from one frame to the next, unless the coupling is opened; 0 = no limit. */
	readonly step: number;
}

/** Nm of a rising signal at 0 %. Source: docs/control-and-can.md 3.14. */
export const OPEN_NM = 10;

/** The frame with the engine's torques. */
export interface TorqueFrame {
	/** 0..0x7FF. */
	readonly id: number;
	readonly fields: readonly TorqueField[];
	/** Codes of invalid torques, as `markOf` in `plan-format.ts`. */
	readonly codes: readonly (readonly number[])[];
}

/** A coupling, and the car it is in. */
export interface Coupling {
	/** Number in settings and requests: above 0, and unique. */
	readonly generation: number;
	readonly car: Car;
	readonly status: StatusFrame;
	/** "" = its control unit can't be asked. */
	readonly diagnosis: "uds_can" | "kwp_tp20" | "";
	/** The driver may scale lock: cars differ in what they make of the same bytes. */
	readonly hasTrim: boolean;
	/** The frame of the torque model `proportional`. Absent: no such model. */
	readonly torque?: TorqueFrame;
	/** The car sends none of the coupling's frames: the gateway generates them. */
	readonly generates?: boolean;
	/** Default of parked sleep. */
	readonly sleeps: boolean;
}
