/** Allrad_1, in which generations 1, 2 and 4 report. Source: docs/control-and-can.md 2.2. */

import { PQ_SIGNALS } from "../../can/layouts/pq.js";

/** What they have in common; where 100 % is they have not. */
export const ALLRAD_1 = Object.freeze({
	state: PQ_SIGNALS.couplingState,
	flags: Object.freeze({
		temperatureProtection: PQ_SIGNALS.temperatureProtection,
		faults: Object.freeze([PQ_SIGNALS.clutchError, PQ_SIGNALS.stiffnessError]),
		emergencyMode: PQ_SIGNALS.emergencyMode,
		fullyOpen: PQ_SIGNALS.fullyOpen,
		names: Object.freeze([
			[PQ_SIGNALS.clutchError, "Clutch 1 report"],
			[PQ_SIGNALS.temperatureProtection, "Temperature protection"],
			[PQ_SIGNALS.stiffnessError, "Clutch 2 report"],
			[PQ_SIGNALS.fullyOpen, "Coupling open"],
			[PQ_SIGNALS.speedLimiter, "Speed limit"],
		] as const),
	}),
	engagement: PQ_SIGNALS.engagement,
	zeroRaw: 128,
	noTorque: PQ_SIGNALS.engagementInPercent,
	saturates: true,
	temperature: PQ_SIGNALS.clutchTemperature,
});
