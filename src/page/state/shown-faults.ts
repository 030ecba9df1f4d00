/** Which faults are told: what follows from another one is not, and a car whose ignition is off has none. */

import { lookUp } from "../look-up";
import type { ModeState } from "../net/types";

/** What follows from a fault. */
const CONSEQUENCES: Readonly<Record<string, readonly string[]>> = {
	chassisBusDown: ["chassisSilent", "speedInvalid", "throttleInvalid", "rpmInvalid"],
	chassisSilent: ["speedInvalid", "throttleInvalid", "rpmInvalid"],
	couplingBusDown: ["engagementInvalid"],
};
/** What an ignition that is off brings with it. */
const PARKED = ["chassisSilent", "speedInvalid", "throttleInvalid", "rpmInvalid", "engagementInvalid"];

/** The ignition is off, or nothing comes from car and coupling alike, which is how a parked car is. */
export function isParked(all: readonly string[], state: Pick<ModeState, "reasonCode"> | undefined): boolean {
	return state?.reasonCode === "ignitionOff" || (all.includes("chassisSilent") && all.includes("engagementInvalid"));
}

/** @param all names of the faults that are there */
export function shownFaults(all: readonly string[], state: Pick<ModeState, "reasonCode"> | undefined): readonly string[] {
	const parked = isParked(all, state);
	return all.filter(
		(name) => !(parked && PARKED.includes(name)) && !all.some((cause) => lookUp(CONSEQUENCES, cause)?.includes(name)),
	);
}
