/**
 * The vehicle as plain values, for control, status and broadcast. `telemetry.ts` writes them, and
 * `coupling-status.ts` those of the coupling's report. Whether a value may be acted on is separate
 * (docs/decisions.md 5).
 */

/** Speed, pedal and the flags of interventions count for this long. Source: docs/decisions.md 5. */
export const DRIVER_INPUT_MAX_AGE_MS = 300;
/** Engine speed and engagement count for this long. Source: docs/decisions.md 5. */
export const SLOW_INPUT_MAX_AGE_MS = 500;

/** "unknown": no frame tells, as in a manual car. */
type SelectorPosition = "unknown" | "parked" | "in gear";

/**
 * "stands": the speed is valid, and all sources that have told one since the start say 0; "moves": one says
 * more; "unknown": none tells, or one that has is lost.
 */
type Motion = "unknown" | "stands" | "moves";

/**
 * A value and its `Valid`: act on it only while that is true. Times are ms on the gateway's clock modulo
 * 2^32.
 */
export class VehicleState {
	/** km/h, whole. */
	speedKmh = 0;
	speedValid = false;
	speedAtMs = 0;
	/** Code that needs a standing car asks this. Up to 100 ms late (docs/decisions.md 47). */
	motion: Motion = "unknown";
	/** The highest of all live sources, km/h; 0 without one. Up to 100 ms late. */
	fastestKmh = 0;
	/** Sources of the speed differ by more than slipping wheels explain. */
	speedsDiffer = false;
	/** They have differed by that for 1 s (docs/decisions.md 47). */
	speedsContradict = false;
	/** Percent, float32, 0..102; a mapped one may exceed that. */
	pedalPercent = 0;
	pedalValid = false;
	pedalAtMs = 0;
	/** 1/min, whole, 0..65535. */
	rpm = 0;
	rpmValid = false;
	rpmAtMs = 0;
	/** mbar above 1000 mbar, generation 5 only. For display: it does not expire. */
	boostMbar = 0;
	/** A code counts as "in gear": there is a selector. */
	selector: SelectorPosition = "unknown";

	/**
	 * "off": a frame says so and none "on", or those that told it fell silent with the engine's. "unknown":
	 * no frame tells.
	 */
	ignition: "unknown" | "on" | "off" = "unknown";

	interventionsValid = false;
	/** A flag of ABS, ESP, EDS or MSR in any frame since the last sample, or in the last one. */
	interventionActive = false;
	interventionsAtMs = 0;

	/** Raw, 0..255, and percent of `StatusFrame.fullRaw`; 0 while the coupling says that it is open. */
	engagementRaw = 0;
	engagementPercent = 0;
	engagementValid = false;
	engagementAtMs = 0;
	/** It is engaged by `engagementPercent` or more. */
	engagementSaturated = false;
	/** Temperature of the clutch's oil; NaN while it is not reported. */
	clutchTemperatureC = Number.NaN;
	/** On generation 5 the drive profile. */
	couplingState = 0;
	/** PQ only, as the next ones. */
	temperatureProtection = false;
	/** Clutch error or stiffness fault; with a car around it emergency mode, too. */
	couplingFault = false;
	/** It misses frames of a car. */
	emergencyMode = false;
	/** Emergency mode is the only fault. */
	faultIsEmergency = false;
}
