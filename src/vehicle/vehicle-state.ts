/**
 * What is known of the vehicle, as plain numbers and flags: what control, status and broadcast read.
 * `telemetry.ts` fills it in; a value and whether it may be acted on are two things (docs/decisions.md 5).
 */

/** Speed, pedal and the flags of interventions count this long, ms. Source: docs/decisions.md 5. */
export const DRIVER_INPUT_MAX_AGE_MS = 300;
/** Engine speed and engagement count this long, ms. Source: docs/decisions.md 5. */
export const SLOW_INPUT_MAX_AGE_MS = 500;

/** The vehicle's state. */
export class VehicleState {
	// The engine looks for a member from the first one that was set: what each tick reads is set first.
	speedValid = false;
	pedalValid = false;
	rpmValid = false;
	engagementValid = false;
	/** The flags' frame is recent enough to say that there is no intervention. */
	interventionsValid = false;
	/** ABS, ESP, EDS or MSR showed a flag in a frame since the last sample, or in the last one. */
	interventionActive = false;
	/** km/h, whole. The last accepted value; whether it may be acted on says `speedValid`. Same for the others. */
	speedKmh = 0;
	/** Time of the last accepted sample, ms on the gateway's clock modulo 2^32. */
	speedAtMs = 0;
	/** Percent, float32, 0..102; a mapped one may exceed that. */
	pedalPercent = 0;
	pedalAtMs = 0;
	/** 1/min, whole, 0..65535. */
	rpm = 0;
	rpmAtMs = 0;
	engagementAtMs = 0;
	/** Of the last frame with the flags of interventions. */
	interventionsAtMs = 0;
	/** mbar above 1000 mbar, generation 5 only. For display: it does not expire. */
	boostMbar = 0;
	/** Raw engagement, 0..255, and percent, 0..100. */
	engagementRaw = 0;
	engagementPercent = 0;
	/** Status byte of the coupling; on generation 5 it holds the drive profile. */
	couplingState = 0;
	/** PQ only: over-temperature protection active. */
	temperatureProtection = false;
	/** PQ only: clutch error, stiffness status faulty or emergency mode. */
	couplingFault = false;
}
