/**
 * What is known of the vehicle, as plain numbers and flags: what control, status and broadcast read.
 * `telemetry.ts` fills it in; a value and whether it may be acted on are two things (docs/decisions.md 5).
 */

/** Speed, pedal and the flags of interventions count this long, ms. Source: docs/decisions.md 5. */
export const DRIVER_INPUT_MAX_AGE_MS = 300;
/** Engine speed and engagement count this long, ms. Source: docs/decisions.md 5. */
export const SLOW_INPUT_MAX_AGE_MS = 500;

/** Where an automatic's selector stands; "unknown": no frame tells, as in a manual car. */
type SelectorPosition = "unknown" | "parked" | "in gear";

/**
 * "stands": the speed is valid, and all sources that have told one since the start say 0; "moves": one of
 * them says more; "unknown": none says anything, or one that has told a speed is lost.
 */
type Motion = "unknown" | "stands" | "moves";

/** The vehicle's state. */
export class VehicleState {
	/** The last accepted value, km/h, whole. Act on it only while `speedValid`; so with the other values. */
	speedKmh = 0;
	speedValid = false;
	/** Time of the last accepted speed, ms on the gateway's clock modulo 2^32. */
	speedAtMs = 0;
	/** What the live sources of the speed say together. Code that needs a standing car asks this. */
	motion: Motion = "unknown";
	/** The highest speed of all live sources, km/h; 0 if there is none. */
	fastestKmh = 0;
	/** The sources of the speed differ by more than slipping wheels explain. */
	speedsDiffer = false;
	/** The sources of the speed have differed for longer than their ages explain. */
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
	/** A code in the selector's place counts as "in gear": there is a selector, and its position is unknown. */
	selector: SelectorPosition = "unknown";

	/**
	 * "off": a frame says so and none says "on", or those that told it fell silent together with the
	 * engine's. "unknown": no frame tells.
	 */
	ignition: "unknown" | "on" | "off" = "unknown";

	/** The frame with the flags of ABS and ESP is recent. */
	interventionsValid = false;
	/** ABS, ESP, EDS or MSR showed a flag in a frame since the last sample, or in the last one. */
	interventionActive = false;
	interventionsAtMs = 0;

	/**
	 * Raw engagement, 0..255, and percent, 0..100: of what the report can say, see `StatusFrame`. 0 while the
	 * coupling says that it is open.
	 */
	engagementRaw = 0;
	engagementPercent = 0;
	engagementValid = false;
	engagementAtMs = 0;
	/** The report is at its end: the coupling is engaged by `engagementPercent` or more. */
	engagementSaturated = false;
	/** The torque that the coupling reports, Nm; NaN if it reports none. */
	engagementNm = Number.NaN;
	/** Temperature of the clutch's oil, °C; NaN while the coupling does not report it. */
	clutchTemperatureC = Number.NaN;
	/** Status byte of the coupling; on generation 5 it holds the drive profile. */
	couplingState = 0;
	/** PQ only: over-temperature protection active. */
	temperatureProtection = false;
	/** PQ only: clutch error or stiffness status faulty; with a car around it emergency mode, too. */
	couplingFault = false;
	/** PQ only: the coupling runs without what it expects of a car. */
	emergencyMode = false;
	/** Emergency mode is the only fault of the coupling. */
	faultIsEmergency = false;
}
